import type { HookEvent, HookLanguage } from '../clients/contract/hooks.ts'
import { currentEnvironment } from '../io/environment.ts'
import { clientProcess } from '../io/process.ts'
import { safeLine } from '../session/posing.ts'
import { liveSegment, mayGrow, readBinding, updateBinding } from '../store/machine/binding.ts'
import { noteCleared, takeCleared } from '../store/machine/cleared.ts'
import { readMetadataBackup } from '../store/machine/metadata-backup.ts'
import { openWorkspace, type Workspace } from '../workspace/open.ts'
import { catchUpEnded } from './conversation/catch-up.ts'
import { pause } from './conversation/pause.ts'
import { publish } from './conversation/publish.ts'
import { isResumable, listConversations } from './finding/list.ts'
import { beginResumed, bind, unbind } from './recording/bind.ts'
import { sessionNamed } from './recording/current-session.ts'
import { otherWriters } from './recording/other-writers.ts'
import { start } from './recording/start.ts'
import { showListIn } from './resuming/shown-list.ts'

/** What a hook hands on when copying the transcript is not enough. Each function below returns what the hook prints. */
export interface HookContext {
  client: string
  language: HookLanguage
  event: HookEvent
  root: string
}

/** Handles a slash command of ours. A type's command opens its conversation; `resume` brings the list along. */
export async function onCommand({ client, language, event, root }: HookContext): Promise<string> {
  const ws = open(root)
  const name = (event.command ?? '').slice('workspace.'.length)
  const args = event.args ?? ''
  if (name === 'resume')
    return args.trim() === ''
      ? language.tellAgent(event, listNote(ws, { client, nativeId: event.nativeId }))
      : ''
  if (!ws.types.has(name)) return ''
  const current = sessionNamed(ws, { client, nativeId: event.nativeId, transcript: event.transcript })
  // The prompt of this turn is not in the transcript yet, so all that is there belongs to earlier turns.
  const started = await start(ws, {
    type: name,
    title: args,
    current: { ...current, turn: current.size },
    anew: true,
  })
  const untitled = args.trim() === '' ? ', untitled so far' : ''
  return language.tellAgent(
    event,
    `[cortext] Conversation ${started.id} is open and being recorded${untitled}. Document: ${started.document}`,
  )
}

/**
 * Handles the first turn after a resume, which begins at `size` in the journal: from there on the session is recorded,
 * and the person is told, once, who else is writing into the conversation.
 */
export function onResumed(
  { client, language, event, root }: HookContext,
  { conversation, size }: { conversation: string; size: number },
): string {
  const ws = open(root)
  beginResumed(ws, { client, nativeId: event.nativeId }, size)
  const others = [
    ...goesOn(ws, { client, nativeId: event.nativeId }, conversation),
    ...otherWriters(ws, conversation, event.nativeId),
  ]
  return others.length === 0 ? '' : language.tellPerson(event, others.join(' '))
}

function goesOn(
  ws: Workspace,
  { client, nativeId }: { client: string; nativeId: string },
  conversation: string,
): string[] {
  const before = readBinding(ws.local, client, nativeId)?.segments.at(-2)
  if (before?.ended_by !== 'elsewhere' || before.conversation !== conversation) return []
  const title = readMetadataBackup(ws.local, before.conversation)?.session.title ?? before.conversation
  return [`"${safeLine(title)}" was stopped in a terminal. What you say here goes on being recorded in it.`]
}

/** Publishes after every turn, but only where the settings ask for it. */
export async function onTurnEnd({ client, event, root }: HookContext): Promise<string> {
  const ws = open(root)
  const binding = readBinding(ws.local, client, event.nativeId)
  const live = binding === undefined ? undefined : liveSegment(binding)
  if (live !== undefined && ws.config.capture.publish === 'turn') await publish(ws, live.conversation)
  return ''
}

/** Publishes the conversation as paused when its session has ended, and its binding with it. */
export async function onSessionEnd(root: string, conversation: string): Promise<void> {
  await pause(open(root), conversation)
}

/** Notes that a session was cleared: its conversation goes on in the session that the same client begins now. */
export function onCleared({ client, event, root }: HookContext): void {
  const ws = open(root)
  const current = sessionNamed(ws, { client, nativeId: event.nativeId, transcript: event.transcript })
  if (current.live === undefined) return
  const { conversation, command } = current.live
  unbind(ws, current, { to: current.size, by: 'session-end' })
  noteCleared(ws.local, clearing(ws, client), { conversation, command })
}

/**
 * Lets a session go on with a conversation: the session was resumed by hand after it ended, or a `/clear` led to it.
 */
export function onContinue({ client, event, root }: HookContext): void {
  const ws = open(root)
  const native = { client, nativeId: event.nativeId, transcript: event.transcript }
  if (event.cleared === true) {
    const before = takeCleared(ws.local, clearing(ws, client))
    if (before === undefined) return
    const current = sessionNamed(ws, native)
    if (current.live !== undefined) return
    bind(ws, current, { ...before, how: 'resume', from: 0, cleared: true })
    return
  }
  const binding = readBinding(ws.local, client, event.nativeId)
  const last = binding?.segments.at(-1)
  if (binding === undefined || last === undefined || liveSegment(binding) !== undefined) return
  // A conversation that was stopped in its session stays stopped. One that only ended with its session goes on with it,
  // and so does one that was stopped from elsewhere while the person was still there.
  if (!mayGrow(last)) return
  catchUpEnded(ws, binding)
  if (isCompleted(ws, last.conversation)) {
    stayStopped(ws, native)
    return
  }
  const current = sessionNamed(ws, native)
  bind(ws, current, { conversation: last.conversation, how: 'resume', from: current.size, pending: true })
}

function isCompleted(ws: Workspace, conversation: string): boolean {
  return readMetadataBackup(ws.local, conversation)?.session.status === 'completed'
}

/** From now on nothing more comes to the last segment of a session. */
function stayStopped(ws: Workspace, { client, nativeId }: { client: string; nativeId: string }): void {
  updateBinding(
    ws.local,
    client,
    nativeId,
    (one) =>
      one && {
        ...one,
        segments: one.segments.map((segment, at) =>
          at === one.segments.length - 1 ? { ...segment, ended_by: 'stop' } : segment,
        ),
      },
  )
}

/** The running turn of a session whose conversation was stopped from elsewhere has ended: its words are saved too. */
export async function onLateTurn({ client, event, root }: HookContext): Promise<string> {
  const ws = open(root)
  const last = readBinding(ws.local, client, event.nativeId)?.segments.at(-1)
  if (last !== undefined && mayGrow(last)) await pause(ws, last.conversation)
  return ''
}

function clearing({ environment }: Workspace, client: string) {
  return { client, pid: clientProcess(environment.env), now: environment.now() }
}

function listNote(ws: Workspace, native: { client: string; nativeId: string }): string {
  const resumable = listConversations(ws).conversations.filter(isResumable)
  return [
    '[cortext] Show the person the following, word for word, and wait for their answer:',
    '',
    ...showListIn(ws, native, resumable),
  ].join('\n')
}

function open(root: string): Workspace {
  return openWorkspace({ ...currentEnvironment(), cwd: root, interactive: false })
}
