import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { type ModelRequest, modelRequest, typedText } from './model-request.ts'
import { asEvents, asMessage, blocksOf, type Reply } from './reply.ts'

/** Decides what the model says; `undefined` leaves it to the next rule, and at last to a short stock answer. */
type Answer = (request: ModelRequest) => Reply | undefined

/** A Messages API that says what a test tells it to. It validates nothing that a client sends. */
export interface FakeAnthropic {
  /** The requests that carry the conversation, in order of arrival. */
  readonly requests: readonly ModelRequest[]
  /** What clients ask beside it: titles, summaries of topics, and the like. */
  readonly sideRequests: readonly ModelRequest[]
  /** Methods and paths that are not part of the Messages API. */
  readonly strays: readonly string[]
  /** The newest rule is asked first. */
  script(answer: Answer): void
  /**
   * When what the person typed last matches: the replies in turn, one a request, so that a tool call is followed
   * by what the model says to its result. After the last one the next rule decides.
   */
  when(typed: string | RegExp, ...replies: Reply[]): void
  close(): Promise<void>
}

/** Listens on a unix socket, and leaves each request as a JSON file in `folder`. */
export async function openFakeAnthropic(socket: string, folder: string): Promise<FakeAnthropic> {
  const requests: ModelRequest[] = []
  const sideRequests: ModelRequest[] = []
  const strays: string[] = []
  const answers: Answer[] = []
  mkdirSync(folder, { recursive: true })

  function answer(body: unknown): { request: ModelRequest; reply: Reply } {
    const request = modelRequest(body)
    const n = requests.length + sideRequests.length + 1
    writeFileSync(join(folder, `${String(n).padStart(4, '0')}.json`), JSON.stringify(body, undefined, 1))
    if (request.side) {
      sideRequests.push(request)
      return { request, reply: '{"title":"A scripted title"}' }
    }
    requests.push(request)
    for (const candidate of answers) {
      const reply = candidate(request)
      if (reply !== undefined) return { request, reply }
    }
    return { request, reply: `Scripted answer ${requests.length}.` }
  }

  const server = createServer(async (incoming, response) => {
    const { pathname } = new URL(incoming.url ?? '/', 'http://fake')
    const body = await readAll(incoming)
    if (pathname === '/v1/messages/count_tokens') return sendJson(response, { input_tokens: 100 })
    if (pathname === '/v1/messages' && incoming.method === 'POST') {
      const { request, reply } = answer(JSON.parse(body))
      return sendReply(response, request, reply)
    }
    strays.push(`${incoming.method} ${pathname}`)
    response.writeHead(incoming.method === 'HEAD' ? 200 : 404).end()
  })
  server.listen(socket)
  await once(server, 'listening')

  return {
    requests,
    sideRequests,
    strays,
    script: (decide) => void answers.unshift(decide),
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

async function sendReply(response: ServerResponse, request: ModelRequest, reply: Reply): Promise<void> {
  const message = asMessage(request.model, blocksOf(reply))
  const held = typeof reply === 'object' && 'until' in reply ? reply.until : undefined
  if (!request.stream) {
    await held
    return sendJson(response, message)
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  const events = asEvents(message)
  for (const event of events) {
    if (event === events.at(-2)) await held
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  }
  response.end()
}
