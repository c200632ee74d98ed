import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HookEvent, HookLanguage } from './clients/client.ts'
import { hookLanguages } from './clients/hook-languages.ts'
import { beginPending, liveStretch, readBinding, updateBinding, writeTurnMark } from './store/binding.ts'
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
}

async function main(): Promise<void> {
  let local: string | undefined
  try {
    const client = process.argv[3] ?? ''
    const language: HookLanguage | undefined = (hookLanguages as Record<string, HookLanguage>)[client]
    if (language === undefined) return
    const ended = process.argv[4]
    const event: HookEvent =
      ended === undefined
        ? language.parse(JSON.parse(readFileSync(0, 'utf8')), process.env)
        : JSON.parse(ended)
    const root = findRoot(event.cwd)
    if (root === undefined || event.nativeId === '') return
    local = localDir(root)
    const hook = { client, language, event, root, local }
    if (ended !== undefined) return await (await journeys()).onSessionEnd(hook)
    const answer = await answerTo(hook)
    if (answer !== '') process.stdout.write(answer)
  } catch (error) {
    if (local !== undefined) writeLog(local, `hook ${process.argv[3]}: ${messageOf(error)}`)
  }
}

async function answerTo(hook: Hook): Promise<string> {
  const { event, local } = hook
  const ours = event.kind === 'command' && event.command?.startsWith('workspace.') === true
  const bound = event.kind === 'other' ? false : recordTurn(hook)
  if (ours) return (await journeys()).onCommand(hook)
  if (event.kind === 'turn-end' && bound && publishesTurns(hook.root))
    return (await journeys()).onTurnEnd(hook)
  if (event.kind === 'session-end' && bound) return endSession(hook)
  if (event.kind === 'session-start' && mayContinue(hook, local))
    return (await journeys()).onSessionStart(hook)
  return ''
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

/** Journals what is new of a bound session; false when the session is not bound. */
function recordTurn({ client, event, local }: Hook): boolean {
  const binding = readBinding(local, client, event.nativeId)
  const stretch = binding === undefined ? undefined : liveStretch(binding)
  if (stretch === undefined) return false
  const { size } = copyNewBytes({
    transcript: event.transcript,
    journal: journalPath(local, client, event.nativeId),
  })
  if (event.kind !== 'turn-start') return true
  // All earlier turns are in the transcript by now, the prompt of this one is not.
  writeTurnMark(local, client, event.nativeId, { offset: size, at: new Date().toISOString() })
  if (stretch.pending === true)
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

function messageOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
