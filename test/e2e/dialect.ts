import type { ServerResponse } from 'node:http'
import type { ModelRequest } from './model-request.ts'
import type { Reply } from './reply.ts'

/** The API of one provider. */
export interface Dialect {
  /** Answers a call; false when it is not of this API. */
  answer(call: Call, say: Say): Promise<boolean>
}

interface Call {
  method: string
  path: string
  body: string
  response: ServerResponse
}

/** What the model says to a request; `aside` where that is beside the conversation. */
export type Say = (request: ModelRequest, aside: Reply) => Reply

export function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
