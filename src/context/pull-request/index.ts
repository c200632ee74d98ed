import { isControlTurn, turnsOf } from '../../session/control-turns.ts'
import { isPrompt, textOf } from '../../session/live-path.ts'
import type { Message, SessionFile } from '../../session/schema.ts'
import { withoutLastSaid } from '../../session/summary.ts'
import { asCode, harmless } from '../../text/harmless-markdown.ts'
import { shortLine } from '../../text/line.ts'
import { extractState, lastAnswer, type State } from '../state/index.ts'
import { type Standing, standingOf } from '../state/standing.ts'
import type { History } from '../strategy.ts'
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
  const prose = (items: readonly string[]) => items.map((item) => harmless(shortLine(item, LINE)))
  const code = (items: readonly string[]) => items.map((item) => asCode(shortLine(item, LINE)))
  const lists: [string, string[]][] = [
    ['Asked on the way', prose(told.asked.slice(1))],
    ['Decided', prose(state.keyDecisions)],
    ['Asked to keep to', prose(state.constraints)],
    ['Tried and dropped', prose(told.dropped)],
    ['Files', state.modifiedFiles.map(({ path, action }) => `${asCode(shortLine(path, LINE))} (${action})`)],
    ['Commits', code(standing.commits)],
    ['Last runs of checks', code(standing.checks)],
    ['Still failing', code(state.blockers)],
    ['Still open', prose(standing.open)],
  ]
  const sections = lists.flatMap(([title, items]) => folded(title, items, most))
  const notes = [...leftOut, ...cutNote(lists, most)]
  return [
    ...said('Conversation', session.title, LINE),
    ...said('Asked', state.originalTask, PARAGRAPH),
    ...said('Outcome', told.answer, PARAGRAPH),
    ...sections,
    `<sub>Made by cortext from the record of a conversation, without a model.${notes.map((note) => ` ${note}`).join('')}</sub>`,
    '',
  ].join('\n')
}

function said(label: string, text: string, length: number): string[] {
  const words = harmless(shortLine(text, length))
  return words === '' ? [] : [`**${label}:** ${words}`, '']
}

function folded(title: string, items: readonly string[], most: number): string[] {
  const shown = items.filter((item) => item !== '').slice(-most)
  if (shown.length === 0 || most === 0) return []
  const more = items.length - shown.length
  const count = more === 0 ? `${shown.length}` : `the last ${shown.length} of ${items.length}`
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

function cutNote(lists: readonly [string, string[]][], most: number): string[] {
  const cut = lists.filter(([, items]) => items.length > most).map(([title]) => title.toLowerCase())
  return cut.length === 0 ? [] : [`Not all is listed of: ${cut.join(', ')}.`]
}
