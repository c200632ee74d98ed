import { CortextError } from '../errors.ts'
import { findOne } from '../journeys/find.ts'
import { keyedPath } from '../journeys/keyed.ts'
import { type Listed, listConversations } from '../journeys/list.ts'
import type { Workspace } from '../journeys/open.ts'

/** The one conversation that is meant: by `--key`, or by an id or words. Throws `usage` for neither or both. */
export async function which(
  ws: Workspace,
  verb: string,
  query: string | undefined,
  key: string | undefined,
): Promise<Listed> {
  if (query !== undefined && key === undefined) return findOne(ws, query, verb)
  if (query === undefined && key !== undefined) {
    const path = keyedPath(ws, key)
    return listConversations(ws).conversations.find((one) => one.path === path)!
  }
  throw new CortextError('usage', 'name one conversation: by an id or by --key', {
    fix: `cortext ${verb} <id>`,
  })
}
