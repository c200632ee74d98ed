import { cleanText } from '../redact/index.ts'
import { authorName } from '../session/sharing/authors.ts'
import { userName } from '../workspace/git/index.ts'
import type { Workspace } from '../workspace/open.ts'
import type { Conversation } from './read.ts'

/**
 * Returns the author's name for prompts that are typed on this machine. Undefined if the workspace is private, the
 * settings turn authors off, or git has no user name.
 */
export async function authorOf({ root, config, environment }: Workspace): Promise<string | undefined> {
  if (config.visibility !== 'shared' || config.author === false) return undefined
  const name =
    typeof config.author === 'string'
      ? config.author
      : await userName({ root, environment }).catch(() => undefined)
  return name === undefined ? undefined : authorName(cleanText(config, name))
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
