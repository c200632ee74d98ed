import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clients } from '../src/clients/index.ts'

const DIST = join(import.meta.dirname, '../dist')

test('every bundle keeps its caches under the same name, so that none throws away what another one has read', () => {
  const named = readdirSync(DIST, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.cjs'))
    .flatMap((path) => {
      const [, name] = /\["([0-9a-f]{16})"\]/.exec(readFileSync(join(DIST, path), 'utf8')) ?? []
      return name === undefined ? [] : [{ room: path.split('/')[0]!, name }]
    })
  expect(new Set(named.map(({ room }) => room))).toEqual(
    new Set(['cli', 'complete.cjs', 'journeys', 'library']),
  )
  expect(new Set(named.map(({ name }) => name)).size).toBe(1)
})

test('a list of unchanged conversations loads no reader of a client, no redaction and no git', () => {
  const CLI = join(DIST, 'cli')
  const textOf = (name: string) => readFileSync(join(CLI, name), 'utf8')
  const names = readdirSync(CLI)
  const waiting = names.filter((name) => /^(list|picker)-/.test(name))
  const loaded = new Set(waiting)
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    // A dynamic import is a call of `require` in a function of its own, `()=>…require("./chunk.cjs")`.
    const atOnce = textOf(name).replace(/=>[\w$().,=> ]{0,40}require\("[^"]+"\)/g, '')
    for (const [, next] of atOnce.matchAll(/require\("\.\/([^"]+)"\)/g))
      if (!loaded.has(next!)) {
        loaded.add(next!)
        waiting.push(next!)
      }
  }
  expect(loaded.size).toBeGreaterThan(10)
  for (const word of ['[REDACTED:', 'protocol.allow', 'isSidechain']) {
    const having = names.filter((name) => textOf(name).includes(word))
    expect(having, word).not.toEqual([])
    expect(
      having.filter((name) => loaded.has(name)),
      word,
    ).toEqual([])
  }
})

test('the file that every verb loads does not load the module for starting programs', () => {
  expect(readFileSync(join(DIST, 'cli/index.cjs'), 'utf8')).not.toContain('child_process')
})

test('each client has a hook bundle with its own language alone', () => {
  const bundles = readdirSync(DIST).filter((name) => name.startsWith('hook'))
  expect(bundles).toEqual(
    Object.keys(clients)
      .sort()
      .map((id) => `hook-${id}.cjs`),
  )
  // The only client of these names for its events, and the only one whose sessions are several files.
  const having = (word: string) =>
    bundles.filter((name) => readFileSync(join(DIST, name), 'utf8').includes(word))
  expect(having('UserPromptExpansion')).toEqual(['hook-claude.cjs'])
  expect(having('history_base')).toEqual(['hook-codex.cjs'])
})

test.each(['nobody', '../bin', ''])('a hook of the client %j, which nobody knows, does nothing', (client) => {
  const run = spawnSync(process.execPath, [join(DIST, 'bin.cjs'), 'hook', client], {
    input: '{}',
    encoding: 'utf8',
  })
  expect(run).toMatchObject({ status: 0, stdout: '', stderr: '' })
})
