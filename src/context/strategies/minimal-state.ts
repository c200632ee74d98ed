import { isPrompt } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { oneLine, shortLine } from '../../text/line.ts'
import { cutMessage } from '../newest-turn.ts'
import { rarityIn } from '../rarity.ts'
import { asTalk } from '../rendering/as-talk.ts'
import { isConstraint } from '../state/digest.ts'
import { askedFirst, extractState, firstAndNewest, lastAnswer, type State } from '../state/index.ts'
import { sentencesIn } from '../state/sentences.ts'
import { type Candidate, candidatesIn, chooseByWorth, itemLine, latest, talkLines } from '../state/telling.ts'
import { callsOf, type History, type Piece, type Room, type Strategy } from '../strategy.ts'

/**
 * Shows the state of the work and the person's last prompt. The remaining room goes to other words of the talk, the
 * rarest first. They may be in any language.
 */
export const minimalState: Strategy = {
  name: 'minimal-state',
  priority: 4,
  minTokens: 400,
  fitsItself: true,
  standsForAll: true,
  show(history, room) {
    const asked = history.said.findLast(isPrompt)
    if (asked === undefined) return undefined
    const talk = asTalk(asked, history.answers)
    const half = Math.floor(room.tokens / 2)
    const cost = room.cost({ message: talk }, half)
    const last = cost <= half ? { message: talk } : cutMessage(talk, room, half)
    if (last === undefined) return undefined
    const maxTokens = room.tokens - room.cost(last)
    const candidates = candidatesOf(history, asked)
    const bare = stateText(extractState(history), candidates, room, maxTokens)
    if (bare === undefined) return undefined
    const state = withWords(bare, candidates, lastAnswer(history.said), room, maxTokens)
    const whole = cost <= half
    return {
      pieces: [{ note: renderState(state) }, last],
      whole: whole ? 1 : 0,
      shortened: whole ? 0 : 1,
      summarised: countReported(state, history),
      toolResultsWhole: 0,
      toolResultsPruned: 0,
      toolCallsInALine: whole ? callsOf([asked]) : 0,
    }
  },
}

/** Returns the words of the talk that may be quoted. The task and the last prompt are not among them. */
function candidatesOf(history: History, asked: Message): Candidate[] {
  const others = firstAndNewest(history.said).filter((message) => message !== asked)
  const task = history.task === undefined ? askedFirst(history.said) : undefined
  return candidatesIn(others, rarityIn(history.said)).filter(({ message }) => message !== task)
}

/** The state as text, and which words of the talk are in it. */
interface StateText {
  sections: string[]
  /** The next step as it is shown; '' when none is known. */
  next: string
  reported: readonly Candidate[]
  /** Words that are shown below the sections, because no section has them. */
  words: readonly Candidate[]
}

function renderState({ sections, words }: StateText): string {
  return [
    ...sections,
    ...(words.length === 0 ? [] : ['', 'ALSO SAID:', ...talkLines(words).map(({ text }) => `- ${text}`)]),
    '',
    "Continue assisting with the user's request below.",
  ].join('\n')
}

/**
 * Writes the state in at most `maxTokens` tokens, with fewer and shorter items if needed; undefined if even those do
 * not fit.
 */
function stateText(
  state: State,
  candidates: readonly Candidate[],
  room: Room,
  maxTokens: number,
): StateText | undefined {
  for (let size = maxTokens * 1.2; size >= 8; size *= 0.85) {
    const text = sectionsOf(state, candidates, size)
    if (room.cost(noteOf(text), maxTokens) <= maxTokens) return text
  }
  return undefined
}

function noteOf(text: StateText): Piece {
  return { note: renderState(text) }
}

/** Returns the sections in about `size` tokens. */
function sectionsOf(state: State, candidates: readonly Candidate[], size: number): StateText {
  const short = (text: string, share: number): string => shortLine(text, Math.max(24, size * share))
  const section = (title: string, items: readonly string[]): string[] =>
    items.length === 0 ? [] : ['', title, ...items.map((item) => `- ${item}`)]
  const chosen = (wanted: (one: Candidate) => boolean): Candidate[] =>
    chooseByWorth(candidates.filter(wanted), size * LIST_RATIO)
  const constraints = chosen(isConstraint)
  const decisions = chosen(({ kind }) => kind === 'decision')
  const files = latest(
    state.modifiedFiles.map(({ path, action }) => `${oneLine(path)} (${action})`),
    size * 0.15,
  )
  const next = short(state.nextStep, 0.2)
  const texts = (some: readonly Candidate[]) => some.map(({ text }) => text)
  const sections = [
    'You are continuing a coding session.',
    '',
    `PROJECT: ${short(state.projectPath, 0.3)}`,
    '',
    `ORIGINAL TASK: ${short(state.originalTask, 0.7)}`,
    ...section('FILES MODIFIED THIS SESSION:', files.length === 0 ? ['None yet'] : files),
    '',
    `CURRENT STATUS: ${short(state.currentStatus, 0.5)}`,
    ...(next === '' ? [] : ['', `NEXT STEP: ${next}`]),
    ...section('CONSTRAINTS:', texts(constraints)),
    ...section('KEY DECISIONS MADE:', texts(decisions)),
    ...section('CURRENT BLOCKERS:', latest(state.blockers, size * LIST_RATIO)),
  ]
  return { sections, next, reported: [...constraints, ...decisions], words: [] }
}

/** The part of the room that a list of the state may take. */
const LIST_RATIO = 0.15

/** Fills the remaining room with other words of person and agent, in any language. */
function withWords(
  state: StateText,
  candidates: readonly Candidate[],
  status: Message | undefined,
  room: Room,
  maxTokens: number,
): StateText {
  const reported = new Set(state.reported)
  // The status shows the agent's last message already.
  const others = candidates.filter(
    (one) => !reported.has(one) && one.message !== status && one.text !== state.next,
  )
  const left = maxTokens - room.cost(noteOf(state))
  for (let size = left * 1.5; size >= 8; size *= 0.9) {
    const words = chooseByWorth(others, size)
    const text = { ...state, words }
    if (words.length > 0 && room.cost(noteOf(text), maxTokens) <= maxTokens) return text
  }
  return state
}

/** Counts the messages that the state quotes. Only these count as summarised. */
function countReported({ reported, words, next }: StateText, { said, task }: History): number {
  const messages = new Set<Message | undefined>([...reported, ...words].map(({ message }) => message))
  messages.add(lastAnswer(said))
  if (task === undefined) messages.add(askedFirst(said))
  if (next !== '') messages.add(firstAndNewest(said).findLast((message) => saysNext(message, next)))
  const asked = said.findLast(isPrompt)
  return said.filter((message) => message !== asked && messages.has(message)).length
}

function saysNext(message: Message, next: string): boolean {
  return sentencesIn(message).some(({ text }) => itemLine(text) === itemLine(next))
}
