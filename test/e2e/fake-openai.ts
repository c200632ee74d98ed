import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import * as z from 'zod'
import { type ModelRequest, typedText } from './model-request.ts'
import { type Block, blocksOf, type Reply } from './reply.ts'

/** A chat completions API that says what a test tells it to, as clients of many providers speak it. */
export interface FakeOpenAi {
  /** The requests that carry the conversation, in order of arrival. */
  readonly requests: readonly ModelRequest[]
  /** What a client asks beside it, without tools: a title, a summary. */
  readonly sideRequests: readonly ModelRequest[]
  /** As in FakeAnthropic: the replies in turn, while what the person typed last matches. */
  when(typed: string | RegExp, ...replies: Reply[]): void
  close(): Promise<void>
}

const TITLE = 'A scripted title'
const SUMMARY = 'A scripted summary.'

/** Listens on a unix socket, and leaves each request as a JSON file in `folder`. */
export async function openFakeOpenAi(socket: string, folder: string): Promise<FakeOpenAi> {
  const requests: ModelRequest[] = []
  const sideRequests: ModelRequest[] = []
  const answers: ((request: ModelRequest) => Reply | undefined)[] = []
  mkdirSync(folder, { recursive: true })

  function answer(body: unknown): Reply {
    const request = chatRequest(body)
    const n = requests.length + sideRequests.length + 1
    writeFileSync(join(folder, `${String(n).padStart(4, '0')}.json`), JSON.stringify(body, undefined, 1))
    if (request.side) {
      sideRequests.push(request)
      return /title/i.test(request.system) ? TITLE : SUMMARY
    }
    requests.push(request)
    for (const candidate of answers) {
      const reply = candidate(request)
      if (reply !== undefined) return reply
    }
    return `Scripted answer ${requests.length}.`
  }

  const server = createServer(async (incoming, response) => {
    const body = await readAll(incoming)
    if (incoming.method !== 'POST' || !incoming.url?.endsWith('/chat/completions'))
      return void response.writeHead(404).end()
    await sendReply(response, answer(JSON.parse(body)))
  })
  server.listen(socket)
  await once(server, 'listening')

  return {
    requests,
    sideRequests,
    when(typed, ...replies) {
      const left = [...replies]
      const matches = (value: string) =>
        typeof typed === 'string' ? value.includes(typed) : typed.test(value)
      answers.unshift((request) => (matches(typedText(request)) ? left.shift() : undefined))
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
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
  const system = body.messages.filter(({ role }) => role === 'system').map(({ content }) => textOf(content))
  const messages = body.messages
    .filter(({ role }) => role !== 'system')
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

async function readAll(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

async function sendReply(response: ServerResponse, reply: Reply): Promise<void> {
  const held = typeof reply === 'object' && 'until' in reply ? reply.until : undefined
  const blocks = blocksOf(reply)
  const called = blocks.some((block) => block.type === 'tool_use')
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  const send = (delta: object, finish: string | null = null) =>
    response.write(`data: ${JSON.stringify(chunk(delta, finish))}\n\n`)
  send({ role: 'assistant', content: '' })
  for (const delta of blocks.map(asDelta)) send(delta)
  await held
  send({}, called ? 'tool_calls' : 'stop')
  response.end('data: [DONE]\n\n')
}

function chunk(delta: object, finish: string | null) {
  return {
    id: 'chatcmpl-scripted',
    object: 'chat.completion.chunk',
    created: 0,
    model: 'scripted',
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...(finish === null ? {} : { usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 } }),
  }
}

function asDelta(block: Block, index: number): object {
  if (block.type === 'text') return { content: block.text }
  if (block.type === 'thinking') return { reasoning_content: block.thinking }
  const call = { name: block.name, arguments: JSON.stringify(block.input) }
  return { tool_calls: [{ index, id: block.id, type: 'function', function: call }] }
}
