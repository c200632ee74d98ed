import type { ServerResponse } from 'node:http'
import { type Dialect, sendJson } from './dialect.ts'
import { geminiRequest, schemaOf } from './gemini-request.ts'
import { type Block, blocksOf, heldUntil, type Reply } from './reply.ts'

/** What `/compress` gets for a summary. */
const SNAPSHOT = '<state_snapshot>\n<overall_goal>A scripted snapshot.</overall_goal>\n</state_snapshot>'

/** The Gemini API, v1beta. */
export const gemini: Dialect = {
  async answer({ path, body, response }, say) {
    const [, model = '', method] = /\/models\/([^:]+):(\w+)$/.exec(path) ?? []
    const answer = () => {
      const raw: unknown = JSON.parse(body)
      return answered(body, say(geminiRequest(model, raw), sideAnswer(raw)))
    }
    if (method === 'countTokens') sendJson(response, { totalTokens: Math.ceil(body.length / 4) })
    else if (method === 'generateContent') sendJson(response, chunk(model, answer()))
    else if (method === 'streamGenerateContent') await sendStream(response, model, answer())
    else return false
    return true
  },
}

/** The parts of an answer, and the size of its request: the client compresses only what that makes smaller. */
interface Answered {
  blocks: Block[]
  tokens: number
  held: Promise<unknown> | undefined
}

function answered(body: string, reply: Reply): Answered {
  return { blocks: blocksOf(reply), tokens: Math.ceil(body.length / 4), held: heldUntil(reply) }
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

async function sendStream(
  response: ServerResponse,
  model: string,
  { blocks, tokens, held }: Answered,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const [index, block] of blocks.entries()) {
    const last = index === blocks.length - 1
    if (last) await held
    response.write(`data: ${JSON.stringify(chunk(model, { blocks: [block], tokens }, last))}\r\n\r\n`)
  }
  response.end()
}

function chunk(model: string, { blocks, tokens }: Pick<Answered, 'blocks' | 'tokens'>, last = true) {
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
