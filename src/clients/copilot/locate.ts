import { basename, dirname, join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { listNames } from '../../io/list-names.ts'
import { realFolder } from '../../io/real-folder.ts'
import type { NativeSession } from '../contract/sessions.ts'
import { titleLine } from '../shared/transcript/facts.ts'
import { jsonIn } from '../shared/transcript/fields.ts'
import { checkId, isWritten, listSessions, textAt } from '../shared/transcript/session-files.ts'
import { ownFolder } from './facts.ts'
import { readHeading } from './heading.ts'
import { UUID } from './hook-events.ts'

/**
 * Lists the sessions of a folder, newest first, from `workspace.yaml` and the ends of `events.jsonl` in each session's
 * folder. Handoffs in which nothing was said are left out.
 */
export function locate(environment: Environment, folder: string): NativeSession[] {
  const wanted = realFolder(folder)
  const isHere = (cwd: string) => realFolder(cwd) === wanted
  const all = sessionsFolder(environment)
  const files = listNames(all, '')
    .filter((name) => UUID.test(name))
    .map((nativeId) => ({ nativeId, transcript: join(all, nativeId, 'events.jsonl') }))
    .filter(({ transcript }) => isHere(aboutSession(transcript).cwd ?? folder))
  return listSessions('copilot', files, ({ path, head, tail, bytes }) => {
    const about = aboutSession(path)
    const heading = readHeading(head, tail)
    const cwd = about.cwd ?? heading.cwd
    if (bytes === 0 || !heading.hasTalk || cwd === '' || !isHere(cwd)) return undefined
    return { title: titleLine(about.name ?? '') || heading.first, cwd }
  })
}

/** The folder of all sessions in this environment, and the default one: another shell may use the default. */
export function folders(environment: Environment): string[] {
  return [sessionsFolder(environment), join(environment.home, '.copilot', 'session-state')]
}

/** A session's folder has its id as its name. */
export function isNamedAfter(transcript: string, nativeId: string): boolean {
  return basename(dirname(transcript)) === nativeId
}

/** The path of a session's events. Throws `unsafe-path` on an id that is not a UUID. */
export function transcriptPath(environment: Environment, _folder: string, nativeId: string): string {
  checkId(nativeId, 'a Copilot CLI', UUID)
  return join(sessionsFolder(environment), nativeId, 'events.jsonl')
}

export function hasSession(environment: Environment, folder: string, nativeId: string): boolean {
  return isWritten(transcriptPath(environment, folder, nativeId))
}

/**
 * The session that this process runs in. The client sets these variables for its agent's shell and for `!` commands
 * (1.0.102). In a subagent's shell the id is that of the subagent.
 */
export function insideOf(env: Environment['env']): string | undefined {
  return (env.COPILOT_CLI && env.COPILOT_AGENT_SESSION_ID) || undefined
}

/** The name that a person gave to a session with `/rename`, from `workspace.yaml` beside the events (1.0.102). */
export function givenName(
  _environment: Environment,
  { transcript }: { transcript: string },
): string | undefined {
  const { name, isGiven } = aboutSession(transcript)
  return isGiven ? name : undefined
}

/** The values of `workspace.yaml`, beside the events, that are needed: each is a line of its own, plain or in quotes. */
function aboutSession(transcript: string) {
  const text = textAt(join(dirname(transcript), 'workspace.yaml'), MAX_ABOUT) ?? ''
  const lineOf = (key: string) => unquoted(new RegExp(`^${key}: (.+?)\\r?$`, 'm').exec(text)?.[1])
  return { cwd: lineOf('cwd'), name: lineOf('name'), isGiven: lineOf('user_named') === 'true' }
}

const MAX_ABOUT = 64 * 1024

function unquoted(value: string | undefined): string | undefined {
  if (value?.startsWith("'")) return value.slice(1, -1).replaceAll("''", "'")
  if (!value?.startsWith('"')) return value
  const text = jsonIn(value)
  return text === undefined ? undefined : String(text)
}

/** The folder with all sessions, each in a folder named after its id (1.0.102). */
function sessionsFolder(environment: Environment): string {
  return join(ownFolder(environment), 'session-state')
}
