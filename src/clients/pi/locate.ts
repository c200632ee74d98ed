import { basename, join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { realFolder } from '../../io/real-folder.ts'
import type { NativeSession, Sessions } from '../contract/sessions.ts'
import { absolute, settingOf } from '../shared/setup/settings-files.ts'
import { blocksOf, fieldsOf, textOf } from '../shared/transcript/fields.ts'
import { splitLines } from '../shared/transcript/lines.ts'
import { checkId, heldOutside, isWritten, listSessions, namesIn } from '../shared/transcript/session-files.ts'
import { ownFolder } from './facts.ts'
import { isOurs, typedIn } from './read.ts'

export const sessions: Sessions = {
  locate,
  // The folder of all sessions: Pi's own or the one that a variable names, Pi's default, and what a setting of this
  // folder's project chooses.
  folders: (environment) => [
    join(ownFolder(environment), 'sessions'),
    join(environment.home, '.pi', 'agent', 'sessions'),
    sessionsFolder(environment, realFolder(environment.cwd)),
  ],
  transcriptPath,
  hasSession: (environment, folder, nativeId) => isWritten(transcriptPath(environment, folder, nativeId)),
  isNamedAfter,
  // Pi finds a session by its id only from the folder in which the session was held (1.5.2).
  heldElsewhere: (_, folder, transcript) =>
    heldOutside(folder, transcript, ({ head, tail }) => readHeading(head, tail).cwd),
  // Pi names the session to the shell of its agent, and not to a command that the person runs with `!` (1.5.2).
  currentSession: ({ PI_CODING_AGENT, PI_SESSION_ID }) => (PI_CODING_AGENT && PI_SESSION_ID) || undefined,
}

/**
 * Lists the sessions of a folder, newest first, from the ends of their files. Handoffs in which nothing was said are
 * left out. The first line of a session says in which folder it was held.
 */
function locate(environment: Environment, folder: string): NativeSession[] {
  const wanted = realFolder(folder)
  const sessions = sessionsFolder(environment, wanted)
  const files = namesIn(sessions, '.jsonl').map((name) => ({
    nativeId: '',
    transcript: join(sessions, name),
  }))
  return listSessions('pi', files, ({ head, tail }) => {
    const { nativeId, title, cwd, hasTalk } = readHeading(head, tail)
    const isListed = SESSION_ID.test(nativeId) && cwd !== '' && hasTalk && realFolder(cwd) === wanted
    return isListed ? { nativeId, title, cwd } : undefined
  })
}

/** A file's name is a time, `_` and the session's id. */
function isNamedAfter(transcript: string, nativeId: string): boolean {
  return basename(transcript).replace(/^[^_]*_/, '') === `${nativeId}.jsonl`
}

/**
 * The path of a session's file, whose name is a time and the session's id. The time of a session that has no file is
 * not known, so its file gets a time of ours: `prepare` makes it. Throws `unsafe-path` on an id that Pi would refuse.
 */
export function transcriptPath(environment: Environment, folder: string, nativeId: string): string {
  checkId(nativeId, 'a Pi', SESSION_ID)
  const own = sessionsFolder(environment, realFolder(folder))
  return findIn(own, nativeId) ?? findElsewhere(environment, nativeId) ?? join(own, seedName(nativeId))
}

/** An id that Pi takes (1.5.2). */
const SESSION_ID = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/

/** Any time works: Pi finds a session by the id at the end of the name (1.5.2). */
function seedName(nativeId: string): string {
  return `2000-01-01T00-00-00-000Z_${nativeId}.jsonl`
}

function findElsewhere(environment: Environment, nativeId: string): string | undefined {
  const all = join(ownFolder(environment), 'sessions')
  return namesIn(all)
    .map((project) => findIn(join(all, project), nativeId))
    .find((path) => path !== undefined)
}

function findIn(folder: string, nativeId: string): string | undefined {
  const name = namesIn(folder).find((file) => isNamedAfter(file, nativeId))
  return name === undefined ? undefined : join(folder, name)
}

/**
 * The folder with the sessions of a project, as Pi chooses it (1.5.2): by a variable, by the settings of the project
 * or the person, or below its own folder. The name there is lossy (`a/b` and `a-b` share it), and a folder that a
 * setting names contains the sessions of all projects. So the first line of a session says where it was held.
 */
function sessionsFolder(environment: Environment, project: string): string {
  const variable = environment.env.PI_CODING_AGENT_SESSION_DIR
  if (variable) return absolute(environment, variable, project)
  const files = [projectSettings(project), join(ownFolder(environment), 'settings.json')]
  const set = settingOf(files, 'sessionDir')?.value
  if (typeof set === 'string' && set !== '') return absolute(environment, set, project)
  const name = project.replace(/^[/\\]/, '').replace(/[/\\:]/g, '-')
  return join(ownFolder(environment), 'sessions', `--${name}--`)
}

/** The settings file of a project if it chooses the folder of the sessions. */
export function sessionDirOfProject(project: string): string | undefined {
  const file = projectSettings(project)
  return settingOf([file], 'sessionDir') === undefined ? undefined : file
}

const projectSettings = (project: string) => join(project, '.pi', 'settings.json')

/** Reads the id, the folder and the title of a session from the two ends of its file. */
function readHeading(head: Uint8Array, tail: Uint8Array) {
  const heading = { nativeId: '', cwd: '', title: '', hasTalk: false }
  let name = ''
  let first = ''
  let typed = ''
  for (const { content } of [...splitLines(head), ...splitLines(tail)]) {
    // The line at which the head ends, or the tail begins, may be a long message.
    if (content.kind === 'unreadable') heading.hasTalk ||= heading.nativeId !== ''
    if (content.kind !== 'record') continue
    const { record } = content
    if (record.type === 'session' && heading.nativeId === '') {
      heading.nativeId = textOf(record.id)
      heading.cwd = textOf(record.cwd)
    }
    if (record.type === 'session_info') name = textOf(record.name)
    // What the person typed, before Pi put a template or a skill in its place.
    typed = typedIn(record) ?? typed
    const message = fieldsOf(record.message)
    if (record.type !== 'message' || message.role === 'system' || isOurs(record)) continue
    heading.hasTalk = true
    if (message.role === 'user') first ||= typed || textOf(blocksOf(message.content)[0]?.text)
    if (message.role === 'bashExecution') first ||= `!${textOf(message.command)}`
  }
  heading.title = name || first
  return heading
}
