import type { Message, ToolCall } from '../../../session/schema.ts'
import type { Bucket } from '../../shared/transcript/byte-ledger.ts'
import { type Fields, fieldsOf, jsonIn, listOf, textOf } from '../../shared/transcript/fields.ts'
import type { Line } from '../../shared/transcript/lines.ts'
import { type Outcome, outcomeOf, outputBody, saysFailed, wholeOutput } from './results.ts'
import type { Talk } from './talk.ts'

/** The tool call in a line. Undefined when the line is not a call. */
export function callIn(payload: Fields): ToolCall | undefined {
  const id = textOf(payload.call_id) || textOf(payload.id)
  switch (payload.type) {
    case 'function_call':
      return { id, name: nameOf(payload), arguments: parseArguments(payload.arguments) }
    case 'custom_tool_call':
      return { id, name: nameOf(payload), arguments: { input: payload.input } }
    case 'local_shell_call':
      return { id, name: 'local_shell', arguments: payload.action ?? {} }
    case 'tool_search_call':
      return { id, name: 'tool_search', arguments: payload.arguments ?? {} }
    case 'web_search_call':
      return { id, name: 'web_search', arguments: payload.action ?? {} }
    default:
      return undefined
  }
}

/** The name of the called tool. For an MCP tool, `namespace` names the server. */
function nameOf({ name, namespace }: Fields): string {
  const server = textOf(namespace)
  return server.startsWith('mcp__') ? `${server.replace(/__$/, '')}__${textOf(name)}` : textOf(name)
}

function parseArguments(text: unknown): unknown {
  if (typeof text !== 'string') return text ?? {}
  const value = jsonIn(text)
  // If the model's text is not JSON, it is kept as it is.
  return value === undefined ? text : value
}

interface KnownCall {
  name: string
  message: Message
  /** How many calls with this id wait for their output. More than one where ids were scrubbed. */
  open: number
}

/**
 * The calls of a thread and their outputs. The methods return how the bytes of the line are accounted for: `derived` if
 * the record has what it says from another line. Codex writes its own note of a call before the call's output.
 */
export class Calls {
  /** The thread of a subagent → the call that started the subagent. */
  readonly agents = new Map<string, string>()
  readonly #talk: Talk
  readonly #blobs: Map<string, Uint8Array>
  readonly #calls = new Map<string, KnownCall>()
  readonly #outcomes = new Map<string, Outcome>()

  constructor(talk: Talk, blobs: Map<string, Uint8Array>) {
    this.#talk = talk
    this.#blobs = blobs
  }

  /** Adds a call to the answer that contains it. */
  add(message: Message, call: ToolCall): void {
    message.tool_calls = [...(message.tool_calls ?? []), call]
    this.#talk.touched.add(message)
    const open = (this.#calls.get(call.id)?.open ?? 0) + 1
    this.#calls.set(call.id, { name: call.name, message, open })
  }

  output(line: Line, payload: Fields): Bucket {
    const callId = textOf(payload.call_id)
    const call = this.#calls.get(callId)
    if (call?.open === 0) return 'derived'
    const nativeId = textOf(payload.id) || `${callId} output`
    const given = payload.output ?? payload.tools ?? ''
    if (this.#talk.repeats(nativeId, JSON.stringify(given))) return 'derived'
    const outcome = this.#outcomes.get(callId)
    const { content, attachments } = outputBody(given, this.#blobs)
    const text = typeof content === 'string' ? content : ''
    const message = this.#talk.say(line, nativeId, 'tool', text === '' ? content : wholeOutput(text, outcome))
    message.tool_call_id = callId
    message.tool_name = call?.name ?? ''
    if (outcome?.failed || saysFailed(text)) message.is_error = true
    if (outcome?.refused) message.refused = true
    if (attachments.length > 0) message.attachments = attachments
    if (call !== undefined) call.open -= 1
    const agent = /"agent_id":\s*"([^"]+)"/.exec(text)?.[1]
    if (agent !== undefined) this.#noteAgent(callId, agent)
    return 'kept'
  }

  /** Reads Codex's own note of a call: how the call ended, its whole output, and which subagent it started. */
  note(line: Line, item: Fields): Bucket {
    const id = textOf(item.id)
    const outcome = outcomeOf(item)
    this.#outcomes.set(id, outcome)
    for (const thread of [...listOf(item.receiver_thread_ids), item.agent_thread_id])
      this.#noteAgent(id, textOf(thread))
    // `exec` runs a script of the model.
    const caller = [...this.#calls.values()].findLast(({ name }) => name === 'exec')?.message
    if (!id.startsWith('exec-') || this.#calls.has(id) || caller === undefined) return 'derived'
    // If the model called a tool from a script, no other line contains the call or its output.
    this.add(caller, { id, ...innerCall(item) })
    const output = item.aggregated_output ?? item.stdout ?? item.result ?? item.content_items ?? ''
    return this.output(line, { call_id: id, output })
  }

  #noteAgent(call: string, thread: string): void {
    if (thread !== '' && !this.agents.has(thread) && this.#calls.has(call)) this.agents.set(thread, call)
  }
}

function innerCall(item: Fields): Pick<ToolCall, 'name' | 'arguments'> {
  if (item.type === 'CommandExecution')
    return { name: 'exec_command', arguments: { cmd: textOf(listOf(item.command).at(-1)) } }
  if (item.type === 'FileChange') return { name: 'apply_patch', arguments: { input: patchOf(item.changes) } }
  return { name: textOf(item.tool) || textOf(item.type), arguments: item.arguments ?? {} }
}

/** The changes to files as one patch, in the form in which models write patches. */
function patchOf(changes: unknown): string {
  const files = Object.entries(fieldsOf(changes)).map(([path, change]) => {
    const { type, content, unified_diff: diff, move_path: to } = fieldsOf(change)
    if (type === 'add') return `*** Add File: ${path}\n${textOf(content).replace(/^(?=.)/gms, '+')}`
    if (type === 'delete') return `*** Delete File: ${path}\n`
    const moved = typeof to === 'string' ? `*** Move to: ${to}\n` : ''
    return `*** Update File: ${path}\n${moved}${textOf(diff)}`
  })
  return `*** Begin Patch\n${files.map((file) => (file.endsWith('\n') ? file : `${file}\n`)).join('')}*** End Patch\n`
}
