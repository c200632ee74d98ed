import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
// @ts-expect-error: the scripts have no types
import { manPage } from '../../../scripts/man-page.mjs'
import { verbTable } from '../../../src/cli/verb-table.ts'
import { completionsFor } from '../../../src/extras/completion/complete.ts'
import { workspaceLab } from '../../helpers/workspace-lab.ts'

const table = verbTable()
const known = {
  conversations: () => [
    { word: '001-plan-a', about: 'A' },
    { word: '002-plan-b', about: 'B' },
  ],
  types: () => [{ word: 'plan', about: '' }],
}

function completed(...words: string[]) {
  const found = completionsFor(table, words, known)
  return found === 'files' ? found : found.map(({ word }) => word)
}

describe('the words that can come next', () => {
  test.each([
    ['a verb', ['exp'], ['export']],
    ['no hidden verb', ['merge-'], []],
    ['a verb below another one', ['agent', 'sa'], ['save']],
    ['an id', ['show', '002'], ['002-plan-b']],
    ['an id behind options and their values', ['export', '--format', 'hf', '001'], ['001-plan-a']],
    ['a type', ['start', ''], ['plan']],
    ['a client', ['resume', '--in', 'ge'], ['gemini']],
    ['a choice', ['export', '--format', ''], ['markdown', 'html', 'json', 'atif', 'hf']],
    ['a choice behind =', ['export', '--format=a'], ['--format=atif']],
    ['a choice behind =, as bash cuts it', ['export', '--format', '=', 'a'], ['atif']],
    ['a choice right behind =, as bash cuts it', ['resume', '--mode', '='], ['native', 'handoff']],
    ['a shell', ['completion', 'z'], ['zsh']],
    ['a strategy', ['context', '001', '--strategy', 'min'], ['minimal-state']],
    ['a role', ['search', 'x', '--role', 'a'], ['assistant']],
    ['a file', ['import', 'claude', '--file', ''], 'files'],
    ['nothing where anything may stand', ['edit', '001', '--title', ''], []],
  ])('%s', (_, words, expected) => {
    expect(completed(...words)).toEqual(expected)
  })

  test('only options that are not used yet are offered', () => {
    expect(completed('save', '--')).toEqual(['--commit', '--json', '--help'])
    expect(completed('save', '--commit', '--')).toEqual(['--json', '--help'])
  })
})

test('examples use verbs and options that exist', () => {
  for (const { name, examples, options } of table.verbs) {
    const flags = options.flatMap((option) => option.flags)
    for (const [line] of examples) {
      expect(line).toMatch(new RegExp(`^cortext ${name}\\b`))
      for (const flag of line.match(/ --?[a-z-]+/g) ?? [])
        expect(flags, `src/cli/verbs.ts: ${line}`).toContain(flag.trim())
    }
  }
})

// promise: `man cortext` has the same table of verbs.
test('the man page matches the table of verbs', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../man/cortext.1'), 'utf8')
  expect(page, 'the table of verbs has changed: run `npm run build && npm run man`').toBe(
    manPage(JSON.parse(JSON.stringify(table))),
  )
  for (const { name, hidden } of table.verbs)
    expect(page.includes(`.SS "cortext ${name.replaceAll('-', '\\-')}`), name).toBe(!hidden)
})

test('an unknown shell is refused with the known ones', async () => {
  const lab = await workspaceLab({ init: 'none' })
  expect(await lab.cortext(['completion', 'tcsh'])).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'error: there is no completion for tcsh, only for bash, zsh and fish\nfix: cortext completion bash\n',
  })
})
