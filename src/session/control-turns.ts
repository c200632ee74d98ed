import { callKey, isPrompt, isTalk, livePath, textOf } from './live-path.ts'
import type { Message, ToolCall } from './schema.ts'
import { isGoodbye } from './stopping/goodbye.ts'
import { type OwnVerb, ownVerbsOf } from './stopping/own-calls.ts'

/**
 * Splits what was said into turns: a message of the person and the answers to it. Leaves out what follows the agent's
 * stop of a conversation, and the calls of a stop that failed.
 */
export function turnsOf(messages: readonly Message[]): Message[][] {
  const result: Message[][] = []
  const { rest, failed } = stopsIn(messages)
  for (const one of messages.filter((message) => isTalk(message) && !rest.has(message))) {
    const message = failed.has(one)
      ? { ...one, tool_calls: one.tool_calls!.filter((call) => !stops(call)) }
      : one
    if (isPrompt(message) || result.length === 0) result.push([message])
    else result.at(-1)!.push(message)
  }
  return result
}

/** The stops in words: the person says it, and the agent calls `cortext agent stop` in the middle of its turn. */
export interface Stops {
  /** The prompts of the turns with a call that has stopped a conversation. */
  asked: ReadonlySet<Message>
  /** What follows such a call in its turn: its result, its echo, the goodbye. It belongs to no conversation. */
  rest: ReadonlySet<Message>
  /** The messages with a call that has stopped nothing: it failed, or the person refused it. */
  failed: ReadonlySet<Message>
}

/**
 * Finds the stops in words. A call without a result counts as done if nobody speaks after it in its turn: a stop ends
 * the recording before its result is written. The results of earlier calls of a turn that come after its stop stay with
 * these calls.
 */
export function stopsIn(messages: readonly Message[]): Stops {
  const found = { asked: new Set<Message>(), rest: new Set<Message>(), failed: new Set<Message>() }
  if (!messages.some(({ tool_calls: calls }) => calls?.some(stops))) return found
  const results = new Map(
    messages.flatMap((one) => (one.role === 'tool' ? [[callKey(one, one.tool_call_id), one] as const] : [])),
  )
  const turns = new Map<string, Turn>()
  for (const message of messages) {
    const session = message.native_session ?? ''
    if (isPrompt(message)) turns.set(session, { prompt: message, open: new Set() })
    const turn = turns.get(session) ?? { open: new Set<string>() }
    turns.set(session, turn)
    if (turn.stop !== undefined && !turn.isSure && message.role === 'assistant') {
      found.failed.add(turn.stop)
      if (turn.prompt) found.asked.delete(turn.prompt)
      delete turn.stop
    }
    if (turn.stop !== undefined) {
      if (!turn.open.has(callKey(message, message.tool_call_id))) found.rest.add(message)
      continue
    }
    for (const call of message.tool_calls ?? []) {
      const key = callKey(message, call.id)
      const result = results.get(key)
      if (!stops(call)) turn.open.add(key)
      else if (result !== undefined && hasFailed(result, turn.prompt)) found.failed.add(message)
      else {
        turn.stop = message
        turn.isSure = result !== undefined
      }
    }
    if (turn.stop && turn.prompt) found.asked.add(turn.prompt)
  }
  return found
}

/** The turn of a native session that is being read. */
interface Turn {
  prompt?: Message
  /** The message with the call that stops. It `isSure` if the result of the call says so. */
  stop?: Message
  isSure?: boolean
  /** The calls before the stop whose results may come after it. */
  open: Set<string>
}

/** A second goodbye finds nothing to stop: that is no failure. If the person said more, the words are not saved. */
function hasFailed(result: Message, prompt: Message | undefined): boolean {
  const text = textOf(result)
  if (SAVED.test(text)) return false
  if (NOTHING_NEW.test(text) && prompt !== undefined && isGoodbye(textOf(prompt))) return false
  return result.is_error === true || result.refused === true || /^\W*error: /m.test(text)
}

/** What a stop prints, as text or as JSON. */
const SAVED = /^Session (?:saved\.|closed;)|"status": ?"(?:paused|completed)"/m
const NOTHING_NEW = /is saved already; nothing was said here since/

/** Whether a turn begins with a prompt. Otherwise it is the rest of a turn that began before these messages. */
export function beginsAsked([first]: readonly Message[]): boolean {
  return first !== undefined && isPrompt(first)
}

/**
 * Whether this is a control turn: one that stopped or resumed a conversation. Control turns belong to no conversation,
 * but for what a turn that stops in words has before its stop (`stopsIn`, stopping/without-stops.ts).
 */
export function isControlTurn(turn: readonly Message[]): boolean {
  return isOwnCommand(turn[0]) || calls(turn, 'stop') || calls(turn, 'resume')
}

/** Whether this is a stop or resume command that a person typed. */
export function isOwnCommand(message: Message | undefined): boolean {
  return message !== undefined && OWN_COMMAND.test(asSlashCommand(textOf(message)))
}

/** Whether a control turn stopped a conversation; otherwise it resumed one. */
export function isStopTurn(turn: readonly Message[]): boolean {
  const typed = turn[0] === undefined ? '' : asSlashCommand(textOf(turn[0]))
  return OWN_COMMAND.test(typed) ? typed.startsWith('/workspace.stop') : calls(turn, 'stop')
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
 * Returns the id of the message to which a rewind leads. This is `to` itself, unless `to` belongs to no conversation: it
 * is in a turn of a typed stop or of a resume, or it follows a stop in words. The rewind then leads to the last message
 * before that.
 */
export function beforeControlTurn(messages: readonly Message[], to: string | null): string | null {
  let [earlier, wanted] = [messages, to]
  for (let turns = 0; turns < MAX_CONTROL_TURNS; turns++) {
    const index = earlier.findIndex(({ id }) => id === wanted)
    const begin = earlier.slice(0, index + 1).findLastIndex(isPrompt)
    if (begin === -1) return wanted
    const end = earlier.findIndex((message, index) => index > begin && isPrompt(message))
    const turn = earlier.slice(begin, end === -1 ? undefined : end)
    const talk = turn.filter(isTalk)
    if (!isOwnCommand(talk[0]) && !calls(talk, 'resume')) {
      const { rest } = stopsIn(turn)
      const isSaid = (message: Message) => !rest.has(message)
      return isSaid(earlier[index]!) ? wanted : lastOf(earlier.slice(0, index).filter(isSaid))
    }
    earlier = earlier.slice(0, begin)
    wanted = lastOf(earlier)
  }
  return wanted
}

function lastOf(messages: readonly Message[]): string | null {
  return livePath(messages).at(-1)?.id ?? null
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

function calls(turn: readonly Message[], verb: OwnVerb): boolean {
  return turn.some((message) => message.tool_calls?.some((call) => ownVerbsOf(call).includes(verb)) === true)
}

function stops(call: ToolCall): boolean {
  return ownVerbsOf(call).includes('stop')
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
