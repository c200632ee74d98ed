import { basename } from 'node:path'
import type { LaunchSpec } from '../../clients/contract/launch.ts'
import type { NativeSession } from '../../clients/contract/sessions.ts'
import { clientList, clientOf } from '../../clients/index.ts'
import { plainRecap } from '../../context/recap.ts'
import { catchUp, refreshKilled } from '../../conversation/catch-up.ts'
import { type Changed, changeState } from '../../conversation/change.ts'
import { pause } from '../../conversation/pause.ts'
import type { Conversation } from '../../conversation/read.ts'
import { CortextError } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { removeFiles, writePrivateFiles } from '../../io/private-files.ts'
import { runInTerminal } from '../../io/run.ts'
import { isControlTurn, turnsOf } from '../../session/control-turns.ts'
import { changeStatus } from '../../session/lifecycle.ts'
import { ensureLocalFolder, journalPath, localFiles } from '../../store/layout.ts'
import {
  closeSegment,
  followLaunch,
  liveSegment,
  readBinding,
  type Segment,
  updateBinding,
} from '../../store/machine/binding.ts'
import { noteRecap, takeRecap } from '../../store/machine/context-parts.ts'
import { listBindings } from '../../store/machine/list-bindings.ts'
import { paste } from '../../text/paste.ts'
import { openAgain, type Workspace } from '../../workspace/open.ts'
import { renderPack } from '../../workspace/pack/index.ts'
import { personalIds } from '../../workspace/pack/personal.ts'
import { idAndName } from '../finding/list.ts'
import { bind, unbind } from '../recording/bind.ts'
import type { SessionName } from '../recording/current-session.ts'
import { saidInSession } from '../recording/said-in-session.ts'
import { checkStart } from './check-start.ts'
import { withPromptRun } from './current-command.ts'
import type { ResumePlan } from './plan.ts'

export interface Launched {
  /** The client's exit code. */
  exitCode: number
  /** Undefined when nothing was said. */
  published: Changed | undefined
  /** The client had to resume its own session, but ended at once with an error. */
  failed: boolean
}

/**
 * Executes a plan:
 * 1. Renders edited commands for the clients.
 * 2. Marks the conversation active and binds the native session.
 * 3. Hands the terminal to the client.
 * 4. Saves and pauses the conversation when the client has ended. If nothing was said, only sets the status: paused, or
 *   completed if the conversation was completed before.
 *
 * Throws `client-missing`, `client-failed`, and what publish throws.
 */
export async function launchResume(ws: Workspace, plan: ResumePlan, force: boolean): Promise<Launched> {
  const { path } = plan.conversation
  const client = clientOf(plan.client)
  checkStart(ws.environment, client)
  renderPack(ws, clientList(), { personal: personalIds(ws.environment, clientList()) })
  ensureLocalFolder(ws.local, localFiles(ws.local).contexts)
  await makeReady(ws.environment, plan.launch, idAndName(ws, plan.conversation.path).name)
  const transcript = client.sessions.transcriptPath(ws.environment, ws.root, plan.nativeId)
  const native = { client: plan.client, nativeId: plan.nativeId, transcript }
  if (plan.mode === 'native' && mayHaveMore(ws, plan))
    refreshKilled(ws, { ...native, native_id: plan.nativeId })
  const { size, generation } =
    plan.mode === 'native'
      ? catchUp(ws, { ...native, native_id: plan.nativeId })
      : { size: 0, generation: basename(journalPath(ws.local, plan.client, plan.nativeId)) }
  await changeState(ws, path, {
    change: (session) =>
      withPromptRun(
        ws,
        changeStatus(session, 'active', path, force),
        plan.mode === 'native' ? undefined : plan.loaded,
      ),
    earlier: plan.conversation,
  })
  await endLiveSegment(ws, native, size)
  const since = ws.environment.now().toISOString()
  bind(
    ws,
    { ...native, journal: generation },
    { conversation: path, how: 'resume', from: size, pending: true },
  )
  if (plan.mode === 'native' && plan.showsRecap)
    noteRecap(ws.local, native, plainRecap(plan.recap).join('\n'))
  const exitCode = await runInTerminal(plan.launch, ws.environment.env)
  takeRecap(ws.local, native)
  // The client may read launch files marked `keep` again later. It does not need the others any more.
  removeFiles(plan.launch.files.filter(({ keep }) => keep !== true))
  const lasted = ws.environment.now().getTime() - Date.parse(since)
  const now = openAgain(ws)
  const published = await saveAfterClient(now, sessionOfLaunch(now, native), {
    conversation: plan.conversation,
    since,
  })
  // An exit code of 128 or more means that a signal ended the client, so the client itself did not fail.
  const failed = plan.mode === 'native' && published === undefined && lasted < AT_ONCE_MS
  return { exitCode, published, failed: failed && exitCode > 0 && exitCode < 128 }
}

/** A client takes a few seconds to start. If it cannot find its session, it then ends with an error at once. */
const AT_ONCE_MS = 15_000

/** Resumes a client's own session, with or without a workspace. Throws `client-missing` and `client-failed`. */
export function runNative(environment: Environment, session: NativeSession): Promise<number> {
  const client = clientOf(session.client)
  const launch = client.launch.native({
    nativeId: session.nativeId,
    cwd: session.cwd || environment.cwd,
  })
  return runClient(environment, launch)
}

/** Runs a client in this terminal and returns its exit code. Throws `client-missing` and `client-failed`. */
export async function runClient(environment: Environment, launch: LaunchSpec): Promise<number> {
  checkStart(environment, clientOf(launch.command))
  await makeReady(environment, launch)
  return runInTerminal(launch, environment.env)
}

/**
 * Writes the launch files and lets the client prepare its start. If the preparation fails, removes the files and
 * throws.
 */
async function makeReady(environment: Environment, launch: LaunchSpec, conversation?: string): Promise<void> {
  writePrivateFiles(launch.files)
  try {
    await clientOf(launch.command).launch.prepare?.(environment, launch)
  } catch (error) {
    removeFiles(launch.files)
    if (!(error instanceof CortextError) || conversation === undefined) throw error
    throw new CortextError(error.code, error.message, { fix: paste`cortext resume ${conversation} --print` })
  }
}

/**
 * Whether the client may have more of a session than was recorded. This is so if the session is open, or if the client
 * was killed. It is also so if the session ended in the middle of an answer, because clients write the rest of an
 * answer after their last hook.
 */
function mayHaveMore(ws: Workspace, { client, nativeId, conversation }: ResumePlan): boolean {
  const binding = readBinding(ws.local, client, nativeId)
  if (binding !== undefined && liveSegment(binding) !== undefined) return true
  const last = conversation.segments.findLast(
    (one) => one.binding.client === client && one.binding.native_id === nativeId,
  )
  return last !== undefined && !last.content.settled
}

async function endLiveSegment(
  ws: Workspace,
  native: { client: string; nativeId: string },
  to: number,
): Promise<void> {
  const binding = readBinding(ws.local, native.client, native.nativeId)
  const live = binding === undefined ? undefined : liveSegment(binding)
  if (live === undefined) return
  unbind(ws, native, { to, by: 'switch' })
  await pause(ws, live.conversation)
}

/**
 * Returns the session that a launch started. If the client chose another id, its hooks have moved the binding to that
 * id.
 */
function sessionOfLaunch(
  ws: Workspace,
  native: { client: string; nativeId: string; transcript: string },
): { client: string; nativeId: string; transcript: string } {
  const binding = listBindings(ws.local).find(
    ({ client, launch }) => client === native.client && launch === native.nativeId,
  )
  if (binding !== undefined)
    return { client: binding.client, nativeId: binding.native_id, transcript: binding.transcript }
  // In a folder that it does not trust, the client runs no hooks. In this case, the client's own store has the id.
  const made = clientOf(native.client).launch.findLaunched?.(ws.environment, ws.root, native.nativeId)
  if (made === undefined) return native
  const became = { client: native.client, ...made }
  const journal = basename(journalPath(ws.local, became.client, became.nativeId))
  followLaunch(ws.local, native.nativeId, { ...became, journal })
  return became
}

/**
 * Saves the new messages and pauses the conversation after the client has ended. If nothing was said, only sets the
 * status, to paused or completed, and returns undefined.
 */
async function saveAfterClient(
  ws: Workspace,
  native: { client: string; nativeId: string; transcript: string },
  { conversation, since }: { conversation: Conversation; since: string },
): Promise<Changed | undefined> {
  const { path, session: before } = conversation
  const segments = readBinding(ws.local, native.client, native.nativeId)?.segments ?? []
  const ours = segments.findLast((one) => one.conversation === path && one.started_at >= since)
  // If hooks ran, the last hook has closed the segment. Without hooks, no turn is noted in the segment, so the messages
  // show whether the segment was used. A segment that was stopped inside the client stays as it is.
  if (ours !== undefined && ours.to === undefined)
    refreshKilled(ws, { ...native, native_id: native.nativeId })
  const stopped = ours?.ended_by !== undefined && ours.ended_by !== 'session-end'
  if (ours === undefined || (!stopped && !wasUsed(ws, native, ours))) {
    const end = { to: 0, by: 'session-end', at: ws.environment.now() } as const
    updateBinding(ws.local, native.client, native.nativeId, (stored) => stored && closeSegment(stored, end))
    const status = before.status === 'completed' ? 'completed' : 'paused'
    await changeState(ws, path, { change: (session) => ({ ...session, status }), earlier: conversation })
    return undefined
  }
  if (ours.to === undefined) {
    const { size } = catchUp(ws, { ...native, native_id: native.nativeId })
    unbind(ws, native, { to: size, by: 'session-end' })
  }
  return pause(ws, path)
}

/** Whether a segment has turns, even if no hook has noted them: a clone without `cortext init` has no hooks. */
function wasUsed(ws: Workspace, native: SessionName, { from }: Segment): boolean {
  const { size, generation } = catchUp(ws, { ...native, native_id: native.nativeId })
  return !turnsOf(saidInSession(ws, { ...native, journal: generation, turn: size }, from)).every(
    isControlTurn,
  )
}
