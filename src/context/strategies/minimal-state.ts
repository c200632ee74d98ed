import { isPrompt } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { shortLine } from '../../text/line.ts'
import { cutMessage } from '../newest-turn.ts'
import { asTalk } from '../render.ts'
import { itemLine, latest } from '../state/digest.ts'
import { askedFirst, extractState, lastAnswer, lookedAt, type State } from '../state/index.ts'
import { sentencesIn } from '../state/sentences.ts'
import { callsOf, type History, type Piece, type Room, type Strategy } from '../strategy.ts'

/**
 * Shows what the conversation has come to, and the person's last message. Room that is left goes to what else the
 * person said, in any language and any words.
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
    const bare = stateText(extractState(history), room, most)
    if (bare === undefined) return undefined
    const state = withWords(bare, wordsOf(bare, asked, history, room, most), room, most)
    const whole = cost <= half
    return {
      pieces: [{ note: textOf(state) }, last],
      whole: whole ? 1 : 0,
      shortened: whole ? 0 : 1,
      summarised: toldBy(state, asked, history),
      toolResultsWhole: 0,
      toolResultsPruned: 0,
      toolCallsInALine: whole ? callsOf([asked]) : 0,
    }
  },
}

/** The state as text, and which parts of the talk are in it. */
interface StateText {
  sections: string[]
  task: string
  /** The items of the lists, and the next step. */
  items: ReadonlySet<string>
  /** Other words of the person, in order. */
  words: readonly Words[]
}

interface Words {
  message: Message
  line: string
}

function textOf({ sections, words }: StateText): string {
  return [
    ...sections,
    ...(words.length === 0 ? [] : ['', 'ALSO SAID BY THE USER:', ...words.map(({ line }) => line)]),
    '',
    "Continue assisting with the user's request below.",
  ].join('\n')
}

/** The state in at most `most` tokens: the same sections, with fewer and shorter items. */
function stateText(state: State, room: Room, most: number): StateText | undefined {
  for (let size = most * 1.2; size >= 8; size *= 0.85) {
    const text = sectionsOf(state, size)
    if (room.cost(noteOf(text), most) <= most) return text
  }
  return undefined
}

function noteOf(text: StateText): Piece {
  return { note: textOf(text) }
}

/** The sections in about `size` tokens. */
function sectionsOf(state: State, size: number): StateText {
  const short = (text: string, share: number): string => shortLine(text, Math.max(24, size * share))
  const items = new Set<string>()
  const listed = (title: string, all: readonly string[], share: number): string[] => {
    const kept = latest(all, size * share)
    for (const item of kept) items.add(item)
    return kept.length === 0 ? [] : ['', title, ...kept.map((item) => `- ${item}`)]
  }
  const files = latest(
    state.modifiedFiles.map(({ path, action }) => `${path} (${action})`),
    size * 0.15,
  )
  const task = short(state.originalTask, 0.7)
  const next = short(state.nextStep, 0.2)
  if (next === state.nextStep) items.add(itemLine(next))
  const sections = [
    'You are continuing a coding session.',
    '',
    `PROJECT: ${short(state.projectPath, 0.3)}`,
    '',
    `ORIGINAL TASK: ${task}`,
    '',
    'FILES MODIFIED THIS SESSION:',
    ...(files.length === 0 ? ['- None yet'] : files.map((file) => `- ${file}`)),
    '',
    `CURRENT STATUS: ${short(state.currentStatus, 0.5)}`,
    ...(state.nextStep === '' ? [] : ['', `NEXT STEP: ${next}`]),
    ...listed('CONSTRAINTS:', state.constraints, 0.15),
    ...listed('KEY DECISIONS MADE:', state.keyDecisions, 0.15),
    ...listed('CURRENT BLOCKERS:', state.blockers, 0.12),
  ]
  return { sections, task, items, words: [] }
}

/** The most tokens for one message of the person. */
const WORDS = 300
/** With less room than this, no more words are added. */
const LEAST = 8

/** The person's words that the state does not tell: the newest that fit, each whole or cut after a sentence. */
function wordsOf(state: StateText, asked: Message, history: History, room: Room, most: number): Words[] {
  const words: Words[] = []
  let left = most - room.cost(noteOf({ ...state, words: [{ message: asked, line: '' }] }))
  for (let place = history.said.length - 1; place >= 0 && left >= LEAST; place -= 1) {
    const message = history.said[place]!
    if (message.role !== 'user' || message === asked) continue
    const sentences = sentencesIn(message).flatMap(({ text }) =>
      state.items.has(itemLine(text)) || state.task.includes(text) ? [] : [text],
    )
    if (sentences.length === 0) continue
    const line = asManyAsFit(sentences, room, Math.min(left, WORDS))
    if (line === undefined) break
    left -= room.count(`\n${line}`)
    words.unshift({ message, line })
  }
  return words
}

function asManyAsFit(sentences: readonly string[], room: Room, most: number): string | undefined {
  let line = '-'
  let left = most - 3
  for (const [place, sentence] of sentences.entries()) {
    left -= room.count(` ${sentence}`, left)
    if (left >= 0) line += ` ${sentence}`
    else if (place > 0) return `${line} …`
    else {
      const begin = `- ${itemLine(sentence)}`
      return room.count(begin, most) <= most ? begin : undefined
    }
  }
  return line
}

/** Adds the latest of the words that fit. Joined they may count a little more than their sum. */
function withWords(state: StateText, words: readonly Words[], room: Room, most: number): StateText {
  for (let from = 0; from < words.length; from += 1) {
    const text = { ...state, words: words.slice(from) }
    if (room.cost(noteOf(text), most) <= most) return text
  }
  return state
}

/** How many messages the state tells something of in their own words. It counts no others as summarised. */
function toldBy(state: StateText, asked: Message, history: History): number {
  const { said, task } = history
  const told = new Set<Message | undefined>(state.words.map(({ message }) => message))
  told.add(lastAnswer(said))
  if (task === undefined) told.add(askedFirst(said))
  const isItem = ({ text, kind }: { text: string; kind: unknown }): boolean =>
    kind !== undefined && state.items.has(itemLine(text))
  const looked = new Set(lookedAt(said))
  return said.filter(
    (message) =>
      message !== asked && (told.has(message) || (looked.has(message) && sentencesIn(message).some(isItem))),
  ).length
}
