import { isOwnCommand, stopsIn } from '../control-turns.ts'
import { callKey, contentOf, isPrompt } from '../live-path.ts'
import type { Message } from '../schema.ts'
import { isFarewell, isGoodbye } from './goodbye.ts'
import { ownVerbsOf } from './own-calls.ts'

/**
 * Returns the messages of a live path that tell the next agent something. Leaves out turns that began with a typed stop
 * or resume, the agent's calls that start, save, stop or resume a conversation, with their results, and all that
 * follows a stop in its turn, and farewells. Of a turn that stops in words, the person's words stay unless they only
 * take leave, and so does what the agent said and did before the stop.
 */
export function withoutStops(live: readonly Message[]): readonly Message[] {
  const farewells = farewellsIn(live)
  if (farewells.size === 0 && !live.some((message) => isOwnCommand(message) || hasOwnCall(message)))
    return live
  const { asked, rest } = stopsIn(live)
  const typed = new Map<string, boolean>()
  const left = new Set<string>()
  return live.flatMap((message) => {
    const session = message.native_session ?? ''
    if (isPrompt(message)) typed.set(session, isOwnCommand(message))
    if (typed.get(session) || rest.has(message) || left.has(callKey(message, message.tool_call_id))) return []
    if (farewells.has(message) || (asked.has(message) && isGoodbye(contentOf(message)))) return []
    if (!hasOwnCall(message)) return [message]
    const calls = message.tool_calls!.filter((call) => ownVerbsOf(call).length === 0)
    for (const call of message.tool_calls!) if (!calls.includes(call)) left.add(callKey(message, call.id))
    const isEmpty = calls.length === 0 && contentOf(message).trim() === ''
    return isEmpty ? [] : [{ ...message, tool_calls: calls }]
  })
}

/**
 * The last prompts of native sessions in which a person only takes leave, and after which the agent called nothing.
 * Gemini CLI writes the call that stops only when it is done (0.61.0), so the record has no call.
 */
function farewellsIn(live: readonly Message[]): Set<Message> {
  const last = new Map<string, { prompt: Message; hasCalls: boolean }>()
  for (const message of live) {
    const session = message.native_session ?? ''
    const turn = last.get(session)
    if (isPrompt(message)) last.set(session, { prompt: message, hasCalls: false })
    else if (turn !== undefined && message.tool_calls !== undefined) turn.hasCalls = true
  }
  const first = live.find(isPrompt)
  const said = [...last.values()].filter(({ prompt, hasCalls }) => prompt !== first && !hasCalls)
  return new Set(said.map(({ prompt }) => prompt).filter((prompt) => isFarewell(contentOf(prompt))))
}

function hasOwnCall({ tool_calls: calls }: Message): boolean {
  return calls?.some((call) => ownVerbsOf(call).length > 0) === true
}
