import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { listNames } from '../../io/list-names.ts'
import { realFolder } from '../../io/real-folder.ts'
import { readRegular } from '../../io/regular-file.ts'
import type { NativeSession, Sessions } from '../contract/sessions.ts'
import { fieldsOf, jsonIn, textOf } from '../shared/transcript/fields.ts'
import { bufferOf, eachLine, splitLines } from '../shared/transcript/lines.ts'
import { titleLine } from '../shared/transcript/read-talk.ts'
import { checkId, isWritten, listSessions, textAt } from '../shared/transcript/session-files.ts'
import { ownFolder } from './facts.ts'
import { UUID } from './hook-events.ts'
import { movedOutput, resultText } from './read/parts.ts'
import { agentOf, isSeed, isTyped, typedText } from './read/rules.ts'

export const sessions: Sessions = {
  locate,
  // The folder of all sessions in this environment, and the default one: another shell may use the default.
  folders: (environment) => [
    sessionsFolder(environment),
    join(environment.home, '.copilot', 'session-state'),
  ],
  transcriptPath,
  hasSession: (environment, folder, nativeId) => isWritten(transcriptPath(environment, folder, nativeId)),
  // A session's folder has its id as its name.
  isNamedAfter: (transcript, nativeId) => basename(dirname(transcript)) === nativeId,
  sideFiles: movedOutputs,
  // The name that a person gave to a session with `/rename` (1.0.102).
  givenName(_, { transcript }) {
    const { name, isGiven } = aboutSession(transcript)
    return isGiven ? name : undefined
  },
  // The client sets these variables for its agent's shell and for `!` commands (1.0.102). In a subagent's shell the id is
  // that of the subagent.
  currentSession: ({ COPILOT_CLI, COPILOT_AGENT_SESSION_ID }) =>
    (COPILOT_CLI && COPILOT_AGENT_SESSION_ID) || undefined,
}

/**
 * Lists the sessions of a folder, newest first, from `workspace.yaml` and the ends of `events.jsonl` in each session's
 * folder. Handoffs in which nothing was said are left out.
 */
function locate(environment: Environment, folder: string): NativeSession[] {
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

/** The path of a session's events. Throws `unsafe-path` on an id that is not a UUID. */
export function transcriptPath(environment: Environment, _folder: string, nativeId: string): string {
  checkId(nativeId, 'a Copilot CLI', UUID)
  return join(sessionsFolder(environment), nativeId, 'events.jsonl')
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

/** Reads the folder of a session and the first text that the person typed from the two ends of its file. */
function readHeading(head: Uint8Array, tail: Uint8Array) {
  const heading = { cwd: '', first: '', hasTalk: false }
  for (const { content } of [...splitLines(head), ...splitLines(tail)]) {
    // A line that is longer than what is read of the file is not a short note of the client.
    if (content.kind === 'unreadable') heading.hasTalk = true
    if (content.kind !== 'record') continue
    const { record } = content
    const data = fieldsOf(record.data)
    if (record.type === 'session.start') heading.cwd ||= textOf(fieldsOf(data.context).cwd)
    if (isSeed(record) || agentOf(record) !== '') continue
    if (record.type === 'user.message' && isTyped(data)) heading.first ||= titleLine(typedText(data))
    if (record.type === 'tool.user_requested')
      heading.first ||= titleLine(`!${textOf(fieldsOf(data.arguments).command)}`)
    heading.hasTalk ||= heading.first !== '' || record.type === 'assistant.message'
  }
  return heading
}

/**
 * The files in the folder for temporary files into which the client moved long outputs of a session (1.0.102). A file of
 * another folder is left out: only its name in a result says that it belongs to the session.
 */
function movedOutputs(transcript: string): { path: string; name: string }[] {
  const bytes = bytesOf(transcript)
  if (bytes === undefined || !bufferOf(bytes).includes('-copilot-tool-output-')) return []
  const files = new Map<string, string>()
  for (const { content } of eachLine(bytes)) {
    if (content.kind !== 'record' || content.record.type !== 'tool.execution_complete') continue
    const text = resultText(fieldsOf(content.record.data))
    const name = movedOutput(text)
    const folder = dirname(/Saved to: ([^\n]*)/.exec(textOf(text))?.[1] ?? '')
    if (name !== undefined && realFolder(folder) === realFolder(tmpdir())) files.set(name, join(folder, name))
  }
  return [...files].filter(([, path]) => existsSync(path)).map(([name, path]) => ({ path, name }))
}

function bytesOf(transcript: string): Buffer | undefined {
  try {
    return readRegular(transcript)
  } catch {
    // Nobody may read it. Its caller reports that.
    return undefined
  }
}
