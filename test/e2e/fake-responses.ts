import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import * as z from 'zod'
import { type Dialect, sendJson } from './dialect.ts'
import type { ModelRequest } from './model-request.ts'
import { type Block, blocksOf, heldUntil, type Reply } from './reply.ts'

const TITLE = 'A scripted title'
const SUMMARY = 'A scripted summary.'

/** The Responses API. */
export const responses: Dialect = {
  async answer({ method, path, body, response }, say) {
    if (path.endsWith('/models')) sendJson(response, { object: 'list', data: [], models: [] })
    else if (method === 'POST' && path.endsWith('/responses')) {
      const raw = Body.parse(JSON.parse(body))
      const request = responsesRequest(raw)
      await sendReply(response, say(request, isCompaction(raw) ? SUMMARY : TITLE), raw)
    } else return false
    return true
  },
}

const Part = z.looseObject({ type: z.string(), text: z.string().optional() })
const Content = z.union([z.string(), z.array(Part)])
const Item = z.looseObject({
  type: z.string().default('message'),
  role: z.string().optional(),
  content: Content.nullish(),
  output: z.unknown().optional(),
})
const Named = z.looseObject({ type: z.string(), name: z.string().optional() })
const Tool = Named.extend({ tools: z.array(Named).optional() })
const Body = z.looseObject({
  model: z.string(),
  instructions: z.string().optional(),
  input: z.array(Item),
  tools: z.array(Tool).default([]),
})
type Body = z.infer<typeof Body>

/**
 * A call of the Responses API in the words of the other fake models. The first message of the developer is the system
 * prompt. What the client itself says as `user` has a role of its own, so that what was typed can be told from it.
 */
function responsesRequest(raw: Body): ModelRequest {
  const [first, ...others] = raw.input
  const hasBasePrompt = first?.role === 'developer'
  const rest = hasBasePrompt ? others : raw.input
  const tools = raw.tools.map(({ name, type }) => name ?? type)
  return {
    model: raw.model,
    stream: true,
    system: [raw.instructions ?? '', hasBasePrompt ? textOf(first) : ''].filter(Boolean).join('\n'),
    messages: rest.map((item) => ({ role: roleOf(item), content: blocksIn(item) })),
    tools,
    side: tools.length === 0 || isCompaction(raw),
    body: raw,
  }
}

function roleOf(item: z.infer<typeof Item>): string {
  if (item.type.endsWith('_output')) return 'user'
  if (item.role !== 'user') return item.role ?? 'assistant'
  const [, tag] =
    /^<(environment_context|skill|turn_aborted|model_switch|subagent_notification)>/.exec(textOf(item)) ?? []
  return tag ?? 'user'
}

function blocksIn(item: z.infer<typeof Item>) {
  if (item.type.endsWith('_output')) return [{ type: 'tool_result', content: answered(item.output) }]
  if (item.type.endsWith('_call')) return [{ ...item, type: 'tool_use', content: undefined }]
  return [{ type: 'text', text: textOf(item) }]
}

function answered(output: unknown): string {
  const parts = z.array(Part).safeParse(output)
  if (parts.success) return parts.data.map((part) => part.text ?? '').join('')
  return typeof output === 'string' ? output : JSON.stringify(output)
}

function textOf({ content }: z.infer<typeof Item>): string {
  if (typeof content === 'string') return content
  return (content ?? []).map((part) => part.text ?? '').join('\n')
}

/** The client asks for the summary of a compaction by a last message of the user. */
function isCompaction({ input }: Body): boolean {
  const last = input.at(-1)
  return last !== undefined && textOf(last).includes('CONTEXT CHECKPOINT COMPACTION')
}

async function sendReply(response: ServerResponse, reply: Reply, request: Body): Promise<void> {
  const held = heldUntil(reply)
  const items = blocksOf(reply).map((block) => asItem(block, request))
  const whole = { id: `resp_${hex()}`, object: 'response' }
  let n = 0
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  const send = (type: string, fields: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: n++, ...fields })}\n\n`)

  send('response.created', { response: { ...whole, status: 'in_progress', output: [] } })
  for (const [output_index, item] of items.entries()) {
    for (const [type, fields] of beginning(item)) send(type, { output_index, item_id: item.id, ...fields })
    if (output_index === items.length - 1) await held
    send('response.output_item.done', { output_index, item })
  }
  const done = { status: 'completed', output: items, usage: USAGE, end_turn: true }
  send('response.completed', { response: { ...whole, ...done } })
  response.end()
}

const USAGE = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 120,
}

type OutputItem = { type: string; id: string; [field: string]: unknown }

/** What is streamed before an item is done: its begin, and all of its text at once. */
function beginning(item: OutputItem): [string, object][] {
  const added = (begun: object): [string, object] => ['response.output_item.added', { item: begun }]
  if (item.type === 'message')
    return [
      added({ ...item, status: 'in_progress', content: [] }),
      ['response.output_text.delta', { content_index: 0, delta: textOf(item as never) }],
    ]
  if (item.type !== 'reasoning') return [added(item)]
  const [part] = item.summary as { text: string }[]
  return [
    added({ ...item, summary: [] }),
    ['response.reasoning_summary_part.added', { summary_index: 0 }],
    ['response.reasoning_summary_text.delta', { summary_index: 0, delta: part?.text }],
  ]
}

function asItem(block: Block, { tools }: Body): OutputItem {
  if (block.type === 'text') {
    const content = [{ type: 'output_text', text: block.text, annotations: [] }]
    return { type: 'message', id: `msg_${hex()}`, role: 'assistant', status: 'completed', content }
  }
  if (block.type === 'thinking') {
    const summary = [{ type: 'summary_text', text: block.thinking }]
    return { type: 'reasoning', id: `rs_${hex()}`, summary, content: null, encrypted_content: 'c2VhbGVk' }
  }
  // The tools of an MCP server are one entry, and a call names it apart.
  const space = tools.find((one) =>
    one.tools?.some(({ name }) => [name, `${one.name}__${name}`].includes(block.name)),
  )
  const namespace = space === undefined ? {} : { namespace: space.name }
  const name = space === undefined ? block.name : block.name.replace(`${space.name}__`, '')
  const call = { call_id: block.id, name, ...namespace, status: 'completed' }
  // A tool that takes a text and no JSON, such as `apply_patch` of some models.
  if (tools.some(({ type, name }) => type === 'custom' && name === block.name))
    return { type: 'custom_tool_call', id: `ctc_${hex()}`, ...call, input: String(block.input.input) }
  return { type: 'function_call', id: `fc_${hex()}`, ...call, arguments: JSON.stringify(block.input) }
}

function hex(): string {
  return randomBytes(12).toString('hex')
}
