import type { FileChange } from '../../context/state/files-changed.ts'
import { extractState, lastAnswer, type State } from '../../context/state/index.ts'
import { type Standing, standingOf } from '../../context/state/standing.ts'
import type { History } from '../../context/strategy.ts'
import { isControlTurn, turnsOf } from '../../session/control-turns.ts'
import { isPrompt, textOf } from '../../session/live-path.ts'
import type { Message, SessionFile } from '../../session/schema.ts'
import { withoutLastSaid } from '../../session/summary.ts'
import { asCode, harmless } from '../../text/harmless-markdown.ts'
import { shortLine } from '../../text/line.ts'
import { droppedIn } from './dropped.ts'

export interface PullRequestFacts {
  session: SessionFile
  /** The messages that are told of, with events and what was taken back. */
  messages: readonly Message[]
  /** What counts of these messages. */
  history: History
  /** Sentences of ours about what is not told: `3 secrets were replaced`. */
  leftOut: readonly string[]
}

/**
 * The most UTF-16 units of such a text. GitHub takes 65,536 characters; this is about five screens, and less than 65,536
 * bytes in any script.
 */
export const PULL_REQUEST_LENGTH = 16_000

/**
 * A conversation as markdown for a pull request: what was asked, decided, tried and dropped, and which files changed. It
 * is made from the record without a model, pure and deterministic, and has at most `PULL_REQUEST_LENGTH` units. Recorded
 * words stand in it only as `harmless` leaves them, never at the beginning of a line.
 */
export function pullRequestText(facts: PullRequestFacts): string {
  const told = toldBy(facts)
  for (const most of MOST) {
    const text = compose(facts, told, most)
    if (text.length <= PULL_REQUEST_LENGTH) return text
  }
  // Each line is bounded, so the last of these fits.
  return compose(facts, told, 0)
}

/** How many items a list may have, the first that fits. */
const MOST = [30, 20, 12, 8, 5, 3, 2, 1]
const LINE = 240
const PARAGRAPH = 700

interface Told {
  state: State
  standing: Standing
  asked: string[]
  dropped: string[]
  answer: string
}

function toldBy({ session, messages, history }: PullRequestFacts): Told {
  const turns = turnsOf(history.said).filter((turn) => !isControlTurn(turn))
  const said = turns.flat()
  const asked = said.filter(isPrompt).map((message) => shortLine(textOf(message), LINE))
  const answer = lastAnswer(said)
  const state = extractState({ ...history, said })
  return {
    state,
    standing: standingOf(history),
    asked: asked.filter((text) => text !== ''),
    dropped: droppedIn(messages, history),
    answer: withoutLastSaid(session.context_summary) || (answer === undefined ? '' : textOf(answer)),
  }
}

function compose({ session, leftOut }: PullRequestFacts, told: Told, most: number): string {
  const { state, standing } = told
  const list = <T>(title: string, items: readonly T[], shown: (item: T) => string): List => ({
    title,
    total: items.length,
    // Only what is shown is made harmless, since there may be thousands of items.
    items: most === 0 ? [] : items.slice(-most).map(shown),
  })
  const lists = [
    list('Asked on the way', told.asked.slice(1), prose),
    list('Decided', state.keyDecisions, prose),
    list('Asked to keep to', state.constraints, prose),
    list('Tried and dropped', told.dropped, prose),
    list('Files', state.modifiedFiles, file),
    list('Commits', standing.commits, code),
    list('Last runs of checks', standing.checks, code),
    list('Still failing', state.blockers, code),
    list('Still open', standing.open, prose),
  ]
  const notes = [...leftOut, ...cutNote(lists)]
  return [
    ...said('Conversation', session.title, LINE),
    ...said('Asked', state.originalTask, PARAGRAPH),
    ...said('Outcome', told.answer, PARAGRAPH),
    ...lists.flatMap(folded),
    `<sub>Made by cortext from the record of a conversation, without a model.${notes.map((note) => ` ${note}`).join('')}</sub>`,
    '',
  ].join('\n')
}

interface List {
  title: string
  /** How many items there are. */
  total: number
  /** The newest of them, as they are shown. */
  items: string[]
}

function prose(item: string): string {
  return harmless(shortLine(item, LINE))
}

function code(item: string): string {
  return asCode(shortLine(item, LINE))
}

function file({ path, action }: FileChange): string {
  return `${code(path)} (${action})`
}

function said(label: string, text: string, length: number): string[] {
  const words = harmless(shortLine(text, length))
  return words === '' ? [] : [`**${label}:** ${words}`, '']
}

function folded({ title, total, items }: List): string[] {
  const shown = items.filter((item) => item !== '')
  if (shown.length === 0) return []
  const count = items.length === total ? `${shown.length}` : `the last ${shown.length} of ${total}`
  return [
    '<details>',
    `<summary>${title} (${count})</summary>`,
    '',
    ...shown.map((item) => `- ${item}`),
    '',
    '</details>',
    '',
  ]
}

function cutNote(lists: readonly List[]): string[] {
  const cut = lists.filter(({ total, items }) => total > items.length).map(({ title }) => title.toLowerCase())
  return cut.length === 0 ? [] : [`Not all is listed of: ${cut.join(', ')}.`]
}
