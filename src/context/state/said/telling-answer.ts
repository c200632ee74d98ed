import { textOf } from '../../../session/live-path.ts'
import type { Message } from '../../../session/schema.ts'
import { cutAtWord } from '../../../text/line.ts'
import { sentencesOf } from '../sentences.ts'

/**
 * Shows an answer in one line of about `length` characters. The line has the first sentence and one from the end,
 * because an answer often begins with the result and ends with a question. Sentences that say nothing by themselves
 * count only if there are no other sentences.
 */
export function answerLine(text: string, length: number): string {
  const telling = withoutFixed(sentencesOf(withoutFrame(text))).filter((one) => !saysNothing(one))
  const sentences = telling.length > 0 ? telling : sentencesOf(text)
  // Items of a list often end without a full stop, so they get a semicolon.
  const whole = sentences
    .map((one, index) => (index === sentences.length - 1 || /[.!?:;,…]$/.test(one) ? one : `${one};`))
    .join(' ')
  if (whole.length <= length) return whole
  const first = sentences[0]!
  const last = closing(sentences.slice(1), length)
  if (last === undefined) return cutAtWord(first, length)
  if (last.length > length - MIN_BEGIN) return last
  const begin = cutAtWord(first, length - last.length)
  return `${begin}${begin.endsWith('…') ? '' : ' …'} ${last}`
}

/**
 * Returns the sentence from the end of an answer that is shown beside its first one: the question with which it ends,
 * else the last one that needs half of the line. It is whole, because a sentence without its end may say the opposite.
 */
function closing(sentences: readonly string[], length: number): string | undefined {
  const last = sentences.at(-1)
  if (last !== undefined && /[?？]$/.test(last) && last.length <= length) return last
  return sentences.slice(-CLOSING_SENTENCES).findLast((one) => one.length <= length / 2)
}

/** A shorter piece of the first sentence says nothing. */
const MIN_BEGIN = 20
/** A sentence before these is a part of what the answer explains, and no end of it. */
const CLOSING_SENTENCES = 3

/** Leaves out the findings of a review that the same answer says to have fixed. */
function withoutFixed(sentences: readonly string[]): readonly string[] {
  const fixed = sentences.findLastIndex((one) => SAYS_FIXED.test(one))
  return sentences.slice(0, Math.max(0, fixed)).some((one) => FINDING.test(one))
    ? sentences.slice(fixed)
    : sentences
}

/** What a review has found: `Medium: delete can leave a row`. */
const FINDING =
  /^\[?(?:P\d|critical|high|medium|low|blocker|blocking|major|minor|nit)\]?(?: (?:severity|risk|priority))?\s*(?:[:—–-]|$)/i
const SAYS_FIXED =
  /^(?:i(?:['’]ve)?|all|both|these|they|everything)\b.{0,60}\b(?:fix(?:es|ed)?|addressed|resolved|corrected)\b/i

/** Returns the sentences of an answer that tell something by themselves, without headings, tables and code. */
export function tellingSentences(text: string): string[] {
  return sentencesOf(withoutFrame(text)).filter((sentence) => !saysNothing(sentence))
}

/**
 * Returns the newest text of the last turn, but skips texts that say nothing by themselves. If all say nothing, returns
 * the agent's last text; '' when there is none.
 */
export function lastTellingAnswer(said: readonly Message[]): string {
  const answers = said.filter(({ role }) => role === 'assistant').map(textOf)
  const begin = said.findLastIndex(({ role }) => role === 'user')
  const newest = said.slice(begin + 1).map(textOf)
  return (
    newest.findLast((text) => tellingSentences(text).length > 0) ??
    answers.findLast((text) => text.trim() !== '') ??
    ''
  )
}

/** Whether a sentence says nothing by itself: `Done.`, `All tests pass.`, `Now let me look.`, `Here is the change:`. */
export function saysNothing(sentence: string): boolean {
  const plain = sentence.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}?:]+$/gu, '')
  if (plain.endsWith('?')) return false
  if (plain === '' || plain.endsWith(':') || ANNOUNCES.test(plain)) return true
  return plain.length < 120 && plain.split(/,? and |[,;] | [—–-] /).every((part) => EMPTY.test(part.trim()))
}

/** Whether a text says only what the agent will do. */
export function announcesWork(text: string): boolean {
  return sentencesOf(text).every((sentence) => ANNOUNCES_WORK.test(sentence.replace(/^[^\p{L}\p{N}]+/u, '')))
}

/** Phrases that only praise or agree, or say that everything is done or works. */
const EMPTY = new RegExp(
  [
    '(?:yes|no|ok(?:ay)?|sure|done|absolutely|exactly|confirmed|correct|clean|fixed|committed|pushed|ready|complete[d]?|finished|updated|summary|understood|perfect|wonderful)',
    '(?:great|perfect|excellent|good|nice|well)(?: job| work| point| catch| question| idea| call| news| find|[, ]+done)?',
    '(?:got it|i see|i understand|(?:that )?makes sense|fair(?: enough| point)?|of course|thanks?.*|sorry.*|i apologi[sz]e.*|my mistake)',
    "you[’']re (?:absolutely |completely )?(?:right|welcome).*",
    '(?:now )?i (?:now )?have (?:all the information|everything|a (?:clear|good|complete|full)(?:er)? (?:picture|understanding|view)|enough).*',
    "(?:that[’']s|this is|it[’']s) (?:it|all|done|fine|good|ready|complete|right|correct)",
    '(?:(?:all|the|both|now|of|our|unit|integration|existing|new|remaining|code|\\d+|two|three|four|five|lint(?:ing|er)?|tests?|checks?|suite|builds?|ci|everything|errors?|issues?|items?|comments?|review|threads?|changes?|implementation|integration|feature|work|fix|plan|refactor(?:ing)?|fmt|formatting) ?)+(?:is |are |has been |have been |was |were |also |still |now |all |successfully |properly )*(?:pass(?:es|ed|ing)?|clean|green|works?|working|fine|done|ready|complete[d]?|finished|fixed|resolved|addressed|succeed(?:s|ed)?|in place|good|approved|formatted|linted)(?: (?:now|again|too|successfully|cleanly))*',
    'lint(?:ed|s)?',
  ]
    .map((one) => `^${one}$`)
    .join('|'),
  'i',
)
/** Beginnings of sentences that announce what the agent will do or show. */
const ANNOUNCES_WORK =
  /^(?:(?:ok(?:ay)?|great|perfect|good|now|next|first|so|and|then|yes|actually)[ ,.!]+)*(?:let me|let['’]?s (?:check|see|look|run|verify|start|test)|i['’](?:ll|m going to)|i (?:will|need to|should)|run |looking at|time to)/i
const ANNOUNCES = new RegExp(`${ANNOUNCES_WORK.source}|^here(?:['’]s| is| are)\\b`, 'i')

/**
 * Removes the lines of an answer that are not prose: headings, tables, horizontal rules (also `★ Insight ─────`), and
 * instructions to the client such as `::git-push{…}` of Codex. Replaces each link by its label.
 */
function withoutFrame(text: string): string {
  return text
    .split('\n')
    .filter(
      (line) => !/^\s*(?:#{1,6}\s|\||[-*_=]{3,}\s*$|\*\*[^*]+\*\*:?\s*$|::[\w-]+\{)|[─━═]{5}/.test(line),
    )
    .join('\n')
    .replace(/\[([^[\]\n]+)\]\([^()\s]+\)/g, '$1')
}
