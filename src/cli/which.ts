import { CortextError } from '../errors.ts'
import { pathOfKey } from '../journeys/agent-loop/by-key.ts'
import { findOne } from '../journeys/finding/find.ts'
import { type Listed, listConversations } from '../journeys/finding/list.ts'
import { paste } from '../text/paste.ts'
import type { Workspace } from '../workspace/open.ts'

/** Throws `usage` unless a conversation is named either by an id or words, or by `--key`. */
export function checkNamed(verb: string, query: string | undefined, key: string | undefined): void {
  if ((query === undefined) !== (key === undefined)) return
  throw new CortextError('usage', 'name one conversation: by an id or by --key', {
    fix: paste`cortext ${verb} <id>`,
  })
}

/** Finds the one conversation that is meant. */
export async function which(
  ws: Workspace,
  verb: string,
  query: string | undefined,
  key: string | undefined,
): Promise<Listed> {
  if (key === undefined) return findOne(ws, query!, verb)
  const path = pathOfKey(ws, key)
  return listConversations(ws).conversations.find((one) => one.path === path)!
}
