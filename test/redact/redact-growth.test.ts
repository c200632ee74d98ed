import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { isUrlLetter, Runs } from '../../src/redact/runs.ts'
import { SHAPES } from '../../src/redact/shapes/index.ts'
import { PAD } from '../../src/redact/shapes/shape.ts'
import { Quotes } from '../../src/redact/values.ts'

// Work is counted in letters read, not in time.

it('a run of starts is read once, however many of them ask for its end', () => {
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

it('a quote that was read before ends where it ended when read alone', () => {
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
it('no shape reads far behind its start before a letter that may not be there', () => {
  const far = SHAPES.filter(({ rest }) => {
    const needed = rest.replaceAll(PAD, '').replace(/=\{0,\d\}|\(\?![^)]*\)/g, '')
    const runs = [...needed.matchAll(/\{(?:\d+,)?(\d+)\}/g)]
    return runs.some((run) => Number(run[1]) > 300 && /[^)]/.test(needed.slice(run.index + run[0].length)))
  })
  expect(far.map(({ kind }) => kind)).toEqual([])
})

it('no rule searches a text to its end, forward or backward: a text of one word would be searched at each of them', () => {
  const folder = fileURLToPath(new URL('../../src/redact', import.meta.url))
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )
  const searches = files.flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter((line) => /\btext\.(?:indexOf|lastIndexOf|search|match|split|includes)\(/.test(line))
      .map((line) => `${name}: ${line.trim()}`),
  )
  expect(files.length).toBeGreaterThan(15)
  expect(searches).toEqual([])
})
