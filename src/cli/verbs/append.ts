import { CortextError } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { appendTurn } from '../../journeys/agent-loop/append-turn.ts'
import { countOf } from '../../text/count-of.ts'
import { parseForeign } from '../../text/nesting.ts'
import { putOnList } from '../../workspace/everywhere.ts'
import { openWorkspace } from '../../workspace/open.ts'
import { note, say, sayJson } from '../print.ts'

interface AppendOptions {
  key: string
  type?: string
  json?: boolean
}

/** Appends one turn from standard input. Each line is one message. */
export async function append(environment: Environment, { key, type, json }: AppendOptions): Promise<void> {
  const ws = openWorkspace(environment)
  putOnList(ws.root, environment)
  const lines = await readLines()
  const done = await appendTurn(ws, {
    key,
    type,
    messages: lines.map(({ value }) => value),
    nameOf: (index) => nameOf(lines[index]!.number),
  })
  if (json) return sayJson({ key, ...done })
  const results = done.written.length - done.messages
  say(
    `Written: ${countOf(done.messages, 'message')}${results === 0 ? '' : ` and ${countOf(results, 'tool result')}`} in ${done.path}`,
  )
  if (done.alreadyThere > 0) note(`Already there: ${done.alreadyThere}`)
  if (done.systemPrompts > 0) note(`System prompts are not recorded: ${done.systemPrompts} left out`)
}

function nameOf(line: number): string {
  return `standard input, line ${line}`
}

async function readLines(): Promise<{ value: unknown; number: number }[]> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return decode(Buffer.concat(chunks))
    .split('\n')
    .map((text, index) => ({ text: text.trim(), number: index + 1 }))
    .filter(({ text }) => text !== '')
    .map(({ text, number }) => ({ value: parse(text, number), number }))
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new CortextError('usage', 'standard input is not UTF-8; nothing was written', {
      fix: 'cortext append --help',
      cause,
    })
  }
}

function parse(text: string, number: number): unknown {
  try {
    return parseForeign(text)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new CortextError('usage', `${nameOf(number)}: not JSON: ${why}; nothing was written`, {
      fix: 'one JSON object a line, nothing else',
      cause,
    })
  }
}
