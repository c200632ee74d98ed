import { callKey, textOf } from '../../session/live-path.ts'
import type { Message, ToolCall } from '../../session/schema.ts'
import { commandOf, pathOf } from '../../session/tool-use.ts'
import { cutAtWord, shortLine } from '../../text/line.ts'
import { errorLine } from '../state/runs/error-line.ts'
import { outcomeOf } from '../state/runs/run-outcome.ts'
import { checksIn } from '../state/runs/shell-job.ts'
import { type Answers, plainName } from './answers.ts'

/** Reports tool calls and their outcomes in one line: `[Edit src/api.ts ×6; $ npm test → ok]`. */

/** A tool call and its outcome, in words. */
export interface CallItem {
  /** The tool with its file or subject; for a shell command, `$` and the command. */
  call: string
  /** '' when the call has not failed; `ok` for a shell command. */
  outcome: string
}

export function callsLine(calls: readonly CallItem[]): string {
  const items: (CallItem & { times: number })[] = []
  for (const { call, outcome } of calls) {
    const last = items.at(-1)
    if (last?.call === call && last.outcome === outcome) last.times += 1
    else items.push({ call, outcome, times: 1 })
  }
  const words = items.map(
    ({ call, outcome, times }) =>
      `${call}${times === 1 ? '' : ` ×${times}`}${outcome === '' ? '' : ` → ${outcome}`}`,
  )
  return `[${words.join('; ')}]`
}

/** `message` has the call. */
export function callItem(call: ToolCall, message: Message, { results, tools }: Answers): CallItem {
  const { client } = message
  const result = results.get(callKey(message, call.id))
  const command = commandOf(tools, call, client) ?? ''
  const line = argumentLine(command)
  if (line !== '') return { call: `$ ${line}`, outcome: outcomeLine(result, command) || 'ok' }
  const about = [pathOf(tools, call, client), ...tellingArguments(call)].map(argumentLine).find(Boolean)
  const name = plainName(call.name)
  return {
    call: about === undefined ? name : `${name} ${withoutSemicolon(about)}`,
    outcome: outcomeLine(result, command),
  }
}

const MAX_ARGUMENT_LENGTH = 120

/** Arguments that name the subject of a call with neither a command nor a file. The first one that is a text counts. */
const TELLING_ARGUMENTS = ['pattern', 'query', 'url', 'description', 'prompt']

function tellingArguments(call: ToolCall): unknown[] {
  const fields = Object(call.arguments) as Record<string, unknown>
  return TELLING_ARGUMENTS.map((name) => fields[name])
}

function argumentLine(text: unknown): string {
  return typeof text === 'string' ? withoutSigns(shortLine(text, MAX_ARGUMENT_LENGTH)) : ''
}

/**
 * Replaces the signs before an outcome (`→`) and before a number (`×`), so that no recorded text looks like an outcome
 * or a number.
 */
function withoutSigns(line: string): string {
  return line.replaceAll('→', '->').replaceAll('×', 'x')
}

/**
 * Replaces semicolons, because a semicolon separates two calls. A command keeps its semicolons: an arrow always ends
 * it.
 */
function withoutSemicolon(line: string): string {
  return line.replaceAll(';', ',')
}

/** Returns the outcome; '' for a success. A failure has its reason, so that the next agent need not search for it. */
function outcomeLine(result: Message | undefined, command: string): string {
  if (result === undefined) return 'no result'
  if (result.refused === true) return 'refused by the user'
  const outcome = result.is_error === true ? 'failed' : outcomeOf(command, result)
  if (outcome === 'unknown' && checksIn(command).length > 0) return 'ran'
  if (outcome !== 'failed') return ''
  const reason = withoutSemicolon(withoutSigns(cutAtWord(errorLine(textOf(result)), MAX_ARGUMENT_LENGTH)))
  return reason === '' ? 'failed' : `failed: ${reason}`
}
