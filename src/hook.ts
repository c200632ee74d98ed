import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { HookEvent, HookLanguage } from './clients/contract/hooks.ts'
import { hookLanguages } from './clients/hook-languages.ts'
import { journalPath } from './store/layout.ts'
import {
  beginPending,
  endSegment,
  followLaunch,
  followRestarts,
  liveSegment,
  noteProcess,
  readBinding,
  updateBinding,
  writeTurnMark,
} from './store/machine/binding.ts'
import { sizeOf } from './store/machine/copy-bytes.ts'
import { copyNewBytes, listGenerations } from './store/machine/journal.ts'
import { writeLog } from './store/machine/log.ts'
import { noteOpenSession, openSessionOf, removeOpenSession } from './store/machine/open-session.ts'
import { clientProcess, nameProcess } from './store/machine/process.ts'
import { findRoot, localDir } from './workspace/root.ts'

/**
 * What a client's hooks run, at every turn: copies the transcript's new bytes to the journal and is done. Says
 * nothing it does not mean, never fails the client: exit 0, failures go to the log. What needs more than copying
 * (a slash command of ours, the begin or end of a bound session) is handed on to journeys/, loaded only then.
 */
void main()

interface Hook {
  client: string
  language: HookLanguage
  event: HookEvent
  root: string
  local: string
}

async function main(): Promise<void> {
  const ended = process.argv[4]
  if (ended !== undefined) return publishEnded(process.cwd(), ended)
  let hook: Hook | undefined
  try {
    hook = readHook()
    const answer = hook === undefined ? '' : await answerTo(hook)
    if (answer !== '') process.stdout.write(answer)
  } catch (error) {
    if (hook !== undefined) reportFailure(hook, error)
  }
}

/** Undefined where there is nothing to record: no workspace, or an event that names no session. */
function readHook(): Hook | undefined {
  const client = process.argv[3] ?? ''
  const language: HookLanguage | undefined = (hookLanguages as Record<string, HookLanguage>)[client]
  if (language === undefined) return undefined
  const event = language.parse(JSON.parse(readFileSync(0, 'utf8')), process.env)
  const root = findRoot(event.cwd)
  if (root === undefined || event.nativeId === '') return undefined
  return { client, language, event, root, local: localDir(root) }
}

/** To the log, and in one line to the person where their words may not have been recorded. */
function reportFailure({ client, language, event, local }: Hook, error: unknown): void {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  writeLog(local, `hook ${client}: ${stack ?? message}`)
  if (!isOurs(event) && event.kind !== 'turn-end') return
  process.stdout.write(language.tellPerson(event, `cortext could not record this: ${message}`))
}

async function answerTo(hook: Hook): Promise<string> {
  const { event } = hook
  if (event.kind === 'other') return ''
  noteSession(hook)
  if (mayContinue(hook)) await (await journeys()).onContinue(hook)
  const bound = recordTurn(hook)
  if (isOurs(event)) {
    const answer = await (await journeys()).onCommand(hook)
    noteClient(hook)
    return answer
  }
  if (bound?.resumed === true) return (await journeys()).onResumed(hook, bound.conversation)
  if (event.kind === 'turn-end' && bound !== undefined && publishesTurns(hook.root))
    return (await journeys()).onTurnEnd(hook)
  if (event.kind === 'session-end' && bound !== undefined) return endSession(hook, bound)
  return ''
}

function isOurs(event: HookEvent): boolean {
  return event.kind === 'command' && event.command?.startsWith('workspace.') === true
}

/**
 * A client that ends waits 1.5 s for its hooks and then ends them (Claude Code 2.1.197, 2.1.330), so publishing
 * goes on in a process of its own. The binding ends here and now: the session may be resumed before that is done.
 */
async function endSession(hook: Hook, bound: Bound): Promise<string> {
  const { event } = hook
  // Cleared, not ended: the other half begins at once and has to find the note.
  if (event.cleared === true) {
    ;(await journeys()).onCleared(hook)
    return ''
  }
  endBound(hook, event.nativeId, bound)
  return ''
}

function endBound({ client, root, local }: Hook, nativeId: string, bound: Bound): void {
  const end = { to: bound.size, by: 'session-end', at: new Date() } as const
  updateBinding(local, client, nativeId, (one) => one && endSegment(one, end))
  const publishing = [process.argv[1]!, 'hook', client, bound.conversation]
  // Loaded only here: of all hooks one in a session needs it.
  const { spawn } = process.getBuiltinModule('node:child_process')
  spawn(process.execPath, publishing, { cwd: root, detached: true, stdio: 'ignore' }).unref()
}

async function publishEnded(root: string, conversation: string): Promise<void> {
  try {
    await (await journeys()).onSessionEnd(root, conversation)
  } catch (error) {
    writeLog(localDir(root), `publishing ${conversation}: ${error instanceof Error ? error.stack : error}`)
  }
}

/** What only the hooks of some clients know: which session their process has open, and what became of our launch. */
function noteSession(hook: Hook): void {
  const { client, language, event, local } = hook
  const { nativeId, transcript, launch } = event
  const journal = basename(journalPath(local, client, nativeId))
  if (launch !== undefined && transcript !== '')
    followLaunch(local, launch, { client, nativeId, transcript, journal })
  if (language.shellsNameSession) return
  const pid = clientProcess(process.env)
  const before = openSessionOf(local, pid)
  const prompted = event.kind === 'turn-start' || event.kind === 'command'
  // The person chose another session inside the client, which runs no hook for that.
  if (prompted && before?.client === client && before.native_id !== nativeId)
    endEarlier(hook, before.native_id)
  const known = transcript || readBinding(local, client, nativeId)?.transcript || ''
  if (event.kind === 'session-end') removeOpenSession(local, pid)
  else
    noteOpenSession(local, pid, { client, native_id: nativeId, transcript: known, turn: sizeOf(known) ?? 0 })
}

function endEarlier(hook: Hook, nativeId: string): void {
  const { client, local } = hook
  const binding = readBinding(local, client, nativeId)
  const live = binding === undefined ? undefined : liveSegment(binding)
  if (binding === undefined || live === undefined) return
  const { size } = copyNewBytes({
    transcript: binding.transcript,
    journal: journalPath(local, client, nativeId),
  })
  endBound(hook, nativeId, { conversation: live.conversation, size })
}

/** Under which process the session is written: by it a verb knows that a client was killed. */
function noteClient({ client, event, local }: Hook): void {
  const writer = nameProcess(clientProcess(process.env))
  const binding = readBinding(local, client, event.nativeId)
  // Looked at first without the lock: it changes once in the life of a client.
  if (binding === undefined || noteProcess(binding, writer) === binding) return
  updateBinding(local, client, event.nativeId, (one) => one && noteProcess(one, writer))
}

interface Bound {
  conversation: string
  /** Of the journal. */
  size: number
  /** This turn is the first one after a resume. */
  resumed?: true
}

/** Journals what is new of a bound session; undefined when the session is not bound. */
function recordTurn(hook: Hook): Bound | undefined {
  const { client, event, local } = hook
  const binding = readBinding(local, client, event.nativeId)
  const segment = binding === undefined ? undefined : liveSegment(binding)
  if (segment === undefined) return undefined
  const journal = journalPath(local, client, event.nativeId)
  const transcript = event.transcript || (binding?.transcript ?? '')
  const { size, restarted } = copyNewBytes({ transcript, journal })
  // Gemini CLI goes on in another file with a session of its older format.
  if (transcript !== binding?.transcript && sizeOf(transcript) !== undefined)
    updateBinding(local, client, event.nativeId, (one) => one && { ...one, transcript })
  if (restarted)
    updateBinding(local, client, event.nativeId, (one) =>
      one === undefined ? one : followRestarts(one, listGenerations(journal), new Date()),
    )
  noteClient(hook)
  const bound = { conversation: segment.conversation, size }
  if (event.kind !== 'turn-start' && event.opensTurn !== true) return bound
  // All earlier turns are in the transcript by now, the prompt of this one is not.
  writeTurnMark(local, client, event.nativeId, { offset: size, at: new Date().toISOString() })
  // A command that opens the turn has made the resume itself, or ends it.
  if (segment.pending !== true || event.kind !== 'turn-start') return bound
  updateBinding(local, client, event.nativeId, (one) => (one === undefined ? one : beginPending(one, size)))
  return { ...bound, resumed: true }
}

/** `capture.publish: "turn"`; looked for as text, since parsing and checking the settings is the journey's. */
function publishesTurns(root: string): boolean {
  const path = join(root, '.workspace', 'config.json')
  return existsSync(path) && /"publish"\s*:\s*"turn"/.test(readFileSync(path, 'utf8'))
}

/**
 * A session that begins may be the other half of one that was just cleared, or one that was bound before. So may one
 * that was chosen inside the client: of that the next prompt tells.
 */
function mayContinue({ client, event, local }: Hook): boolean {
  if (event.kind === 'session-start' && event.cleared === true) return true
  if (event.kind !== 'session-start' && event.kind !== 'turn-start') return false
  return readBinding(local, client, event.nativeId)?.segments.at(-1)?.ended_by === 'session-end'
}

function journeys(): Promise<typeof import('./journeys/hooks.ts')> {
  return import('./journeys/hooks.js') as Promise<typeof import('./journeys/hooks.ts')>
}
