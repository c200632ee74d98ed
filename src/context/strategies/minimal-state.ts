import { cutAtWord, oneLine } from '../../session/title.ts'
import { latest } from '../digest.ts'
import { cutMessage } from '../newest-turn.ts'
import { asTalk } from '../render.ts'
import { extractState, type State } from '../state.ts'
import { callsOf, type Piece, type Room, type Strategy } from '../strategy.ts'

/** What the conversation has come to, and what the person said last. */
export const minimalState: Strategy = {
  name: 'minimal-state',
  priority: 4,
  minTokens: 400,
  fitsItself: true,
  tell(history, room) {
    const asked = history.said.findLast(({ role }) => role === 'user')
    if (asked === undefined) return undefined
    const talk = asTalk(asked, history.answers)
    const half = Math.floor(room.tokens / 2)
    const cost = room.cost({ message: talk }, half)
    const last = cost <= half ? { message: talk } : cutMessage(talk, room, half)
    if (last === undefined) return undefined
    const state = stateNote(extractState(history), room, room.tokens - room.cost(last))
    if (state === undefined) return undefined
    const whole = cost <= half
    return {
      pieces: [state, last],
      whole: whole ? 1 : 0,
      shortened: whole ? 0 : 1,
      summarised: history.said.length - 1,
      toolResultsWhole: 0,
      toolResultsPruned: 0,
      toolCallsInALine: whole ? callsOf([asked]) : 0,
    }
  },
}

/** The state in at most so many tokens: the same sections with fewer and shorter items. */
function stateNote(state: State, room: Room, most: number): Piece | undefined {
  for (let size = most * 1.2; size >= 8; size *= 0.85) {
    const piece: Piece = { note: stateText(state, size) }
    if (room.cost(piece, most) <= most) return piece
  }
  return undefined
}

/** In about so many tokens. */
function stateText(state: State, size: number): string {
  const short = (text: string, share: number): string => cutAtWord(oneLine(text), Math.max(24, size * share))
  const listed = (title: string, items: readonly string[], share: number): string[] => {
    const kept = latest(items, size * share)
    return kept.length === 0 ? [] : ['', title, ...kept.map((item) => `- ${item}`)]
  }
  const files = latest(
    state.modifiedFiles.map(({ path, action }) => `${path} (${action})`),
    size * 0.15,
  )
  return [
    'You are continuing a coding session.',
    '',
    `PROJECT: ${short(state.projectPath, 0.3)}`,
    '',
    `ORIGINAL TASK: ${short(state.originalTask, 0.7)}`,
    '',
    'FILES MODIFIED THIS SESSION:',
    ...(files.length === 0 ? ['- None yet'] : files.map((file) => `- ${file}`)),
    '',
    `CURRENT STATUS: ${short(state.currentStatus, 0.5)}`,
    ...(state.nextStep === '' ? [] : ['', `NEXT STEP: ${short(state.nextStep, 0.2)}`]),
    ...listed('CONSTRAINTS:', state.constraints, 0.15),
    ...listed('KEY DECISIONS MADE:', state.keyDecisions, 0.15),
    ...listed('CURRENT BLOCKERS:', state.blockers, 0.12),
    '',
    "Continue assisting with the user's request below.",
  ].join('\n')
}
