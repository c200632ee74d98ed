import { CortextError } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { isResumable, type Listed, listConversations } from '../../journeys/finding/list.ts'
import { autoPause } from '../../journeys/recording/auto-pause.ts'
import { parseStatus } from '../../session/lifecycle.ts'
import { openWorkspace } from '../../workspace/open.ts'
import { conversationsAsJson, conversationTable } from '../conversation-lines.ts'
import { note, noteAutoPaused, say, sayJson } from '../print.ts'

export interface ListOptions {
  type?: string
  status?: string
  in?: string
  since?: string
  archived?: boolean
  all?: boolean
  json?: boolean
}

export async function list(environment: Environment, options: ListOptions): Promise<void> {
  const ws = openWorkspace(environment)
  noteAutoPaused(await autoPause(ws))
  const { conversations, broken } = listConversations(ws)
  const shown = conversations.filter(filterOf(options))
  if (options.json === true) return sayJson(conversationsAsJson(shown, broken))
  say(...conversationTable(shown, environment.now()))
  const hidden = conversations.length - shown.length
  if (hidden > 0) note(`${hidden} not shown; all of them: cortext list --all`)
  note(...broken.map(({ path, message }) => `cannot be read: ${path}: ${message}`))
}

/**
 * By default the list shows what can be continued. A status filter shows old conversations too; archived ones appear
 * only with `--archived` or `--all`.
 */
function filterOf(options: ListOptions): (one: Listed) => boolean {
  const status = options.status === undefined ? undefined : parseStatus(options.status)
  const since = options.since === undefined ? undefined : dateOf(options.since)
  return (one) =>
    (options.all === true ||
      options.archived === true ||
      (status === undefined ? isResumable(one) : !one.archived)) &&
    (options.type === undefined || one.type === options.type) &&
    (status === undefined || one.status.status === status) &&
    (options.in === undefined || one.client === options.in) &&
    (since === undefined || one.lastActive >= since) &&
    (options.archived !== true || one.archived)
}

function dateOf(text: string): Date {
  const date = new Date(text)
  if (Number.isNaN(date.getTime()))
    throw new CortextError('usage', `"${text}" is not a date`, { fix: '--since 2026-11-21' })
  return date
}
