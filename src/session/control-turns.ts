import { isPrompt, isTalk, livePath, textOf } from './live-path.ts'
import type { Message } from './schema.ts'

/** Splits what was said into turns: a message of the person and the answers to it. */
export function turnsOf(messages: readonly Message[]): Message[][] {
  const result: Message[][] = []
  for (const message of messages.filter(isTalk)) {
    if (isPrompt(message) || result.length === 0) result.push([message])
    else result.at(-1)!.push(message)
  }
  return result
}

/** Whether a turn begins with a prompt. Otherwise it is the rest of a turn that began before these messages. */
export function beginsAsked([first]: readonly Message[]): boolean {
  return first !== undefined && isPrompt(first)
}

/**
 * Whether this is a control turn: one that stopped or resumed a conversation. Control turns belong to no conversation.
 */
export function isControlTurn(turn: readonly Message[]): boolean {
  return (
    isOwnCommand(turn[0]) ||
    turn.some((message) => message.tool_calls?.some((call) => isOwnCall(call)) === true)
  )
}

/** Whether this is a stop or resume command that a person typed. */
export function isOwnCommand(message: Message | undefined): boolean {
  return message !== undefined && OWN_COMMAND.test(asSlashCommand(textOf(message)))
}

/** Whether a control turn stopped a conversation; otherwise it resumed one. */
export function isStopTurn(turn: readonly Message[]): boolean {
  const typed = turn[0] === undefined ? '' : asSlashCommand(textOf(turn[0]))
  if (OWN_COMMAND.test(typed)) return typed.startsWith('/workspace.stop')
  return turn.some((message) => message.tool_calls?.some((call) => isOwnCall(call, STOP_CALL)) === true)
}

/**
 * The talk after a resume. It begins with the first turn that is no control turn. The control turns before it resumed
 * the conversation and brought its context. Empty when nothing else was said.
 */
export function afterResume(messages: readonly Message[]): Message[] {
  const turns = turnsOf(messages)
  const first = turns.find((turn) => beginsAsked(turn) && !isControlTurn(turn))?.[0]
  return first === undefined ? [] : messages.slice(messages.indexOf(first))
}

/**
 * Returns the id of the message to which a rewind leads. This is `to` itself, unless `to` is in a control turn. Control
 * turns belong to no conversation, so the rewind then leads to the last message before that turn.
 */
export function beforeControlTurn(messages: readonly Message[], to: string | null): string | null {
  let [earlier, wanted] = [messages, to]
  for (let turns = 0; turns < MAX_CONTROL_TURNS; turns++) {
    const index = earlier.findIndex(({ id }) => id === wanted)
    const begin = earlier.slice(0, index + 1).findLastIndex(isPrompt)
    if (begin === -1) return wanted
    const end = earlier.findIndex((message, index) => index > begin && isPrompt(message))
    const turn = earlier.slice(begin, end === -1 ? undefined : end)
    if (!isControlTurn(turn.filter(isTalk))) return wanted
    earlier = earlier.slice(0, begin)
    wanted = livePath(earlier).at(-1)?.id ?? null
  }
  return wanted
}

/** Nobody stops or resumes so often without a word in between; a made file may. */
const MAX_CONTROL_TURNS = 1000

/**
 * The typed text as a slash command. In a client without custom commands, a person types the name of a skill:
 * `$workspace-resume`.
 */
export function asSlashCommand(typed: string): string {
  return typed.replace(/^\$workspace[-:]/, '/workspace.')
}

const OWN_COMMAND = /^\/workspace\.(?:stop-conversation|resume)\b/
const STOP_CALL = /^\s*cortext (?:agent )?stop\b/
const OWN_CALL = /^\s*cortext (?:stop|resume --here|agent (?:stop|resume))\b/

function isOwnCall({ arguments: given }: { arguments: unknown }, call = OWN_CALL): boolean {
  if (typeof given !== 'object' || given === null) return false
  return Object.values(given).some((value) => typeof value === 'string' && call.test(value))
}

/** The types of a workspace by name. Only those with a command can be opened by it. */
interface Types {
  get(name: string): { command?: string; session_support: boolean } | undefined
}

/** Returns the type whose command the person typed first: `/workspace.brainstorm API` → `brainstorm`. */
export function typeOpenedIn(messages: readonly Message[], types: Types): string | undefined {
  for (const message of messages) {
    const name = isPrompt(message) ? typeOpenedBy(message, types) : undefined
    if (name !== undefined && types.get(name)?.session_support === true) return name
  }
  return undefined
}

/** Returns the type whose command this message is. */
export function typeOpenedBy(message: Message, types: Types): string | undefined {
  const name = /^\/workspace\.(\S+)/.exec(asSlashCommand(textOf(message)))?.[1]
  return name !== undefined && types.get(name)?.command !== undefined ? name : undefined
}

/** Why the version of the command is unknown in a conversation that was made after the talk. */
export const NOT_NOTED = 'the talk was imported, and nobody had noted which version of the command ran'

/** Why there is no version of a command: the conversation got its type later, so the command runs at its next resume. */
export const NOT_RUN = 'the command has not run in this conversation yet'
