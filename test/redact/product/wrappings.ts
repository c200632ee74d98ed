import { oneOf, type Roll } from './dice.ts'

/** These enclose the name and the value until a wrapping has placed its signs. */
export const NAME_BEGINS = '\uE000'
export const NAME_ENDS = '\uE001'
export const VALUE_BEGINS = '\uE002'
export const VALUE_ENDS = '\uE003'

export interface Wrapping {
  /** Changes the value before it is written. */
  before?: (value: string) => string
  /** Encloses the text with the marks in it. */
  around?: (text: string) => string
  /** Writes letters of the value as they are in the wrapped text. */
  spell?: (value: string) => string
}

const inLines =
  (start: (n: number) => string, end = '') =>
  (text: string) =>
    text
      .split('\n')
      .map((line, n) => start(n) + line + end)
      .join('\n')
const json = (text: string) => JSON.stringify(text).slice(1, -1)
const xml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** What a text is in when it reaches the program. */
export const WRAPPINGS: Record<string, readonly Wrapping[]> = {
  alone: [{}],
  'between lines': [
    { around: (text) => `PORT=3000\n${text}\nDEBUG=1` },
    { around: inLines(() => '    ') },
    { around: inLines(() => '\t\t') },
    { around: (text) => `Here it is:\n\n\`\`\`\n${text}\n\`\`\`\n\nThank you!` },
    { around: (text) => text.replaceAll('\n', '\r\n') },
    { around: (text) => `I changed the file.\n${text}\nNow the tests run.` },
  ],
  'comment, quotation': [
    { around: inLines(() => '> ') },
    { around: inLines(() => '// ') },
    { around: inLines(() => '# ') },
    { around: inLines(() => ' * ') },
    { around: inLines(() => '-- ') },
    { around: (text) => `<!-- ${text} -->` },
    { around: (text) => `/* ${text} */` },
  ],
  'numbered lines': [
    { around: inLines((n) => `    ${n + 11}→`) },
    { around: inLines((n) => `${String(n + 3).padStart(6)}\t`) },
    { around: inLines((n) => `src/app.ts:${n + 7}:`) },
    { around: inLines((n) => `${n + 7}-`) },
    { around: inLines((n) => `${String(n + 9).padStart(4)} | `) },
    { around: inLines((n) => `./deploy/main.tf:${n + 70}:12:`) },
  ],
  log: [
    { around: inLines(() => '2026-03-04T05:06:07.890Z INFO [main] ') },
    { around: inLines(() => 'web-1  | ') },
    { around: inLines(() => 'time="2026-03-04T05:06:07Z" level=info msg=') },
    { around: inLines(() => 'Mar  4 05:06:07 host app[123]: ') },
    { around: inLines(() => '[05:06:07] DEBUG: ') },
  ],
  diff: [
    { around: (text) => `@@ -1,2 +1,3 @@\n port\n${inLines(() => '+')(text)}` },
    { around: (text) => `@@ -1,3 +1,2 @@\n port\n${inLines(() => '-')(text)}` },
    { around: inLines(() => '+    ') },
    { around: inLines(() => '- ') },
  ],
  JSON: [
    { around: (text) => `{"output":"${json(text)}"}`, spell: json },
    { around: (text) => `{"ok":true,"lines":["${json(text)}","end"]}`, spell: json },
  ],
  'JSON in JSON': [
    { around: (text) => `{"body":"${json(`{"output":"${json(text)}"}`)}"}`, spell: (v) => json(json(v)) },
    {
      around: (text) => `{"a":"${json(`{"b":"${json(`{"c":"${json(text)}"}`)}"}`)}"}`,
      spell: (v) => json(json(json(v))),
    },
  ],
  colours: [
    {
      around: (text) =>
        around(text, { name: ['\x1b[34;1m', '\x1b[0m'], value: ['\x1b[0;32m', '\x1b[0m'], quotes: true }),
    },
    { around: (text) => around(text, { name: ['\x1b[36m', '\x1b[39m'], value: ['\x1b[33m', '\x1b[39m'] }) },
    { around: inLines(() => '\x1b[32m', '\x1b[m') },
    { around: (text) => around(text, { value: ['\x1b[1m\x1b[38;5;208m', '\x1b[0m'] }) },
    { around: (text) => inLines(() => '\x1b[32m+\x1b[m\x1b[32m', '\x1b[m')(text) },
  ],
  'signs nobody sees': [
    { around: (text) => around(text, { name: ['', '\u200b'], value: ['\u200b', ''] }) },
    { around: (text) => around(text, { name: ['\ufeff', ''], value: ['\u00a0', ''], quotes: true }) },
    { around: (text) => text.replaceAll(' ', '\u00a0') },
    { around: (text) => around(text, { name: ['', '\u00a0'], value: ['\u2060', ''], quotes: true }) },
    { around: (text) => around(text, { name: ['\u200e', '\u200e'] }) },
    { around: (text) => around(text, { name: ['', '\u00ad'] }) },
  ],
  XML: [
    { around: (text) => `<output>${xml(text)}</output>`, spell: xml },
    { around: (text) => `<result><![CDATA[${text}]]></result>` },
    { around: (text) => `<pre><code>${xml(text)}</code></pre>`, spell: xml },
    { around: (text) => `<stdout>\n${text}\n</stdout>` },
  ],
  quotes: [
    { around: (text) => `'${text}'` },
    { around: (text) => `\`${text}\`` },
    { around: (text) => `"${text.replaceAll('"', '\\"')}"` },
    { around: (text) => `$ echo '${text}' >> .env` },
    { around: (text) => `bash -c "${text.replaceAll('"', '\\"')}"` },
    { around: (text) => `“${text}”` },
    { around: inLines(() => '  "', '\\n" +') },
  ],
  'base64 of the value': [{ before: (value) => Buffer.from(value).toString('base64') }],
}

export function wrappingOf(group: string, roll: Roll): Wrapping {
  return oneOf(roll, WRAPPINGS[group] ?? [])
}

interface Signs {
  name?: [string, string]
  value?: [string, string]
  /** The signs are outside of the quotes of the name and the value, as in what jq prints. */
  quotes?: boolean
}

function around(text: string, { name, value, quotes = false }: Signs): string {
  const edge = quotes ? '(["\']?)' : '()'
  const dress = (all: string, begins: string, ends: string, [before, after]: [string, string] = ['', '']) =>
    all
      .replace(new RegExp(edge + begins, 'g'), (_, quote) => before + quote + begins)
      .replace(new RegExp(ends + edge, 'g'), (_, quote) => ends + quote + after)
  return dress(dress(text, NAME_BEGINS, NAME_ENDS, name), VALUE_BEGINS, VALUE_ENDS, value)
}
