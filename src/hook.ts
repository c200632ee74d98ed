import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { HookEvent, HookLanguage } from './clients/contract/hooks.ts'
import { hookLanguages } from './clients/hook-languages.ts'
import { hasOwnHooks } from './clients/own-hooks.ts'
import { currentEnvironment } from './io/environment.ts'
import { readInside } from './io/inside.ts'
import { clientProcess, hasAdopted, nameProcess, UNKNOWN_PROCESS } from './io/process.ts'
import { startAgain } from './io/start-again.ts'
import type { Answer, Bound, Hook, Recorded } from './journeys/hooks.ts'
import { clearedPath, journalPath, localFiles, RECORD } from './store/layout.ts'
import {
  type Binding,
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
import { keptFor, localDir } from './workspace/local-folder.ts'
import { linkedName } from './workspace/repository.ts'
import { findRoot, rootAround } from './workspace/root.ts'

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

type Journeys = typeof import('./journeys/hooks.ts')
type Received = Omit<Hook, 'local'>

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
    print(received.language, await answerTo({ ...received, local }))
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
  let root = findRoot(event.cwd)
  if (root === undefined && (isOurCommand(event) || beginsWhereOneWas(event))) {
    const { bringBack, onNoWorkspace } = await journeys()
    root = (await bringBack(event)) ?? rootAround(event.cwd)
    if (root === undefined && isOurCommand(event))
      print(language, outputOf({ language, event }, onNoWorkspace(event)))
  }
  root ??= rootAround(event.cwd)
  if (root === undefined) return undefined
  if (event.nativeId === '' || (isPersonal && hasOwnHooks(language, event.cwd))) return undefined
  return { client, language, event, root }
}

/**
 * Gemini CLI runs the call of a command before the hook of its prompt. So a new worktree has to be a workspace, and the
 * session known in it, when the session opens. After `git clean -x`, a prompt is noted too: whether its turn belongs to
 * a conversation is known only now.
 */
function beginsWhereOneWas({ kind, cwd }: HookEvent): boolean {
  return /^(session|turn)-start$/.test(kind) && keptFor(cwd, currentEnvironment()) !== undefined
}

/** Writes the failure to the log. Prints it too if what the person said may not have been recorded. */
function reportFailure(
  { client, language, event }: Received,
  local: string | undefined,
  error: unknown,
): void {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  if (local !== undefined) writeLog(local, `hook ${client}: ${stack ?? message}`)
  if (!isOurCommand(event) && event.kind !== 'turn-end' && event.cleared !== true) return
  print(language, language.messageFor(event, `cortext could not record this: ${message}`))
}

/** Returns an answer in the language of the client: JSON, or ''. The person is told what the agent cannot be told. */
function outputOf({ language, event }: Pick<Hook, 'language' | 'event'>, { agent, person }: Answer): string {
  return (
    (agent && language.contextFor(event, agent, person)) ||
    (person && language.messageFor(event, person)) ||
    ''
  )
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

/**
 * What a hook does, in this order: it waits for the transcript, notes which session is open, lets a conversation go on
 * here, copies the transcript and marks where a turn begins, copies documents, and answers. So the session is known
 * before anything is copied, and all that is copied is there before somebody answers. EVENTS says what of this an event
 * needs.
 */
async function answerTo(hook: Hook): Promise<string> {
  const { event } = hook
  if (event.kind === 'other') return event.answer ?? ''
  const { isPrompt = false, continues, copiesDocuments, answers } = EVENTS[event.kind]
  awaitTurn(hook)
  noteSession(hook, isPrompt)
  if (continues?.(hook)) await (await journeys()).onContinue(hook)
  const bound = recordTurn(hook)
  if (bound && copiesDocuments) copyDocuments(hook, bound.segment.conversation)
  // A row whose answer needs `bound` applies only if it is there.
  const told = { ...hook, bound } as Recorded
  for (const [when, who] of answers) {
    if (!when(told)) continue
    const answer = await (typeof who === 'string' ? (await journeys())[who](told) : who(told))
    if (answer !== undefined) return outputOf(hook, answer)
  }
  return ''
}

/** What a row is told. The session is recorded if `bound` is there. */
type Told = Hook & Partial<Recorded>

/** Undefined if the row has only done something, and a later row may answer. */
type Answering = (hook: Recorded) => Answer | undefined | Promise<Answer>

/** Functions of journeys/hooks.ts that answer. They are loaded only when one of them is called. */
type Journey = {
  [Name in keyof Journeys]: Journeys[Name] extends Answering ? Name : never
}[keyof Journeys]

/** An event. A row of `answers` says when it applies, and who answers then: the first that has an answer gives it. */
interface Handling {
  /** The person has typed: if they typed in another session before, that one has ended. */
  isPrompt?: true
  /** Whether the session may continue a conversation although it is not recorded now. */
  continues?: (hook: Hook) => boolean
  /** What the turn wrote into the documents of the conversation is copied too. */
  copiesDocuments?: true
  answers: (readonly [when: (hook: Told) => unknown, who: Journey | Answering])[]
}

const EVENTS: Record<Exclude<HookEvent['kind'], 'other'>, Handling> = {
  'session-start': {
    // The person has cleared the session before this one, or has reopened this one.
    continues: (hook) => hook.event.cleared === true || mayContinue(lastSegment(hook)),
    answers: [
      // `cortext resume` has opened the session: the person sees where it stood before they type.
      [(hook) => lastSegment(hook)?.pending, 'onOpened'],
    ],
  },
  command: {
    isPrompt: true,
    // The words of a command of ours are for us. Any other command is a prompt that needs no answer.
    answers: [[({ event }) => isOurCommand(event), answerCommand]],
  },
  'turn-start': {
    isPrompt: true,
    // If the person chooses the session inside the client, no hook runs before this one. After a `/clear`, it may have
    // failed.
    continues: (hook) => {
      const last = lastSegment(hook)
      return last === undefined ? wasCleared(hook) : mayContinue(last)
    },
    answers: [
      // Whether the words are recorded at all comes before everything else.
      [(hook) => mustNotify(lastSegment(hook), clientProcess(process.env)), 'onNews'],
      [(hook) => !hook.bound && hasLostNotes(hook), 'onLostNotes'],
      // The segment begins here. What follows tells of the time before, in which the session was open.
      [({ bound }) => bound?.segment.pending, 'onResumed'],
      // The silence is saved as a pause even if the limit of use is what the person is told.
      [isAfterSilence, publishLater],
      [({ bound }) => bound?.segment.limited_at, 'onLimit'],
      [isAfterSilence, 'onReturn'],
      // Only the agent is told this, and a later prompt does as well.
      [isLongUnsaved, 'onLongUnsaved'],
    ],
  },
  'turn-end': {
    copiesDocuments: true,
    answers: [
      // From here on nothing is copied, so nothing else can be said of the turn.
      [({ bound }) => bound && bound.size >= MAX_TRANSCRIPT, () => ({ person: TOO_LONG })],
      // The client may show nothing of it now, so the next prompt tells the person.
      [({ bound, event }) => bound && event.limit, 'noteLimit'],
      [({ bound, root }) => bound && publishesTurns(root), 'onTurnEnd'],
      // The turn was running when the conversation was stopped.
      [wasStoppedElsewhere, 'onLateTurn'],
    ],
  },
  'session-end': {
    answers: [
      // The next session begins at once, and must find the note that `onCleared` writes.
      [(hook) => hook.event.cleared && (hook.bound || wasCleared(hook)), 'onCleared'],
      [({ bound }) => bound, endSession],
      // The hook of its last turn may have failed.
      [wasStoppedElsewhere, publishLater],
    ],
  },
}

/** Waits until the transcript has what came before this event, if that will be recorded. */
function awaitTurn({ client, language, event, local }: Hook): void {
  if (language.awaitWritten === undefined) return
  const binding = readBinding(local, client, event.nativeId)
  if (isOurCommand(event) || (binding && liveSegment(binding))) language.awaitWritten(event)
}

function isOurCommand(event: HookEvent): boolean {
  return event.kind === 'command' && event.command?.startsWith('workspace.') === true
}

async function answerCommand(hook: Hook): Promise<Answer> {
  const answer = await (await journeys()).onCommand(hook)
  // The command may have opened a conversation.
  noteClient(hook)
  return answer
}

const TOO_LONG =
  'Not recorded any more: the transcript of this session has 2 GB, and no more of it is copied. Begin a new session.'

/**
 * When Claude Code ends, it kills hooks that run longer than 1.5 s (2.1.197, 2.1.330). So a separate process publishes
 * the conversation. The segment is closed here, because the person may resume the session before that process has
 * ended.
 */
function endSession(hook: Recorded): undefined {
  const end = { to: hook.bound.size, by: 'session-end', at: new Date() } as const
  changeBinding(hook, (binding) => closeSegment(binding, end))
  publishLater(hook)
}

function publishLater(hook: Hook): undefined {
  startAgain(['hook', hook.client, lastSegment(hook)!.conversation], hook.root)
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
function noteSession(hook: Hook, isPrompt: boolean): void {
  const { client, language, event, local } = hook
  const { nativeId, transcript, launch } = event
  const journal = basename(journalPath(local, client, nativeId))
  if (launch !== undefined && transcript !== '')
    followLaunch(local, launch, { client, nativeId, transcript, journal })
  if (language.shellsNameSession) return
  const pid = clientProcess(process.env)
  const before = openSessionOf(local, pid)
  // The person may switch to another session inside the client. The client runs no hook at the switch.
  // Two clients may share the unknown number, and then nobody has switched.
  const switched = before?.client === client && before.native_id !== nativeId
  if (isPrompt && switched && pid !== UNKNOWN_PROCESS) {
    const earlier = { ...hook, event: { ...event, nativeId: before.native_id, transcript: '' } }
    const bound = copySession(earlier)
    if (bound !== undefined) endSession({ ...earlier, bound })
  }
  const path = transcript || readBinding(local, client, nativeId)?.transcript || ''
  if (event.kind === 'session-end') removeOpenSession(local, pid)
  else noteOpenSession(local, pid, { client, native_id: nativeId, transcript: path, turn: sizeOf(path) ?? 0 })
}

/** Notes which process writes the session. With this note, a verb can find out that the client was killed. */
function noteClient(hook: Hook): void {
  const { client, event, local } = hook
  const writer = nameProcess(clientProcess(process.env))
  const binding = readBinding(local, client, event.nativeId)
  // The lock is taken only if the process has changed, which is rare.
  if (binding === undefined || noteProcess(binding, writer) === binding) return
  // A client that was killed has ended, although a hook of it still runs. A turn begins only in a client that lives.
  const noted = liveSegment(binding)?.process
  const ends = event.kind === 'turn-end' || event.kind === 'session-end'
  if (noted !== undefined && ends && hasAdopted(writer, noted)) return
  changeBinding(hook, (binding) => noteProcess(binding, writer))
}

function changeBinding({ client, event, local }: Hook, change: (binding: Binding) => Binding): void {
  updateBinding(local, client, event.nativeId, (binding) => binding && change(binding))
}

/**
 * Copies the new bytes of the transcript to the journal, and notes where a turn begins. Returns undefined if the
 * session is not recorded now.
 */
function recordTurn(hook: Hook): Bound | undefined {
  const { client, event, local } = hook
  const bound = copySession(hook)
  if (bound === undefined) return undefined
  noteClient(hook)
  // The transcript now contains all earlier turns, but not yet the prompt of this turn.
  if (event.kind === 'turn-start' || event.opensTurn === true)
    writeTurnMark(local, client, event.nativeId, { offset: bound.size, at: new Date().toISOString() })
  return bound
}

function copySession(hook: Hook): Bound | undefined {
  const { client, language, local, event } = hook
  const binding = readBinding(local, client, event.nativeId)
  const segment = binding && liveSegment(binding)
  if (segment === undefined) return undefined
  const journal = journalPath(local, client, event.nativeId)
  const transcript = event.transcript || binding!.transcript
  const grew = statSync(join(dirname(journal), segment.journal), { throwIfNoEntry: false })?.mtime
  const before = transcript === '' ? [] : (language.before?.(transcript) ?? [])
  const { size, restarted } = copyNewBytes({ transcript, before, journal })
  // Gemini CLI continues a session of its older format in another file. Codex CLI continues a session in another file
  // after a rewind.
  if (transcript !== binding!.transcript && sizeOf(transcript) !== undefined)
    changeBinding(hook, (now) => ({ ...now, transcript }))
  if (restarted) changeBinding(hook, (now) => followRestarts(now, listGenerations(journal), new Date()))
  return { segment, size, ...(grew && { grew }) }
}

function isAfterSilence({ bound }: Told): boolean {
  return bound?.grew !== undefined && Date.now() - bound.grew.getTime() > LONG_SILENCE_MS
}

function isLongUnsaved({ bound }: Told): boolean {
  const savedAt = bound && (bound.segment.saved_at ?? bound.segment.started_at)
  return savedAt !== undefined && Date.now() - Date.parse(savedAt) > LONG_UNSAVED_MS
}

/** Whether the conversation was stopped from outside the session, so that its running turn still belongs to it. */
function wasStoppedElsewhere(hook: Told): boolean {
  return hook.bound === undefined && lastSegment(hook)?.ended_by === 'elsewhere'
}

/**
 * Copies the documents of the conversation, because what this turn wrote into them is only in the work tree. The turn
 * is already recorded, so a failure is only logged.
 */
function copyDocuments({ client, local, root }: Hook, conversation: string): void {
  try {
    keepDocuments(local, root, conversation, linkedName(root))
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

/** Whether the client process has cleared a session, and no hook has bound the next one yet. */
function wasCleared({ client, local }: Hook): boolean {
  const pid = clientProcess(process.env)
  return pid !== UNKNOWN_PROCESS && existsSync(clearedPath(local, client, pid))
}

function lastSegment({ client, event, local }: Hook): Segment | undefined {
  return readBinding(local, client, event.nativeId)?.segments.at(-1)
}

function journeys(): Promise<Journeys> {
  return import('./journeys/hooks.js') as Promise<Journeys>
}
