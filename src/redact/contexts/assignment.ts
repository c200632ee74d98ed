import { type Form, isConvincing, isSecretValue, kindOfValue } from '../judge.ts'
import { type Expectation, expectationOf, namesAt } from '../names.ts'
import type { Span, Verdict } from '../scan.ts'
import { captured } from './credentials.ts'
import { valueField } from './fields.ts'
import { valueOnNextLine } from './next-line.ts'
import { valueBelow } from './tables.ts'
import { isLineEnd, isLineStart, isStructure, type Quotes, unquotedAt } from './values.ts'

/**
 * Finds a name that announces a secret, a separator and a value. The name is around `offset`, where one of the
 * trigger's words is. The value is after a sign, in the next cell of a table, in the next field (`name: X`, `value:
 * …`), or in the column below.
 */
export function assignedSecret(text: string, offset: number, quotes: Quotes): Verdict {
  SEPARATOR.lastIndex = offset
  const match = SEPARATOR.exec(text)
  const rest = match?.[1] ?? REST.exec(offset, text)
  const { start, name, words } = namesAt(text, offset, offset + rest.length)
  const byName = expectationOf(name)
  const expected = byName ?? (words === name ? undefined : expectationOf(words))
  if (expected === undefined) return undefined
  const end = offset + rest.length
  const named: NamedPlace = { text, start, name, expected, quotes }
  return (
    (match === null ? undefined : valueAfter(named, offset, match)) ??
    valueField(text, start, end, expected, quotes) ??
    valueBelow(text, start, end, expected)
  )
}

interface NamedPlace {
  text: string
  /** The offset of the name. */
  start: number
  name: string
  expected: Expectation
  quotes: Quotes
}

/**
 * Matches the rest of the name, its closing quote, a separator (perhaps after a type, or after the default in a prompt:
 * `[None]`), what code has before a string (`process.env.X ||`, `new SecretStr(`), and the opening quote of the value.
 */
const SEPARATOR =
  /([A-Za-z0-9_-]{0,40})(\\*["'`]?\]?\*{0,2})((?:[ \t]{0,2}\[[^\]\n]{0,40}\])?[ \t\u00a0]{0,40}(?::?[ \t]?(?:string|String|str|&(?:'static )?str)[ \t]{0,3}(?==))?(?::{1,2}=|=>|[!=]={1,2}|[?+.]=|\|\||\?\?|[:=>,|│：＝]|[ \t](?:is|was|ist|lautet)(?=[ \t]))\*{0,2}[ \t\u00a0]{0,40}|[ \t]{1,4})((?:[A-Za-z_$][\w$.]{0,60} ?(?:\|\||\?\?) ?|(?:new )?\w{0,20}(?:Secret|Password|Secure)\w{0,12}\()(?=\\*["'`]))?([rbfuN@$]?\\*["'`])?/y

/** The rest of the name when no separator follows. */
const REST = {
  pattern: /[A-Za-z0-9_-]{0,40}/y,
  exec(offset: number, text: string): string {
    this.pattern.lastIndex = offset
    return this.pattern.exec(text)![0]
  },
}

function valueAfter(named: NamedPlace, offset: number, match: RegExpExecArray): Verdict {
  const { text } = named
  const [whole, , closing, between, , open] = match as unknown as [
    ...[string, string, string, string],
    ...[string?, string?],
  ]
  const sign =
    between.includes('\t') && between.trim() === ''
      ? '\t'
      : between
          .replaceAll('*', '')
          .replace(/\[[^\]]{0,40}\]/, '')
          .replace('：', ':')
          .replace('＝', '=')
          .trim()
  const from = offset + whole.length
  if (/^(?:\|\||\?\?)$/.test(sign) && open === undefined) return undefined
  if (sign === '' && !isSpaced(named, open)) return undefined
  if (isNotName(named, sign, from) || (BAR.test(sign) && !/\s/.test(between))) return undefined
  if (open !== undefined) {
    if (sign === '>') return undefined
    const span = quotedSecret(named, from, open)
    if (!WEAK_SIGNS.has(sign) || span === undefined) return withItsSuccessor(named, span)
    return /[0-9]/.test(text.slice(span.start, span.end)) ? span : undefined
  }
  if (sign === '>') return captured(text, from, ELEMENT, (value) => /[0-9]/.test(value))
  if (WEAK_SIGNS.has(sign)) return convincingSecret(named, from)
  const below = ASSIGNS.has(sign) ? valueOnNextLine(text, from, named.expected, named.quotes) : undefined
  if (below !== undefined || /["'`]/.test(closing)) return below
  return unquotedSecret(named, from, sign, between)
}

/** These signs separate all kinds of things, so the value itself has to be convincing. */
const WEAK_SIGNS = new Set([',', 'is', 'was', 'ist', 'lautet', '|', '│', '\t'])

/** After these signs, a value may be on the next line. */
const ASSIGNS = new Set([':', '=', ':=', '=>'])

/** A bar separates two cells of a table only with a space next to it. */
const BAR = /[|│]/

/** Whether a value may follow its name without a sign: after a flag, in .netrc, in SQL. */
function isSpaced({ text, start, name }: NamedPlace, open: string | undefined): boolean {
  if (name.startsWith('-')) return true
  const before = text.slice(Math.max(0, start - 120), start)
  if (/[A-Z]/.test(name) ? SETS.test(before) : isDirective(name, before)) return true
  return open === undefined ? NETRC.test(before) : !open.endsWith('`') && SQL.test(before)
}

/**
 * `ENV NAME …` of a Dockerfile, `set -x NAME …` of fish, `setx NAME …` of Windows, `#define NAME …` of C, and
 * `proxy_set_header NAME …` of nginx.
 */
const SETS =
  /(?:^|\n|\\n)[ \t]{0,40}ENV[ \t]{1,8}$|\bset -[A-Za-z]{1,4} $|\bsetx $|#[ \t]?define[ \t]{1,4}$|\b(?:proxy_set|add)_header[ \t]{1,4}$/

/** Whether the name begins a line of redis.conf, ldap.conf or a kickstart file. */
function isDirective(name: string, before: string): boolean {
  return (
    /^(?:requirepass|masterauth|bindpw|rootpw)$/.test(name) && /(?:^|\n|\\n|["'`])[ \t+-]{0,8}$/.test(before)
  )
}

/** Matches `login <user>` or `machine <host>` right before the name. */
const NETRC = /\b(?:login|machine)[ \t\r\n]+\S{1,64}[ \t\r\n]+$/
/** `ALTER USER me WITH PASSWORD '…'`. `IDENTIFIED BY …` has a trigger of its own. */
const SQL = /\b(?:create|alter) (?:user|role|login)\b[^;\n]{0,100}$|\bset $/i
/** `<password>…</password>` */
const ELEMENT = /([^\s<>"'\\]{5,200})<\//y

/**
 * Whether this only looks like a name and its value: it is a test's verdict (`--- PASS: TestX/sub`), `name::other` in
 * code, or a path that a program prints before a message (`/proc/stable_secret: Input/output error`).
 */
function isNotName({ text, start, name }: NamedPlace, sign: string, from: number): boolean {
  if (sign !== ':') return false
  // `MachineFunctionPass::getAnalysisUsage`
  if (text[from] === ':') return true
  if (name === 'PASS')
    return (
      /(?:^|\n|\\n|["'`])[ \t>|+-]{0,40}$/.test(text.slice(Math.max(0, start - 42), start)) ||
      /^PASS: (?:Test|Fuzz|Example|Benchmark)/.test(text.slice(start, start + 16))
    )
  return text[start - 1] === '/' && text[start - 2] !== ':' && text[start - 2] !== '/'
}

function quotedSecret({ text, expected, quotes }: NamedPlace, from: number, open: string): Span | undefined {
  const end = quotes.closing(from, open)
  if (end === undefined || end - from > MAX_QUOTED) return undefined
  const value = text.slice(from, end)
  if (isStructure(value)) return undefined
  return isSecretValue(value, { expected, form: 'quoted' })
    ? { start: from, end, kind: kindOfValue(value) }
    : undefined
}

/** `"old" -> "new"`, as a plan of Terraform shows a change: the new secret too. */
function withItsSuccessor(named: NamedPlace, span: Span | undefined): Verdict {
  if (span === undefined) return undefined
  ARROW.lastIndex = span.end
  const arrow = ARROW.exec(named.text)
  const next = arrow === null ? undefined : quotedSecret(named, ARROW.lastIndex, arrow[1]!)
  return next === undefined ? span : [span, next]
}

const ARROW = /\\*["'] {0,2}-> {0,2}(\\*["'])/y

/** A longer string is taken for a file. Reading it again after every name in it would take quadratic time. */
const MAX_QUOTED = 100_000

function convincingSecret({ text, expected }: NamedPlace, from: number): Span | undefined {
  const value = unquotedAt(text, from, 'code')?.value
  if (value === undefined || !isConvincing(value, expected)) return undefined
  return { start: from, end: from + value.length, kind: kindOfValue(value) }
}

function unquotedSecret(
  { text, start, name, expected }: NamedPlace,
  from: number,
  sign: string,
  between: string,
): Verdict {
  const env = between === '=' && /^-?[A-Z0-9_]+$/.test(name)
  const line = sign === ':' && isLineStart(text, start) ? unquotedAt(text, from, 'env') : undefined
  const fillsLine =
    line !== undefined && isLineEnd(text, line.run) && !/[,;{([]$/.test(text.slice(from, line.run))
  const form: Form = env ? 'env' : fillsLine ? 'line' : 'bare'
  const run = fillsLine ? line : unquotedAt(text, from, env ? 'env' : sign === ':' ? 'colon' : 'code')
  if (run === undefined) return undefined
  const { value } = run
  const prose = form === 'bare' && sign === ':' && PROSE.test(text.slice(run.run, run.run + 3))
  if (isSecretValue(value, { expected, form }) && (!prose || isConvincing(value, expected))) {
    return { start: from, end: from + value.length, kind: kindOfValue(value) }
  }
  return run.run - from > MIN_BLOB ? { skipTo: run.run } : undefined
}

/** A word follows: `token: something short-lived`. */
const PROSE = /^ [a-z]/
/** A rejected run of this length is a blob; looking for names inside it could take quadratic time. */
const MIN_BLOB = 512
