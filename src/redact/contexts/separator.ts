import { LETTERS } from './labels.ts'

/** What a sentence has between a name and its value, in some twenty languages. */
export const VERBS =
  "is(?: now)?|was|ist|war|lautet|heißt|est|sera|es|será|è|sarà|é|är|er|blir|jest|to|je|bude|on|wordt|este|là|adalah|είναι|هي|היא|это|(?:should|must|will) be|c['’]est"

/** Signs of assignments, comparisons, arrows and tables; and verbs. */
const SIGN = [
  '={1,2}>|<{3}|[!=]={1,2}|:{0,3}=|[?+.]=|\\|\\|=|\\?\\?=|<-|:-|->|[→⇒]',
  '\\|\\||\\?\\?|>>|[:=>,|│]|\\.{3,40}|[ \\t][–—-](?=[ \\t])',
  '\\)?(?:\\.|[ \\t])(?:equals|eq|toBe|toEqual|isEqualTo|unwrap_or|get_?[oO]r_?[eE]lse|or_?[eE]lse|default)\\(|[({](?=\\\\*["\'])',
  '[ \\t]{1,8}REG_\\w{2,12}(?=[ \\t])',
  `[ \\t](?:${VERBS})(?:(?=[ \\t])|:)|[はが는은是为為] ?:?`,
].join('|')
const GAP = '[ \\t]{0,40}'
/** The quotes and brackets that close a name. */
const CLOSING = '\\\\*["\'`]?\\]?\\*{0,2}'
/** A tag that only sets how a text looks. */
const TAG = '</?(?:b|strong|em|i|code|kbd|samp|span)>'
const STRING = '[rbfuN@$]?\\\\*["\'`]'
/** A type between the name and the sign. Only a string may follow. */
const TYPE = `(?<!["'\`])(?::[ \\t]?[&A-Za-z_][\\w'.<>?|& [\\]]{0,40}?|[ \\t]{1,4}(?:As )?[\\w.]{0,20}(?:[Ss]tr|char|byte|any)[\\w.]{0,12}|[ \\t]N?VARCHAR2?\\(\\w{1,5}\\)|[ \\t]\\{ ?get; ?(?:\\w{1,9} )?(?:set|init); ?\\})[ \\t]{0,3}(?=:?=[ \\t]{0,4}(?:Some\\(|\\w{0,12}(?:Secret|Password)\\w{0,12}\\()?${STRING})`
/** What code has before a string: `process.env.X ||`, `new SecretStr(`, `String.valueOf(`, `[`; and tags of YAML. */
const PREFIX =
  `(?:[A-Za-z_$][\\w$.]{0,60}(?:\\([^()\\n]{0,60}\\)|\\[[^\\]\\n]{0,60}\\])? ?(?:\\|\\||\\?\\?|\\?:|or ) ?|[a-z]\\w{0,12}(?:\\.\\w{1,12}\\([^()\\n]{0,20}\\)){1,4}\\.default\\(|<%= ENV\\[[^\\]\\n]{0,60}\\] \\|\\| |` +
  `(?:new )?(?:\\w{0,20}(?:Secret|Password|Secure)\\w{0,12}(?:::new|::from|\\.new)?|[\\w.:]{0,40}(?:valueOf|from|String|str|Some|crypt)|\\[\\]byte)\\(|(?:\\w{1,12}\\.)?pack |[[{])(?=${STRING})|` +
  `(?:\\\\*["']){2}(?=\\\\*["'])|\\(string\\) (?:\\(len=[0-9]{1,5}\\) )?|\\[\\[|%?[qQ]q?[{(|[]|\\{(?=[^\\s{}"']{5,80}\\}(?:;|["']|$))|(?:!!?\\w{1,20}|&\\w{1,20}) `
/**
 * Matches the closing quote of a name, a separator (perhaps after a type, or after the default in a prompt: `[None]`),
 * a prefix, and the opening quote of the value.
 */
export const SEPARATOR = new RegExp(
  `(${CLOSING})((?:[ \\t]{0,2}(?:\\[[^\\]\\n]{0,40}\\]|<const>))?${GAP}(?:${TYPE})?(?:${SIGN})\\*{0,2}(?:${GAP}${TAG}){0,2}${GAP}|[ \\t]{1,60}|\\\\{1,8}t)(${PREFIX})?(${STRING})?`,
  'y',
)
/** The rest of a label: other words up to the sign. */
export const LABEL_REST = new RegExp(
  `[${LETTERS}_]{0,40}?(?:[ _.-](?:(?![0-9])[${LETTERS}'’]){1,20}){0,3}?(?=${CLOSING}(?:${GAP}(?:${SIGN})|\\n|<\\/|[ \\t]{2}))|[${LETTERS}_-]{0,40}`,
  'y',
)

/** The sign of a separator, without the spaces and the type before it. Two spaces are a sign of a table. */
export function signOf(between: string): string {
  if (/^(?:[ \t]+|\\+t)$/.test(between)) return /\t|\\/.test(between) ? '\t' : between.length > 1 ? '  ' : ''
  return between
    .replace(/<\/?[a-z]{1,6}>/g, '')
    .replaceAll('*', '')
    .replace(/^[ \t]{0,2}(?:\[[^\]]{0,40}\]|<const>)/, '')
    .replace(TYPED, '')
    .trim()
}

/** A type, and nothing but the sign after it. */
const TYPED = /^[ \t]{0,40}:?[ \t]{0,4}&?[A-Za-z_].{0,60}?(?=:?=[ \t]*$)/
