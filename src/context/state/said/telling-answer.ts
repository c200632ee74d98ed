import { textOf } from '../../../session/live-path.ts'
import type { Message } from '../../../session/schema.ts'
import { cutAtWord, oneLine } from '../../../text/line.ts'
import { sentencesOf } from '../sentences.ts'

/**
 * Shows an answer in one line of about `length` characters: its first sentence, and what it asks the person at its end,
 * else its last sentence if that fits too. What is no item of a list tells more than one that is. Sentences that say
 * nothing by themselves count only if there are no other sentences.
 */
export function answerLine(text: string, length: number): string {
  const found = sentencesToShow(text)
  // An answer such as `OK` has no sentence.
  if (found === undefined) return cutAtWord(oneLine(text), length)
  const whole = inOneLine(found)
  return whole.length <= length ? whole : shortened(found, length)
}

/** The sentences of an answer. Each list has them in the order of the answer. */
interface Sentences {
  all: readonly string[]
  /** Those that tell something, and are no items of a list. */
  spoken: readonly string[]
  /** Those that are shown if there is room: the spoken ones; items of lists only if nothing else is said. */
  said: readonly string[]
}

function sentencesToShow(text: string): Sentences | undefined {
  const framed = withListInLine(withoutFrame(text))
  const all = sentencesOf(framed)
  const telling = withoutRestated(withoutFixed(all).filter((one) => !saysNothing(one)))
  const sentences = telling.length > 0 ? telling : sentencesOf(text)
  if (sentences.length === 0) return undefined
  const prose = sentencesOf(framed.replace(LIST_ITEM, ''))
  // A line that ends without a full stop is the heading of what follows, unless it ends with a link.
  const isHeading = (one: string) =>
    prose.length > 1 && prose.includes(one) && HEADING.test(one) && !/https?:\/\/\S+$/.test(one)
  // In an answer of one paragraph, an offer at its end tells that the agent waits.
  const isLeftOut = (one: string) => text.trim().includes('\n') && offersMore(one)
  const listed = sentences.filter((one) => !isHeading(one) && !isLeftOut(one))
  const spoken = listed.filter((one) => prose.includes(one))
  const isTold = spoken.some((one) => !asksPerson(one))
  return { all, spoken, said: isTold ? spoken : listed.length > 0 ? listed : sentences }
}

/** `One. Two; three … Five.`, where something is left out between three and five. */
function inOneLine({ all, said }: Sentences): string {
  return said.reduce((line, one, index) => {
    const before = said[index - 1]
    if (before === undefined) return one
    // Where nothing tells anything, the sentences are from the text with its frame.
    const isNext = !all.includes(one) || all.indexOf(one) === all.indexOf(before) + 1
    // Items of a list often end without a full stop.
    const end = /[.!?:;,…]$/.test(line) ? '' : ';'
    return isNext ? `${line}${end} ${one}` : joined(line, one)
  })
}

/** The first sentence, and what is asked at the end; else the last one, or what comes next. */
function shortened({ spoken, said }: Sentences, length: number): string {
  const asked = spoken.slice(-CLOSING_SENTENCES).findLast((one) => asksPerson(one))
  // An answer that is only a question, with a list: the item that says what the others come to.
  const summed = said.find((one) => SUMS_UP.test(one)) ?? said[0]!
  const first = spoken[0] === asked ? summed : spoken[0]!
  if (asked !== undefined && asked !== first && asked.length <= length) {
    const meant = REFERS.test(asked) ? (spoken[spoken.indexOf(asked) - 1] ?? first) : first
    const plea =
      meant === first || meant.length + asked.length > length - MIN_BEGIN ? asked : `${meant} ${asked}`
    const room = length - plea.length
    return room < MIN_BEGIN ? plea : joined(cutAtWord(first, room), plea)
  }
  const last = said
    .slice(-CLOSING_SENTENCES)
    .findLast(
      (one) =>
        said.indexOf(one) > said.indexOf(first) && isClosing(one) && first.length + one.length <= length,
    )
  if (last !== undefined) return joined(first, last)
  const next = said[said.indexOf(first) + 1]
  // A short sentence such as "Gone." says little alone.
  return first.length < length / 3 && next !== undefined
    ? `${first} ${cutAtWord(next, length - first.length)}`
    : cutAtWord(first, length)
}

/**
 * Makes one sentence of a list and the line before it, if nothing before that line tells anything. The findings of a
 * review stay a list.
 * `You have these agents:` and two items become `You have these agents: planner; runner`.
 */
function withListInLine(text: string): string {
  const found = LEAD_AND_LIST.exec(text.slice(0, MAX_LIST))
  if (found === null) return text
  const [whole, lead, list] = found as unknown as [string, string, string]
  const before = text.slice(0, found.index)
  const [indent] = /^[ \t]*/.exec(list)!
  const items = list
    .split('\n')
    .filter((line) => line.startsWith(indent) && ITEM.test(line.slice(indent.length)))
    .map((line) => nameOfItem(line.slice(indent.length).replace(ITEM, '')))
  const isShown =
    items.length > 1 &&
    !items.some((one) => FINDING.test(one)) &&
    sentencesOf(before).every((one) => saysNothing(one))
  if (!isShown) return text
  const line = `${lead} ${items.join('; ')}`
  return `${before}${line}${line.endsWith('…') ? '' : '.'}\n${text.slice(found.index + whole.length)}`
}

/** A line that ends with a colon, and the list below it. */
const LEAD_AND_LIST =
  /(?<=^|\n)([^\n]{10,160}:)[ \t]*\n\s*\n?((?:[ \t]*(?:[-*•+]|\d+[.)])\s[^\n]+(?:\n\s*?(?=\n?[ \t]*(?:[-*•+]|\d+[.)])\s)|\n|$))+)/
const MAX_LIST = 4_000

const ITEM = /^(?:[-*•+]|\d+[.)])\s+/

/** The name that an item of a list begins with: `**planner** - plans the work` → `planner`; else its beginning. */
function nameOfItem(item: string): string {
  const [, name = item] = /^\*\*([^*:]{2,60})\*\*(?!:)|^(.{2,60}?) [-–—] /.exec(item)?.filter(Boolean) ?? []
  return cutAtWord(oneLine(name.replaceAll('**', '')).replace(/[.;]$/, ''), MAX_NAME)
}

const MAX_NAME = 60

/** A short question about what the sentence before it names: `Want me to delete them?` */
const REFERS = /^.{0,50}\b(?:them|these|those)\?$/i

/** The item of a list that says what the others come to. */
const SUMS_UP = /^(?:so|in short|bottom line|overall|conclusion|result)\b\s*[:,]/i

function joined(begin: string, end: string): string {
  return `${begin}${begin.endsWith('…') ? '' : ' …'} ${end}`
}

/** No full stop or the like at the end, nor a sign after which none is needed. */
const HEADING = /[\p{L}\p{N}*_]$/u
const LIST_ITEM = /^[ \t]*(?:[-*•+]|\d+[.)])\s[^\n]*$/gm
/** A shorter piece of the first sentence says nothing. */
const MIN_BEGIN = 20
/** A sentence before these is a part of what the answer explains, and no end of it. */
const CLOSING_SENTENCES = 3

/** Whether a sentence asks the person for something. An offer of any help does not. */
function asksPerson(sentence: string): boolean {
  return ASKS.test(sentence) && !OFFERS_HELP.test(sentence)
}

const ASKS = /[?？]$|^(?:please|por favor|s[’']il (?:vous|te) pla[iî]t|bitte|пожалуйста)(?!\p{L})/iu
const OFFERS_HELP =
  /^(?:is there (?:any|some|a)|(?:how|what) (?:else )?can i |please (?:let me know|feel free)|por favor,? me avise)/i

/** Whether words only offer help or what may come next: `If you want, I can …`. */
export function offersMore(text: string): boolean {
  return OFFERS.test(text) || OFFERS_HELP.test(text)
}

/** Whether a sentence is an end by itself: not the rest of a sentence, a piece of code, or an offer for later. */
function isClosing(sentence: string): boolean {
  return (
    sentence.length >= MIN_CLOSING && !/^(?:\p{Ll}|`[^`]*`\W*$)/u.test(sentence) && !OFFERS.test(sentence)
  )
}

const MIN_CLOSING = 12
const OFFERS =
  /^(?:(?:if|once|when|in case) you\b|let me know|please let|feel free|enjoy\b|is there |how can i |(?:optional |suggested )?next steps?\b)/i

/** Leaves out the findings of a review that the same answer says to have fixed. */
function withoutFixed(sentences: readonly string[]): readonly string[] {
  const fixed = sentences.findLastIndex((one) => SAYS_FIXED.test(one))
  return sentences.slice(0, Math.max(0, fixed)).some((one) => FINDING.test(one))
    ? sentences.slice(fixed)
    : sentences
}

/**
 * Leaves out the sentences at the beginning that say what was asked, if the answer says later what it comes to: `Fix: add
 * a step`.
 */
function withoutRestated(sentences: readonly string[]): readonly string[] {
  const conclusion = sentences.findIndex((one) => CONCLUDES.test(one))
  return conclusion > 0 && RESTATES.test(sentences[0]!) ? sentences.slice(conclusion) : sentences
}

const RESTATES =
  /^(?:the |this )?(?:issue|bug|ticket|pr|pull request|request|question)\b.{0,60}\b(?:asks?|reports?|describes?|requests?|wants?|is about|says)\b/i
const CONCLUDES =
  /^(?:my |the )?(?:conclusion|verdict|recommendation|bottom line|(?:short )?answer|tl;?dr|most optimal \w+|(?:best|simplest) \w+|root cause|cause|fix)\s*[:—–]\s*\S.{20}/i

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
  if (plain.endsWith('?') || [ANSWERS, SAYS_DONE, CONCLUDES].some((form) => form.test(plain))) return false
  if (plain === '' || plain.endsWith(':') || ANNOUNCES.test(plain)) return true
  return plain.length < 120 && plain.split(/,? and |[,;] | [—–-] /).every((part) => EMPTY.test(part.trim()))
}

/** A yes or no that says to what, also before a list. */
const ANSWERS = /^(?:yes|no|ja|nein|sim|não|oui|non|sí|да|нет),? .{15,}:$/iu

/** What the agent has done, also before a list: `I made two fixes that make the search work in the app:`. */
const SAYS_DONE =
  /^(?:i|we)(?:['’]ve| have)? (?:now |also |just )?(?:made|fixed|added|changed|implemented|updated|found|removed|wrote|created|moved|replaced|built)\b.{25,}:$/i

/** Whether a text says only what the agent will do. */
export function announcesWork(text: string): boolean {
  const sentences = sentencesOf(text)
  return (
    sentences.length > 0 &&
    sentences.every((sentence) => ANNOUNCES_WORK.test(sentence.replace(/^[^\p{L}\p{N}]+/u, '')))
  )
}

/**
 * Phrases that only praise or agree, or say that everything is done or works. Words that repeat are told apart in one way
 * only, or a line of digits would take for ever.
 */
const EMPTY = new RegExp(
  [
    '(?:готово|сделано|pronto|feito|listo|hecho|fertig|erledigt|terminé|xong|yes|no|ok(?:ay)?|sure|done|absolutely|exactly|confirmed|correct|clean|fixed|committed|pushed|ready|complete[d]?|finished|updated|summary|understood|perfect|wonderful)',
    '(?:ótimo|perfeito|excelente|claro|entendi|parfait|génial|super|отлично|понял|ясно|genial|perfecto|bueno|claro que (?:sí|sim))',
    '(?:great|perfect|excellent|good|nice|well)(?: job| work| point| catch| question| idea| call| news| find|[, ]+done)?',
    '(?:got it|i see|i understand|(?:that )?makes sense|fair(?: enough| point)?|of course|thanks?.*|sorry.*|i apologi[sz]e.*|my mistake)',
    "you[’']re (?:absolutely |completely )?(?:right|welcome).*",
    '(?:now )?i (?:now )?have (?:all the information|everything|a (?:clear|good|complete|full)(?:er)? (?:picture|understanding|view)|enough).*',
    "(?:that[’']s|this is|it[’']s) (?:it|all|done|fine|good|ready|complete|right|correct)",
    '(?:(?:all|the|both|now|of|our|unit|existing|new|remaining|code|\\d+(?!\\d)|two|three|four|five|lint(?:ing|er)?|tests?|checks?|suite|builds?|ci|everything|errors?|issues?|items?|comments?|review|threads?|changes?|implementation|integration|feature|work|fix|plan|refactor(?:ing)?|fmt|formatting) ?)+(?:is |are |has been |have been |was |were |also |still |now |all |successfully |properly )*(?:pass(?:es|ed|ing)?|clean|green|works?|working|fine|done|ready|complete[d]?|finished|fixed|resolved|addressed|succeed(?:s|ed)?|in place|good|approved|formatted|linted)(?: (?:now|again|too|successfully|cleanly))*',
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
    .replace(HEADING_OF_LIST, '')
    .replace(/\[([^[\]\n]+)\]\([^()\s]+\)/g, '$1')
}

/** A numbered line that only says what the list below it is about: `1. Files that it reads`. */
const HEADING_OF_LIST = /^[ \t]*\d+[.)] [^\n]*[\p{L}\p{N}`*_]\n(?=[-*•] )/gmu
