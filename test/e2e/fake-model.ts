import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { Say } from './dialect.ts'
import { anthropic } from './fake-anthropic.ts'
import { gemini } from './fake-gemini.ts'
import { openAi } from './fake-openai.ts'
import { responses } from './fake-responses.ts'
import { type ModelRequest, typedText } from './model-request.ts'
import type { Reply } from './reply.ts'

/** Decides what the model says; `undefined` leaves it to the next rule, and at last to a short stock answer. */
type Answer = (request: ModelRequest) => Reply | undefined

/** A model behind the APIs of all clients that says what a test tells it to. It validates nothing that they send. */
export interface FakeModel {
  /** The requests that carry the conversation, in order of arrival. */
  readonly requests: readonly ModelRequest[]
  /** What clients ask beside it: titles, summaries, which model to use. */
  readonly sideRequests: readonly ModelRequest[]
  /** Methods and paths that are part of no API. */
  readonly strays: readonly string[]
  /** The newest rule is asked first. */
  script(answer: Answer): void
  /** The same for what is asked beside the conversation, which `script` and `when` leave to a stock answer. */
  aside(answer: Answer): void
  /**
   * When what the person typed last matches: the replies in turn, one a request, so that a tool call is followed
   * by what the model says to its result. After the last one the next rule decides.
   */
  when(typed: string | RegExp, ...replies: Reply[]): void
  close(): Promise<void>
}

/** Listens on a unix socket, and leaves each request as a JSON file in `folder`. */
export async function openFakeModel(socket: string, folder: string): Promise<FakeModel> {
  const requests: ModelRequest[] = []
  const sideRequests: ModelRequest[] = []
  const strays: string[] = []
  const answers: Answer[] = []
  const asides: Answer[] = []
  mkdirSync(folder, { recursive: true })

  const say: Say = (request, aside) => {
    const n = requests.length + sideRequests.length + 1
    writeFileSync(
      join(folder, `${String(n).padStart(4, '0')}.json`),
      JSON.stringify(request.body, undefined, 1),
    )
    if (request.side) {
      sideRequests.push(request)
      return firstOf(asides, request) ?? aside
    }
    requests.push(request)
    return firstOf(answers, request) ?? `Scripted answer ${requests.length}.`
  }

  const server = createServer(async (incoming, response) => {
    const { pathname: path } = new URL(incoming.url ?? '/', 'http://fake')
    const call = { method: incoming.method ?? '', path, body: await readAll(incoming), response }
    for (const dialect of [anthropic, gemini, openAi, responses]) if (await dialect.answer(call, say)) return
    strays.push(`${call.method} ${path}`)
    response.writeHead(call.method === 'HEAD' ? 200 : 404).end()
  })
  server.listen(socket)
  await once(server, 'listening')

  return {
    requests,
    sideRequests,
    strays,
    script: (decide) => void answers.unshift(decide),
    aside: (decide) => void asides.unshift(decide),
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

function firstOf(answers: readonly Answer[], request: ModelRequest): Reply | undefined {
  for (const candidate of answers) {
    const reply = candidate(request)
    if (reply !== undefined) return reply
  }
  return undefined
}

function matches(value: string, pattern: string | RegExp): boolean {
  return typeof pattern === 'string' ? value.includes(pattern) : pattern.test(value)
}

async function readAll(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
