import type { NativeSession } from '../../clients/contract/sessions.ts'
import { clientOf } from '../../clients/index.ts'
import type { Environment } from '../../io/environment.ts'
import { findProgram } from '../../io/run.ts'
import {
  findEverywhere,
  listEverywhere,
  openEverywhere,
  type Placed,
} from '../../journeys/finding/everywhere.ts'
import { findConversations } from '../../journeys/finding/find.ts'
import { isResumable, type Listed, listConversations } from '../../journeys/finding/list.ts'
import { unimportedSessions } from '../../journeys/importing/unimported.ts'
import { runNative } from '../../journeys/resuming/launch.ts'
import { oneLine } from '../../text/line.ts'
import { relativeTime } from '../../text/relative-time.ts'
import type { Workspace } from '../../workspace/open.ts'
import { type Find, select } from '../ask.ts'
import { asTime, conversationsAsJson, conversationTable } from '../conversation-lines.ts'
import { labelsOf, noteUnread, placedTable, shortPath, workspaceOrNone } from '../everywhere.ts'
import { lineWidth, note, say, sayJson } from '../print.ts'
import { resumeVerb } from './resume/index.ts'

/** With `root` it lies in another folder. */
type Offered = Listed & { root?: string }

type Choice = { kept: Offered } | { native: NativeSession } | 'new'

/**
 * Runs for a bare `cortext`: lists the kept conversations, and below them the clients' own sessions of this folder. In a
 * folder that is no workspace, those are the conversations of all workspaces. It writes nothing in a workspace; a
 * session of a client continues natively, as it is.
 */
export async function picker(environment: Environment, options: { json?: boolean }): Promise<void> {
  const ws = workspaceOrNone(environment)
  const { kept, find } = ws === undefined ? await offerOfAll(environment) : offerOf(ws)
  const { sessions: native, silent } = unimportedSessions(environment, ws)
  note(
    ...silent.map(
      ({ name, fix }) => `${name} did not tell its sessions, so they are missing here. Try: ${fix}`,
    ),
  )
  if (options.json === true) return sayJson({ ...conversationsAsJson(kept, []), native: native.map(asJson) })
  if (!environment.interactive) return table(environment, ws, kept, native)
  if (kept.length === 0 && native.length === 0) return welcome(ws)
  const all = choices(environment, kept, native)
  const chosen = await select<Choice>('Go on with', all, async (typed) => {
    const found = await find(typed)
    return found.flatMap((one) =>
      all.flatMap(({ value }) => (value !== 'new' && 'kept' in value && value.kept === one ? [value] : [])),
    )
  })
  if (chosen === 'new') return resumeVerb(environment, [], { new: true })
  if ('native' in chosen) {
    process.exitCode = await runNative(environment, chosen.native)
    return
  }
  const { root, datedId } = chosen.kept
  if (root !== undefined) note(`In ${shortPath(root, environment)}:`)
  await resumeVerb(root === undefined ? environment : { ...environment, cwd: root }, [datedId], {})
}

interface Offer {
  kept: Offered[]
  find: Find<Offered>
}

function offerOf(ws: Workspace): Offer {
  const kept = listConversations(ws).conversations.filter(isResumable)
  return { kept, find: async (typed) => (await findConversations(ws, typed, kept)).found }
}

async function offerOfAll(environment: Environment): Promise<Offer> {
  const everywhere = await openEverywhere(environment, undefined)
  const kept = (await listEverywhere(everywhere)).conversations.filter(isResumable)
  noteUnread(everywhere, environment)
  return { kept, find: async (typed) => (await findEverywhere(everywhere, kept, typed)).found }
}

function choices(
  environment: Environment,
  kept: readonly Offered[],
  native: NativeSession[],
): { name: string; value: Choice }[] {
  const now = environment.now()
  const labels = labelsOf(kept.filter(isPlaced))
  const where = ({ root }: Offered) => (root === undefined ? '' : `, ${labels.get(root)!}`)
  return [
    ...kept.map((one) => ({
      name: `[${one.type}] ${oneLine(one.title)}  (${relativeTime(one.lastActive, now)}${where(one)})`,
      value: { kept: one },
    })),
    ...native
      .filter((one) => findProgram(one.client, environment.env) !== undefined)
      .map((one) => ({
        name: `${clientOf(one.client).name}: ${oneLine(one.title) || one.nativeId}  (${relativeTime(one.lastActive, now)}, not kept)`,
        value: { native: one },
      })),
    { name: 'Something new', value: 'new' as const },
  ]
}

function isPlaced(one: Offered): one is Placed {
  return one.root !== undefined
}

function table(
  environment: Environment,
  ws: Workspace | undefined,
  kept: readonly Offered[],
  native: NativeSession[],
) {
  const some = ws !== undefined || kept.length > 0
  if (ws !== undefined) say(...conversationTable(kept, environment.now(), lineWidth()))
  else if (some) say(...placedTable(kept.filter(isPlaced), environment))
  if (native.length === 0 && !some) return welcome(ws)
  if (native.length === 0) return
  say(
    ...(some ? [''] : []),
    'Sessions of this folder that are not kept:',
    ...native.map(
      (one) =>
        `  ${one.client}  ${one.nativeId}  ${relativeTime(one.lastActive, environment.now())}  ${oneLine(one.title)}`,
    ),
    '',
    ws === undefined
      ? 'Keep them: cortext init, then cortext import <client> --all'
      : 'Keep them: cortext import <client> <id>, or --all',
  )
}

function welcome(ws: Workspace | undefined): void {
  say(
    'Nothing here yet.',
    ...(ws === undefined ? ['Make this folder a workspace: cortext init'] : []),
    'See it work without any of it: cortext demo',
  )
}

function asJson(one: NativeSession) {
  return {
    client: one.client,
    native_id: one.nativeId,
    title: one.title,
    last_active: asTime(one.lastActive),
    bytes: one.bytes,
  }
}
