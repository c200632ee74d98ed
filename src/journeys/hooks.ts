import { join, relative } from 'node:path'
import type { HookEvent, HookLanguage } from '../clients/contract/hooks.ts'
import { clientList, clientOf } from '../clients/index.ts'
import { catchUpEnded } from '../conversation/catch-up.ts'
import { pathNow } from '../conversation/moved.ts'
import { pause } from '../conversation/pause.ts'
import { publish } from '../conversation/publish.ts'
import { messagesIn } from '../conversation/segments/messages-in.ts'
import { bytesOfTranscript, sizeOfTranscript } from '../conversation/transcript-bytes.ts'
import { CortextError } from '../errors.ts'
import { currentEnvironment } from '../io/environment.ts'
import { clientProcess } from '../io/process.ts'
import { findProgram } from '../io/program.ts'
import { realFolder } from '../io/real-folder.ts'
import { isTalk } from '../session/live-path.ts'
import { resumableLines } from '../session/resumable-lines.ts'
import { safeLine } from '../session/resume-block.ts'
import { liveSegment, mayContinue, mayGrow, readBinding, type Segment } from '../store/machine/binding.ts'
import { type Cleared, noteCleared, readCleared, removeCleared } from '../store/machine/cleared.ts'
import { takeRecap } from '../store/machine/context-parts.ts'
import { removeJournal } from '../store/machine/forget.ts'
import { readMetadataBackup } from '../store/machine/metadata-backup.ts'
import { claimNotice } from '../store/machine/note.ts'
import { paste } from '../text/paste.ts'
import { relativeTime } from '../text/relative-time.ts'
import { putOnList } from '../workspace/everywhere.ts'
import { openWorkspace, type Workspace } from '../workspace/open.ts'
import { type LoadedCommand, loadCommand, sameButSpace } from '../workspace/pack/commands.ts'
import { personalIds } from '../workspace/pack/personal.ts'
import { listConversations, nameAndTitle, nameAt, toResume } from './finding/list.ts'
import { bindLost } from './importing/bind-lost.ts'
import { settleMerges } from './merging/look-at-merges.ts'
import { beginResumed, bind, changeLast, noteNotified, stayStopped, unbind } from './recording/bind.ts'
import { sessionNamed } from './recording/current-session.ts'
import { otherWriters } from './recording/other-writers.ts'
import { isRecorded, start } from './recording/start.ts'
import { tidyJournals, tidyTemps } from './recording/tidy.ts'
import { syncAfterSave } from './syncing/auto.ts'

/**
 * An event of a client, with its workspace. Each function below handles an event that needs more than copying the
 * transcript: `EVENTS` of hook.ts says which, and when. The hook prints what the function returns.
 */
export interface Hook {
  client: string
  language: HookLanguage
  event: HookEvent
  root: string
  local: string
}

/** An event of a session that is recorded. */
export interface Recorded extends Hook {
  bound: Bound
}

export interface Bound {
  /** The live segment, as it was before this event. */
  segment: Segment
  /** The size of the journal in bytes. */
  size: number
  /** When the journal last grew before this event. */
  grew?: Date
}

/** What the agent and the person are told. The person is told only what the client can show of the event. */
export interface Answer {
  agent?: string | undefined
  person?: string | undefined
}

/**
 * Handles a slash command of ours. The command of a type opens a conversation. `resume` without an argument gives the
 * agent the list of conversations. If the client has the command from the person's own settings, the agent also learns
 * of the workspace's version.
 */
export async function onCommand(hook: Hook): Promise<Answer> {
  const ws = open(hook.root)
  const { agent, person } = await commandNote(ws, hook)
  return { agent: [ownVersion(ws, hook), agent].filter(Boolean).join('\n\n'), person }
}

/** Answers a command of ours in a folder that is no workspace. Tells the agent, or else the person. */
export function onNoWorkspace({ cwd }: HookEvent): Answer {
  const why = `Not recorded: ${cwd} is in no workspace. To make it one: cortext init`
  const task = 'No conversation is open, and no call of cortext works here. Say so to the person in one line.'
  return { agent: `[cortext] ${why}. ${task}`, person: why }
}

/** Makes a workspace that only other work trees of a repository have; see comeBack. */
export async function bringBack({ cwd }: HookEvent): Promise<string | undefined> {
  // Loaded only here, because it is seldom needed.
  const { comeBack } = await import('./setup/again-in-worktree.ts')
  return comeBack({ ...currentEnvironment(), cwd, interactive: false }, cwd)
}

async function commandNote(ws: Workspace, hook: Hook): Promise<Answer> {
  const { event, root } = hook
  putOnList(root, ws.environment)
  // The client sends a `turn-start` event for the same turn next. That event must not notify the person, because the
  // command may have changed what is recorded.
  if (event.opensTurn !== true) noteNotified(ws, nativeOf(hook), 'later')
  removeCleared(ws.local, clearKey(ws, hook.client))
  const name = (event.command ?? '').slice('workspace.'.length)
  const args = event.args ?? ''
  if (name === 'resume') return args.trim() === '' ? { agent: listNote(ws) } : {}
  if (!ws.types.has(name)) return {}
  const current = sessionNamed(ws, nativeOf(hook))
  // The prompt of this turn is not in the transcript yet, so the whole transcript belongs to earlier turns.
  const started = await start(ws, {
    type: name,
    title: args,
    current: { ...current, turn: current.size },
    anew: true,
  })
  const document =
    started.document === undefined
      ? ''
      : ` Document: ${relative(realFolder(event.cwd), join(root, started.document))}`
  if (!isRecorded(ws, name))
    return {
      agent: `[cortext] Conversation ${started.id} is open. It is not recorded, and there is nothing to save or to stop.${document}`,
      person: notRecorded(name),
    }
  const untitled = args.trim() === '' ? ', untitled so far' : ''
  return {
    agent: `[cortext] Conversation ${started.id} is open and being recorded${untitled}.${document}`,
    person: `This conversation is being recorded: ${started.path}`,
  }
}

/**
 * Tells the agent where the workspace has its own version of a command. The person's own settings have the command as it
 * is shipped, for all workspaces.
 */
function ownVersion({ root, environment }: Workspace, { client, event }: Hook): string | undefined {
  const name = event.command ?? ''
  if (!personalIds(environment, [clientOf(client)]).has(client)) return undefined
  const [here, shipped] = [commandIn(root, name), commandIn(undefined, name)]
  if (here === undefined || shipped === undefined || sameButSpace(here.text, shipped.text)) return undefined
  const path = relative(realFolder(event.cwd), here.path)
  return `[cortext] This workspace has its own instructions for /${name}. Read ${path} first, and follow it in place of the instructions that you were given; where it says $ARGUMENTS, take what the person typed.`
}

function commandIn(root: string | undefined, name: string): LoadedCommand | undefined {
  try {
    return loadCommand(root, name)
  } catch (error) {
    if (!(error instanceof CortextError)) throw error
    return undefined
  }
}

/** Handles the start of a session that `cortext resume` has started. Shows the person the recap, once. */
export function onOpened(hook: Hook): Answer {
  return { person: takeRecap(hook.local, nativeOf(hook)) }
}

/**
 * Handles the first turn after a resume. The turn begins at byte `size` of the journal, and the session is recorded
 * from this byte on. Tells the person which other sessions are writing into the conversation.
 */
export function onResumed(hook: Recorded): Answer {
  const { event, bound } = hook
  const ws = open(hook.root)
  beginResumed(ws, nativeOf(hook), bound.size)
  return { person: otherWriters(ws, bound.segment.conversation, event.nativeId).join(' ') }
}

/**
 * Handles a prompt after the session's conversation was stopped, or was continued by a `/clear`. Tells the person
 * whether their words are recorded. If the stop came from outside the session, the turn that was running at the stop
 * still belongs to the conversation. That turn is now over, so the segment must not grow any more.
 */
export function onNews(hook: Hook): Answer {
  const { client, event } = hook
  const ws = open(hook.root)
  const native = nativeOf(hook)
  const binding = readBinding(ws.local, client, event.nativeId)
  const last = binding?.segments.at(-1)
  if (binding === undefined || last === undefined) return {}
  if (last.ended_by === 'elsewhere') {
    catchUpEnded(ws, binding)
    stayStopped(ws, native)
  }
  if (last.notified === 'later') {
    noteNotified(ws, native, undefined)
    return {}
  }
  noteNotified(ws, native, clientProcess(ws.environment.env))
  return { person: newsOf(ws, client, last) }
}

function notRecorded(type: string): string {
  return `Not recorded: .workspace/registry.json turns recording off for the type "${type}".`
}

function newsOf(ws: Workspace, client: string, { conversation, to, how, command }: Segment): string {
  const type = command?.slice('workspace.'.length)
  if (type !== undefined && !isRecorded(ws, type)) return notRecorded(type)
  const { conversations } = listConversations(ws)
  const name = nameAt(conversations, conversation)
  const what = nameAndTitle(conversations, conversation)
  const typed = (command: string) => clientOf(client).pack.typed?.(command) ?? `/${command}`
  if (to === undefined)
    return `Still recording into ${what} after /clear. ${typed('workspace.stop-conversation')} ends it.`
  const why = how === 'import' ? 'has this session only up to the import' : 'was stopped'
  return `Not recorded any more: ${what} ${why}. ${typed('workspace.resume')} ${name} goes on with it.`
}

/**
 * Notes that the client has refused a turn because of its limit of use. It may show nothing of what a hook says at this
 * moment (Claude Code 2.1.330), so the next prompt says it.
 */
export function noteLimit(hook: Hook): undefined {
  changeLast(hook, nativeOf(hook), (last) => ({ ...last, limited_at: new Date().toISOString() }))
}

/**
 * Handles a prompt after the client has refused a turn because of its limit of use. Tells the person, once, how to go on
 * in another client that is installed.
 */
export function onLimit(hook: Recorded): Answer {
  const { client, bound } = hook
  const { segment } = bound
  const ws = open(hook.root)
  changeLast(ws, nativeOf(hook), ({ limited_at: _, ...last }) => last)
  const at = new Date(segment.limited_at!)
  const other = clientList().find(
    ({ id }) => id !== client && findProgram(id, ws.environment.env) !== undefined,
  )
  if (other === undefined || ws.environment.now().getTime() - at.getTime() > LIMIT_LASTS_MS) return {}
  const name = nameAt(listConversations(ws).conversations, segment.conversation)
  const since = relativeTime(at, ws.environment.now())
  const person = `${clientOf(client).name} refused a turn because of its limit of use (${since}). To go on in ${other.name}: ${paste`cortext resume ${name} --in ${other.id}`}`
  return { person }
}

/** The longest limit that lifts in less than a day is that of five hours (Claude Code). */
const LIMIT_LASTS_MS = 5 * 60 * 60_000

/**
 * Tells the agent, once an hour, how long the conversation has run without a save, because it has no clock. Clients that
 * take no context at a prompt are told nothing.
 */
export function onLongUnsaved(hook: Recorded): Answer {
  const { saved_at: savedAt, started_at: startedAt } = hook.bound.segment
  const minutes = Math.floor((Date.now() - Date.parse(savedAt ?? startedAt)) / 60_000)
  changeLast(hook, nativeOf(hook), (last) => ({ ...last, saved_at: new Date().toISOString() }))
  const time = `${Math.floor(minutes / 60)} h ${minutes % 60} min`
  const offer = 'you may offer once to save it or to stop'
  return { agent: `[cortext] This conversation has run for ${time} without a save; ${offer}.` }
}

/** Tells a person who returns after a long time that the conversation was saved as paused and that it continues now. */
export function onReturn({ root, bound: { segment, grew } }: Recorded): Answer {
  const ws = open(root)
  if (ws.config.autoPause.minutes === 0) return {}
  const since = relativeTime(grew!, ws.environment.now())
  const { conversation } = segment
  const title = safeLine(readMetadataBackup(ws.local, conversation)?.session.title ?? conversation)
  return {
    person: `"${title}" was saved as paused: the last thing in it was said ${since}. It goes on now.`,
  }
}

/** Publishes after every turn if the setting `capture.publish` is `turn`. */
export async function onTurnEnd({ client, event, root }: Hook): Promise<Answer> {
  const ws = open(root)
  if (ws.config.capture.publish !== 'turn') return {}
  // A git merge may have moved the conversation's folder.
  await settleMerges(ws)
  const binding = readBinding(ws.local, client, event.nativeId)
  const live = binding && liveSegment(binding)
  if (live !== undefined) await publish(ws, live.conversation)
  return {}
}

/**
 * Saves the conversation as paused after its session and its segment have ended. Also removes old journals and what killed
 * processes have left, because no client waits for this function.
 */
export async function onSessionEnd(root: string, conversation: string): Promise<void> {
  const ws = open(root)
  await pause(ws, conversation)
  syncAfterSave(ws)
  await tidyJournals(ws, TIDIED_AT_ONCE)
  tidyTemps(ws)
}

const TIDIED_AT_ONCE = 20

/**
 * Notes that a session was cleared. The conversation of that session continues in the next session of the same client
 * process.
 */
export function onCleared(hook: Hook): Answer {
  const { client } = hook
  const ws = open(hook.root)
  const binding = readBinding(ws.local, client, hook.event.nativeId)
  const live = binding && liveSegment(binding)
  if (live === undefined) {
    // The note is of an earlier session, whose next one was never bound. If nothing was said in this one, it goes on.
    // Gemini CLI does not name its transcript here.
    const native = nativeOf(hook)
    if (native.transcript === '' || !isNew(native)) removeCleared(ws.local, clearKey(ws, client))
    return {}
  }
  const current = sessionNamed(ws, nativeOf(hook))
  const { conversation, command } = live
  // The note is written before the segment ends. So the conversation continues even after a kill between these two
  // steps.
  const cleared = { conversation, ...(command && { command }), nativeId: hook.event.nativeId }
  noteCleared(ws.local, clearKey(ws, client), cleared)
  unbind(ws, current, { to: current.size, by: 'session-end' })
  return {}
}

/**
 * Binds a session that continues a conversation. The person has reopened an ended session, or a `/clear` has begun the
 * session.
 */
export function onContinue(hook: Hook): void {
  const { client, event } = hook
  const ws = open(hook.root)
  const native = nativeOf(hook)
  const binding = readBinding(ws.local, client, event.nativeId)
  if (event.cleared === true || binding === undefined) {
    continueCleared(ws, hook)
    return
  }
  const last = binding.segments.at(-1)
  if (last === undefined || liveSegment(binding) !== undefined) return
  // A stopped conversation stays stopped. If only the session had ended, the conversation continues with the session.
  if (!mayContinue(last)) return
  catchUpEnded(ws, binding)
  if (readMetadataBackup(ws.local, last.conversation)?.session.status === 'completed') {
    stayStopped(ws, native)
    return
  }
  const current = sessionNamed(ws, native)
  bind(ws, current, { conversation: last.conversation, how: 'resume', from: current.size, pending: true })
}

/**
 * Binds the session that a `/clear` has begun. If this has failed at its start, the first prompt tries again: by a later
 * one, the person may have opened another session.
 */
function continueCleared(ws: Workspace, hook: Hook): void {
  const key = clearKey(ws, hook.client)
  const native = nativeOf(hook)
  const before = readCleared(ws.local, key)
  if (before === undefined) return
  const conversation = stillOpen(ws, hook.client, before)
  if (conversation !== undefined && (hook.event.cleared === true || isNew(native))) {
    const { command } = before
    const current = sessionNamed(ws, native)
    const what = { conversation, ...(command && { command }), how: 'resume', from: 0, cleared: true } as const
    if (current.live === undefined) bind(ws, current, what)
  }
  removeCleared(ws.local, key)
}

/** The conversation of a cleared session, at its present path; undefined if a person has stopped it since. */
function stillOpen(ws: Workspace, client: string, { conversation, nativeId }: Cleared): string | undefined {
  const binding = nativeId === undefined ? undefined : readBinding(ws.local, client, nativeId)
  const last = binding?.segments.at(-1)
  if (last?.to !== undefined && !mayContinue(last)) return undefined
  const path = last?.conversation ?? pathNow(ws, conversation)
  return readMetadataBackup(ws.local, path)?.session.status === 'completed' ? undefined : path
}

/** Whether nothing was said in a session yet. Its transcript is read where it is: nothing of another one is copied. */
function isNew({ client, nativeId, transcript }: ReturnType<typeof nativeOf>): boolean {
  const size = sizeOfTranscript({ client, transcript })
  if (size === undefined || size > SMALL) return size === undefined
  return !messagesIn({ client, nativeId }, bytesOfTranscript({ client, transcript })).some(isTalk)
}

/** A client writes a few lines of its own before the first prompt. */
const SMALL = 1_000_000

/**
 * Saves a turn that was running when the conversation was stopped from outside the session. Is called after the turn
 * has ended.
 */
export async function onLateTurn({ client, event, root }: Hook): Promise<Answer> {
  const ws = open(root)
  const last = readBinding(ws.local, client, event.nativeId)?.segments.at(-1)
  if (last !== undefined && mayGrow(last)) await pause(ws, last.conversation)
  return {}
}

/**
 * Handles a prompt in a session that this machine knows nothing of, while a conversation here was never saved. If the
 * client's own transcript names the conversation, the session is bound to it again. Otherwise tells the person once what
 * is not recorded: a folder of a clone alone never gets the words of a session.
 */
export function onLostNotes(hook: Hook): Answer {
  const { client, event } = hook
  const ws = open(hook.root)
  const current = sessionNamed(ws, nativeOf(hook))
  const path = bindLost(ws, current)
  if (path !== undefined) {
    const what = nameAndTitle(listConversations(ws).conversations, path)
    return {
      person: `This machine's notes on ${what} were deleted. The conversation is recorded again, from its beginning.`,
    }
  }
  removeJournal(ws.local, client, event.nativeId)
  if (!claimNotice(ws.local, 'lost-notes')) return {}
  const save = paste`cortext import ${client} ${event.nativeId} --into <folder>`
  return {
    person: `A conversation was opened here of which this machine has no notes, so this session is not recorded. If it belongs to that conversation: ${save}. Its folder: cortext list --all`,
  }
}

function nativeOf({ client, event: { nativeId, transcript } }: Hook) {
  return { client, nativeId, transcript }
}

function clearKey({ environment }: Workspace, client: string) {
  return { client, pid: clientProcess(environment.env), now: environment.now() }
}

function listNote(ws: Workspace): string {
  const { conversations } = listConversations(ws)
  const { shown, hidden } = toResume(conversations)
  return [
    '[cortext] Show the person the following, word for word, and wait for their answer:',
    '',
    ...resumableLines(shown, ws.environment.now(), hidden),
  ].join('\n')
}

function open(root: string): Workspace {
  return openWorkspace({ ...currentEnvironment(), cwd: root, interactive: false })
}
