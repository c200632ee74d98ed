import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { realFolder } from '../../io/real-folder.ts'
import type { NativeSession, Sessions } from '../contract/sessions.ts'
import { absolute, settingOf } from '../shared/setup/settings-files.ts'
import { type Fields, fieldsOf, textOf } from '../shared/transcript/fields.ts'
import { quotedIn } from '../shared/transcript/file-ends.ts'
import { eachLine, splitLines } from '../shared/transcript/lines.ts'
import { checkId, heldOutside, isWritten, listSessions, namesIn } from '../shared/transcript/session-files.ts'
import { ownFolder, settingsFiles } from './facts.ts'
import { fateOf } from './read/rules.ts'
import { commandRecord, promptOf, typedIn } from './read/typed.ts'

export const sessions: Sessions = {
  locate,
  // The folder of all projects in this environment, and the default one: another shell may use the default.
  folders: (environment) => [
    projectsFolder(environment, environment.cwd),
    join(ownFolder(environment), 'projects'),
    join(environment.home, '.qwen', 'projects'),
  ],
  transcriptPath,
  hasSession: (environment, folder, nativeId) => isWritten(transcriptPath(environment, folder, nativeId)),
  // Qwen Code finds a session by its id only from the folder in which the session was held (0.24.4).
  heldElsewhere: (_, folder, transcript) =>
    heldOutside(folder, transcript, ({ head, tail }) => readHeading(head, tail).cwd),
  // The folder with the transcripts of a session's subagents.
  sideFolder: (transcript, nativeId) => join(transcript, '..', '..', 'subagents', nativeId),
  // The client names the session to the shell of its agent (0.24.4).
  currentSession: ({ QWEN_CODE, QWEN_CODE_SESSION_ID }) => (QWEN_CODE && QWEN_CODE_SESSION_ID) || undefined,
}

/**
 * Lists the sessions of a folder, newest first, from the ends of their files. Handoffs in which nothing was said are
 * left out. Different folders can share one project folder (`a.b` and `a-b` do), so the `cwd` in a session's records
 * decides which folder the session belongs to.
 */
function locate(environment: Environment, folder: string): NativeSession[] {
  const wanted = realFolder(folder)
  const chats = chatsFolder(environment, wanted)
  const files = namesIn(chats, '.jsonl').map((name) => {
    return { nativeId: name.slice(0, -'.jsonl'.length), transcript: join(chats, name) }
  })
  return listSessions('qwen', files, ({ head, tail }) => {
    const { title, cwd, hasTalk } = readHeading(head, tail)
    if (!hasTalk || (cwd !== '' && realFolder(cwd) !== wanted)) return undefined
    return { title, cwd: cwd || wanted }
  })
}

/** The path of a session's transcript. Throws `unsafe-path` on an id that is not a plain name. */
export function transcriptPath(environment: Environment, folder: string, nativeId: string): string {
  checkId(nativeId, 'a Qwen Code')
  const path = join(chatsFolder(environment, realFolder(folder)), `${nativeId}.jsonl`)
  // A session that began in another folder is in the folder of another project.
  return existsSync(path) ? path : (findElsewhere(environment, folder, `${nativeId}.jsonl`) ?? path)
}

/** For the transcript of a subagent, whose records all have `isSidechain`: the session that started it. */
export function subagentOf(bytes: Uint8Array): string | undefined {
  for (const { content } of eachLine(bytes)) {
    if (content.kind !== 'record' || content.record.type === undefined) continue
    return content.record.isSidechain === true ? textOf(content.record.sessionId) : undefined
  }
  return undefined
}

function findElsewhere(environment: Environment, folder: string, file: string): string | undefined {
  const projects = projectsFolder(environment, folder)
  return namesIn(projects)
    .map((project) => join(projects, project, 'chats', file))
    .find((path) => existsSync(path))
}

function chatsFolder(environment: Environment, realPath: string): string {
  return join(projectsFolder(environment, realPath), slugOf(realPath), 'chats')
}

/** Names a project folder by Qwen Code's own rule (0.24.4), which is lossy. */
function slugOf(path: string): string {
  const folded = process.platform === 'win32' ? path.toLowerCase() : path
  return folded.replace(/[^a-zA-Z0-9]/g, '-')
}

/**
 * The folder with the sessions of all projects, as Qwen Code chooses it (0.24.4): by a variable, by the settings of the
 * project or the person, or below its own folder.
 */
function projectsFolder(environment: Environment, folder: string): string {
  const variable = environment.env.QWEN_RUNTIME_DIR
  if (variable) return join(absolute(environment, variable, folder), 'projects')
  const set = settingOf(settingsFiles(environment, folder), 'advanced.runtimeOutputDir')?.value
  const base =
    typeof set === 'string' && set !== '' ? absolute(environment, set, folder) : ownFolder(environment)
  return join(base, 'projects')
}

/** The settings file of a project if it chooses the folder of the sessions. */
export function runtimeDirOfProject(project: string): string | undefined {
  const file = join(project, '.qwen', 'settings.json')
  return settingOf([file], 'advanced.runtimeOutputDir') === undefined ? undefined : file
}

/** Reads the folder and the title of a session from the two ends of its file. */
function readHeading(head: Uint8Array, tail: Uint8Array) {
  const heading = { cwd: '', title: '', hasTalk: false }
  let ownTitle = ''
  let first = ''
  let command: Fields | undefined
  for (const { content } of [...splitLines(head), ...splitLines(tail)]) {
    // The end of the head may be within a record.
    if (content.kind === 'unreadable') heading.hasTalk ||= heading.cwd !== ''
    if (content.kind !== 'record') continue
    const { record } = content
    heading.cwd ||= textOf(record.cwd)
    ownTitle = textOf(fieldsOf(record.systemPayload).customTitle) || ownTitle
    command = commandRecord(command, record)
    const { as } = fateOf(record)
    heading.hasTalk ||= as === 'prompt' || as === 'answer'
    if (as === 'prompt') first ||= promptOf(record, typedIn(command, record)).text
  }
  heading.cwd ||= quotedIn(head, 'cwd')
  heading.title = ownTitle || first
  return heading
}
