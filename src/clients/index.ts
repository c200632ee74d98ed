import { CortextError } from '../errors.ts'
import type { Environment } from '../io/environment.ts'
import { findProgram } from '../io/program.ts'
import { amp } from './amp/index.ts'
import { claude } from './claude/index.ts'
import { codex } from './codex/index.ts'
import type { Client } from './contract/client.ts'
import type { Reader } from './contract/reader.ts'
import { copilot } from './copilot/index.ts'
import { gemini } from './gemini/index.ts'
import type { ImportOnlyId } from './import-only.ts'
import { kimi } from './kimi/index.ts'
import { opencode } from './opencode/index.ts'
import { pi } from './pi/index.ts'
import { qwen } from './qwen/index.ts'

/** Every client that Cortext starts and records. README.md in this folder says how to add one. */
export const clients = { claude, opencode, gemini, codex, pi, qwen, copilot } as const satisfies Record<
  string,
  Client
>

export type ClientId = keyof typeof clients

/** Every client whose sessions can only be imported. */
export const importOnly: Record<ImportOnlyId, Reader> = { amp, kimi }

export function isImportOnly(id: string): boolean {
  return Object.hasOwn(importOnly, id)
}

/** Returns a client by its id. Throws `not-found` when no client has that id, or when it is import-only. */
export function clientOf(id: string): Client {
  if (Object.hasOwn(clients, id)) return clients[id as ClientId]
  const what = isImportOnly(id) ? `${readerOf(id).name} can only be imported from` : unknown(id)
  throw notFound(what, clientList())
}

export function clientList(): Client[] {
  return Object.values(clients)
}

export function installedClients({ env }: Environment): Client[] {
  return clientList().filter(({ id }) => findProgram(id, env) !== undefined)
}

/** Returns a client from which sessions can be imported. Throws `not-found` when no client has that id. */
export function readerOf(id: string): Reader {
  const reader = readerList().find((one) => one.id === id)
  if (reader === undefined) throw notFound(unknown(id), readerList())
  return reader
}

/** All clients from which sessions can be imported. */
export function readerList(): Reader[] {
  return [...clientList(), ...Object.values(importOnly)]
}

function unknown(id: string): string {
  return `no client is called ${JSON.stringify(id)}`
}

function notFound(message: string, known: readonly Reader[]): CortextError {
  return new CortextError('not-found', message, {
    fix: `use one of: ${known.map(({ id }) => id).join(', ')}`,
  })
}
