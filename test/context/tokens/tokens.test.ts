import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { estimate, leastTokens, o200k } from '../../../src/context/tokens/index.ts'
import { runs, TIME_FOR_RUNS } from '../../helpers/long.ts'
import { text } from '../../session/conversations.ts'

const tokenizer = await o200k()
const exact = (whole: string) => countTokens(whole, { disallowedSpecial: new Set<string>() })

/** What has no break for long, so that it is counted in pieces. */
const run = fc
  .tuple(fc.constantFrom('=', ' ', 'a', '漢', '-=', '/\n'), fc.nat(4000))
  .map(([unit, times]) => unit.repeat(times))

test('law: the count is that of o200k; it may be a little higher for a long run without a break, never lower', {
  timeout: TIME_FOR_RUNS,
}, () => {
  fc.assert(
    fc.property(text, run, text, (a, b, c) => {
      const whole = a + b + c
      const counted = tokenizer.count(whole)
      expect(counted).toBeGreaterThanOrEqual(exact(whole))
      expect(counted).toBeLessThanOrEqual(exact(whole) + 8 * Math.floor(whole.length / 1024))
    }),
    runs(100, 1000),
  )
})

test('law: the lower bound without counting is never too high, and for prose at least two thirds of the count', {
  timeout: TIME_FOR_RUNS,
}, () => {
  const words = fc
    .array(
      fc.constantFrom(
        'a',
        'I',
        "don't",
        'we',
        'RangeError',
        'x1',
        '漢字',
        'é',
        ' ',
        '\n',
        '\t',
        '\r\n',
        '\u00a0',
        "'s",
        '.',
      ),
    )
    .map((all) => all.join(' '))
  fc.assert(
    fc.property(fc.oneof(text, words, fc.string({ unit: 'binary' })), (whole) => {
      expect(leastTokens(whole)).toBeLessThanOrEqual(exact(whole))
    }),
    runs(300, 5000),
  )
  const prose = ' The cache is asked first, and what it does not know is read from the table behind it.'
  expect(leastTokens(prose)).toBeGreaterThan(exact(prose) / 1.5)
  // A terminal that is told a title shows nothing of it.
  expect(leastTokens(`${prose}\u001b]0;${prose}\u0007`)).toBe(0)
})

test('law: with a limit the count is the same up to it, and Infinity beyond', {
  timeout: TIME_FOR_RUNS,
}, () => {
  fc.assert(
    fc.property(text, fc.nat(400), (whole, limit) => {
      const all = tokenizer.count(whole)
      expect(tokenizer.count(whole, limit)).toBe(all <= limit ? all : Number.POSITIVE_INFINITY)
    }),
    runs(100, 1000),
  )
})

test('text that looks like a special token counts as text', () => {
  expect(tokenizer.count('<|endoftext|>')).toBeGreaterThan(1)
})

test.each(['=', '/\n'])('a megabyte of %j is counted before the test runs out of time', (unit) => {
  expect(tokenizer.count(unit.repeat(1_000_000 / unit.length))).toBeGreaterThan(10_000)
})

test('the estimate is rather too high for real talk', () => {
  const prose = readFileSync('README.md', 'utf8')
  for (const whole of [
    prose,
    readFileSync('src/context/build.ts', 'utf8'),
    '会話を再開する',
    'Größe und Übermut',
    '',
  ])
    expect(estimate.count(whole)).toBeGreaterThanOrEqual(exact(whole))
})

/** All of it: a single file of imports and short names counts up to half too much. */
function sources(): string {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  )
  return files.map((path) => readFileSync(`src/${path}`, 'utf8')).join('\n')
}

const bytes = (times: number) =>
  Buffer.concat(Array.from({ length: times }, (_, n) => createHash('sha256').update(`${n}`).digest()))

test.each([
  ['prose', readFileSync('docs/decisions.md', 'utf8')],
  ['code', sources()],
  ['JSON', readFileSync('package.json', 'utf8')],
  ['a lock file', readFileSync('package-lock.json', 'utf8')],
  ['a transcript', readFileSync('test/fixtures/claude/2.1.330/recorded.jsonl', 'utf8')],
  ['base64', bytes(1000).toString('base64')],
  ['hex', bytes(300).toString('hex')],
  ['minified code', 'x=1;y=2;'.repeat(500)],
  ['Chinese', '你可以在任何客户端继续这次对话，历史记录会保存在仓库里。\n'.repeat(30)],
  ['Japanese', '会話を再開すると、前回の続きから作業できます。設定は既定の場所にあります。\n'.repeat(30)],
  ['Korean', '대화를 다시 시작하면 이전 작업을 이어서 할 수 있습니다.\n'.repeat(30)],
  ['German', 'Schau dir bitte die Änderungen an, Größe und Übermut inbegriffen.\n'.repeat(20)],
  ['Russian', 'Продолжите разговор с того места, где вы остановились вчера.\n'.repeat(20)],
])('the estimate of %s is within a quarter of o200k', (_, whole) => {
  const share = estimate.count(whole) / exact(whole)
  expect(share).toBeGreaterThan(0.85)
  expect(share).toBeLessThan(1.25)
})
