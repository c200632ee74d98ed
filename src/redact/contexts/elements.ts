import { type Form, isSecretValue, isTold, kindOfValue } from '../judge.ts'
import type { Span } from '../scan.ts'
import { captured } from './credentials.ts'
import type { NamedPlace } from './named-place.ts'
import { valueOnNextLine } from './next-line.ts'

/**
 * `<name>…</name>`, also on lines of its own; `<name>X</name><value>…</value>`, `<td>X</td><td>…</td>`, and in a plist
 * `<key>X</key><string>…</string>`.
 */
export function elementSecret({ text, end, expected }: NamedPlace): Span | undefined {
  const isSecret = (form: Form) => (value: string) =>
    isSecretValue(value, { expected, form }) && (/[0-9]/.test(value) || isTold(value, expected))
  return captured(text, end, ELEMENT, isSecret('line')) ?? captured(text, end, ATTRIBUTE, isSecret('quoted'))
}

/** `<input type="password" name="pw" value="…">` */
const ATTRIBUTE =
  /\\*["'] (?:[a-z-]{1,20}=\\*["'][^"'\\<>\n]{0,60}\\*["'] ){0,4}value=\\*["']([^"'\\<>\s]{5,200})\\*["']/y

/**
 * Where the value of an element begins: after its tag, or on a later line, which may have marks before it. In this order:
 * attributes of the tag that the name is in; what follows the name in its quotes; the end of that tag, or of an element
 * that holds the name if another begins soon after (`</name><value>`); that other tag; the marks of the value's line; the
 * value; space and escapes; the marks of the last line (`+` of a diff); the closing tag.
 */
const ELEMENT =
  /(?: [\w:-]{1,30}=\\{0,8}["'][^"'\\<>\n]{0,80}\\{0,8}["']){0,4}(?:\\*["'][^<>\n]{0,60})?(?:>|<\/[\w:]{1,40}>(?=[^<]{0,100}<(?!\/)))(?:[^<]{0,100}<(?!\/)[\w:]{1,40}[^<>\n]{0,60}>)?(?:[^<]{0,120}?(?:[ \t→:+|]|\\n|\n))??([^\s<>"'\\]{5,1000})(?:\s|\\{1,8}[nrt]){0,40}(?:(?<=\\n|\n)[^<\n]{0,80})?<\//y

/** `name="DB_PASSWORD"` of a form, an empty line, and the value. */
export function formField({ text, start, end, expected, quotes }: NamedPlace): Span | undefined {
  if (!/form-data; name=\\*["']$/.test(text.slice(Math.max(0, start - 60), start))) return undefined
  const quote = /^\\*["']/.exec(text.slice(end, end + 40))?.[0] ?? ''
  return valueOnNextLine(text, end + quote.length, expected, quotes, 'field')
}

/** `page.fill('#password', '…')`, `getByLabel('Password').fill('…')`: what a test of a page types into a field. */
export function filledField({ text, start, end, expected, quotes }: NamedPlace): Span | undefined {
  if (!FIELD_OF_PAGE.test(text.slice(Math.max(0, start - 60), start))) return undefined
  FILLED.lastIndex = end
  const open = FILLED.exec(text)?.[1]
  const from = FILLED.lastIndex
  const to = open === undefined ? undefined : quotes.closing(from, open)
  if (to === undefined || to - from > 200) return undefined
  const value = text.slice(from, to).replace(/\{(?:enter|tab)\}$/i, '')
  return isSecretValue(value, { expected, form: 'quoted' })
    ? { start: from, end: from + value.length, kind: kindOfValue(value) }
    : undefined
}

const FIELD_OF_PAGE =
  /(?:fill|type|locator|\bget|getBy[A-Z]\w{1,14}|find_?[eE]lement|\$eval|\$|querySelector|getElementById|setValue|send_?[kK]eys|input|cy\.\w{1,12})\((?:\w[\w.]{1,20}, ?)?\\{0,8}["'`][^()\n]{0,40}$/
const FILLED =
  /[^"'`\n()]{0,30}\\{0,8}["'`]?\]?\\{0,8}["'`](?:\)(?:\.(?:first|clear|click|focus|should)\([^()\n]{0,30}\)){0,2}\.(?:fill|type|send_?[Kk]eys|setValue|val|value|pressSequentially|set)\(|, ?(?=\\{0,8}["'`])|, ?\([\w ]{1,10}\) ?=> ?\(?\w{1,10}\.value ?= ?)(\\{0,8}["'`])/y
