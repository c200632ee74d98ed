import { CortextError } from '../errors.ts'
import { claude } from './claude/index.ts'
import { codex } from './codex/index.ts'
import type { Client } from './contract/client.ts'
import { copilot } from './copilot/index.ts'
import { gemini } from './gemini/index.ts'
import { opencode } from './opencode/index.ts'
import { pi } from './pi/index.ts'
import { qwen } from './qwen/index.ts'

/** Every client that Cortext knows. README.md in this folder says how to add one. */
export const clients = { claude, opencode, gemini, codex, pi, qwen, copilot } as const satisfies Record<
  string,
  Client
>

export type ClientId = keyof typeof clients

/** Returns a client by its id. Throws `not-found` when no client has that id. */
export function clientOf(id: string): Client {
  if (Object.hasOwn(clients, id)) return clients[id as ClientId]
  throw new CortextError('not-found', `no client is called ${JSON.stringify(id)}`, {
    fix: `use one of: ${Object.keys(clients).join(', ')}`,
  })
}

export function clientList(): Client[] {
  return Object.values(clients)
}
