import { readConversation } from '../../../conversation/read.ts'
import { CortextError } from '../../../errors.ts'
import type { Environment } from '../../../io/environment.ts'
import { type Listed, listConversations } from '../../../journeys/finding/list.ts'
import { statusWords } from '../../../session/lifecycle.ts'
import { safeLine } from '../../../session/resume-block.ts'
import { countOf } from '../../../text/count-of.ts'
import { cutAtWord } from '../../../text/line.ts'
import { openWorkspace } from '../../../workspace/open.ts'
import { workspaceOrNone } from '../../everywhere.ts'
import { boundAnswer } from './bounded.ts'
import { contextIn } from './context.ts'

const SCHEME = 'cortext://conversation/'
const MIME_TYPE = 'text/markdown'

/** Few, because some clients show all resources to a person, or load the list at every start. */
const MAX_RESOURCES = 100

/**
 * Lists the newest conversations that are not archived. `readResource` also reads the conversations that are not
 * listed. Outside of a workspace the list is empty and there is no error, because clients ask at their start, in any
 * folder.
 */
export function listResources(environment: Environment) {
  const ws = workspaceOrNone(environment)
  if (ws === undefined) return []
  return listConversations(ws)
    .conversations.filter(({ archived }) => !archived)
    .slice(0, MAX_RESOURCES)
    .map((one) => ({
      uri: addressOf(one),
      name: one.name,
      title: cutAtWord(safeLine(one.title), 100),
      description: safeLine(`${one.type}, ${statusWords(one.status)}, ${countOf(one.messages, 'message')}`),
      mimeType: MIME_TYPE,
    }))
}

/** Returns what `get_context` returns for the conversation. Throws `not-found` and `no-workspace`. */
export async function readResource(environment: Environment, uri: string) {
  const ws = openWorkspace(environment)
  const found = listConversations(ws).conversations.find((one) => addressOf(one) === uri)
  if (found === undefined)
    throw new CortextError('not-found', `no conversation has the address "${cutAtWord(safeLine(uri), 200)}"`)
  const text = await contextIn(ws, readConversation(ws, found.path))
  return { uri, mimeType: MIME_TYPE, text: boundAnswer(text) }
}

function addressOf({ datedId, ownId, path }: Listed): string {
  // Its path is its id only if another conversation has the same date and id.
  return SCHEME + (ownId === path ? path : datedId).split('/').map(encodeURIComponent).join('/')
}
