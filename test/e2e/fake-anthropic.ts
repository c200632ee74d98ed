import type { ServerResponse } from 'node:http'
import { type Dialect, sendJson } from './dialect.ts'
import { type ModelRequest, modelRequest } from './model-request.ts'
import { asEvents, asMessage, blocksOf, heldUntil, LIMIT, type Reply } from './reply.ts'

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
  if (reply === LIMIT) return refuse(response)
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

/** As the API answers when the five hours of a subscription are used up, and the client shall not try again. */
function refuse(response: ServerResponse): void {
  const reset = String(Math.floor(Date.now() / 1000) + 3600)
  response.writeHead(429, {
    'content-type': 'application/json',
    'x-should-retry': 'false',
    'anthropic-ratelimit-unified-status': 'rejected',
    'anthropic-ratelimit-unified-reset': reset,
    'anthropic-ratelimit-unified-representative-claim': 'five_hour',
    'anthropic-ratelimit-unified-5h-status': 'rejected',
    'anthropic-ratelimit-unified-5h-reset': reset,
    'anthropic-ratelimit-unified-5h-utilization': '1.0',
  })
  response.end(
    JSON.stringify({
      type: 'error',
      error: { type: 'rate_limit_error', message: "This request would exceed your account's rate limit." },
    }),
  )
}
