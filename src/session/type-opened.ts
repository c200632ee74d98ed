import { asSlashCommand } from './control-turns.ts'
import { isPrompt, textOf } from './live-path.ts'
import type { Message } from './schema.ts'

/** The types of a workspace by name. Only those with a command can be opened by it. */
interface Types {
  get(name: string): { command?: string; session_support: boolean } | undefined
}

/** Returns the type whose command the person typed first: `/workspace.brainstorm API` → `brainstorm`. */
export function typeOpenedIn(messages: readonly Message[], types: Types): string | undefined {
  for (const message of messages) {
    const name = isPrompt(message) ? typeOpenedBy(message, types) : undefined
    if (name !== undefined && types.get(name)?.session_support === true) return name
  }
  return undefined
}

/** Returns the type whose command this message is. */
export function typeOpenedBy(message: Message, types: Types): string | undefined {
  const name = /^\/workspace\.(\S+)/.exec(asSlashCommand(textOf(message)))?.[1]
  return name !== undefined && types.get(name)?.command !== undefined ? name : undefined
}

/** Why the version of the command is unknown in a conversation that was made after the talk. */
export const NOT_NOTED = 'the talk was imported, and nobody had noted which version of the command ran'

/** Why there is no version of a command: the conversation got its type later, so the command runs at its next resume. */
export const NOT_RUN = 'the command has not run in this conversation yet'
