import { type Change, checkChange, editConversation } from '../../conversation/edit.ts'
import { CortextError } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { clearConversation } from '../../journeys/agent-loop/append-turn.ts'
import { listConversations } from '../../journeys/finding/list.ts'
import { parseStatus, statusWords } from '../../session/lifecycle.ts'
import { oneLine } from '../../text/line.ts'
import { paste } from '../../text/paste.ts'
import type { Workspace } from '../../workspace/open.ts'
import { openToChange } from '../named-conversation.ts'
import { say, sayJson } from '../print.ts'
import { readStdin } from '../stdin.ts'

interface EditOptions {
  key?: string
  clear?: boolean
  title?: string
  titleStdin?: boolean
  type?: string
  summary?: string
  status?: string
  tag?: string[]
  untag?: string[]
  archive?: boolean
  unarchive?: boolean
  keepHere?: boolean
  force?: boolean
  json?: boolean
}

export async function edit(
  environment: Environment,
  query: string | undefined,
  options: EditOptions,
): Promise<void> {
  const { ws, found } = await openToChange(environment, 'edit', query, options.key)
  const { path } = found
  const change = await changeOf(options)
  if (Object.keys(change).length === 0 && !options.clear)
    throw new CortextError('usage', 'nothing to change', {
      fix: paste`cortext edit ${found.name} --title "…"`,
    })
  checkChange(ws, change)
  if (options.clear) await clearConversation(ws, path)
  const session = await editConversation(ws, path, change, options.force ?? false)
  if (options.json) return sayJson({ path, session })
  const now = listConversations(ws).conversations.find((one) => one.path === path)
  say(
    `Changed: "${oneLine(session.title)}", ${now === undefined ? session.status : statusWords(now.status)}${session.archived_at === undefined ? '' : ', archived'}.`,
    change.type === undefined || session.agent_config.command === undefined
      ? []
      : `The next resume gives the agent the instructions of ${session.agent_config.command}.`,
    change.archived
      ? [paste`Lists show it with --archived or --all. To undo: cortext edit ${found.name} --unarchive`]
      : [],
    change.keepHere ? await keptHereWords(ws, path) : [],
  )
}

async function keptHereWords(ws: Workspace, path: string): Promise<string[]> {
  const { isAtPlace } = await import('../../journeys/syncing/sync.ts')
  return isAtPlace(ws, path)
    ? ['No sync sends more of it. What was sent before stays at the place and on your other machines.']
    : ['No sync sends it.']
}

async function changeOf(options: EditOptions): Promise<Change> {
  const twice = options.tag?.find((tag) => options.untag?.includes(tag))
  if (twice !== undefined)
    throw new CortextError('usage', `the tag "${twice}" cannot be added and removed`, {
      fix: 'cortext edit --help',
    })
  const title = options.titleStdin ? await readStdin() : options.title
  return {
    ...(title === undefined ? {} : { title }),
    ...(options.type === undefined ? {} : { type: options.type }),
    ...(options.summary === undefined ? {} : { summary: options.summary }),
    ...(options.status === undefined ? {} : { status: parseStatus(options.status) }),
    ...(options.tag === undefined ? {} : { tag: options.tag }),
    ...(options.untag === undefined ? {} : { untag: options.untag }),
    ...(options.archive ? { archived: true } : {}),
    ...(options.unarchive ? { archived: false } : {}),
    ...(options.keepHere === undefined ? {} : { keepHere: options.keepHere }),
  }
}
