import type { ServerResponse } from 'node:http'
import { type Dialect, sendJson } from './dialect.ts'
import { type ModelRequest, modelRequest } from './model-request.ts'
import { asEvents, asMessage, blocksOf, heldUntil, type Reply } from './reply.ts'

/** The Messages API. */
export const anthropic: Dialect = {
  async answer({ method, path, body, response }, say) {
    if (path === '/v1/messages/count_tokens') sendJson(response, { input_tokens: 100 })
    else if (path === '/v1/messages' && method === 'POST') {
      const request = modelRequest(JSON.parse(body))
      await sendReply(response, request, say(request, '{"title":"A scripted title"}'))
    } else return false
    return true
  },
}

async function sendReply(response: ServerResponse, request: ModelRequest, reply: Reply): Promise<void> {
  const message = asMessage(request.model, blocksOf(reply))
  const held = heldUntil(reply)
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
