import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { HookEvent, HookLanguage } from './clients/contract/hooks.ts'
import { hookLanguages } from './clients/hook-languages.ts'
import { hasOwnHooks } from './clients/own-hooks.ts'
import { currentEnvironment } from './io/environment.ts'
import { readInside } from './io/inside.ts'
import { clientProcess, hasAdopted, nameProcess, UNKNOWN_PROCESS } from './io/process.ts'
import { journalPath, localFiles, RECORD } from './store/layout.ts'
import {
  closeSegment,
  followLaunch,
  followRestarts,
  liveSegment,
  mayContinue,
  mustNotify,
  noteProcess,
  readBinding,
  type Segment,
  updateBinding,
} from './store/machine/binding.ts'
import { keepDocuments } from './store/machine/copies.ts'
import { MAX_TRANSCRIPT, sizeOf } from './store/machine/journal/copy-bytes.ts'
import { copyNewBytes, listGenerations } from './store/machine/journal/journal.ts'
import { writeTurnMark } from './store/machine/journal/turn-mark.ts'
import { writeLog } from './store/machine/log.ts'
import { noteOpenSession, openSessionOf, removeOpenSession } from './store/machine/open-session.ts'
import { localDir } from './workspace/local-folder.ts'
import { findRoot } from './workspace/root.ts'

/**
 * After a longer silence in a session, the next prompt shows the person that auto-pause has saved the conversation as
 * paused.
 */
const LONG_SILENCE_MS = 60 * 60_000

/** After so long without a save, the next prompt tells the agent, which has no clock and may offer to save. */
const LONG_UNSAVED_MS = 60 * 60_000

/** The argument of the hooks in a person's own settings, which the client runs in every folder. */
const PERSONAL = '--personal'

/**
 * The hooks of a client run this program, several times in a turn. If the session is recorded, the program copies the
 * new bytes of its transcript to the journal, and ends. It never makes the client fail: it exits 0, and writes failures
 * to the log if it can. It prints only what the client or the person must see. journeys/ does all further work, for
 * example for one of our slash commands or after a resume. It is loaded only when it is needed.
 */
void main()

/** An event of a client, with its workspace. */
interface Received {
  client: string
  language: HookLanguage
  event: HookEvent
  root: string
}

interface Hook extends Received {
  local: string
}

async function main(): Promise<void> {
  const more = process.argv[4]
  const isPersonal = more === PERSONAL
  if (more !== undefined && !isPersonal) return publishEnded(process.cwd(), more)
  let received: Received | undefined
  let local: string | undefined
  try {
    received = await readEvent(isPersonal)
    if (received === undefined) return
    local = localDir(received.root, currentEnvironment())
    const answer = await answerTo({ ...received, local })
    print(received.language, answer)
  } catch (error) {
    if (received !== undefined) reportFailure(received, local, error)
  }
}

/**
 * Reads the event from stdin. Returns undefined if there is nothing to record: the client is unknown, there is no
 * workspace, or the event names no session. A personal hook also leaves a session to the hooks of its project.
 */
async function readEvent(isPersonal: boolean): Promise<Received | undefined> {
  const client = process.argv[3] ?? ''
  const language: HookLanguage | undefined = (hookLanguages as Record<string, HookLanguage>)[client]
  if (language === undefined) return undefined
  const event = language.parse(JSON.parse(readFileSync(0, 'utf8')), process.env)
  const root = findRoot(event.cwd)
  if (root === undefined) {
    if (isOurCommand(event)) print(language, (await journeys()).onNoWorkspace(language, event))
    return undefined
  }
  if (event.nativeId === '' || (isPersonal && hasOwnHooks(language, event.cwd))) return undefined
  return { client, language, event, root }
}

/** Writes the failure to the log. Prints it too if what the person said may not have been recorded. */
function reportFailure(
  { client, language, event }: Received,
  local: string | undefined,
  error: unknown,
): void {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  if (local !== undefined) writeLog(local, `hook ${client}: ${stack ?? message}`)
  if (!isOurCommand(event) && event.kind !== 'turn-end') return
  print(language, language.messageFor(event, `cortext could not record this: ${message}`))
}

/**
 * Prints an answer, which is JSON or ''. It is printed in ASCII, because PowerShell, through which Gemini CLI runs hooks
 * on Windows, reads it in the code page of the system.
 */
function print(language: HookLanguage, answer: string): void {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  const { stdout, stderr, exitCode } = (answer && language.printed?.(answer)) || { stdout: answer }
  process.stdout.write(stdout.replace(/[\u007f-\uffff]/g, escaped))
  if (stderr !== undefined) process.stderr.write(stderr)
  process.exitCode = exitCode
}

async function answerTo(hook: Hook): Promise<string> {
  const { event } = hook
  if (event.kind === 'other') return event.answer ?? ''
  awaitTurn(hook)
  await noteSession(hook)
  if (isContinuing(hook)) await (await journeys()).onContinue(hook)
  const bound = recordTurn(hook)
  if (bound !== undefined && event.kind === 'turn-end') copyDocuments(hook, bound.conversation)
  if (event.kind === 'session-start' && lastSegment(hook)?.pending === true)
    return (await journeys()).onOpened(hook)
  if (bound !== undefined && bound.size >= MAX_TRANSCRIPT && event.kind === 'turn-end')
    return hook.language.messageFor(event, TOO_LONG)
  if (isOurCommand(event)) {
    const answer = await (await journeys()).onCommand(hook)
    noteClient(hook)
    return answer
  }
  if (event.kind === 'turn-start' && mustNotify(lastSegment(hook), clientProcess(process.env)))
    return (await journeys()).onNews(hook)
  if (bound === undefined && event.kind === 'turn-start' && hasLostNotes(hook))
    return (await journeys()).onLostNotes(hook)
  if (bound?.resumed === true) return (await journeys()).onResumed(hook, bound)
  if (bound !== undefined && event.limit === true) (await journeys()).noteLimit(hook)
  if (bound?.quietSince !== undefined) publishLater(hook, bound.conversation)
  if (bound?.limitedAt !== undefined && event.kind === 'turn-start')
    return (await journeys()).onLimit(hook, { ...bound, limitedAt: bound.limitedAt })
  if (bound?.quietSince !== undefined)
    return (await journeys()).onReturn(hook, { ...bound, quietSince: bound.quietSince })
  if (event.kind === 'turn-start' && bound !== undefined && isLongUnsaved(bound))
    return (await journeys()).onLongUnsaved(hook, bound.savedAt)
  if (event.kind === 'turn-end' && bound !== undefined && publishesTurns(hook.root))
    return (await journeys()).onTurnEnd(hook)
  if (event.kind === 'session-end' && bound !== undefined) return endSession(hook, bound)
  const last = bound === undefined ? lastSegment(hook) : undefined
  if (last?.ended_by !== 'elsewhere') return ''
  if (event.kind === 'turn-end') return (await journeys()).onLateTurn(hook)
  if (event.kind === 'session-end') publishLater(hook, last.conversation)
  return ''
}

const TOO_LONG =
  'Not recorded any more: the transcript of this session has 2 GB, and no more of it is copied. Begin a new session.'

/** Waits until the transcript has what came before this event, if that will be recorded. */
function awaitTurn({ client, language, event, local }: Hook): void {
  if (language.awaitWritten === undefined) return
  const binding = readBinding(local, client, event.nativeId)
  if (isOurCommand(event) || (binding !== undefined && liveSegment(binding) !== undefined))
    language.awaitWritten(event)
}

function isOurCommand(event: HookEvent): boolean {
  return event.kind === 'command' && event.command?.startsWith('workspace.') === true
}

/**
 * When Claude Code ends, it kills hooks that run longer than 1.5 s (2.1.197, 2.1.330). So a separate process publishes
 * the conversation. The segment is closed here, because the person may resume the session before that process has
 * ended.
 */
async function endSession(hook: Hook, bound: Bound): Promise<string> {
  const { event } = hook
  // The person cleared the session. The next session begins at once, and must find the note that `onCleared` writes.
  if (event.cleared === true) {
    ;(await journeys()).onCleared(hook)
    return ''
  }
  endBound(hook, event.nativeId, bound)
  return ''
}

function endBound(
  { client, root, local }: Hook,
  nativeId: string,
  bound: Pick<Bound, 'conversation' | 'size'>,
): void {
  const end = { to: bound.size, by: 'session-end', at: new Date() } as const
  updateBinding(local, client, nativeId, (binding) => binding && closeSegment(binding, end))
  publishLater({ client, root }, bound.conversation)
}

function publishLater({ client, root }: Pick<Hook, 'client' | 'root'>, conversation: string): void {
  const publishing = [process.argv[1]!, 'hook', client, conversation]
  // Few hooks start a process, so this module is loaded only here.
  const { spawn } = process.getBuiltinModule('node:child_process')
  spawn(process.execPath, publishing, {
    cwd: root,
    detached: true,
    stdio: 'ignore',
    // Otherwise Windows opens a window for it.
    windowsHide: true,
  }).unref()
}

async function publishEnded(root: string, conversation: string): Promise<void> {
  try {
    await (await journeys()).onSessionEnd(root, conversation)
  } catch (error) {
    writeLog(localDir(root, currentEnvironment()), `publishing ${conversation}: ${(error as Error).stack}`)
  }
}

/**
 * Notes which session the client process has open, and which session our launch has started. With some clients, only a
 * hook can find this out.
 */
async function noteSession(hook: Hook): Promise<void> {
  const { client, language, event, local } = hook
  const { nativeId, transcript, launch } = event
  const journal = basename(journalPath(local, client, nativeId))
  if (launch !== undefined && transcript !== '')
    followLaunch(local, launch, { client, nativeId, transcript, journal })
  if (language.shellsNameSession) return
  const pid = clientProcess(process.env)
  const before = openSessionOf(local, pid)
  const prompted = event.kind === 'turn-start' || event.kind === 'command'
  // The person may switch to another session inside the client. The client runs no hook at the switch.
  // Two clients may share the unknown number, and then nobody has switched.
  const switched = before?.client === client && before.native_id !== nativeId
  if (prompted && switched && pid !== UNKNOWN_PROCESS) await endEarlier(hook, before.native_id)
  const path = transcript || readBinding(local, client, nativeId)?.transcript || ''
  if (event.kind === 'session-end') removeOpenSession(local, pid)
  else noteOpenSession(local, pid, { client, native_id: nativeId, transcript: path, turn: sizeOf(path) ?? 0 })
}

async function endEarlier(hook: Hook, nativeId: string): Promise<void> {
  const bound = (await journeys()).copyEarlier(hook, nativeId)
  if (bound !== undefined) endBound(hook, nativeId, bound)
}

/** Notes which process writes the session. With this note, a verb can find out that the client was killed. */
function noteClient({ client, event, local }: Hook): void {
  const writer = nameProcess(clientProcess(process.env))
  const binding = readBinding(local, client, event.nativeId)
  // The lock is taken only if the process has changed, which is rare.
  if (binding === undefined || noteProcess(binding, writer) === binding) return
  // A client that was killed has ended, although a hook of it still runs. A turn begins only in a client that lives.
  const noted = liveSegment(binding)?.process
  const ends = event.kind === 'turn-end' || event.kind === 'session-end'
  if (noted !== undefined && ends && hasAdopted(writer, noted)) return
  updateBinding(local, client, event.nativeId, (binding) => binding && noteProcess(binding, writer))
}

interface Bound {
  conversation: string
  /** When it was last saved, or when it began. */
  savedAt: string
  /** The size of the journal in bytes. */
  size: number
  /** This prompt is the first one after a resume. */
  resumed?: true
  /** When the client refused an earlier turn because of its limit of use. */
  limitedAt?: string
  /** When the journal last grew; present only if that was more than LONG_SILENCE_MS ago. */
  quietSince?: Date
}

function isLongUnsaved({ savedAt }: Bound): boolean {
  return Date.now() - Date.parse(savedAt) > LONG_UNSAVED_MS
}

/**
 * Copies the new bytes of the transcript to the journal, and notes where a turn begins. Returns undefined if the
 * session is not recorded now.
 */
function recordTurn(hook: Hook): Bound | undefined {
  const { client, language, event, local } = hook
  const binding = readBinding(local, client, event.nativeId)
  const segment = binding === undefined ? undefined : liveSegment(binding)
  if (segment === undefined) return undefined
  const journal = journalPath(local, client, event.nativeId)
  const transcript = event.transcript || (binding?.transcript ?? '')
  const grew = statSync(join(dirname(journal), segment.journal), { throwIfNoEntry: false })?.mtime
  const before = transcript === '' ? [] : (language.before?.(transcript) ?? [])
  const { size, restarted } = copyNewBytes({ transcript, before, journal })
  // Gemini CLI continues a session of its older format in another file. Codex CLI continues a session in another file
  // after a rewind.
  if (transcript !== binding?.transcript && sizeOf(transcript) !== undefined)
    updateBinding(local, client, event.nativeId, (current) => current && { ...current, transcript })
  if (restarted)
    updateBinding(local, client, event.nativeId, (current) =>
      current === undefined ? current : followRestarts(current, listGenerations(journal), new Date()),
    )
  noteClient(hook)
  const { conversation, limited_at, saved_at: savedAt = segment.started_at } = segment
  const bound = {
    conversation,
    savedAt,
    size,
    ...(limited_at === undefined ? {} : { limitedAt: limited_at }),
  }
  if (event.kind !== 'turn-start' && event.opensTurn !== true) return bound
  // The transcript now contains all earlier turns, but not yet the prompt of this turn.
  writeTurnMark(local, client, event.nativeId, { offset: size, at: new Date().toISOString() })
  // `resumed` is only for a prompt. If a command opens the turn, it has made the pending segment itself, or will end
  // it.
  if (segment.pending === true) return event.kind === 'turn-start' ? { ...bound, resumed: true } : bound
  const isLong =
    event.kind === 'turn-start' && grew !== undefined && Date.now() - grew.getTime() > LONG_SILENCE_MS
  return isLong ? { ...bound, quietSince: grew } : bound
}

/**
 * Copies the documents of the conversation, because what this turn wrote into them is only in the work tree. The turn
 * is already recorded, so a failure is only logged.
 */
function copyDocuments({ client, local, root }: Hook, conversation: string): void {
  try {
    keepDocuments(local, root, conversation)
  } catch (error) {
    writeLog(local, `hook ${client}: ${(error as Error).message}`)
  }
}

/**
 * Whether `capture.publish` seems to be `"turn"`: this searches the settings as text. `onTurnEnd` parses and checks
 * them.
 */
function publishesTurns(root: string): boolean {
  try {
    return /"publish"\s*:\s*"turn"/.test(readInside(root, '.workspace/config.json') ?? '')
  } catch {
    // Verbs report what is wrong with the settings. Nothing is lost, because the turn is in the journal.
    return false
  }
}

/**
 * Whether a conversation may continue in this session. This is so if the person has just cleared the session before it,
 * or if the session was recorded until it last ended. Normally this is checked when the session starts. But if the
 * person chooses the session inside the client, no hook runs before the next prompt. So it is also checked at a prompt.
 */
function isContinuing(hook: Hook): boolean {
  const { event } = hook
  if (event.kind === 'session-start' && event.cleared === true) return true
  if (event.kind !== 'session-start' && event.kind !== 'turn-start') return false
  return mayContinue(lastSegment(hook))
}

/**
 * Whether this machine knows no session at all, although a conversation was opened here since yesterday and never
 * saved: somebody may have deleted the local folder while the conversation was open.
 */
function hasLostNotes({ root, local }: Hook): boolean {
  if (existsSync(localFiles(local).bindings)) return false
  const folder = join(root, 'conversations')
  const before = new Date(Date.now() - 2 * 24 * 60 * 60_000).toISOString()
  const days = foldersIn(folder).filter((day) => day > before.slice(0, 10))
  return days.some((day) =>
    foldersIn(join(folder, day)).some((name) => !existsSync(join(folder, day, name, RECORD.messages))),
  )
}

function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? [one.name] : []))
}

function lastSegment({ client, event, local }: Hook): Segment | undefined {
  return readBinding(local, client, event.nativeId)?.segments.at(-1)
}

function journeys(): Promise<typeof import('./journeys/hooks.ts')> {
  return import('./journeys/hooks.js') as Promise<typeof import('./journeys/hooks.ts')>
}
