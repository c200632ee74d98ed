import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { realFolder } from '../../io/real-folder.ts'
import type { NativeSession, Sessions } from '../contract/sessions.ts'
import { blocksOf, type Fields, fieldsOf, textOf } from '../shared/transcript/fields.ts'
import { quotedIn, readEnds } from '../shared/transcript/file-ends.ts'
import { bufferOf, eachLine, firstText, type Line, splitLines } from '../shared/transcript/lines.ts'
import { checkId, isWritten, listSessions, namesIn } from '../shared/transcript/session-files.ts'
import { ownFolder } from './facts.ts'
import { retention } from './health.ts'
import { fateOf, isClientText } from './read/rules.ts'
import { classifyText } from './read/typed.ts'

export const sessions: Sessions = {
  locate,
  // The folder of Claude Code's projects in this environment, and the default one: another shell may use the default.
  folders: (environment) => [projectsFolder(environment), join(environment.home, '.claude', 'projects')],
  transcriptPath,
  hasSession: (environment, folder, nativeId) => isWritten(transcriptPath(environment, folder, nativeId)),
  heldElsewhere,
  sideFolder: (transcript) => transcript.replace(/\.jsonl$/, ''),
  // The files of a session's subagents where an older version put them (2.0): next to the transcript, among those of
  // other sessions.
  sideFiles: (transcript, nativeId) =>
    agentsIn(dirname(transcript)).filter(({ session }) => session === nativeId),
  // Claude Code sets these two variables for hooks, `!` commands and the Bash tool. After /clear and /resume,
  // `CLAUDE_CODE_SESSION_ID` is the new session's id (observed).
  currentSession: ({ CLAUDECODE, CLAUDE_CODE_SESSION_ID }) =>
    (CLAUDECODE && CLAUDE_CODE_SESSION_ID) || undefined,
  retention,
}

/**
 * Lists the sessions of a folder, newest first, from the ends of their files. Different folders can share one project
 * folder (`a.b` and `a-b` do), so the `cwd` in a session's records decides which folder the session belongs to.
 */
function locate(environment: Environment, folder: string): NativeSession[] {
  const wanted = realFolder(folder)
  const project = projectFolder(environment, wanted)
  const files = namesIn(project, '.jsonl')
    .filter((name) => !name.startsWith('agent-'))
    .map((name) => ({ nativeId: name.slice(0, -'.jsonl'.length), transcript: join(project, name) }))
  return listSessions('claude', files, ({ head, tail, bytes }) => {
    const { title, cwd, isSidechain, isAutomated } = readHeading(head, tail)
    if (bytes === 0 || isSidechain || (cwd !== '' && realFolder(cwd) !== wanted)) return undefined
    return { title, cwd: cwd || wanted, ...(isAutomated ? { automated: true } : {}) }
  })
}

/** The path of a session's transcript. Throws `unsafe-path` on an id that is not a plain name. */
function transcriptPath(environment: Environment, folder: string, nativeId: string): string {
  checkId(nativeId, 'a Claude Code')
  const file = `${nativeId}.jsonl`
  const path = join(projectFolder(environment, realFolder(folder)), file)
  // The transcript of a session that began in a sub-folder or another worktree is in another project folder.
  return existsSync(path) ? path : (findElsewhere(environment, file) ?? path)
}

/** Claude Code finds a session only from a folder of the same repository or its worktrees (2.1.197, 2.1.330). */
function heldElsewhere(environment: Environment, folder: string, transcript: string): string | undefined {
  if (dirname(transcript) === projectFolder(environment, realFolder(folder))) return undefined
  const ends = readEnds(transcript)
  return ends === undefined ? '' : readHeading(ends.head, ends.tail).cwd
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
  const files = namesIn(folder, '.jsonl')
    .filter((name) => name.startsWith('agent-'))
    .map((name) => {
      const ends = readEnds(join(folder, name))
      const session = ends && firstText(ends.head, ({ sessionId }) => sessionId)
      return { path: join(folder, name), name: `subagents/${name}`, session }
    })
  lastAgents = { key, files }
  return files
}

function findElsewhere(environment: Environment, file: string): string | undefined {
  const projects = projectsFolder(environment)
  return namesIn(projects)
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

/**
 * Reads the title and the folder of a transcript from its two ends, for lists of sessions. `isAutomated`: all prompts
 * came through the SDK or `claude -p`, and none from a terminal or an editor (`entrypoint`, 2.1.197 to 2.1.330).
 */
function readHeading(head: Uint8Array, tail: Uint8Array) {
  const heading = { cwd: '', title: '', isSidechain: false, isAutomated: false }
  const ways = new Set<string>()
  let customTitle = ''
  let ownTitle = ''
  let firstPrompt = ''
  const records = [...splitLines(head), ...splitLines(tail)].flatMap(recordOf)
  const uuids = new Set(records.map(({ uuid }) => uuid))
  // A file begins with summaries of other sessions: see read/index.ts.
  const isOwnSummary = ({ type, leafUuid }: Fields) => type === 'summary' && uuids.has(leafUuid)
  for (const record of records) {
    if (heading.cwd === '') {
      heading.cwd = textOf(record.cwd)
      heading.isSidechain = record.isSidechain === true
    }
    if (record.type === 'user')
      ways.add(record.promptSource === 'typed' ? 'typed' : textOf(record.entrypoint).slice(0, SDK.length))
    customTitle = textOf(record.customTitle) || customTitle
    ownTitle = textOf(record.aiTitle) || (isOwnSummary(record) ? textOf(record.summary) : '') || ownTitle
    if (firstPrompt === '') firstPrompt = promptIn(record)
  }
  heading.cwd ||= quotedIn(head, 'cwd')
  heading.isAutomated = ways.size === 1 && ways.has(SDK)
  heading.title = customTitle || ownTitle || firstPrompt
  return heading
}

/** The entry points of programs begin with this: `sdk-cli`, `sdk-ts`, `sdk-py`. */
const SDK = 'sdk-'

/**
 * For the transcript of a subagent: the id of the session that started the subagent. Undefined for any other
 * transcript. All prompts and answers of a subagent's transcript have `isSidechain`.
 */
export function subagentOf(bytes: Uint8Array): string | undefined {
  if (!bufferOf(bytes).includes('"isSidechain":true')) return undefined
  let session: string | undefined
  for (const { content } of eachLine(bytes)) {
    if (content.kind !== 'record') continue
    const { record } = content
    if (record.type !== 'user' && record.type !== 'assistant') continue
    if (record.isSidechain !== true) return undefined
    session ??= textOf(record.sessionId)
  }
  return session
}

function recordOf(line: Line): Fields[] {
  return line.content.kind === 'record' ? [line.content.record] : []
}

function promptIn(record: Fields): string {
  if (fateOf(record).as !== 'user' || record.isMeta === true || record.isSidechain === true) return ''
  for (const block of blocksOf(fieldsOf(record.message).content)) {
    if (block.type !== 'text' || isClientText(block)) continue
    const typed = classifyText(textOf(block.text))
    if (typed.kind === 'prompt' || typed.kind === 'command' || typed.kind === 'shell-input') return typed.text
  }
  return ''
}
