import { CortextError } from '../errors.ts'
import { pathOfKey } from '../journeys/agent-loop/by-key.ts'
import { findExact, findToRead } from '../journeys/finding/find.ts'
import { type Listed, listConversations } from '../journeys/finding/list.ts'
import { paste } from '../text/paste.ts'
import type { Workspace } from '../workspace/open.ts'
import { note } from './print.ts'

/**
 * Checks that a call names a conversation either by an id or words, or by `--key`. Throws `usage` for both and for
 * neither.
 */
export function checkNamed(verb: string, query: string | undefined, key: string | undefined): void {
  if ((query === undefined) !== (key === undefined)) return
  throw new CortextError('usage', 'name one conversation: by an id or by --key', {
    fix: paste`cortext ${verb} <id>`,
  })
}

/** Finds the conversation with this name or key, for a verb that only reads. Prints a note if it guesses by title. */
export function which(ws: Workspace, query: string | undefined, key?: string): Listed {
  if (key !== undefined) return withKey(ws, key)
  const { one, guess } = findToRead(ws, query!)
  if (guess !== undefined) note(guess)
  return one
}

/** Like `which`, but for a verb that changes the conversation, so nothing is guessed. */
export function whichExactly(ws: Workspace, query: string | undefined, key: string | undefined): Listed {
  return key === undefined ? findExact(ws, query!) : withKey(ws, key)
}

function withKey(ws: Workspace, key: string): Listed {
  const path = pathOfKey(ws, key)
  return listConversations(ws).conversations.find((one) => one.path === path)!
}
