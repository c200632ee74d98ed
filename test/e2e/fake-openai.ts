import type { ServerResponse } from 'node:http'
import * as z from 'zod'
import type { Dialect } from './dialect.ts'
import type { ModelRequest } from './model-request.ts'
import { type Block, blocksOf, heldUntil, type Reply } from './reply.ts'

const TITLE = 'A scripted title'
const SUMMARY = 'A scripted summary.'

/** Chat completions, as clients of many providers speak it. */
export const openAi: Dialect = {
  async answer({ method, path, body, response }, say) {
    if (method !== 'POST' || !path.endsWith('/chat/completions')) return false
    const request = chatRequest(JSON.parse(body))
    const size = Math.max(100, Math.ceil(body.length / 4))
    await sendReply(response, say(request, /title/i.test(request.system) ? TITLE : SUMMARY), size)
    return true
  },
}

const Text = z.union([z.string(), z.null(), z.array(z.looseObject({ text: z.string().optional() }))])
const Chat = z.looseObject({
  model: z.string(),
  stream: z.boolean().default(false),
  messages: z.array(z.looseObject({ role: z.string(), content: Text.default('') })),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).default([]),
})

/** In the shape that the tests look at: a tool's answer is a part of a user message. */
function chatRequest(raw: unknown): ModelRequest {
  const body = Chat.parse(raw)
  const tools = body.tools.map((tool) => tool.function.name)
  // Pi calls it so for a model that reasons.
  const isSystem = ({ role }: { role: string }) => role === 'system' || role === 'developer'
  const system = body.messages.filter(isSystem).map(({ content }) => textOf(content))
  const messages = body.messages
    .filter((message) => !isSystem(message))
    .map(({ role, content }) =>
      role === 'tool'
        ? { role: 'user', content: [{ type: 'tool_result', content: textOf(content) }] }
        : { role, content: textOf(content) },
    )
  return {
    model: body.model,
    stream: body.stream,
    system: system.join('\n'),
    messages,
    tools,
    side: tools.length === 0,
    body: raw,
  }
}

function textOf(content: z.infer<typeof Text>): string {
  if (content === null) return ''
  return typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('\n')
}

/** @param size of the request in tokens: Qwen Code compresses only what gets smaller by it. */
async function sendReply(response: ServerResponse, reply: Reply, size: number): Promise<void> {
  const held = heldUntil(reply)
  const blocks = blocksOf(reply)
  const called = blocks.some((block) => block.type === 'tool_use')
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  const send = (delta: object, finish: string | null = null) =>
    response.write(`data: ${JSON.stringify(chunk(delta, finish, size))}\n\n`)
  send({ role: 'assistant', content: '' })
  for (const delta of blocks.map(asDelta)) send(delta)
  await held
  send({}, called ? 'tool_calls' : 'stop')
  response.end('data: [DONE]\n\n')
}

function chunk(delta: object, finish: string | null, size: number) {
  return {
    id: 'chatcmpl-scripted',
    object: 'chat.completion.chunk',
    created: 0,
    model: 'scripted',
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...(finish === null
      ? {}
      : { usage: { prompt_tokens: size, completion_tokens: 20, total_tokens: size + 20 } }),
  }
}

function asDelta(block: Block, index: number): object {
  if (block.type === 'text') return { content: block.text }
  if (block.type === 'thinking') return { reasoning_content: block.thinking }
  const call = { name: block.name, arguments: JSON.stringify(block.input) }
  return { tool_calls: [{ index, id: block.id, type: 'function', function: call }] }
}
