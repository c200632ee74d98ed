import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CortextError } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { findProgram } from '../../io/program.ts'
import { realFolder } from '../../io/real-folder.ts'
import { statsOf } from '../../io/regular-file.ts'
import type { NativeSession, Sessions } from '../contract/sessions.ts'
import { fieldsOf, jsonIn, textOf } from '../shared/transcript/fields.ts'
import { readEnds } from '../shared/transcript/file-ends.ts'
import { splitLines } from '../shared/transcript/lines.ts'
import { checkId, newestFirst } from '../shared/transcript/session-files.ts'
import { dataFolder, ownTranscript } from './data-folder.ts'
import { sessionsInDatabase } from './database.ts'
import { askForSession, askOpenCode } from './program.ts'
import { UNTITLED } from './read/index.ts'
import { recordIn } from './read/record.ts'
import { refresh } from './refresh.ts'
import { SEED_TIME } from './seed.ts'

export const sessions: Sessions = {
  locate,
  // The folder of the transcripts that our plugin writes.
  folders: (environment) => [dirname(ownTranscript(environment, '-'))],
  transcriptPath,
  hasSession,
  // The plugin names the session to the agent's shell, because OpenCode itself does not.
  currentSession: ({ OPENCODE, CORTEXT_OPENCODE_SESSION }) =>
    (OPENCODE && CORTEXT_OPENCODE_SESSION) || undefined,
  folderOf,
  refresh,
}

/**
 * Lists the sessions of a folder, newest first. Sessions of subagents are left out, and handoffs in which nothing was
 * said. This reads OpenCode's database if this Node can. Otherwise it asks OpenCode, which takes about a second. The
 * list is empty if OpenCode never ran. Throws `client-failed` when OpenCode gives no answer.
 */
function locate(environment: Environment, folder: string): NativeSession[] {
  const wanted = realFolder(folder)
  const all = sessionsInDatabase(environment) ?? askForSessions(environment, wanted)
  const own = all
    .map(fieldsOf)
    .filter(({ updated }) => Number(updated) !== SEED_TIME)
    .filter(({ id, directory }) => PLAIN_ID.test(textOf(id)) && realFolder(textOf(directory)) === wanted)
  return newestFirst(
    own.map(({ id, title, updated }) => {
      const nativeId = textOf(id)
      const transcript = ownTranscript(environment, nativeId)
      const bytes = statsOf(transcript)?.size ?? 0
      const ownTitle = UNTITLED.test(textOf(title)) ? '' : textOf(title)
      const lastActive = new Date(Number(updated) || 0)
      return { client: 'opencode', nativeId, transcript, title: ownTitle, cwd: wanted, lastActive, bytes }
    }),
  )
}

/**
 * The path of our transcript of a session. OpenCode keeps its sessions in a database, so the plugin writes transcripts
 * next to OpenCode's own data. Throws `unsafe-path` on an id that is not a plain name.
 */
function transcriptPath(environment: Environment, _folder: string, nativeId: string): string {
  checkId(nativeId, 'an OpenCode', PLAIN_ID)
  return ownTranscript(environment, nativeId)
}

/** OpenCode resumes a session in its own folder, wherever it is started (1.18.33). */
function folderOf(environment: Environment, nativeId: string): string | undefined {
  const ends = PLAIN_ID.test(nativeId) ? readEnds(ownTranscript(environment, nativeId)) : undefined
  const [first] = ends === undefined ? [] : splitLines(ends.head)
  const record = first && recordIn(first)
  return (record?.type === 'session' && textOf(record.info.directory)) || undefined
}

/** A person waits for the list, so after this time OpenCode's sessions are left out of it. A busy machine needs 15 s. */
const LIST_TIMEOUT_MS = 30_000
/** By default OpenCode lists only the newest hundred sessions (1.18.33). */
const NO_LIMIT = ['--max-count', '1000000']

function askForSessions(environment: Environment, cwd: string): unknown[] {
  if (!existsSync(join(dataFolder(environment), 'opencode'))) return []
  const args = ['session', 'list', '--format', 'json', ...NO_LIMIT]
  const output = askOpenCode(environment, cwd, args, LIST_TIMEOUT_MS)
  // OpenCode prints nothing when there is no session (1.18.33).
  if (output?.trim() === '') return []
  // Another version prints a message such as "no such command", or no answer came in time.
  const list = jsonIn(output ?? '')
  if (Array.isArray(list)) return list
  throw new CortextError('client-failed', 'OpenCode did not list its sessions', {
    fix: 'opencode session list',
  })
}

const PLAIN_ID = /^[A-Za-z0-9_-]+$/

/**
 * Whether OpenCode still has a session. Our transcript does not show this, because it stays when OpenCode deletes the
 * session. This searches OpenCode's database if this Node can read it. Otherwise it asks OpenCode to export the
 * session, which takes a second. True if OpenCode gives no answer.
 */
function hasSession(environment: Environment, folder: string, nativeId: string): boolean {
  if (!existsSync(join(dataFolder(environment), 'opencode'))) return false
  const sessions = sessionsInDatabase(environment)
  if (sessions !== undefined) return sessions.some(({ id }) => id === nativeId)
  if (findProgram('opencode', environment.env) === undefined) return true
  // OpenCode's list would leave out sessions that were held when their folder belonged to another project.
  return askForSession(environment, folder, nativeId) !== 'missing'
}
