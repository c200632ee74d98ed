import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HookEvent } from './clients/client.ts'
import { parseEvent } from './clients/events.ts'
import { liveStretch, readBinding, updateBinding, writeTurnMark } from './store/binding.ts'
import { copyNewBytes } from './store/journal.ts'
import { journalPath } from './store/layout.ts'
import { findRoot, localDir } from './workspace/root.ts'

/**
 * What a client's hooks run, at every turn: copies the transcript's new bytes to the journal and is done. Says
 * nothing it does not mean, never fails the client: exit 0, failures go to the log. What needs more than copying
 * (a slash command of ours, the end of a session) is handed on to journeys/, loaded only then.
 */
void main()

async function main(): Promise<void> {
  let local: string | undefined
  try {
    const event = readEvent()
    const root = event === undefined ? undefined : findRoot(event.cwd)
    if (event === undefined || root === undefined) return
    local = localDir(root)
    const answer = await onEvent(event, root, local)
    if (answer !== '') process.stdout.write(answer)
  } catch (error) {
    log(local, error)
  }
}

function readEvent(): (HookEvent & { client: string }) | undefined {
  const client = process.argv[3] ?? ''
  const parse = parseEvent[client]
  if (parse === undefined) return undefined
  return { ...parse(JSON.parse(readFileSync(0, 'utf8')), process.env), client }
}

async function onEvent(event: HookEvent & { client: string }, root: string, local: string): Promise<string> {
  if (event.kind === 'command' && event.command?.startsWith('workspace.') === true) {
    recordTurn(event, local)
    return (await import('./journeys/hooked.ts')).onCommand(event, root)
  }
  if (event.kind === 'turn-start' || event.kind === 'turn-end') recordTurn(event, local)
  if (event.kind === 'session-start' && (await continues(event, local)))
    return (await import('./journeys/hooked.ts')).onSessionStart(event, root)
  if (event.kind === 'session-end' && recordTurn(event, local))
    return (await import('./journeys/hooked.ts')).onSessionEnd(event, root)
  return ''
}

/** Journals what is new of a bound session; false when the session is not bound. */
function recordTurn(event: HookEvent & { client: string }, local: string): boolean {
  const binding = readBinding(local, event.client, event.nativeId)
  const stretch = binding === undefined ? undefined : liveStretch(binding)
  if (binding === undefined || stretch === undefined) return false
  const { size } = copyNewBytes({
    transcript: event.transcript,
    journal: journalPath(local, event.client, stretch.journal),
  })
  if (event.kind !== 'turn-start' && event.kind !== 'command') return true
  writeTurnMark(local, event.client, event.nativeId, { offset: size, at: new Date().toISOString() })
  return true
}
