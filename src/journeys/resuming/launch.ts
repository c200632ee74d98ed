import { basename } from 'node:path'
import { clientList, clientOf } from '../../clients/index.ts'
import { plainRecap } from '../../context/recap.ts'
import { catchUp, refreshKilled } from '../../conversation/catch-up.ts'
import { type Changed, changeState } from '../../conversation/change.ts'
import { pause } from '../../conversation/pause.ts'
import type { Conversation } from '../../conversation/read.ts'
import { removeFiles } from '../../io/private-files.ts'
import { runInTerminal } from '../../io/run.ts'
import { isControlTurn, turnsOf } from '../../session/control-turns.ts'
import { changeStatus } from '../../session/lifecycle.ts'
import { ensureLocalFolder, journalPath, localFiles } from '../../store/layout.ts'
import { followLaunch, liveSegment, readBinding } from '../../store/machine/binding.ts'
import { noteRecap, takeRecap } from '../../store/machine/context-parts.ts'
import { listBindings } from '../../store/machine/list-bindings.ts'
import { paste } from '../../text/paste.ts'
import { openAgain, type Workspace } from '../../workspace/open.ts'
import { renderPack } from '../../workspace/pack/index.ts'
import { personalIds } from '../../workspace/pack/personal.ts'
import { idAndName } from '../finding/list.ts'
import { bind, unbind } from '../recording/bind.ts'
import { saidInSession } from '../recording/said-in-session.ts'
import { withPromptRun } from './current-command.ts'
import type { ResumePlan } from './plan.ts'
import { makeReady } from './start-client.ts'

export interface Launched {
  /** The client's exit code. */
  exitCode: number
  /** Undefined when nothing was said. */
  published: Changed | undefined
  /** The client had to resume its own session, but ended at once with an error. */
  failed: boolean
}

interface NativeSession {
  client: string
  nativeId: string
  transcript: string
}

/**
 * Executes a plan:
 * 1. Renders edited commands for the clients, and gives the client the seed of a handoff.
 * 2. Marks the conversation active and binds the native session.
 * 3. Hands the terminal to the client.
 * 4. Saves and pauses the conversation when the client has ended. If nothing was said, only sets the status: paused, or
 *   completed if the conversation was completed before.
 *
 * Throws what the client throws that cannot take the seed over, and what publish throws.
 */
export async function launchResume(ws: Workspace, plan: ResumePlan, force: boolean): Promise<Launched> {
  const { conversation, launch, nativeId } = plan
  const { path } = conversation
  const client = clientOf(plan.client)
  const isNative = plan.mode === 'native'
  renderPack(ws, clientList(), { personal: personalIds(ws.environment, clientList()) })
  ensureLocalFolder(ws.local, localFiles(ws.local).contexts)
  await makeReady(ws.environment, client, launch, paste`cortext resume ${idAndName(ws, path).name} --print`)
  const transcript = client.sessions.transcriptPath(ws.environment, ws.root, nativeId)
  const session = { client: client.id, nativeId, transcript }
  const binding = readBinding(ws.local, client.id, nativeId)
  const live = binding && liveSegment(binding)
  // First the journal gets what the client wrote after its last hook, as when it was killed.
  if (isNative && (live !== undefined || !isSettled(conversation, session))) refreshKilled(ws, named(session))
  const { size, generation } = isNative
    ? catchUp(ws, named(session))
    : { size: 0, generation: basename(journalPath(ws.local, client.id, nativeId)) }
  await changeState(ws, path, {
    change: (before) =>
      withPromptRun(ws, changeStatus(before, 'active', path, force), isNative ? undefined : plan.loaded),
    earlier: conversation,
  })
  // The session was open in another conversation, or in this one by a client that was killed.
  if (live !== undefined) {
    unbind(ws, session, { to: size, by: 'switch' })
    await pause(ws, live.conversation)
  }
  const since = ws.environment.now().toISOString()
  bind(
    ws,
    { ...session, journal: generation },
    { conversation: path, how: 'resume', from: size, pending: true },
  )
  if (isNative && plan.showsRecap) noteRecap(ws.local, session, plainRecap(plan.recap).join('\n'))
  const exitCode = await runInTerminal(launch, ws.environment.env)
  takeRecap(ws.local, session)
  if (launch.seed !== undefined) removeFiles([launch.seed])
  const lasted = ws.environment.now().getTime() - Date.parse(since)
  const now = openAgain(ws)
  const published = await saveAfterClient(now, sessionOfLaunch(now, session), conversation, since)
  // An exit code of 128 or more means that a signal ended the client, so the client itself did not fail.
  const failed = isNative && published === undefined && lasted < AT_ONCE_MS
  return { exitCode, published, failed: failed && exitCode > 0 && exitCode < 128 }
}

/** A client takes a few seconds to start. If it cannot find its session, it then ends with an error at once. */
const AT_ONCE_MS = 15_000

/**
 * Whether the record has what the session said last. The session may have ended in the middle of an answer, because
 * clients write the rest of an answer after their last hook.
 */
function isSettled({ segments }: Conversation, { client, nativeId }: NativeSession): boolean {
  const last = segments.findLast(({ binding }) => binding.client === client && binding.native_id === nativeId)
  return last === undefined || last.content.settled
}

/**
 * Returns the session that a launch started. If the client chose another id, its hooks have moved the binding to that
 * id.
 */
function sessionOfLaunch(ws: Workspace, session: NativeSession): NativeSession {
  const { client, nativeId: launch } = session
  const moved = listBindings(ws.local).find((one) => one.client === client && one.launch === launch)
  if (moved !== undefined) return { client, nativeId: moved.native_id, transcript: moved.transcript }
  // In a folder that it does not trust, the client runs no hooks. In this case, the client's own store has the id.
  const made = clientOf(client).launch.findLaunched?.(ws.environment, ws.root, launch)
  if (made === undefined) return session
  const became = { client, ...made }
  followLaunch(ws.local, launch, {
    ...became,
    journal: basename(journalPath(ws.local, client, made.nativeId)),
  })
  return became
}

/**
 * Saves the new messages and pauses the conversation after the client has ended. If nothing was said, only sets the
 * status, to paused or completed, and returns undefined.
 */
async function saveAfterClient(
  ws: Workspace,
  session: NativeSession,
  conversation: Conversation,
  since: string,
): Promise<Changed | undefined> {
  const { path, session: before } = conversation
  const segments = readBinding(ws.local, session.client, session.nativeId)?.segments ?? []
  const ours = segments.findLast((one) => one.conversation === path && one.started_at >= since)
  // Our segment is live if no hook has ended it: there are none here, or the client was killed. Otherwise the last hook has
  // closed it, or it was stopped inside the client and stays as it is. Without one, another conversation has the session.
  const isLive = ours !== undefined && ours.to === undefined
  if (isLive) refreshKilled(ws, named(session))
  if (ours?.ended_by !== undefined && ours.ended_by !== 'session-end') return pause(ws, path)
  const to = ours && endOfTalk(ws, session, ours.from)
  if (isLive || to === undefined) unbind(ws, session, { to: to ?? 0, by: 'session-end' })
  if (to !== undefined) return pause(ws, path)
  const status = before.status === 'completed' ? 'completed' : 'paused'
  await changeState(ws, path, { change: (now) => ({ ...now, status }), earlier: conversation })
  return undefined
}

/**
 * Returns where the talk of a segment ends that begins at `from`. Undefined if it has no turn. No hook may have noted
 * its turns: a clone without `cortext init` has no hooks.
 */
function endOfTalk(ws: Workspace, session: NativeSession, from: number): number | undefined {
  const { size, generation: journal } = catchUp(ws, named(session))
  const turns = turnsOf(saidInSession(ws, { ...session, journal, turn: size }, from))
  return turns.every(isControlTurn) ? undefined : size
}

function named({ client, nativeId, transcript }: NativeSession) {
  return { client, native_id: nativeId, transcript }
}
