import { basename } from 'node:path'
import { toolVocabulary } from '../../clients/all-tools.ts'
import { answersIn } from '../../context/rendering/answers.ts'
import { historyOf } from '../../context/select-strategy.ts'
import type { FileChange } from '../../context/state/files-changed.ts'
import { askedFirst, extractState, lastAnswer, type State, taskOf } from '../../context/state/index.ts'
import { checkLine, commitLine, type ToolState, toolStateOf } from '../../context/state/tool-state.ts'
import type { History } from '../../context/strategy.ts'
import { isControlTurn, turnsOf } from '../../session/control-turns.ts'
import { isPrompt, isTalk, textOf } from '../../session/live-path.ts'
import type { Message, SessionFile } from '../../session/schema.ts'
import { withoutLastSaid } from '../../session/summary.ts'
import { countOf } from '../../text/count-of.ts'
import { asCode, harmless } from '../../text/harmless-markdown.ts'
import { shortLine } from '../../text/line.ts'
import type { Workspace } from '../../workspace/open.ts'
import type { Part } from '../export-formats.ts'
import { droppedIn } from './dropped.ts'

/** Makes the Markdown for a pull request. */
export function asPullRequest(
  { session, all, ranged, live }: Part,
  ws: Workspace,
  redacted: Readonly<Record<string, number>>,
): { text: string } {
  // The history of the whole conversation, with what belongs to the exported range alone.
  const whole = ranged.length === all.length
  const history = historyOf({ messages: [...all], project: basename(ws.root), tools: toolVocabulary() })
  const text = pullRequestText({
    session,
    messages: ranged,
    history: {
      ...history,
      live,
      said: live.filter(isTalk),
      // A range has only the results of its own calls.
      answers: { ...history.answers, results: answersIn(live, toolVocabulary()).results },
      task: whole ? history.task : undefined,
    },
    leftOut: leftOut(live, all.filter(isTalk).length, redacted),
  })
  return { text }
}

function leftOut(
  live: readonly Message[],
  all: number,
  redacted: Readonly<Record<string, number>>,
): string[] {
  const said = live.filter(isTalk).length
  const results = live.filter(({ role }) => role === 'tool').length
  const reasoning = live.filter((message) => message.reasoning !== undefined).length
  const secrets = Object.values(redacted).reduce((sum, count) => sum + count, 0)
  return [
    said === all
      ? `It had ${countOf(all, 'message')}.`
      : `This text covers ${said} of ${countOf(all, 'message')}.`,
    ...(results + reasoning === 0
      ? []
      : [`Left out: ${countOf(results, 'result')} of tools, ${countOf(reasoning, 'text')} of reasoning.`]),
    ...(secrets === 0
      ? []
      : [`${secrets === 1 ? '1 secret was' : `${secrets} secrets were`} replaced for this text.`]),
  ]
}

export interface PullRequestFacts {
  session: SessionFile
  /** The exported messages, with events and with messages that were taken back. */
  messages: readonly Message[]
  /** The live path of these messages. */
  history: History
  /** Sentences of cortext about omissions: `3 secrets were replaced`. */
  leftOut: readonly string[]
}

/**
 * The maximum length of the text in UTF-16 units. GitHub accepts 65,536 characters. The maximum is about five screens,
 * and less than 65,536 bytes in any writing system.
 */
export const MAX_PULL_REQUEST_LENGTH = 16_000

/**
 * Makes the Markdown for a pull request: the request, decisions, dropped attempts, and changed files. Pure and
 * deterministic; no model is asked. The text has at most `MAX_PULL_REQUEST_LENGTH` units. Recorded words are made
 * `harmless` and never begin a line.
 */
export function pullRequestText(facts: PullRequestFacts): string {
  const findings = findingsIn(facts)
  for (const maxItems of ITEM_LIMITS) {
    const text = compose(facts, findings, maxItems)
    if (text.length <= MAX_PULL_REQUEST_LENGTH) return text
  }
  // Each line has a limit, so a text without items fits.
  return compose(facts, findings, 0)
}

/** Limits for the number of items in a list. The first limit that makes the text fit is used. */
const ITEM_LIMITS = [30, 20, 12, 8, 5, 3, 2, 1]
const MAX_LINE = 240
const MAX_PARAGRAPH = 700

interface Findings {
  state: State
  toolState: ToolState
  /** What the person asked, but for the first request. */
  asked: string[]
  dropped: string[]
  answer: string
}

function findingsIn({ session, messages, history }: PullRequestFacts): Findings {
  const turns = turnsOf(history.said).filter((turn) => !isControlTurn(turn))
  const said = turns.flat()
  const answer = lastAnswer(said)
  const state = extractState({ ...history, said })
  const first = askedFirst(said)
  // A request that was pruned is none of these messages. What comes before the first one is a command alone.
  const hasTask = first !== undefined && taskOf([first]) === state.originalTask
  const later = said.slice(hasTask ? said.indexOf(first) + 1 : 0)
  const asked = later.filter(isPrompt).map((message) => shortLine(textOf(message), MAX_LINE))
  return {
    state,
    toolState: toolStateOf(history),
    asked: asked.filter((text) => text !== ''),
    dropped: droppedIn(messages, history),
    answer: withoutLastSaid(session.context_summary) || (answer === undefined ? '' : textOf(answer)),
  }
}

function compose({ session, leftOut }: PullRequestFacts, findings: Findings, maxItems: number): string {
  const { state, toolState } = findings
  const list = <T>(title: string, items: readonly T[], shown: (item: T) => string): List => ({
    title,
    total: items.length,
    // There may be thousands of items, so only the shown ones are made harmless.
    items: maxItems === 0 ? [] : items.slice(-maxItems).map(shown),
  })
  const lists = [
    list('Asked on the way', findings.asked, prose),
    list('Decided', state.keyDecisions, prose),
    list('Asked to keep to', state.constraints, prose),
    list('Tried and dropped', findings.dropped, prose),
    list('Files', state.modifiedFiles, file),
    list('Commits', toolState.commits.map(commitLine), code),
    list('Last runs of checks', toolState.checks.map(checkLine), code),
    list('Still failing', state.blockers, code),
    list('Still open', toolState.open, prose),
  ]
  const notes = [...leftOut, ...cutNote(lists)]
  return [
    ...labelled('Conversation', session.title, MAX_LINE),
    ...labelled('Asked', state.originalTask, MAX_PARAGRAPH),
    ...labelled('Outcome', findings.answer, MAX_PARAGRAPH),
    ...lists.flatMap(foldedList),
    `<sub>Made by cortext from the record of a conversation, without a model.${notes.map((note) => ` ${note}`).join('')}</sub>`,
    '',
  ].join('\n')
}

interface List {
  title: string
  /** The number of all items. */
  total: number
  /** The newest items, formatted. */
  items: string[]
}

function prose(item: string): string {
  return harmless(shortLine(item, MAX_LINE))
}

function code(item: string): string {
  return asCode(shortLine(item, MAX_LINE))
}

function file({ path, action }: FileChange): string {
  return `${code(path)} (${action})`
}

function labelled(label: string, text: string, length: number): string[] {
  const words = harmless(shortLine(text, length))
  return words === '' ? [] : [`**${label}:** ${words}`, '']
}

function foldedList({ title, total, items }: List): string[] {
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
