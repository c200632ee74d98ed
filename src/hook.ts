import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { HookEvent, HookLanguage } from './clients/client.ts'
import { hookLanguages } from './clients/hook-languages.ts'
import {
  beginPending,
  followLaunch,
  liveStretch,
  readBinding,
  updateBinding,
  writeTurnMark,
} from './store/binding.ts'
import { sizeOf } from './store/copy-bytes.ts'
import { writeHost } from './store/host.ts'
import { copyNewBytes } from './store/journal.ts'
import { journalPath } from './store/layout.ts'
import { writeLog } from './store/log.ts'
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
  /** This process was left behind by a hook, to do what the client did not wait for. */
  afterwards: boolean
}

async function main(): Promise<void> {
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
  const handedOn = process.argv[4]
  const event: HookEvent =
    handedOn === undefined
      ? language.parse(JSON.parse(readFileSync(0, 'utf8')), process.env)
      : JSON.parse(handedOn)
  const root = findRoot(event.cwd)
  if (root === undefined || event.nativeId === '') return undefined
  return { client, language, event, root, local: localDir(root), afterwards: handedOn !== undefined }
}

/** To the log, and in one line to the person where their words may not have been recorded. */
function reportFailure({ client, language, event, local }: Hook, error: unknown): void {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  writeLog(local, `hook ${client}: ${stack ?? message}`)
  if (!isOurs(event) && event.kind !== 'turn-end') return
  process.stdout.write(language.tellPerson(event, `cortext could not record this: ${message}`))
}

async function answerTo(hook: Hook): Promise<string> {
  const { event, local } = hook
  if (hook.afterwards) return (await journeys()).onSessionEnd(hook)
  if (event.kind === 'other') return ''
  noteSession(hook)
  const bound = recordTurn(hook)
  if (isOurs(event)) return (await journeys()).onCommand(hook)
  if (event.kind === 'turn-end' && bound && publishesTurns(hook.root))
    return (await journeys()).onTurnEnd(hook)
  if (event.kind === 'session-end' && bound) return endSession(hook)
  if (event.kind === 'session-start' && mayContinue(hook, local))
    return (await journeys()).onSessionStart(hook)
  return ''
}

function isOurs(event: HookEvent): boolean {
  return event.kind === 'command' && event.command?.startsWith('workspace.') === true
}

/**
 * A client that ends waits 1.5 s for its hooks and then ends them (Claude Code 2.1.197, 2.1.330), so publishing
 * goes on in a process of its own. What it has to publish is in the journal already.
 */
async function endSession(hook: Hook): Promise<string> {
  const { client, event } = hook
  // Cleared, not ended: the other half begins at once and has to find the note.
  if (event.cleared === true) (await journeys()).onCleared(hook)
  else
    spawn(process.execPath, [process.argv[1]!, 'hook', client, JSON.stringify(event)], {
      detached: true,
      stdio: 'ignore',
    }).unref()
  return ''
}

/** What only the hooks of some clients know: which session their process has open, and what became of our launch. */
function noteSession({ client, language, event, local }: Hook): void {
  const { nativeId, transcript, launch } = event
  if (launch !== undefined)
    followLaunch(local, launch, {
      client,
      nativeId,
      transcript,
      journal: basename(journalPath(local, client, nativeId)),
    })
  if (language.shellsNameSession || event.kind === 'session-end') return
  const known = transcript || readBinding(local, client, nativeId)?.transcript || ''
  // The parent is the client: each hook's shell has become this process.
  writeHost(local, process.ppid, {
    client,
    native_id: nativeId,
    transcript: known,
    turn: sizeOf(known) ?? 0,
  })
}

/** Journals what is new of a bound session; false when the session is not bound. */
function recordTurn({ client, event, local }: Hook): boolean {
  const binding = readBinding(local, client, event.nativeId)
  const stretch = binding === undefined ? undefined : liveStretch(binding)
  if (stretch === undefined) return false
  const { size } = copyNewBytes({
    transcript: event.transcript || (binding?.transcript ?? ''),
    journal: journalPath(local, client, event.nativeId),
  })
  const opensTurn = event.kind === 'turn-start' || event.opensTurn === true
  if (!opensTurn) return true
  // All earlier turns are in the transcript by now, the prompt of this one is not.
  writeTurnMark(local, client, event.nativeId, { offset: size, at: new Date().toISOString() })
  // A command that opens the turn has made the resume itself, or ends it.
  if (stretch.pending === true && event.kind === 'turn-start')
    updateBinding(local, client, event.nativeId, (one) => (one === undefined ? one : beginPending(one, size)))
  return true
}

/** `capture.publish: "turn"`; looked for as text, since parsing and checking the settings is the journey's. */
function publishesTurns(root: string): boolean {
  const path = join(root, '.workspace', 'config.json')
  return existsSync(path) && /"publish"\s*:\s*"turn"/.test(readFileSync(path, 'utf8'))
}

/** A session that begins may be one that was bound before, or the other half of one that was just cleared. */
function mayContinue({ client, event }: Hook, local: string): boolean {
  return event.cleared === true || readBinding(local, client, event.nativeId) !== undefined
}

function journeys(): Promise<typeof import('./journeys/hooked.ts')> {
  return import('./journeys/hooked.js') as Promise<typeof import('./journeys/hooked.ts')>
}
