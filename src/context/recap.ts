import { isControlTurn, isOwnCommand, turnsOf } from '../session/control-turns.ts'
import { contentOf, textOf } from '../session/live-path.ts'
import { neutralise } from '../session/resume-block.ts'
import type { Message, SessionFile } from '../session/schema.ts'
import { authorOfMessage } from '../session/sharing/authors.ts'
import { withoutLastSaid } from '../session/summary.ts'
import { firstRequest } from '../session/title.ts'
import { countOf } from '../text/count-of.ts'
import { oneLine, shortLine } from '../text/line.ts'
import { relativeTime } from '../text/relative-time.ts'
import { wellFormed } from '../text/whole-characters.ts'
import { deedsOf } from './state/deeds.ts'
import { taskOf } from './state/index.ts'
import { type Exchange, exchangesIn, stepOf, withoutSmallTalk } from './state/said/last-exchange.ts'
import { isFirstRequest, ownWords, tellingRequest } from './state/said/own-words.ts'
import { answerLine, lastTellingAnswer } from './state/said/telling-answer.ts'
import { toolStateOf } from './state/tool-state.ts'
import type { History } from './strategy.ts'

export interface RecapFacts {
  session: SessionFile
  /** The messages name their authors, unless the person who resumes is the only author. */
  history: Pick<History, 'live' | 'said' | 'interrupted' | 'answers' | 'project' | 'task'>
  now: Date
  /** What has changed since the conversation was left, a few words for each change. */
  changed: readonly string[]
}

/** The most tokens of a recap. The budget of a resume covers neither the recap nor the instructions of the command. */
export const RECAP_TOKENS = 250

/**
 * Builds the first thing that a person sees after a handoff: what was done and said last, what is open, and what has
 * changed since. It is Markdown of at most ten lines and `RECAP_TOKENS` tokens, made without a model. Recorded words
 * are marked as code, so that no client reads them as Markdown. Long quotes are cut. Pure and deterministic.
 */
export function recapOf(facts: RecapFacts, count: (text: string) => number): string {
  const turns = turnsOf(facts.history.said)
  const talk = turns.filter((turn) => !isControlTurn(turn))
  // If all turns are control turns, the recap shows those that do not begin with a typed stop or resume command.
  const said = (talk.length > 0 ? talk : turns.filter(([first]) => !isOwnCommand(first))).flat()
  const fits = (text: string) => count(text) <= RECAP_TOKENS && rowsOf(text) <= MAX_ROWS
  for (const length of LINE_LENGTHS) {
    const text = compose(facts, said, length)
    if (fits(text)) return text
  }
  const lines = compose(facts, said, LINE_LENGTHS.at(-1)!).split('\n')
  while (lines.length > 1 && !fits(lines.join('\n'))) lines.pop()
  return lines.join('\n').trimEnd()
}

/** Returns the lines of a recap as plain text, for a terminal. The first one is its head. */
export function plainRecap(recap: string): string[] {
  return recap
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replace(/^- /, '').replaceAll('`', ''))
}

/** The most characters of recorded words in a line. The first of these numbers with which the recap fits is used. */
const LINE_LENGTHS = [160, 150, 140, 130, 120, 110, 100, 90, 80, 70, 60, 50, 40, 30, 24]

/**
 * The rows and columns that Gemini CLI and OpenCode leave free in a terminal of 80 by 24. More rows would scroll the
 * first ones out of sight.
 */
const MAX_ROWS = 13
const ROW_COLUMNS = 68

function rowsOf(text: string): number {
  const widths = text.split('\n').map((line) => line.replace(WIDE, '12').length)
  return widths.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / ROW_COLUMNS)), 0)
}

/** Characters that are two columns wide. */
const WIDE = /[\u2e80-\ud7ff\uf900-\uffdc]/g

function compose(
  { session, history, now, changed }: RecapFacts,
  said: readonly Message[],
  length: number,
): string {
  const title = shortLine(session.title, Math.min(length, TITLE_LENGTH))
  const begin = code(`[Resuming "${title}"]`)
  const type = session.conversation_type.replace(/[^\p{L}\p{N}_-]+/gu, ' ').slice(0, TYPE_LENGTH)
  if (said.length === 0) {
    const items = [
      ...item('Where it stood', shortLine(withoutLastSaid(session.context_summary), SUMMARY_LENGTH)),
      ...item('Changed since', joinWithin(changed, length)),
    ]
    const head = `${begin} ${type}; nothing was said yet`
    return safe(items.length === 0 ? head : [head, '', ...items].join('\n'))
  }
  const count = Math.max(session.message_count, said.length)
  const when = relativeTime(new Date(session.last_active), now)
  const items = [
    ...whereItStood(session, history, said, length),
    ...saidLast(history, said, length),
    ...whatIsOpen(history, length),
    ...item('Changed since', joinWithin(changed, length)),
  ]
  const { branch } = toolStateOf(history)
  const on =
    branch === '' || /^(?:main|master|HEAD)$/.test(branch)
      ? ''
      : `, on ${code(shortLine(branch, BRANCH_LENGTH))}`
  return safe([`${begin} ${type}, ${countOf(count, 'message')}, ${when}${on}`, '', ...items].join('\n'))
}

const TITLE_LENGTH = 80
const TYPE_LENGTH = 30
const BRANCH_LENGTH = 40
const SUMMARY_LENGTH = 186

/**
 * Shows the summary that was written at the stop. Without one, shows the first request and what was done. The request
 * is left out if the title or the last prompt shows it.
 */
function whereItStood(
  { context_summary: summary, title }: SessionFile,
  history: RecapFacts['history'],
  said: readonly Message[],
  length: number,
): string[] {
  const written = shortLine(withoutLastSaid(summary), Math.min(SUMMARY_LENGTH, 2 * length))
  if (written !== '') return item('Where it stood', written)
  const request = history.task === undefined ? tellingRequest(said) : undefined
  const first = shortLine(history.task ?? request?.words ?? taskOf(said), length)
  const last = withoutSmallTalk(exchangesIn(said)).at(-1)?.prompt
  const isSaidLast =
    last !== undefined && (request?.message === last || shortLine(ownWords(textOf(last)), length) === first)
  const isShown = [first, firstRequest(said)].includes(oneLine(title)) || isSaidLast
  const isFirst = request === undefined || isFirstRequest(said, request.message)
  return [
    ...(isShown ? [] : item(isFirst ? 'Asked for first' : 'Asked for', quoted(first))),
    ...item('Done', shortLine(deedsOf(history), 2 * length)),
  ]
}

/** Shows the last request and its answer. Small talk after it is left out. */
function saidLast(
  { interrupted }: RecapFacts['history'],
  said: readonly Message[],
  length: number,
): string[] {
  const exchanges = exchangesIn(said, interrupted)
  const telling = withoutSmallTalk(exchanges)
  const last = telling.findLast(({ prompt }) => prompt !== undefined && contentOf(prompt).trim() !== '')
  const answered = telling.findLast(({ end }) => end === 'answered')
  const who = (last?.prompt && authorOfMessage(last.prompt)) ?? 'You'
  const verb = telling.length === exchanges.length ? 'said' : 'asked'
  const isOpen = last !== undefined && answered !== last
  return [
    ...(last?.prompt === undefined
      ? []
      : item(`${plain(who)} ${verb} last`, promptLine(last.prompt, length), NO_ANSWER[last.end])),
    ...(answered === undefined
      ? []
      : item(
          isOpen ? 'The answer before' : 'The answer',
          quoted(answerLine(lastTellingAnswer(answered.said), length)),
        )),
    ...item(
      'Last step',
      last?.end === 'broken off' ? quoted(shortLine(stepOf(last, interrupted), length)) : '',
    ),
  ]
}

const NO_ANSWER: Record<Exchange['end'], string> = {
  answered: '',
  'broken off': ' (no final answer)',
  acted: ' (no answer in words)',
  unanswered: ' (no answer)',
}

/** Returns the person's own words in quotation marks, and after them a name for each picture or other part. */
function promptLine(prompt: Message, length: number): string {
  const text = textOf(prompt)
  const others = oneLine(contentOf(prompt).slice(text.length))
  return [quoted(shortLine(ownWords(text), length)), others].filter((one) => one !== '').join(' ')
}

/** Shows the open tasks of the agent's own list and the checks that fail. */
function whatIsOpen(history: RecapFacts['history'], length: number): string[] {
  const { open, checks, notRun } = toolStateOf(history)
  const failing = checks
    .filter(({ outcome, isOld }) => outcome === 'failed' && !isOld)
    .map(({ name, why }) => (why === '' ? name : `${name}: ${why}`))
  if (notRun !== '') failing.push(`${notRun}: could not run`)
  return [
    ...item('Not ticked off', joinWithin(open, length)),
    ...item('Failing', joinWithin(failing, length)),
  ]
}

/**
 * Joins as many items as fit into a line, and adds the number of items left out. If there are several items, each is
 * cut to about half the line.
 */
function joinWithin(items: readonly string[], length: number): string {
  const shown: string[] = []
  let left = length
  const each = items.length === 1 ? length : Math.max(20, length / 2)
  for (const one of items.map((text) => shortLine(text, each))) {
    if (shown.length > 0 && one.length > left) break
    left -= one.length + 2
    shown.push(one)
  }
  const more = items.length - shown.length
  return [...shown, ...(more === 0 ? [] : [`${more} more`])].join('; ')
}

function quoted(text: string): string {
  return text === '' ? '' : `"${text}"`
}

/** Returns an item of the list; none for an empty text. */
function item(label: string, text: string, more = ''): string[] {
  return text === '' ? [] : [`- ${label}: ${code(text)}${more}`]
}

/**
 * Marks a text as code. Backticks in it become apostrophes, because some clients know only a single backtick as a
 * fence.
 */
function code(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``
}

/** Returns a name without the characters that mean something in Markdown, because the name is not marked as code. */
function plain(name: string): string {
  return oneLine(name.replace(/[^\p{L}\p{M}\p{N} .'-]+/gu, ' ')) || 'Somebody'
}

function safe(text: string): string {
  return neutralise(wellFormed(text))
}
