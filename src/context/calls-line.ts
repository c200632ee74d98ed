import { textOf } from '../session/live-path.ts'
import type { Message, ToolCall } from '../session/schema.ts'
import { type CalledBy, commandOf, pathOf } from '../session/tool-use.ts'
import { cutAtWord, oneLine, shortLine } from '../text/line.ts'
import type { Answers } from './render.ts'
import { errorLine } from './state/error-line.ts'
import { hasFailed } from './state/failed-calls.ts'

/** Tells tool calls in one line that says how they went: `[Edit src/api.ts ×6; $ npm test → ok]`. */

/** A tool with what it was about, and how it went; '' where there is nothing to say of that. */
export interface CallTold {
  what: string
  how: string
}

export function callsLine(calls: readonly CallTold[]): string {
  const items: (CallTold & { times: number })[] = []
  for (const { what, how } of calls) {
    const last = items.at(-1)
    if (last?.what === what && last.how === how) last.times += 1
    else items.push({ what, how, times: 1 })
  }
  const words = items.map(
    ({ what, how, times }) => `${what}${times === 1 ? '' : ` ×${times}`}${how === '' ? '' : ` → ${how}`}`,
  )
  return `[${words.join('; ')}]`
}

export function callTold(call: ToolCall, client: CalledBy, { results, tools }: Answers): CallTold {
  const result = results.get(call.id)
  const command = commandOf(tools, call, client) ?? ''
  const line = argumentLine(command)
  if (line !== '') return { what: `$ ${line}`, how: outcome(result, command) || 'ok' }
  const about = [pathOf(tools, call, client), ...tellingOf(call)].map(argumentLine).find(Boolean)
  const name = withoutArrow(oneLine(call.name))
  return { what: about === undefined ? name : `${name} ${about}`, how: outcome(result, command) }
}

const ARGUMENT_LENGTH = 120

/** Arguments that say what a call without a file and a command was about, the most telling first. */
const TELLING = ['pattern', 'query', 'url', 'description', 'prompt']

function tellingOf(call: ToolCall): unknown[] {
  const fields = Object(call.arguments) as Record<string, unknown>
  return TELLING.map((name) => fields[name])
}

function argumentLine(text: unknown): string {
  return typeof text === 'string' ? withoutArrow(shortLine(text, ARGUMENT_LENGTH)) : ''
}

/** The arrow is ours, so that no recorded text tells of a call that was not made, or of another end of it. */
function withoutArrow(line: string): string {
  return line.replaceAll('→', '->')
}

/** For a failed call it gives the reason, so that the next agent need not find out again. '' when it went well. */
function outcome(result: Message | undefined, command: string): string {
  if (result === undefined) return 'no result'
  if (result.refused === true) return 'refused by the user'
  if (!hasFailed(command, result)) return ''
  const reason = withoutArrow(cutAtWord(errorLine(textOf(result)), ARGUMENT_LENGTH))
  return reason === '' ? 'failed' : `failed: ${reason}`
}
