import { basename, dirname, join } from 'node:path'
import { CortextError } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { listNames } from '../../io/list-names.ts'
import { realFolder } from '../../io/real-folder.ts'
import { readText } from '../../io/regular-file.ts'
import type { NativeSession } from '../contract/sessions.ts'
import { titleLine } from '../shared/transcript/facts.ts'
import { readEnds } from '../shared/transcript/file-ends.ts'
import { ownFolder } from './facts.ts'
import { readHeading } from './heading.ts'
import { UUID } from './hook-events.ts'

/**
 * Lists the sessions of a folder, newest first, from `workspace.yaml` and the ends of `events.jsonl` in each session's
 * folder. Handoffs in which nothing was said are left out.
 */
export function locate(environment: Environment, folder: string): NativeSession[] {
  const wanted = realFolder(folder)
  const all = sessionsFolder(environment)
  return listNames(all, '')
    .filter((name) => UUID.test(name))
    .flatMap((nativeId) => sessionOf(join(all, nativeId), nativeId, wanted) ?? [])
    .sort((a, b) => b.lastActive.getTime() - a.lastActive.getTime())
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
  if (!UUID.test(nativeId))
    throw new CortextError('unsafe-path', `not a Copilot CLI session id: ${JSON.stringify(nativeId)}`, {
      fix: 'cortext resume --list',
    })
  return join(sessionsFolder(environment), nativeId, 'events.jsonl')
}

export function hasSession(environment: Environment, folder: string, nativeId: string): boolean {
  return (readEnds(transcriptPath(environment, folder, nativeId))?.bytes ?? 0) > 0
}

/**
 * The session that this process runs in. The client sets these variables for its agent's shell and for `!` commands
 * (1.0.102). In a subagent's shell the id is that of the subagent.
 */
export function insideOf(env: Environment['env']): string | undefined {
  return (env.COPILOT_CLI && env.COPILOT_AGENT_SESSION_ID) || undefined
}

function sessionOf(folder: string, nativeId: string, wanted: string): NativeSession | undefined {
  const about = aboutSession(join(folder, 'workspace.yaml'))
  if (about.cwd !== undefined && realFolder(about.cwd) !== wanted) return undefined
  const transcript = join(folder, 'events.jsonl')
  const ends = readEnds(transcript)
  if (ends === undefined || ends.bytes === 0) return undefined
  const heading = readHeading(ends.head, ends.tail)
  const cwd = about.cwd ?? heading.cwd
  if (!heading.hasTalk || cwd === '' || realFolder(cwd) !== wanted) return undefined
  const title = titleLine(about.name ?? '') || heading.first
  return {
    client: 'copilot',
    nativeId,
    transcript,
    title,
    cwd,
    lastActive: ends.lastActive,
    bytes: ends.bytes,
  }
}

/** The name that a person gave to a session with `/rename`, from `workspace.yaml` beside the events (1.0.102). */
export function givenName(
  _environment: Environment,
  { transcript }: { transcript: string },
): string | undefined {
  const { name, isGiven } = aboutSession(join(dirname(transcript), 'workspace.yaml'))
  return isGiven ? name : undefined
}

/** The values of `workspace.yaml` that are needed: each is a line of its own, plain or in quotes. */
function aboutSession(path: string): { cwd?: string; name?: string; isGiven: boolean } {
  const text = textAt(path)
  const lineOf = (key: string) => unquoted(new RegExp(`^${key}: (.+?)\\r?$`, 'm').exec(text)?.[1])
  const [cwd, name] = [lineOf('cwd'), lineOf('name')]
  const isGiven = lineOf('user_named') === 'true'
  return { ...(cwd === undefined ? {} : { cwd }), ...(name === undefined ? {} : { name }), isGiven }
}

function textAt(path: string): string {
  try {
    return readText(path, MAX_ABOUT) ?? ''
  } catch {
    // Nobody may read it. The events name the folder too.
    return ''
  }
}

const MAX_ABOUT = 64 * 1024

function unquoted(value: string | undefined): string | undefined {
  if (value?.startsWith("'")) return value.slice(1, -1).replaceAll("''", "'")
  if (!value?.startsWith('"')) return value
  try {
    return String(JSON.parse(value))
  } catch {
    return undefined
  }
}

/** The folder with all sessions, each in a folder named after its id (1.0.102). */
function sessionsFolder(environment: Environment): string {
  return join(ownFolder(environment), 'session-state')
}
