import { isPrompt } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { shortLine } from '../../text/line.ts'
import { asTalk } from '../as-talk.ts'
import { cutMessage } from '../newest-turn.ts'
import { rarityIn } from '../rarity.ts'
import { isConstraint } from '../state/digest.ts'
import { askedFirst, extractState, lastAnswer, lookedAt, type State } from '../state/index.ts'
import { sentencesIn } from '../state/sentences.ts'
import { itemLine, latest, mostTelling, type Telling, talkLines, tellingIn } from '../state/telling.ts'
import { callsOf, type History, type Piece, type Room, type Strategy } from '../strategy.ts'

/**
 * Shows what the conversation has come to, and the person's last message. Room that is left goes to what else was
 * said, the rarest first, in any language.
 */
export const minimalState: Strategy = {
  name: 'minimal-state',
  priority: 4,
  minTokens: 400,
  fitsItself: true,
  standsForAll: true,
  tell(history, room) {
    const asked = history.said.findLast(isPrompt)
    if (asked === undefined) return undefined
    const talk = asTalk(asked, history.answers)
    const half = Math.floor(room.tokens / 2)
    const cost = room.cost({ message: talk }, half)
    const last = cost <= half ? { message: talk } : cutMessage(talk, room, half)
    if (last === undefined) return undefined
    const most = room.tokens - room.cost(last)
    const telling = tellingOf(history, asked)
    const bare = stateText(extractState(history), telling, room, most)
    if (bare === undefined) return undefined
    const state = withWords(bare, telling, lastAnswer(history.said), room, most)
    const whole = cost <= half
    return {
      pieces: [{ note: renderState(state) }, last],
      whole: whole ? 1 : 0,
      shortened: whole ? 0 : 1,
      summarised: toldBy(state, history),
      toolResultsWhole: 0,
      toolResultsPruned: 0,
      toolCallsInALine: whole ? callsOf([asked]) : 0,
    }
  },
}

/** Sentences that may be included besides the task and the current question. */
function tellingOf(history: History, asked: Message): Telling[] {
  const others = lookedAt(history.said).filter((message) => message !== asked)
  const task = history.task === undefined ? askedFirst(history.said) : undefined
  return tellingIn(others, rarityIn(history.said)).filter(({ message }) => message !== task)
}

/** The state as text, and what of the talk is in it. */
interface StateText {
  sections: string[]
  /** The next step, where the state tells it. */
  next: string
  told: readonly Telling[]
  /** Words that belong to no list. */
  words: readonly Telling[]
}

function renderState({ sections, words }: StateText): string {
  return [
    ...sections,
    ...(words.length === 0 ? [] : ['', 'ALSO SAID:', ...talkLines(words).map(({ text }) => `- ${text}`)]),
    '',
    "Continue assisting with the user's request below.",
  ].join('\n')
}

/** The state in at most `most` tokens: the same sections, with fewer and shorter items. */
function stateText(
  state: State,
  telling: readonly Telling[],
  room: Room,
  most: number,
): StateText | undefined {
  for (let size = most * 1.2; size >= 8; size *= 0.85) {
    const text = sectionsOf(state, telling, size)
    if (room.cost(noteOf(text), most) <= most) return text
  }
  return undefined
}

function noteOf(text: StateText): Piece {
  return { note: renderState(text) }
}

/** The sections in about `size` tokens. */
function sectionsOf(state: State, telling: readonly Telling[], size: number): StateText {
  const short = (text: string, share: number): string => shortLine(text, Math.max(24, size * share))
  const section = (title: string, items: readonly string[]): string[] =>
    items.length === 0 ? [] : ['', title, ...items.map((item) => `- ${item}`)]
  const chosen = (wanted: (one: Telling) => boolean): Telling[] =>
    mostTelling(telling.filter(wanted), size * LIST)
  const constraints = chosen(isConstraint)
  const decisions = chosen(({ kind }) => kind === 'decision')
  const files = latest(
    state.modifiedFiles.map(({ path, action }) => `${path} (${action})`),
    size * 0.15,
  )
  const next = short(state.nextStep, 0.2)
  const texts = (some: readonly Telling[]) => some.map(({ text }) => text)
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
    ...section('CURRENT BLOCKERS:', latest(state.blockers, size * LIST)),
  ]
  return { sections, next, told: [...constraints, ...decisions], words: [] }
}

/** The part of the room that a list may take. */
const LIST = 0.15

/** Fills what room is left with what else was said, by both, and in any language. */
function withWords(
  state: StateText,
  telling: readonly Telling[],
  status: Message | undefined,
  room: Room,
  most: number,
): StateText {
  const told = new Set(state.told)
  // The status is the agent's last message.
  const others = telling.filter((one) => !told.has(one) && one.message !== status && one.text !== state.next)
  const left = most - room.cost(noteOf(state))
  for (let size = left * 1.5; size >= 8; size *= 0.9) {
    const words = mostTelling(others, size)
    const text = { ...state, words }
    if (words.length > 0 && room.cost(noteOf(text), most) <= most) return text
  }
  return state
}

/** How many messages the state tells something of in their own words. It counts no others as summarised. */
function toldBy({ told, words, next }: StateText, { said, task }: History): number {
  const messages = new Set<Message | undefined>([...told, ...words].map(({ message }) => message))
  messages.add(lastAnswer(said))
  if (task === undefined) messages.add(askedFirst(said))
  if (next !== '') messages.add(lookedAt(said).findLast((message) => tellsNext(message, next)))
  const asked = said.findLast(isPrompt)
  return said.filter((message) => message !== asked && messages.has(message)).length
}

function tellsNext(message: Message, next: string): boolean {
  return sentencesIn(message).some(({ text }) => itemLine(text) === itemLine(next))
}
