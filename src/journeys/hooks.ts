import { join, relative } from 'node:path'
import type { HookEvent, HookLanguage } from '../clients/contract/hooks.ts'
import { currentEnvironment } from '../io/environment.ts'
import { clientProcess } from '../io/process.ts'
import { realFolder } from '../io/real-folder.ts'
import { safeLine } from '../session/posing.ts'
import { resumableLines } from '../session/resumable-lines.ts'
import { liveSegment, mayGoOn, mayGrow, readBinding } from '../store/machine/binding.ts'
import { noteCleared, takeCleared } from '../store/machine/cleared.ts'
import { readMetadataBackup } from '../store/machine/metadata-backup.ts'
import { relativeTime } from '../text/relative-time.ts'
import { openWorkspace, type Workspace } from '../workspace/open.ts'
import { catchUpEnded } from './conversation/catch-up.ts'
import { pause } from './conversation/pause.ts'
import { publish } from './conversation/publish.ts'
import { isResumable, listConversations } from './finding/list.ts'
import { settleMerges } from './merging/look.ts'
import { beginResumed, bind, stayStopped, unbind } from './recording/bind.ts'
import { sessionNamed } from './recording/current-session.ts'
import { otherWriters } from './recording/other-writers.ts'
import { start } from './recording/start.ts'
import { tidyJournals } from './recording/tidy.ts'

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
  if (name === 'resume') return args.trim() === '' ? language.tellAgent(event, listNote(ws)) : ''
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
    `[cortext] Conversation ${started.id} is open and being recorded${untitled}. Document: ${relative(realFolder(event.cwd), join(root, started.document))}`,
    `This conversation is being recorded: ${started.path}`,
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
  return [
    `"${safeLine(titleOf(ws, before.conversation))}" was stopped in a terminal. What you say here goes on being recorded in it.`,
  ]
}

/** Tells who comes back after a long time that the conversation counted as paused meanwhile, and goes on. */
export function onReturn(
  { language, event, root }: HookContext,
  { conversation, quietSince }: { conversation: string; quietSince: Date },
): string {
  const ws = open(root)
  if (ws.config.autoPause.minutes === 0) return ''
  const since = relativeTime(quietSince, ws.environment.now())
  return language.tellPerson(
    event,
    `"${safeLine(titleOf(ws, conversation))}" was saved as paused: the last thing in it was said ${since}. It goes on now.`,
  )
}

function titleOf({ local }: Workspace, conversation: string): string {
  return readMetadataBackup(local, conversation)?.session.title ?? conversation
}

/** Publishes after every turn, but only where the settings ask for it. */
export async function onTurnEnd({ client, event, root }: HookContext): Promise<string> {
  const ws = open(root)
  if (ws.config.capture.publish !== 'turn') return ''
  // A merge may have moved the conversation meanwhile.
  await settleMerges(ws)
  const binding = readBinding(ws.local, client, event.nativeId)
  const live = binding === undefined ? undefined : liveSegment(binding)
  if (live !== undefined) await publish(ws, live.conversation)
  return ''
}

/**
 * Publishes the conversation as paused when its session has ended, and its binding with it. Nobody waits for this, so
 * old journals are tidied too.
 */
export async function onSessionEnd(root: string, conversation: string): Promise<void> {
  const ws = open(root)
  await pause(ws, conversation)
  await tidyJournals(ws, TIDIED_AT_ONCE)
}

const TIDIED_AT_ONCE = 20

/** Notes that a session was cleared: its conversation goes on in the session that the same client begins now. */
export function onCleared({ client, event, root }: HookContext): void {
  const ws = open(root)
  const current = sessionNamed(ws, { client, nativeId: event.nativeId, transcript: event.transcript })
  if (current.live === undefined) return
  const { conversation, command } = current.live
  // The note comes first: killed between the two, the conversation goes on all the same.
  noteCleared(ws.local, clearing(ws, client), { conversation, command })
  unbind(ws, current, { to: current.size, by: 'session-end' })
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
  if (!mayGoOn(last)) return
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

function listNote(ws: Workspace): string {
  const { conversations } = listConversations(ws)
  return [
    '[cortext] Show the person the following, word for word, and wait for their answer:',
    '',
    ...resumableLines(conversations.filter(isResumable), conversations, ws.environment.now()),
  ].join('\n')
}

function open(root: string): Workspace {
  return openWorkspace({ ...currentEnvironment(), cwd: root, interactive: false })
}
