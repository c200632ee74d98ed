import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
// @ts-expect-error a script without types
import { dice, draw, fixedStart, parse } from '../../scripts/redaction/draw.mjs'
// @ts-expect-error a script without types
import { hitsIn } from '../../scripts/redaction/hits.mjs'
import { redactText } from '../../src/redact/index.ts'
import { drawer, TOKENS } from '../redact/redact-corpus.ts'

test.each([
  '\\b(dop_v1_[a-f0-9]{64})\\b',
  'AK(?:IA|CC)[A-Z2-7]{16}',
  '(?:pat|sat)\\.[\\w-]{22}\\.[a-zA-Z0-9]{2,}',
  'x(?P<name>ab?c*)+[^0-9]\\x41[[:upper:]]',
])('a rule run backwards gives texts that it matches: %s', (pattern) => {
  const tree = parse(pattern)
  const regex = new RegExp(`^(?:${pattern.replace('?P<', '?<').replace('[[:upper:]]', '[A-Z]')})$`)
  for (let seed = 1; seed <= 50; seed++) expect(draw(tree, dice(seed))).toMatch(regex)
})

test('the fixed letters at the start of a rule are its vendor’s start', () => {
  expect(fixedStart(parse('\\b(dop_v1_[a-f0-9]{64})'))).toBe('dop_v1_')
  expect(fixedStart(parse('\\b([a-f0-9]{64})'))).toBe('')
})

test('every replaced stretch is shown, with what stands around it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hits-'))
  const tokens = [1, 2].map((seed) => TOKENS['github-token']!(drawer(seed)))
  writeFileSync(join(folder, 'a.txt'), `one ${tokens[0]} two [REDACTED:jwt:0123abcd] three ${tokens[1]}`)
  const [{ found }] = [...hitsIn(folder, redactText)]
  expect(found.map((hit: { secret: string }) => hit.secret)).toEqual(tokens)
  expect(found[1].before).toMatch(/three $/)
})
