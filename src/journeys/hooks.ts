import { join, relative } from 'node:path'
import type { HookEvent, HookLanguage } from '../clients/contract/hooks.ts'
import { clientList, clientOf } from '../clients/index.ts'
import { catchUpEnded } from '../conversation/catch-up.ts'
import { pause } from '../conversation/pause.ts'
import { publish } from '../conversation/publish.ts'
import { CortextError } from '../errors.ts'
import { currentEnvironment } from '../io/environment.ts'
import { clientProcess } from '../io/process.ts'
import { findProgram } from '../io/program.ts'
import { realFolder } from '../io/real-folder.ts'
import { resumableLines } from '../session/resumable-lines.ts'
import { safeLine } from '../session/resume-block.ts'
import { journalPath } from '../store/layout.ts'
import {
  liveSegment,
  mayContinue,
  mayGrow,
  readBinding,
  type Segment,
  updateBinding,
} from '../store/machine/binding.ts'
import { noteCleared, takeCleared } from '../store/machine/cleared.ts'
import { takeRecap } from '../store/machine/context-parts.ts'
import { removeJournal } from '../store/machine/forget.ts'
import { copyNewBytes } from '../store/machine/journal/journal.ts'
import { readMetadataBackup } from '../store/machine/metadata-backup.ts'
import { claimNotice } from '../store/machine/notice.ts'
import { paste } from '../text/paste.ts'
import { relativeTime } from '../text/relative-time.ts'
import { putOnList } from '../workspace/everywhere.ts'
import { openWorkspace, type Workspace } from '../workspace/open.ts'
import { type LoadedCommand, loadCommand, sameButSpace } from '../workspace/pack/commands.ts'
import { personalIds } from '../workspace/pack/personal.ts'
import { listConversations, nameAndTitle, nameAt, toResume } from './finding/list.ts'
import { bindLost } from './importing/bind-lost.ts'
import { settleMerges } from './merging/look.ts'
import { beginResumed, bind, forgetLimit, noteNotified, stayStopped, unbind } from './recording/bind.ts'
import { sessionNamed } from './recording/current-session.ts'
import { otherWriters } from './recording/other-writers.ts'
import { isRecorded, start } from './recording/start.ts'
import { tidyJournals, tidyTemps } from './recording/tidy.ts'

/**
 * A hook's event that needs more than copying the transcript. Each function below handles one such event. The hook
 * prints the text that the function returns.
 */
export interface HookContext {
  client: string
  language: HookLanguage
  event: HookEvent
  root: string
}

/**
 * Handles a slash command of ours. The command of a type opens a conversation. `resume` without an argument gives the
 * agent the list of conversations. If the client has the command from the person's own settings, the agent also learns
 * of the workspace's version.
 */
export async function onCommand(context: HookContext): Promise<string> {
  const { language, event, root } = context
  const ws = open(root)
  const { text, shown } = await commandNote(ws, context)
  const texts = [...ownVersion(ws, context), ...(text === undefined ? [] : [text])]
  return texts.length === 0 ? '' : language.contextFor(event, texts.join('\n\n'), shown)
}

/** Answers a command of ours in a folder that is no workspace. Tells the agent, or else the person. */
export function onNoWorkspace(language: HookLanguage, event: HookEvent): string {
  const why = `Not recorded: ${event.cwd} is in no workspace. To make it one: cortext init`
  const task = 'No conversation is open, and no call of cortext works here. Say so to the person in one line.'
  return language.contextFor(event, `[cortext] ${why}. ${task}`, why) || language.messageFor(event, why)
}

/** What the agent and the person are told about a command of ours. */
interface CommandNote {
  text?: string
  shown?: string
}

async function commandNote(ws: Workspace, { client, event, root }: HookContext): Promise<CommandNote> {
  putOnList(root, ws.environment)
  // The client sends a `turn-start` event for the same turn next. That event must not notify the person, because the
  // command may have changed what is recorded.
  if (event.opensTurn !== true) noteNotified(ws, { client, nativeId: event.nativeId }, 'later')
  const name = (event.command ?? '').slice('workspace.'.length)
  const args = event.args ?? ''
  if (name === 'resume') return args.trim() === '' ? { text: listNote(ws) } : {}
  if (!ws.types.has(name)) return {}
  const current = sessionNamed(ws, { client, nativeId: event.nativeId, transcript: event.transcript })
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
      text: `[cortext] Conversation ${started.id} is open. It is not recorded, and there is nothing to save or to stop.${document}`,
      shown: notRecorded(name),
    }
  const untitled = args.trim() === '' ? ', untitled so far' : ''
  return {
    text: `[cortext] Conversation ${started.id} is open and being recorded${untitled}.${document}`,
    shown: `This conversation is being recorded: ${started.path}`,
  }
}

/**
 * Tells the agent where the workspace has its own version of a command. The person's own settings have the command as it
 * is shipped, for all workspaces.
 */
function ownVersion({ root, environment }: Workspace, { client, event }: HookContext): string[] {
  const name = event.command ?? ''
  if (!personalIds(environment, [clientOf(client)]).has(client)) return []
  const [here, shipped] = [commandIn(root, name), commandIn(undefined, name)]
  if (here === undefined || shipped === undefined || sameButSpace(here.text, shipped.text)) return []
  const path = relative(realFolder(event.cwd), here.path)
  return [
    `[cortext] This workspace has its own instructions for /${name}. Read ${path} first, and follow it in place of the instructions that you were given; where it says $ARGUMENTS, take what the person typed.`,
  ]
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
export function onOpened({ client, language, event, local }: HookContext & { local: string }): string {
  const recap = takeRecap(local, { client, nativeId: event.nativeId })
  return recap === undefined ? '' : language.messageFor(event, recap)
}

/**
 * Handles the first turn after a resume. The turn begins at byte `size` of the journal, and the session is recorded
 * from this byte on. Tells the person which other sessions are writing into the conversation.
 */
export function onResumed(
  { client, language, event, root }: HookContext,
  { conversation, size }: { conversation: string; size: number },
): string {
  const ws = open(root)
  beginResumed(ws, { client, nativeId: event.nativeId }, size)
  const others = otherWriters(ws, conversation, event.nativeId)
  return others.length === 0 ? '' : language.messageFor(event, others.join(' '))
}

/**
 * Handles a prompt after the session's conversation was stopped, or was continued by a `/clear`. Tells the person
 * whether their words are recorded. If the stop came from outside the session, the turn that was running at the stop
 * still belongs to the conversation. That turn is now over, so the segment must not grow any more.
 */
export function onNews({ client, language, event, root }: HookContext): string {
  const ws = open(root)
  const native = { client, nativeId: event.nativeId }
  const binding = readBinding(ws.local, client, event.nativeId)
  const last = binding?.segments.at(-1)
  if (binding === undefined || last === undefined) return ''
  if (last.ended_by === 'elsewhere') {
    catchUpEnded(ws, binding)
    stayStopped(ws, native)
  }
  if (last.notified === 'later') {
    noteNotified(ws, native, undefined)
    return ''
  }
  noteNotified(ws, native, clientProcess(ws.environment.env))
  return language.messageFor(event, newsOf(ws, client, last))
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
 * Copies what was said in the session that the person has left for another one inside the client. Returns its
 * conversation and the size of its journal; undefined if it was not recorded.
 */
export function copyEarlier(
  { client, language, local }: HookContext & { local: string },
  nativeId: string,
): { conversation: string; size: number } | undefined {
  const binding = readBinding(local, client, nativeId)
  const live = binding === undefined ? undefined : liveSegment(binding)
  if (binding === undefined || live === undefined) return undefined
  const { transcript } = binding
  const { size } = copyNewBytes({
    transcript,
    before: transcript === '' ? [] : (language.before?.(transcript) ?? []),
    journal: journalPath(local, client, nativeId),
  })
  return { conversation: live.conversation, size }
}

/**
 * Notes that the client has refused a turn because of its limit of use. It may show nothing of what a hook says at this
 * moment (Claude Code 2.1.330), so the next prompt says it.
 */
export function noteLimit({ client, event, local }: HookContext & { local: string }): void {
  changeLive(local, client, event.nativeId, { limited_at: new Date().toISOString() })
}

/**
 * Handles a prompt after the client has refused a turn because of its limit of use. Tells the person, once, how to go on
 * in another client that is installed.
 */
export function onLimit(
  { client, language, event, root }: HookContext,
  { conversation, limitedAt }: { conversation: string; limitedAt: string },
): string {
  const ws = open(root)
  forgetLimit(ws, { client, nativeId: event.nativeId })
  const at = new Date(limitedAt)
  const other = clientList().find(
    ({ id }) => id !== client && findProgram(id, ws.environment.env) !== undefined,
  )
  if (other === undefined || ws.environment.now().getTime() - at.getTime() > LIMIT_LASTS_MS) return ''
  const name = nameAt(listConversations(ws).conversations, conversation)
  const since = relativeTime(at, ws.environment.now())
  return language.messageFor(
    event,
    `${clientOf(client).name} refused a turn because of its limit of use (${since}). To go on in ${other.name}: ${paste`cortext resume ${name} --in ${other.id}`}`,
  )
}

/** The longest limit that lifts in less than a day is that of five hours (Claude Code). */
const LIMIT_LASTS_MS = 5 * 60 * 60_000

/**
 * Tells the agent, once an hour, how long the conversation has run without a save, because it has no clock. Clients that
 * take no context at a prompt are told nothing.
 */
export function onLongUnsaved(
  { client, language, event, local }: HookContext & { local: string },
  savedAt: string,
): string {
  const minutes = Math.floor((Date.now() - Date.parse(savedAt)) / 60_000)
  changeLive(local, client, event.nativeId, { saved_at: new Date().toISOString() })
  return language.contextFor(
    event,
    `[cortext] This conversation has run for ${Math.floor(minutes / 60)} h ${minutes % 60} min without a save; you may offer once to save it or to stop.`,
  )
}

function changeLive(local: string, client: string, nativeId: string, change: Partial<Segment>): void {
  updateBinding(local, client, nativeId, (binding) => {
    const live = binding && liveSegment(binding)
    if (live === undefined) return binding
    return { ...binding!, segments: [...binding!.segments.slice(0, -1), { ...live, ...change }] }
  })
}

/** Tells a person who returns after a long time that the conversation was saved as paused and that it continues now. */
export function onReturn(
  { language, event, root }: HookContext,
  { conversation, quietSince }: { conversation: string; quietSince: Date },
): string {
  const ws = open(root)
  if (ws.config.autoPause.minutes === 0) return ''
  const since = relativeTime(quietSince, ws.environment.now())
  return language.messageFor(
    event,
    `"${safeLine(titleOf(ws, conversation))}" was saved as paused: the last thing in it was said ${since}. It goes on now.`,
  )
}

function titleOf({ local }: Workspace, conversation: string): string {
  return readMetadataBackup(local, conversation)?.session.title ?? conversation
}

/** Publishes after every turn if the setting `capture.publish` is `turn`. */
export async function onTurnEnd({ client, event, root }: HookContext): Promise<string> {
  const ws = open(root)
  if (ws.config.capture.publish !== 'turn') return ''
  // A git merge may have moved the conversation's folder.
  await settleMerges(ws)
  const binding = readBinding(ws.local, client, event.nativeId)
  const live = binding === undefined ? undefined : liveSegment(binding)
  if (live !== undefined) await publish(ws, live.conversation)
  return ''
}

/**
 * Saves the conversation as paused after its session and its segment have ended. Also removes old journals and what killed
 * processes have left, because no client waits for this function.
 */
export async function onSessionEnd(root: string, conversation: string): Promise<void> {
  const ws = open(root)
  await pause(ws, conversation)
  await tidyJournals(ws, TIDIED_AT_ONCE)
  tidyTemps(ws)
}

const TIDIED_AT_ONCE = 20

/**
 * Notes that a session was cleared. The conversation of that session continues in the next session of the same client
 * process.
 */
export function onCleared({ client, event, root }: HookContext): void {
  const ws = open(root)
  const current = sessionNamed(ws, { client, nativeId: event.nativeId, transcript: event.transcript })
  if (current.live === undefined) return
  const { conversation, command } = current.live
  // The note is written before the segment ends. So the conversation continues even after a kill between these two
  // steps.
  noteCleared(ws.local, clearKey(ws, client), { conversation, ...(command && { command }) })
  unbind(ws, current, { to: current.size, by: 'session-end' })
}

/**
 * Binds a session that continues a conversation. The person has reopened an ended session, or a `/clear` has begun the
 * session.
 */
export function onContinue({ client, event, root }: HookContext): void {
  const ws = open(root)
  const native = { client, nativeId: event.nativeId, transcript: event.transcript }
  if (event.cleared === true) {
    const before = takeCleared(ws.local, clearKey(ws, client))
    if (before === undefined) return
    const current = sessionNamed(ws, native)
    if (current.live !== undefined) return
    bind(ws, current, { ...before, how: 'resume', from: 0, cleared: true })
    return
  }
  const binding = readBinding(ws.local, client, event.nativeId)
  const last = binding?.segments.at(-1)
  if (binding === undefined || last === undefined || liveSegment(binding) !== undefined) return
  // A stopped conversation stays stopped. If only the session had ended, the conversation continues with the session.
  if (!mayContinue(last)) return
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

/**
 * Saves a turn that was running when the conversation was stopped from outside the session. Is called after the turn
 * has ended.
 */
export async function onLateTurn({ client, event, root }: HookContext): Promise<string> {
  const ws = open(root)
  const last = readBinding(ws.local, client, event.nativeId)?.segments.at(-1)
  if (last !== undefined && mayGrow(last)) await pause(ws, last.conversation)
  return ''
}

/**
 * Handles a prompt in a session that this machine knows nothing of, while a conversation here was never saved. If the
 * client's own transcript names the conversation, the session is bound to it again. Otherwise tells the person once what
 * is not recorded: a folder of a clone alone never gets the words of a session.
 */
export function onLostNotes({ client, language, event, root }: HookContext): string {
  const ws = open(root)
  const current = sessionNamed(ws, { client, nativeId: event.nativeId, transcript: event.transcript })
  const path = bindLost(ws, current)
  if (path !== undefined) {
    const what = nameAndTitle(listConversations(ws).conversations, path)
    return language.messageFor(
      event,
      `This machine's notes on ${what} were deleted. The conversation is recorded again, from its beginning.`,
    )
  }
  removeJournal(ws.local, client, event.nativeId)
  if (!claimNotice(ws.local, 'lost-notes')) return ''
  const save = paste`cortext import ${client} ${event.nativeId} --into <folder>`
  return language.messageFor(
    event,
    `A conversation was opened here of which this machine has no notes, so this session is not recorded. If it belongs to that conversation: ${save}. Its folder: cortext list --all`,
  )
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
