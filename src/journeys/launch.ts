import { rmSync } from 'node:fs'
import { basename } from 'node:path'
import type { Client, LaunchSpec, NativeSession } from '../clients/client.ts'
import { clientOf } from '../clients/index.ts'
import { CortextError } from '../errors.ts'
import { writeFileAtomic } from '../io/atomic-write.ts'
import type { Place } from '../io/place.ts'
import { findProgram, runInTerminal } from '../io/run.ts'
import { changeStatus } from '../session/lifecycle.ts'
import type { Status } from '../session/schema.ts'
import { dropPending, liveStretch, readBinding, updateBinding } from '../store/binding.ts'
import { journalPath } from '../store/layout.ts'
import { bind, unbind } from './binding.ts'
import { idAfterLaunch } from './launched.ts'
import type { NativeName } from './native-here.ts'
import type { Workspace } from './open.ts'
import { type Published, publish } from './publish.ts'
import { catchUp } from './read-stretch.ts'
import type { ResumePlan } from './resume.ts'
import { pause } from './stop.ts'

/**
 * Binds the native session, marks the conversation active, hands the terminal over, and publishes when it comes
 * back. A session in which nothing was said leaves the conversation as it was.
 */
export async function launchResume(
  ws: Workspace,
  plan: ResumePlan,
  force: boolean,
): Promise<{ exitCode: number; published: Published | undefined }> {
  const { path } = plan.conversation
  const client = clientOf(plan.client)
  requireProgram(ws.place, plan.launch.command, client)
  const transcript = client.transcriptPath(ws.place, ws.root, plan.nativeId)
  const native = { client: plan.client, nativeId: plan.nativeId, transcript }
  const before = plan.conversation.session.status
  const { size, generation } =
    plan.mode === 'native'
      ? catchUp(ws, { ...native, native_id: plan.nativeId })
      : { size: 0, generation: basename(journalPath(ws.local, plan.client, plan.nativeId)) }
  await endLiveStretch(ws, native, size)
  await publish(ws, path, (session) => changeStatus(session, 'active', force))
  const since = ws.place.now().toISOString()
  bind(
    ws,
    { ...native, journal: generation },
    { conversation: path, how: 'resume', from: size, pending: true },
  )
  const exitCode = await runClient(ws, plan.launch)
  // The client has its own copy by now.
  for (const { path: file } of plan.launch.files) rmSync(file, { force: true })
  const published = await afterwards(ws, nativeAfter(ws, native), { path, since, before })
  return { exitCode, published }
}

/** The native session that the client made of the launch. */
function nativeAfter(ws: Workspace, native: NativeName): NativeName {
  const nativeId = idAfterLaunch(ws, native.client, native.nativeId)
  const transcript = clientOf(native.client).transcriptPath(ws.place, ws.root, nativeId)
  return { ...native, nativeId, transcript }
}

/** Goes on with a client's own session as it is, whether or not there is a workspace. */
export function runNative(place: Place, session: NativeSession): Promise<number> {
  const client = clientOf(session.client)
  const launch = client.launch({ mode: 'native', nativeId: session.nativeId, cwd: session.cwd || place.cwd })
  requireProgram(place, launch.command, client)
  return runInTerminal(launch, place.env)
}

/** Runs a client in this terminal with its launch files in place; returns its exit code. */
export async function runClient(ws: Workspace, launch: LaunchSpec): Promise<number> {
  requireProgram(ws.place, launch.command, clientOf(launch.command))
  for (const { path, content } of launch.files) writeFileAtomic(path, content, { mode: 0o600 })
  return runInTerminal(launch, ws.place.env)
}

function requireProgram(place: Place, command: string, { name, install }: Client): void {
  if (findProgram(command, place.env) !== undefined) return
  throw new CortextError('client-missing', `${name} (${command}) is not installed, or not on PATH`, {
    fix: install,
  })
}

async function endLiveStretch(
  ws: Workspace,
  native: { client: string; nativeId: string },
  to: number,
): Promise<void> {
  const binding = readBinding(ws.local, native.client, native.nativeId)
  const live = binding === undefined ? undefined : liveStretch(binding)
  if (live === undefined) return
  unbind(ws, native, { to, by: 'switch' })
  await pause(ws, live.conversation)
}

/** What was said is published as paused, unless the person stopped it inside; a resume in which nothing was said is undone. */
async function afterwards(
  ws: Workspace,
  native: NativeName,
  { path, since, before }: { path: string; since: string; before: Status },
): Promise<Published | undefined> {
  const stretches = readBinding(ws.local, native.client, native.nativeId)?.stretches ?? []
  const ours = stretches.findLast((one) => one.conversation === path && one.started_at >= since)
  // The hook of the client's end has taken it out already, where it ran.
  if (ours === undefined || ours.pending === true) {
    updateBinding(ws.local, native.client, native.nativeId, (one) => one && dropPending(one))
    await publish(ws, path, (session) => ({
      ...session,
      status: before === 'completed' ? 'completed' : 'paused',
    }))
    return undefined
  }
  if (ours.to === undefined) {
    const { size } = catchUp(ws, { ...native, native_id: native.nativeId })
    unbind(ws, native, { to: size, by: 'session-end' })
  }
  return pause(ws, path)
}
