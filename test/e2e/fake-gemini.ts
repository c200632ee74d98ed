import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { geminiRequest, schemaOf } from './gemini-request.ts'
import { type ModelRequest, typedText } from './model-request.ts'
import { type Block, blocksOf, type Reply } from './reply.ts'

/** What `/compress` gets for a summary. */
const SNAPSHOT = '<state_snapshot>\n<overall_goal>A scripted snapshot.</overall_goal>\n</state_snapshot>'

/** A Gemini API (v1beta) that says what a test tells it to. It validates nothing that a client sends. */
export interface FakeGemini {
  /** The requests that carry the conversation, in order of arrival. */
  readonly requests: readonly ModelRequest[]
  /** What the client asks beside it: which model to use, summaries, and the like. */
  readonly sideRequests: readonly ModelRequest[]
  /** Methods and paths that are not part of the API. */
  readonly strays: readonly string[]
  /**
   * When what the person typed last matches: the replies in turn, one a request, so that a tool call is followed
   * by what the model says to its result. After the last one the next rule decides.
   */
  when(typed: string | RegExp, ...replies: Reply[]): void
  close(): Promise<void>
}

/** Listens on a unix socket, and leaves each request as a JSON file in `folder`. */
export async function openFakeGemini(socket: string, folder: string): Promise<FakeGemini> {
  const requests: ModelRequest[] = []
  const sideRequests: ModelRequest[] = []
  const strays: string[] = []
  const answers: ((request: ModelRequest) => Reply | undefined)[] = []
  mkdirSync(folder, { recursive: true })

  /** The parts of an answer, and the size of its request: the client compresses only what that makes smaller. */
  function answer(model: string, body: unknown): Answered {
    const request = geminiRequest(model, body)
    const n = requests.length + sideRequests.length + 1
    writeFileSync(join(folder, `${String(n).padStart(4, '0')}.json`), JSON.stringify(body, undefined, 1))
    if (request.side) {
      sideRequests.push(request)
      return answered(body, sideAnswer(body))
    }
    requests.push(request)
    for (const candidate of answers) {
      const reply = candidate(request)
      if (reply !== undefined) return answered(body, reply)
    }
    return answered(body, `Scripted answer ${requests.length}.`)
  }

  const server = createServer(async (incoming, response) => {
    const { pathname } = new URL(incoming.url ?? '/', 'http://fake')
    const body = await readAll(incoming)
    const [, model = '', method] = /\/models\/([^:]+):(\w+)$/.exec(pathname) ?? []
    if (method === 'countTokens') return sendJson(response, { totalTokens: Math.ceil(body.length / 4) })
    if (method === 'generateContent') return sendJson(response, chunk(model, answer(model, JSON.parse(body))))
    if (method === 'streamGenerateContent')
      return sendStream(response, model, answer(model, JSON.parse(body)))
    strays.push(`${incoming.method} ${pathname}`)
    response.writeHead(404).end()
  })
  server.listen(socket)
  await once(server, 'listening')

  return {
    requests,
    sideRequests,
    strays,
    when(typed, ...replies) {
      const left = [...replies]
      answers.unshift((request) => (matches(typedText(request), typed) ? left.shift() : undefined))
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Answered {
  blocks: Block[]
  tokens: number
  /** What the last block waits for. */
  held: Promise<unknown> | undefined
}

function answered(body: unknown, reply: Reply): Answered {
  const held = typeof reply === 'object' && 'until' in reply ? reply.until : undefined
  return { blocks: blocksOf(reply), tokens: Math.ceil(JSON.stringify(body).length / 4), held }
}

/** Where the client wants JSON, the smallest that fits its schema. */
function sideAnswer(body: unknown): string {
  const schema = schemaOf(body)
  if (schema !== undefined) return JSON.stringify(smallest(schema))
  return JSON.stringify(body).includes('state_snapshot') ? SNAPSHOT : 'A scripted title'
}

// biome-ignore lint/suspicious/noExplicitAny: a JSON schema, looked into.
function smallest(schema: any): unknown {
  if (Array.isArray(schema?.enum)) return schema.enum[0]
  const type = String(schema?.type ?? '').toLowerCase()
  if (type === 'object')
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, value]) => [name, smallest(value)]),
    )
  if (type === 'array') return []
  if (type === 'number' || type === 'integer') return 1
  if (type === 'boolean') return false
  return 'scripted'
}

function matches(value: string, pattern: string | RegExp): boolean {
  return typeof pattern === 'string' ? value.includes(pattern) : pattern.test(value)
}

async function readAll(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

async function sendStream(response: ServerResponse, model: string, answer: Answered): Promise<void> {
  const { blocks, tokens, held } = answer
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const [index, block] of blocks.entries()) {
    const last = index === blocks.length - 1
    if (last) await held
    response.write(`data: ${JSON.stringify(chunk(model, { blocks: [block], tokens }, last))}\r\n\r\n`)
  }
  response.end()
}

function chunk(model: string, { blocks, tokens }: Omit<Answered, 'held'>, last = true) {
  const candidate = { content: { role: 'model', parts: blocks.map(part) }, index: 0 }
  if (!last) return { candidates: [candidate], modelVersion: model }
  return {
    candidates: [{ ...candidate, finishReason: 'STOP' }],
    modelVersion: model,
    usageMetadata: { promptTokenCount: tokens, candidatesTokenCount: 20, totalTokenCount: tokens + 20 },
  }
}

function part(block: Block) {
  if (block.type === 'text') return { text: block.text }
  if (block.type === 'thinking') return { text: block.thinking, thought: true }
  return { functionCall: { name: block.name, args: block.input } }
}
