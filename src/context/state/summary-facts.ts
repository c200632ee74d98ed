import { isPrompt, textOf } from '../../session/live-path.ts'
import type { Message, ToolCall } from '../../session/schema.ts'
import { reportedCommits } from '../../session/shell/commits.ts'
import { commandOf, patchOf, pathOf, resultOf, type ToolVocabulary } from '../../session/tool-use.ts'
import { LISTS_TASKS } from './open-tasks.ts'
import { saysOld } from './runs/old-faults.ts'
import { checksIn } from './runs/shell-job.ts'
import { OPENS_PULL_REQUEST } from './tool-state.ts'

/**
 * Returns a function that gets the parts of a long conversation one after another. Of each message it keeps only what
 * `recordFacts` reads, so that all parts together need little memory.
 */
export function summaryFacts(tools: ToolVocabulary): (part: readonly Message[]) => Message[] {
  let prompts = 0
  return (part) => {
    /** The command of each call in this part, '' for one that runs none. Calls that list tasks are not among them. */
    const commands = new Map<string, string>()
    for (const { tool_calls: calls = [], client } of part)
      for (const call of calls)
        if (!LISTS_TASKS.test(call.name)) commands.set(call.id, commandOf(tools, call, client) ?? '')
    // `recordFacts` reads the newest turn that is no small talk, and the last answer.
    const asked = part.flatMap((message, index) => (isPrompt(message) ? [index] : []))
    const newest = asked.at(-NEWEST_TURNS) ?? 0
    const answer = part.findLastIndex(
      (message) => message.role === 'assistant' && textOf(message).trim() !== '',
    )
    return part.map((message, index) => {
      const { id, role, client, native_session, event, to, tool_call_id, is_error, refused } = message
      // A turn that ends with a call has no final answer, whatever the call does.
      const calls = (message.tool_calls ?? []).filter(
        (call) => index >= newest || !onlyLooks(tools, call, client),
      )
      const isKept =
        role === 'tool'
          ? isTold(commands.get(tool_call_id ?? ''), message)
          : role === 'user'
            ? !isPrompt(message) || prompts++ < MAX_PROMPTS || index >= newest
            : index >= newest || index === answer || saysOld(message)
      // An object with few keys of its own takes a third of the memory of one that is spread together.
      const kept = { id, role, content: isKept ? message.content : '', native_session } as Message
      if (event !== undefined) Object.assign(kept, { event, to, ...(isKept && { summary: message.summary }) })
      if (calls.length > 0)
        Object.assign(kept, { client, tool_calls: calls.map((call) => shortened(tools, call, client)) })
      if (role === 'tool') Object.assign(kept, { client, is_error, refused })
      if (tool_call_id !== undefined) kept.tool_call_id = tool_call_id
      return kept
    })
  }
}

/** The number of turns at the end of a part whose texts are kept. */
const NEWEST_TURNS = 4

/**
 * The number of prompts whose texts are kept. The request is the first prompt that tells something and that no rewind
 * takes back.
 */
const MAX_PROMPTS = 50

/** Whether the state of the work is read from the result of a call with this command. */
function isTold(command: string | undefined, result: Message): boolean {
  // Of a list of tasks, or of a call in an earlier part.
  if (command === undefined) return true
  const text = textOf(result)
  if (command === '') return text.length <= MAX_VALUE
  if ((/\bgit\b/.test(command) || OPENS_PULL_REQUEST.test(command)) && text.length <= MAX_VALUE) return true
  return checksIn(command).length > 0 || reportedCommits(command, text).length > 0 || PROGRAM.test(text)
}

/** Codex's line for a program that keeps running after its call has returned. */
const PROGRAM = /^(?:[^\n]*\n){0,2}Process running with session ID /
const MAX_VALUE = 1000

/** Whether the call only reads or finds something. */
function onlyLooks(tools: ToolVocabulary, call: ToolCall, client: string | undefined): boolean {
  return ['reads', 'searches'].includes(resultOf(tools, call.name, client) ?? '')
}

/** Returns the call without the long texts that it writes into files. */
function shortened(tools: ToolVocabulary, call: ToolCall, client: string | undefined): ToolCall {
  const read = [commandOf(tools, call, client), patchOf(tools, call, client), pathOf(tools, call, client)]
  const given = call.arguments
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return call
  const entries = Object.entries(given).filter(
    ([, value]) => typeof value !== 'string' || value.length <= MAX_VALUE || read.includes(value),
  )
  return { id: call.id, name: call.name, arguments: Object.fromEntries(entries) }
}
