import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CortextError } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { realFolder } from '../../io/real-folder.ts'
import type { NativeSession } from '../contract/sessions.ts'
import { readEnds } from '../shared/transcript/file-ends.ts'
import { firstText } from '../shared/transcript/first-text.ts'
import { ownFolder } from './facts.ts'
import { readHeading } from './heading.ts'

/**
 * Lists the sessions of a folder, newest first, from the ends of their files. Different folders can share one project
 * folder (`a.b` and `a-b` do), so the `cwd` in a session's records decides which folder the session belongs to.
 */
export function locate(environment: Environment, folder: string): NativeSession[] {
  const wanted = realFolder(folder)
  const project = projectFolder(environment, wanted)
  if (!existsSync(project)) return []
  return readdirSync(project)
    .filter((name) => name.endsWith('.jsonl') && !name.startsWith('agent-'))
    .flatMap((name) => sessionOf(join(project, name), name.slice(0, -'.jsonl'.length)) ?? [])
    .filter((session) => session.cwd === '' || realFolder(session.cwd) === wanted)
    .map((session) => (session.cwd === '' ? { ...session, cwd: wanted } : session))
    .sort((a, b) => b.lastActive.getTime() - a.lastActive.getTime())
}

/** The folder of Claude Code's projects in this environment, and the default one: another shell may use the default. */
export function folders(environment: Environment): string[] {
  return [projectsFolder(environment), join(environment.home, '.claude', 'projects')]
}

/** The path of a session's transcript. Throws `unsafe-path` on an id that is not a plain name. */
export function transcriptPath(environment: Environment, folder: string, nativeId: string): string {
  if (!/^[A-Za-z0-9_-]+$/.test(nativeId))
    throw new CortextError('unsafe-path', `not a Claude Code session id: ${JSON.stringify(nativeId)}`, {
      fix: 'cortext resume --list',
    })
  const file = `${nativeId}.jsonl`
  const path = join(projectFolder(environment, realFolder(folder)), file)
  // The transcript of a session that began in a sub-folder or another worktree is in another project folder.
  return existsSync(path) ? path : (findElsewhere(environment, file) ?? path)
}

export function hasSession(environment: Environment, folder: string, nativeId: string): boolean {
  return (readEnds(transcriptPath(environment, folder, nativeId))?.bytes ?? 0) > 0
}

/** Claude Code finds a session only from a folder of the same repository or its worktrees (2.1.197, 2.1.330). */
export function heldElsewhere(
  environment: Environment,
  folder: string,
  transcript: string,
): string | undefined {
  if (dirname(transcript) === projectFolder(environment, realFolder(folder))) return undefined
  const ends = readEnds(transcript)
  return ends === undefined ? '' : readHeading(ends.head, ends.tail).cwd
}

export function sideFolder(transcript: string): string {
  return transcript.replace(/\.jsonl$/, '')
}

/**
 * The files of a session's subagents where an older version put them (2.0): next to the transcript, among those of other
 * sessions.
 */
export function sideFiles(transcript: string, nativeId: string): { path: string; name: string }[] {
  return agentsIn(dirname(transcript)).filter(({ session }) => session === nativeId)
}

interface AgentFile {
  path: string
  name: string
  session: string | undefined
}

/** An import of all sessions of a folder asks for each of them. */
let lastAgents: { key: string; files: AgentFile[] } | undefined

function agentsIn(folder: string): AgentFile[] {
  const key = `${folder} ${statSync(folder, { throwIfNoEntry: false })?.mtimeMs}`
  if (lastAgents?.key === key) return lastAgents.files
  const names = existsSync(folder) ? readdirSync(folder) : []
  const files = names
    .filter((name) => /^agent-[^/]+\.jsonl$/.test(name))
    .map((name) => {
      const ends = readEnds(join(folder, name))
      const session = ends && firstText(ends.head, ({ sessionId }) => sessionId)
      return { path: join(folder, name), name: `subagents/${name}`, session }
    })
  lastAgents = { key, files }
  return files
}

/**
 * The session that this process runs in. Claude Code sets these two variables for hooks, `!` commands and the Bash
 * tool. After /clear and /resume, `CLAUDE_CODE_SESSION_ID` is the new session's id (observed).
 */
export function insideOf(env: Environment['env']): string | undefined {
  return (env.CLAUDECODE && env.CLAUDE_CODE_SESSION_ID) || undefined
}

function findElsewhere(environment: Environment, file: string): string | undefined {
  const projects = projectsFolder(environment)
  if (!existsSync(projects)) return undefined
  return readdirSync(projects)
    .map((project) => join(projects, project, file))
    .find((path) => existsSync(path))
}

function projectFolder(environment: Environment, realPath: string): string {
  return join(projectsFolder(environment), slugOf(realPath))
}

function projectsFolder(environment: Environment): string {
  return join(ownFolder(environment), 'projects')
}

/**
 * Names a project folder by Claude Code's own rule (2.1.197). Every character except ASCII letters and digits becomes a
 * dash. A long name is cut, and a hash of the path follows.
 */
export function slugOf(path: string): string {
  const slug = path.replace(/[^a-zA-Z0-9]/g, '-')
  if (slug.length <= 200) return slug
  let hash = 0
  for (let index = 0; index < path.length; index++) hash = ((hash << 5) - hash + path.charCodeAt(index)) | 0
  return `${slug.slice(0, 200)}-${Math.abs(hash).toString(36)}`
}

function sessionOf(transcript: string, nativeId: string): NativeSession | undefined {
  const ends = readEnds(transcript)
  if (ends === undefined || ends.bytes === 0) return undefined
  const heading = readHeading(ends.head, ends.tail)
  if (heading.isSidechain) return undefined
  const { bytes, lastActive } = ends
  const { title, cwd, isAutomated } = heading
  const session = { client: 'claude', nativeId, transcript, title, cwd, lastActive, bytes }
  return isAutomated ? { ...session, automated: true } : session
}
