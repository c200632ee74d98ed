import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { Quotes } from '../../src/redact/contexts/values.ts'
import { redactValue } from '../../src/redact/index.ts'
import { isUrlLetter, Runs } from '../../src/redact/runs.ts'
import { SHAPES } from '../../src/redact/shapes/index.ts'
import { PAD } from '../../src/redact/shapes/shape.ts'

// Work is counted in letters read, not in time.

it('a run of starts is read once, however many of them need its end', () => {
  const steps = (starts: number) => {
    const text = '-eyJ'.repeat(starts)
    const runs = new Runs(text, isUrlLetter)
    for (let at = text.indexOf('eyJ'); at >= 0; at = text.indexOf('eyJ', at + 1)) {
      expect(runs.endAt(at)).toBe(text.length)
    }
    return runs.steps
  }
  expect(steps(1000)).toBeLessThanOrEqual(4000)
  expect(steps(8000)).toBeLessThanOrEqual(8 * steps(1000) + 8)
})

it('a line of opening quotes is read once', () => {
  const steps = (names: number) => {
    const text = 'password=\\" '.repeat(names)
    const quotes = new Quotes(text)
    for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) quotes.closing(at + 1, '"')
    return quotes.steps / text.length
  }
  expect(steps(1000)).toBeLessThanOrEqual(1)
  expect(steps(8000)).toBeLessThanOrEqual(1)
})

it('a quote that was read before ends where it ends when it is read by itself', () => {
  const text = 'a="x\\"y" b=\\"p\\\\\\"q\\" c="z'
  for (const open of ['"', '\\"']) {
    const known = new Quotes(text)
    for (let from = 0; from < text.length; from++) {
      if (!text.slice(0, from).endsWith(open)) continue
      expect(known.closing(from, open)).toBe(new Quotes(text).closing(from, open))
    }
  }
})

/**
 * A shape reads on behind its start as far as its runs may go. Where a fixed letter has to follow a run, it may fail
 * after all of that, at each start of a text of starts; where nothing has to follow, a long run ends in a match.
 */
it('no shape reads far beyond its start for a letter that may be missing', () => {
  const far = SHAPES.filter(({ rest }) => {
    const needed = rest.replaceAll(PAD, '').replace(/=\{0,\d\}|\(\?![^)]*\)/g, '')
    const runs = [...needed.matchAll(/\{(?:\d+,)?(\d+)\}/g)]
    return runs.some((run) => Number(run[1]) > 300 && /[^)]/.test(needed.slice(run.index + run[0].length)))
  })
  expect(far.map(({ kind }) => kind)).toEqual([])
})

// promise: the work grows with
it('no rule searches to the end of a text, forward or backward: a text of many triggers would be searched at each of them', () => {
  expect(sourceLines(/\btext\.(?:indexOf|lastIndexOf|search|match|split|includes)\(/)).toEqual([])
})

it('a text with more secrets than the stack has room for is redacted', () => {
  const SECRETS = 170_000
  const { value, found } = redactValue({ arguments: ';a_pw=k9z7q'.repeat(SECRETS) })
  expect(found).toHaveLength(SECRETS)
  expect(value.arguments).not.toContain('k9z7q')
})

it('equal keys of an object are numbered on, not counted again from 1', () => {
  // A secret has one placeholder however it is escaped, and here each of its sixteen letters is, or is not.
  const KEYS = 2 ** 16
  const escaped = (i: number) => [...'ab7#cd9xyzefghij'].map((c, n) => ((i >> n) & 1 ? `\\${c}` : c)).join('')
  const keys = Array.from({ length: KEYS }, (_, i) => [`DB_PASSWORD=${escaped(i)}`, i])
  const { value } = redactValue(Object.fromEntries(keys) as Record<string, number>)
  expect(new Set(Object.keys(value).map((key) => key.replace(/#\d+$/, ''))).size).toBe(1)
  expect(Object.values(value)).toEqual(Array.from({ length: KEYS }, (_, i) => i))
})

it('a value of two thousand levels is walked through', () => {
  const DEEP = 2000
  const value = JSON.parse(`${'[{"a":'.repeat(DEEP / 2)}"DB_PASSWORD=x7#abc"${'}]'.repeat(DEEP / 2)}`)
  expect(JSON.stringify(redactValue(value).value)).toContain('[REDACTED:')
})

it('no list is spread into a call: the stack has no room for many arguments', () => {
  expect(sourceLines(/\b(?:push|unshift|concat|max|min|fromCharCode|apply)\(\.\.\./)).toEqual([])
})

/** The lines of the redaction's source that the pattern matches. */
function sourceLines(pattern: RegExp): string[] {
  const folder = fileURLToPath(new URL('../../src/redact', import.meta.url))
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )
  expect(files.length).toBeGreaterThan(15)
  return files.flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter((line) => pattern.test(line))
      .map((line) => `${name}: ${line.trim()}`),
  )
}
