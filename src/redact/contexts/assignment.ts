import { groupedAt } from '../groups.ts'
import {
  type Form,
  isConvincing,
  isInventedPassword,
  isPhrase,
  isSecretValue,
  isTold,
  kindOfValue,
} from '../judge.ts'
import { ACCOUNT_BESIDE, type Expectation, expectationOf, expectationOfItems, namesAt } from '../names.ts'
import type { Span, Verdict } from '../scan.ts'
import { elementSecret, filledField, formField } from './elements.ts'
import { valueField } from './fields.ts'
import { isUnspaced, isVague, LETTERS } from './labels.ts'
import { listedItems } from './lists.ts'
import type { NamedPlace } from './named-place.ts'
import { valueOnNextLine, valueUnderLabel } from './next-line.ts'
import { echoedSecret } from './pipes.ts'
import { LABEL_REST, SEPARATOR, signOf, VERBS } from './separator.ts'
import { isSpaced } from './spaced.ts'
import { isCommit, spokenSecret } from './spoken.ts'
import { insertedSecret } from './statements.ts'
import { valueBelow } from './tables.ts'
import { isLineEnd, isLineStart, isStructure, type Quotes, unquotedAt } from './values.ts'
import { isPassedTest } from './verdict.ts'

/**
 * Finds a name that announces a secret, a separator and a value. The name is around `offset`, where one of the
 * trigger's words is. The value is after a sign, in the next cell of a table, in the next field (`name: X`, `value:
 * …`), in the column below, or before the name.
 */
export function assignedSecret(text: string, offset: number, quotes: Quotes): Verdict {
  const end = endOfMatch(NAME_REST, text, offset)
  const { start, name, words } = namesAt(text, offset, end)
  const expected =
    expectationOf(name) ??
    (words === name
      ? undefined
      : (expectationOf(words) ?? (/ this key$/i.test(words) ? 'key' : undefined))) ??
    (/^key$/i.test(name) && ACCOUNT_BESIDE.test(text.slice(Math.max(0, start - 120), start))
      ? 'issued'
      : undefined)
  if (expected === undefined) {
    const ofItems = expectationOfItems(name)
    return ofItems && listedItems(text, end, ofItems)
  }
  SEPARATOR.lastIndex = end
  return secretOf({ text, start, end, name, expected, quotes }, SEPARATOR.exec(text))
}

/**
 * Finds a label of another language, a separator and a value. The label has `length` letters from `offset` on; other
 * words may follow it (`пароль от базы: …`). Its value must have a digit, because a form translates labels to words.
 */
export function labelledSecret(
  text: string,
  offset: number,
  length: number,
  expected: Expectation,
  quotes: Quotes,
): Verdict {
  if (isUnspaced(text.slice(offset, offset + length))) {
    const right = unquotedAt(text, offset + length, 'code')?.value.split(/[^!-~]/)[0] ?? ''
    if (isInventedPassword(right, expected))
      return { start: offset + length, end: offset + length + right.length, kind: kindOfValue(right) }
  }
  const end = endOfMatch(LABEL_REST, text, offset + length)
  BEFORE_LABEL.lastIndex = offset
  const start = offset - BEFORE_LABEL.exec(text)![1]!.length
  SEPARATOR.lastIndex = end
  const named = { text, start, end, name: text.slice(start, end), expected, quotes, isLabel: true }
  const verdict = secretOf(named, SEPARATOR.exec(text))
  if (verdict === undefined || 'skipTo' in verdict) return verdict
  const spans = 'start' in verdict ? [verdict] : verdict
  const isEnough = isVague(text.slice(offset, offset + length)) ? isClear : isLabelled
  return spans.every(({ start, end }) => isEnough(text.slice(start, end), expected)) ? spans : undefined
}

function isLabelled(value: string, expected: Expectation): boolean {
  return /[0-9]/.test(value) || isTold(value, expected) || isPhrase(value)
}

/** A label of many things: `clave: valor1` is none. */
function isClear(value: string, expected: Expectation): boolean {
  return isConvincing(value, expected) || (/[0-9]{2}/.test(value) && isTold(value, 'password'))
}

function secretOf(named: NamedPlace, match: RegExpExecArray | null): Verdict {
  const { text, start, end, expected, quotes } = named
  if (isPassedTest(named, match === null ? '' : signOf(match[2]!)))
    return valueField(text, start, end, expected, quotes)
  return (
    (match === null ? undefined : valueAfter(named, match)) ??
    elementSecret(named) ??
    formField(named) ??
    filledField(named) ??
    echoedSecret(named) ??
    valueField(text, start, end, expected, quotes) ??
    valueBelow(text, start, end, expected) ??
    insertedSecret(named) ??
    valueUnderLabel(named) ??
    valueBefore(named) ??
    spokenSecret(named)
  )
}

function endOfMatch(pattern: RegExp, text: string, offset: number): number {
  pattern.lastIndex = offset
  return pattern.test(text) ? pattern.lastIndex : offset
}

/** Charts of Helm have `rootPassword.value`. */
const NAME_REST = /(?:pass (?=word|phrase|code))?[A-Za-z0-9_-]{0,40}(?:\.value(?==))?/iy
const BEFORE_LABEL = new RegExp(`(?<=([${LETTERS}_.-]{0,40}))`, 'y')

function valueAfter(named: NamedPlace, match: RegExpExecArray): Verdict {
  const { text, name } = named
  const [whole, closing, between, prefix, open] = match as unknown as [
    string,
    string,
    string,
    string?,
    string?,
  ]
  const sign = signOf(between)
  const from = named.end + whole.length
  if (/^(?:\|\||\?\?)$/.test(sign) && open === undefined) return undefined
  const grouped = sign === '' || open !== undefined ? undefined : groupedAt(text, from)
  if (grouped !== undefined) return { start: from, end: from + grouped.length, kind: kindOfValue(grouped) }
  const isList = prefix !== undefined && /^[[{]$/.test(prefix)
  const isWeak =
    isList || sign === '(' || (WEAK_SIGN.test(sign) && !isSpaced(named, open, between) && !isPut(named, sign))
  if (sign === '') {
    if (isWeak) return undefined
  } else if (isNotName(named, sign, from) || (BAR.test(sign) && !/\s/.test(between))) return undefined
  if (OTHER_VERB.test(sign) && named.isLabel !== true) return undefined
  if (VERB.test(sign)) return toldSecret(named, from, open)
  if (sign.endsWith('(') && (open === undefined || (sign === '(' && !SETTER.test(name)))) return undefined
  if (sign === '>') return undefined
  if (open !== undefined) {
    if (isTripleQuote(prefix) && /^(?:\r?\n|\\{1,8}n)/.test(text.slice(from, from + 10)))
      return valueOnNextLine(text, from, named.expected, named.quotes, 'field')
    const span = quotedSecret(named, from, open, sign === '{' || isList)
    if (!isWeak || span === undefined) return withItsSuccessor(named, span)
    const value = text.slice(span.start, span.end)
    return isNameWithNumber(value) && !(sign === '(' && isInventedPassword(value, named.expected))
      ? undefined
      : span
  }
  if (isWeak) {
    const inCell = CELL_SIGN.test(sign)
    const span = convincingSecret(named, from, inCell)
    if (span === undefined) return /^[–—-]$/.test(sign) ? madeUpAfter(named, from) : span
    const value = text.slice(span.start, span.end)
    return (/[0-9]/.test(value) || inCell) && !isVariable(value) ? span : undefined
  }
  const below = ASSIGNS.has(sign)
    ? valueOnNextLine(text, from, named.expected, named.quotes, sign === ':' ? 'label' : 'code')
    : undefined
  if (below !== undefined) return below
  // After a quoted name a value without quotes is code, but for YAML.
  if (/["'`]/.test(closing) && prefix === undefined) return sign === ':' ? yamlSecret(named, from) : undefined
  // A long string of Lua, or a list of lists.
  if (/["'`]/.test(closing) && prefix === '[[') return convincingSecret(named, from, false)
  return unquotedSecret(named, from, sign, between)
}

/** `'db_password': …` alone on its line. Code may have a variable there, so the value has to be convincing. */
function yamlSecret({ text, start, expected }: NamedPlace, from: number): Span | undefined {
  const value = unquotedAt(text, from, 'env')
  if (value === undefined || !isLineEnd(text, value.after) || !isLineStart(text, start - 1)) return undefined
  const isPlain =
    isVariable(value.value) || !isConvincing(value.value, expected) || !/[0-9]/.test(value.value)
  return isPlain ? undefined : { start: from, end: from + value.value.length, kind: kindOfValue(value.value) }
}

/** These signs separate all kinds of things, so the value itself has to be convincing. */
const WEAK_SIGN = /^(?:|>>|[,|│\t–—-]| {2}|\.{3,}|==>|->|[→⇒]|<-)$/

/** `setProperty("password", …`, `getenv("DB_PASSWORD", …`: a call that gives a name its value, or a value instead. */
function isPut({ text, start }: NamedPlace, sign: string): boolean {
  return sign === ',' && PUT.test(text.slice(Math.max(0, start - 60), start))
}

const PUT =
  /(?:(?:^|[^A-Za-z])(?:put|option|env|define|set|fill|type|get|pop|fetch|config|conf|add|header)|[Ss]et(?:_?[Pp]roperty|_?[Dd]efault|_?[Ee]nv|_?[Ii]tem|_?[Vv]alue|_?[Hh]eader|_?[Ss]tring|_?[Ff]ield)|[Gg]et_?(?:[Ee]nv|[Pp]roperty|[Oo]r_?[Dd]efault|[Oo]r_?[Ee]lse|[Ss]tring)|[Pp]ut_?(?:[Ee]nv|[Ss]tring)|[Aa]dd_?(?:[Pp]roperty|[Hh]eader|[Ff]ield)|[Ww]ith_?[Ee]nv|[Ll]ookup_?[Ee]nv)\(\\*["'`][\w .#[\]"=:-]{0,40}$/

const VERB = new RegExp(`^(?:[はが는은是为為] ?:?|(?:${VERBS}):?)$`)

/** "The password is …": the words leave no doubt, so the value may be one that a person made up. */
function toldSecret(named: NamedPlace, from: number, open: string | undefined): Span | undefined {
  if (open !== undefined) return quotedSecret(named, from, open)
  const { value: run, after } = unquotedAt(named.text, from, 'env') ?? { value: '', after: from }
  if (run === '' || named.text[after - 1] === ':') return undefined
  // Languages that write no spaces go on right after the value.
  const next = run.search(/[、。，；」\u3040-\ud7ff]/)
  if (next >= 0 && next < 5) return undefined
  const value = next < 0 ? run : run.slice(0, next)
  const expected = value.length >= 10 && named.expected !== 'key' ? 'password' : named.expected
  return isTold(value, expected)
    ? { start: from, end: from + value.length, kind: kindOfValue(value) }
    : undefined
}

/** In English, these words are no verbs. */
const OTHER_VERB = /^(?:er|to|je|on|e):?$/

/** Whether a value is a name with a number, such as `ROLE_1`, `toIPv4Address` or `a.b=10`; or has no digit. */
function isNameWithNumber(value: string): boolean {
  return (
    /^[A-Za-z]+[_-]?[0-9]{0,2}$|^[A-Za-z]+[0-9]{1,2}-[a-z]+$|^[\w.-]+=[^=]|^[^0-9]*$/.test(value) ||
    isVariable(value)
  )
}

/** A number in a name of words: `encodeUtf8`, `k8sClient`. */
function isVariable(value: string): boolean {
  return (
    /^[a-z]+(?:[A-Z][a-z]+)*[0-9]{1,2}(?:[a-z]*(?:[A-Z][a-z]+)+|[a-z]?)$/.test(
      value.replace('IPv', 'Ip').replace('2FA', '2fa'),
    ) && /[a-z]{4}/.test(value)
  )
}

/** Whether the first two of three quotes precede the value. */
function isTripleQuote(prefix: string | undefined): boolean {
  return prefix !== undefined && /^(?:\\*["']){2}$/.test(prefix)
}

/** After these signs, a value may be on the next line. */
const ASSIGNS = new Set([':', '=', ':=', '=>'])

const CELL_SIGN = /^(?:[|│\t→⇒]|->)$/

/** A bar separates two cells of a table only with a space next to it. */
const BAR = /[|│]/

/** A call of this name sets the secret. */
const SETTER =
  /(?:^|[^\p{L}])(?:set|with|add|put|use)[_\p{L}]|(?:^|\.)(?:password|passphrase|secret|api_?key|token)$/iu

/** `"…" == name`, `use … as the name`, `… is my name`, `… (name)`. */
function valueBefore({ text, start, expected }: NamedPlace): Span | undefined {
  const near = text.slice(Math.max(0, start - 70), start)
  if (!/= ?$/.test(near.slice(-2)) && !/ (?:as|is) | \(|forKey/.test(near)) return undefined
  const from = Math.max(0, start - 240)
  // A text may begin with the value.
  const match = BEFORE_NAME.exec(from === 0 ? ` ${text.slice(0, start)}` : text.slice(from, start))
  if (match === null) return undefined
  const value = match[2]!
  const valueStart = (from === 0 ? -1 : from) + match.index + match[1]!.length
  const fits =
    isConvincing(value, expected) || (!/= ?$/.test(near.slice(-2)) && isInventedPassword(value, expected))
  return fits && (match[3] === undefined || !isCommit(value))
    ? { start: valueStart, end: valueStart + value.length, kind: kindOfValue(value) }
    : undefined
}

const BEFORE_NAME =
  /([\s"'`])([^\s"'`\\]{8,200})\\*["'`]{0,2}(?: ?[!=]={1,2} ?|, ?forKey: ?\\*["']|(?: as|( is(?= (?:the|my|your|our) )| \((?=(?:[A-Za-z]{1,20} ){0,3}$))) ?(?:(?:the|my|your|our|a) )?(?:[A-Za-z]{1,20} ){0,3})$/

/**
 * Whether this only looks like a name and its value: it is `name::other` in code, or a path that a program prints before
 * a message (`/proc/stable_secret: Input/output error`).
 */
function isNotName({ text, start, name }: NamedPlace, sign: string, from: number): boolean {
  if (sign !== ':') return false
  // `${NAME:+other}` of a shell
  if (text[from] === '+' && text[start - 1] === '{') return true
  // `MachineFunctionPass::getAnalysisUsage`, `urn:secret:db`
  if (text[from] === ':' || (text[start - 1] === ':' && text[from - 1] === ':')) return true
  // A file of a key, and what is in it
  if (/[a-z]\.key$/.test(name)) return false
  // A flag of Windows: `/password:…`
  if (/[\s"'`]\/$/.test(text.slice(Math.max(0, start - 2), start))) return false
  if (/\b(?:user(?:name)?|login|e-?mail)\/$/i.test(text.slice(Math.max(0, start - 10), start))) return false
  return text[start - 1] === '/' && text[start - 2] !== ':' && text[start - 2] !== '/'
}

function quotedSecret(
  { text, expected, quotes }: NamedPlace,
  from: number,
  open: string,
  inBraces = false,
): Span | undefined {
  const end = quotes.closing(from, open)
  if (end === undefined || end - from > MAX_QUOTED) return undefined
  const value = text.slice(from, end)
  if (isStructure(value) || (inBraces && KEY_END.test(text.slice(end, end + 12)))) return undefined
  return isSecretValue(value, { expected, form: 'quoted' })
    ? { start: from, end, kind: kindOfValue(value) }
    : undefined
}

/** The string is itself the name of a field: `token: { "name": …`. */
const KEY_END = /^\\*["'`] ?:/

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

function madeUpAfter({ text, expected }: NamedPlace, from: number): Span | undefined {
  const value = unquotedAt(text, from, 'code')?.value ?? ''
  return isInventedPassword(value, expected)
    ? { start: from, end: from + value.length, kind: kindOfValue(value) }
    : undefined
}

function convincingSecret({ text, expected }: NamedPlace, from: number, inCell: boolean): Span | undefined {
  const value = unquotedAt(text, from, 'code')?.value
  if (value === undefined || !(inCell ? isTold : isConvincing)(value, expected)) return undefined
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
    line !== undefined && isLineEnd(text, line.after) && !/[,;{([]$/.test(text.slice(from, line.after))
  // `${jwt.secret:…}`, `${DB_PASSWORD:-…}`: what is taken if there is no variable
  const isDefault = sign.startsWith(':') && /[$#]\{$/.test(text.slice(Math.max(0, start - 2), start))
  const isArgument =
    /^ {0,2}$|^[=:]$/.test(between) &&
    (name.startsWith('-') ||
      (between === ':' && /[\s"'`]\/$/.test(text.slice(Math.max(0, start - 2), start))))
  const form: Form = env || isDefault || isArgument ? 'env' : fillsLine ? 'line' : 'bare'
  const run = fillsLine
    ? line
    : unquotedAt(text, from, env ? 'env' : sign === ':' || isDefault ? 'colon' : 'code')
  if (run === undefined) return undefined
  const { value } = run
  if (isArgument && OF_A_FLAG.test(value)) return undefined
  // A type with parameters: `token: DefaultColumn<{`
  if (form !== 'env' && /^<[\w{]/.test(text.slice(run.after, run.after + 2)) && /^[A-Z]\w+$/.test(value))
    return undefined
  // What a log says after it has asked: `password: debug2: …`
  if (form === 'bare' && text[run.after - 1] === ':' && text[run.after] === ' ') return undefined
  if (/^[!=]=/.test(sign) && /^[A-Za-z_]+\d?$/.test(value)) return undefined
  const prose = form === 'bare' && sign === ':' && PROSE.test(text.slice(run.after, run.after + 3))
  if (isSecretValue(value, { expected, form }) && (!prose || isTold(value, expected))) {
    return { start: from, end: from + value.length, kind: kindOfValue(value) }
  }
  return run.after - from > MIN_BLOB ? { skipTo: run.after } : undefined
}

/** What a sentence has after the name of a flag. */
const OF_A_FLAG =
  /^(?:options?|flags?|arg\w*|param\w*|values?|files?|switch\w*|stdin|instead|which|where|while|unless|should|cannot)$/

/** A word follows: `token: something short-lived`. */
const PROSE = /^ [a-z]/
/** A rejected run of this length is a blob; looking for names inside it could take quadratic time. */
const MIN_BLOB = 512
