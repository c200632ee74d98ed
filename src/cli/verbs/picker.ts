import type { NativeSession } from '../../clients/contract/sessions.ts'
import { clientOf } from '../../clients/index.ts'
import { CortextError } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { findProgram } from '../../io/run.ts'
import { isResumable, type Listed, listConversations } from '../../journeys/finding/list.ts'
import { unimportedSessions } from '../../journeys/importing/unimported.ts'
import { runNative } from '../../journeys/resuming/launch.ts'
import { oneLine } from '../../text/line.ts'
import { relativeTime } from '../../text/relative-time.ts'
import { openWorkspace, type Workspace } from '../../workspace/open.ts'
import { select } from '../ask.ts'
import { asTime, conversationsAsJson, conversationTable } from '../conversation-lines.ts'
import { note, say, sayJson } from '../print.ts'
import { resumeVerb } from './resume/index.ts'

type Choice = { kept: Listed } | { native: NativeSession } | 'new'

/**
 * Runs for a bare `cortext`: lists the kept conversations, and below them the clients' own sessions of this folder. It
 * works without a workspace and writes nothing; a session of a client continues natively, as it is.
 */
export async function picker(environment: Environment, options: { json?: boolean }): Promise<void> {
  const ws = workspaceOrNone(environment)
  const kept = ws === undefined ? [] : listConversations(ws).conversations.filter(isResumable)
  const { sessions: native, silent } = unimportedSessions(environment, ws)
  note(
    ...silent.map(
      ({ name, fix }) => `${name} did not tell its sessions, so they are missing here. Try: ${fix}`,
    ),
  )
  if (options.json === true) return sayJson({ ...conversationsAsJson(kept, []), native: native.map(asJson) })
  if (!environment.interactive) return table(environment, ws, kept, native)
  if (kept.length === 0 && native.length === 0) return welcome(ws)
  const chosen = await select<Choice>('Go on with', choices(environment, kept, native))
  if (chosen === 'new') return resumeVerb(environment, [], { new: true })
  if ('kept' in chosen) return resumeVerb(environment, [chosen.kept.datedId], {})
  process.exitCode = await runNative(environment, chosen.native)
}

function workspaceOrNone(environment: Environment): Workspace | undefined {
  try {
    return openWorkspace(environment)
  } catch (error) {
    if (error instanceof CortextError && error.code === 'no-workspace') return undefined
    throw error
  }
}

function choices(
  environment: Environment,
  kept: Listed[],
  native: NativeSession[],
): { name: string; value: Choice }[] {
  const now = environment.now()
  return [
    ...kept.map((one) => ({
      name: `[${one.type}] ${oneLine(one.title)}  (${relativeTime(one.lastActive, now)})`,
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

function table(environment: Environment, ws: Workspace | undefined, kept: Listed[], native: NativeSession[]) {
  if (ws !== undefined) say(...conversationTable(kept, environment.now()))
  if (native.length === 0 && ws === undefined) return welcome(ws)
  if (native.length === 0) return
  say(
    ...(ws === undefined ? [] : ['']),
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
