import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readerList } from '../../src/clients/index.ts'
import { filesBelow } from './fixtures.ts'

const SRC = join(import.meta.dirname, '..', '..', 'src')
/** An id as a word: not a part of another one, not the begin of the name of a model (`claude-…`), and not `&amp;`. */
const named = (ids: string) => new RegExp(`(?<![\\w&-])(?:${ids})(?![\\w-])`)
const IDS = readerList().map(({ id }) => id)
const NAMED = named(IDS.join('|'))

/**
 * Where a client is named as data: a recording of one is played, examples are shown, models begin with such a name. In
 * `redact/`, the word is of HTML's `&amp;`.
 */
const MAY = [
  ...['cli/verbs/demo.ts', 'cli/verbs.ts', 'context/tokens/budget.ts'],
  ...['redact/contexts/values.ts', 'redact/unseen-signs.ts'],
]
/** The lists of clients. */
const LISTS = ['index.ts', 'hook-languages.ts', 'import-only.ts']

/** Lines of a source that name a client by its id, comments aside. */
function namingLines(source: string): string[] {
  return source.split('\n').filter((line) => NAMED.test(line) && !/^\s*(\/\/|\/?\*)/.test(line))
}

describe('outside of src/clients/', () => {
  it('no client is asked for by its id', () => {
    const files = filesBelow(SRC).filter((path) => path.endsWith('.ts') && !path.startsWith('clients/'))
    expect(files.length).toBeGreaterThan(100)
    const naming = files
      .filter((path) => !MAY.includes(path))
      .flatMap((path) => namingLines(readFileSync(join(SRC, path), 'utf8')).map((line) => `${path}: ${line}`))
    expect(naming).toEqual([])
  })

  it('would be found, in each way that it can be written', () => {
    const ways = [
      "if (client === 'claude')",
      'case "gemini":',
      '[`opencode`].includes(id)',
      'clients.claude.read(raw)',
      'const { codex } = clients',
      '/^(?:claude|opencode) -/',
      'folder: `.gemini/settings.json`',
    ]
    for (const way of ways) expect(namingLines(way)).toEqual([way])
    for (const word of ['// as `claude` does', ' * in claude', '/^claude-/', 'geminiHooks'])
      expect(namingLines(word)).toEqual([])
  })
})

describe('inside of src/clients/', () => {
  it('a client is named by its own folder and the lists only', () => {
    const naming = filesBelow(join(SRC, 'clients'))
      .filter((path) => path.endsWith('.ts') && !LISTS.includes(path))
      .filter((path) => {
        const own = path.split('/')[0]!
        return namingLines(readFileSync(join(SRC, 'clients', path), 'utf8')).some((line) =>
          IDS.some((id) => id !== own && named(id).test(line)),
        )
      })
    expect(naming).toEqual([])
  })
})
