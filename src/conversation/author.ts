import { cleanText } from '../redact/index.ts'
import type { Message } from '../session/schema.ts'
import { authorName } from '../session/sharing/authors.ts'
import { readPlace } from '../store/machine/place.ts'
import { userName } from '../workspace/git/index.ts'
import type { Workspace } from '../workspace/open.ts'
import type { Conversation } from './read.ts'

/**
 * Returns the author's name for prompts that are typed on this machine. Undefined if nobody else may read them (the
 * workspace is private, and has no place), the settings turn authors off, or git has no user name.
 */
export async function authorOf(ws: Workspace): Promise<string | undefined> {
  return othersMayRead(ws) ? nameHere(ws) : undefined
}

function othersMayRead({ config, local }: Workspace): boolean {
  return config.visibility === 'shared' || readPlace(local) !== undefined
}

/**
 * Returns the name by which messages name the person here. Undefined if the settings turn authors off, or git has no
 * user name.
 */
export async function nameHere({ root, config, environment }: Workspace): Promise<string | undefined> {
  if (config.author === false) return undefined
  const name =
    typeof config.author === 'string'
      ? config.author
      : await userName({ root, environment }).catch(() => undefined)
  return name === undefined ? undefined : authorName(cleanText(config, name))
}

/** The same, but asks git only if one of these messages names somebody. */
export async function nameAmong(ws: Workspace, messages: readonly Message[]): Promise<string | undefined> {
  return messages.some(({ author }) => author !== undefined) ? nameHere(ws) : undefined
}

/**
 * Adds the author to those messages to append that are prompts from this machine's own sessions. Imported prompts and
 * the turns of an agent loop get none, because anyone may have typed them.
 */
export function withAuthor(conversation: Conversation, author: string | undefined): Conversation {
  const { plan, segments } = conversation
  if (author === undefined || plan.append.length === 0) return conversation
  const own = new Set(
    segments
      .filter(({ segment }) => segment.how !== 'import')
      .flatMap(({ content }) => content.read.messages)
      .flatMap(({ id, role, event }) => (role === 'user' && event === undefined ? id : [])),
  )
  const append = plan.append.map((message) =>
    own.has(message.id) && message.author === undefined ? { ...message, author } : message,
  )
  const now = new Map(append.map((message) => [message.id, message]))
  const messages = plan.messages.map((message) => now.get(message.id) ?? message)
  return { ...conversation, plan: { ...plan, append, messages }, messages }
}
