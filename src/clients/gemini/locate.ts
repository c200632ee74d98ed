import { basename, dirname, join, parse } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { realFolder } from '../../io/real-folder.ts'
import type { NativeSession, Sessions } from '../contract/sessions.ts'
import { bodyOf } from '../shared/genai/parts.ts'
import { type Fields, fieldsOf, isObject, jsonIn, listOf, textOf } from '../shared/transcript/fields.ts'
import { type FileEnds, readEnds } from '../shared/transcript/file-ends.ts'
import { splitLines } from '../shared/transcript/lines.ts'
import { titleLine } from '../shared/transcript/read-talk.ts'
import { checkId, namesIn, newestFirst, textAt } from '../shared/transcript/session-files.ts'
import { ownFolder } from './facts.ts'
import { retention } from './health.ts'
import { oneObject } from './read/one-object.ts'
import { classifyUserRecord, isSeed, SEED } from './read/rules.ts'
import { beginsWithTask, OWN_FILE } from './read/subagents.ts'

export const sessions: Sessions = {
  locate,
  // The folder with the sessions of all projects.
  folders: (environment) => [join(ownFolder(environment), 'tmp')],
  transcriptPath,
  // If only a stub is left, the client does not have the session: it does not resume a stub (0.61.0).
  hasSession(environment, folder, nativeId) {
    const ends = endsOf(transcriptPath(environment, folder, nativeId))
    return ends !== undefined && readHeading(ends.head, ends.tail).hasTalk
  },
  // A file's name is a time, in one of several forms, and the session's id, of which Gemini CLI writes the first eight
  // letters (0.61.0).
  isNamedAfter(transcript, nativeId) {
    const { name } = parse(transcript)
    return [nativeId, nativeId.slice(0, 8)].some((id) => id.length >= 8 && name.endsWith(`-${id}`))
  },
  // The folder with the session files of a session's subagents.
  sideFolder: (transcript, nativeId) => join(transcript, '..', nativeId),
  sideFiles,
  // The folder for the whole texts of tool outputs that the client has cut for the model.
  outputsFolder: (transcript, nativeId) =>
    join(transcript, '..', '..', 'tool-outputs', `session-${nativeId}`),
  retention,
}

/**
 * Lists the sessions of a folder, newest first, from the ends of their files. A resume may leave a second file of a
 * session, without talk (a stub). A stub does not count as a session.
 */
function locate(environment: Environment, folder: string): NativeSession[] {
  const cwd = realFolder(folder)
  const sessions = sessionFiles(environment, cwd).flatMap((transcript) => sessionOf(transcript, cwd) ?? [])
  const isCurrentFormat = ({ transcript }: NativeSession) => Number(transcript.endsWith('.jsonl'))
  sessions.sort((a, b) => isCurrentFormat(b) - isCurrentFormat(a) || b.bytes - a.bytes)
  const distinct = sessions.filter(
    (session, index) => sessions.findIndex(({ nativeId }) => nativeId === session.nativeId) === index,
  )
  return newestFirst(distinct)
}

/**
 * The path of a session's file. The file's name contains the minute of the session's start and the first eight letters
 * of the session's id. A stub has such a name too, so this returns the best file by `rank`. Throws `unsafe-path` on an
 * id that is not a plain name.
 */
function transcriptPath(environment: Environment, folder: string, nativeId: string): string {
  checkId(nativeId, 'a Gemini CLI')
  const cwd = realFolder(folder)
  const short = nativeId.slice(0, 8)
  const [best] = sessionFiles(environment, cwd)
    .filter((path) => [short, nativeId].some((id) => path.includes(`-${id}.json`)))
    .flatMap((path) => endsOf(path) ?? [])
    .filter(({ head }) => readHeading(head, NOTHING).nativeId === nativeId)
    .sort((a, b) => rank(b) - rank(a) || b.bytes - a.bytes)
  return (
    best?.path ??
    join(chatsOf(environment, cwd)[0] ?? join(ownFolder(environment), 'tmp'), `session-${nativeId}.jsonl`)
  )
}

/**
 * Ranks the files of one session. A file of the present format comes first, even if it only continues a file of the
 * older format. A stub comes last.
 */
function rank({ path, head }: { path: string; head: Uint8Array }): number {
  if (path.endsWith('.json')) return 1
  return readHeading(head, NOTHING).hasTalk ? 2 : 0
}

/**
 * The files of a session's subagents where older versions put them: next to the transcript, under the session's own id.
 */
function sideFiles(transcript: string, nativeId: string): { path: string; name: string }[] {
  if (!transcript.endsWith('.json')) return []
  const chats = dirname(transcript)
  return namesIn(chats)
    .filter(
      (name) =>
        OWN_FILE.test(name) && name.includes(`-${nativeId.slice(0, 8)}`) && name !== basename(transcript),
    )
    .map((name) => ({ path: join(chats, name), name }))
    .filter(({ path }) => {
      const ends = endsOf(path)
      return ends !== undefined && subagentOf(ends.head) === nativeId
    })
}

/** Finds the session that a seed became: the client keeps the ids of the seed's messages. */
export function launchedAs(environment: Environment, folder: string, launch: string) {
  const seed = `"${SEED}${launch}-`
  const [largest] = sessionFiles(environment, realFolder(folder))
    .flatMap((path) => endsOf(path) ?? [])
    .filter(({ head }) => Buffer.from(head).includes(seed))
    .sort((a, b) => b.bytes - a.bytes)
  if (largest === undefined) return undefined
  return { nativeId: readHeading(largest.head, NOTHING).nativeId, transcript: largest.path }
}

const NOTHING = new Uint8Array()

function sessionFiles(environment: Environment, cwd: string): string[] {
  return chatsOf(environment, cwd).flatMap((chats) =>
    namesIn(chats)
      .filter((name) => /^session-.*\.jsonl?$/.test(name))
      .map((name) => join(chats, name)),
  )
}

/**
 * The folders with the sessions of a project. The client names a project's folder in `tmp` by a short name.
 * `projects.json` maps the project's path to that name, and a `.project_root` in the folder contains the path.
 */
function chatsOf(environment: Environment, cwd: string): string[] {
  const store = join(ownFolder(environment), 'tmp')
  const named = slugIn(join(ownFolder(environment), 'projects.json'), cwd)
  const marked = namesIn(store).filter((slug) => textAt(join(store, slug, '.project_root'))?.trim() === cwd)
  return [...new Set([...(named === undefined ? [] : [named]), ...marked])].map((slug) =>
    join(store, slug, 'chats'),
  )
}

function slugIn(registry: string, cwd: string): string | undefined {
  // The file may be damaged or being written. The `.project_root` files name the projects too.
  const slug = textOf(fieldsOf(fieldsOf(jsonIn(textAt(registry) ?? '')).projects)[cwd])
  return slug !== '' && basename(slug) === slug ? slug : undefined
}

function sessionOf(transcript: string, cwd: string): NativeSession | undefined {
  const ends = endsOf(transcript)
  if (ends === undefined) return undefined
  const { nativeId, title, isMain, hasTalk } = readHeading(ends.head, ends.tail)
  if (nativeId === '' || !isMain || !hasTalk) return undefined
  const { bytes, lastActive } = ends
  return { client: 'gemini', nativeId, transcript, title, cwd, lastActive, bytes }
}

/** Reads the ends of a file. A file of older versions is one JSON object, so it is read whole. */
function endsOf(path: string): FileEnds | undefined {
  return readEnds(path, path.endsWith('.json') ? Number.POSITIVE_INFINITY : undefined)
}

/** Reads the id and the title of a session file from its two ends, for lists of sessions. */
export function readHeading(head: Uint8Array, tail: Uint8Array) {
  const heading = { nativeId: '', title: '', isMain: true, sharesId: false, hasTalk: false }
  let ownTitle = ''
  let firstPrompt = ''
  const old = oneObject(head)
  for (const { content } of old ?? [...splitLines(head), ...splitLines(tail)]) {
    if (content.kind !== 'record') continue
    const { record } = content
    if (heading.nativeId === '' && typeof record.projectHash === 'string') {
      heading.nativeId = textOf(record.sessionId)
      heading.sharesId = beginsWithTask(record)
      heading.isMain = record.kind !== 'subagent' && !heading.sharesId
    }
    ownTitle = textOf(fieldsOf(record.$set).summary) || textOf(record.summary) || ownTitle
    for (const message of messagesIn(record)) {
      if (message.type === 'gemini') heading.hasTalk = true
      firstPrompt ||= typedIn(message)
    }
  }
  heading.hasTalk ||= firstPrompt !== ''
  heading.title = titleLine(ownTitle || firstPrompt)
  return heading
}

/**
 * For the file of a subagent, the session that started it:
 * * up to 0.28 the file has the id of that session, and begins with the task of the subagent (`sharesId`)
 * * later it has an id of its own, and only the name of its folder says which session that is: then ''
 */
export function subagentOf(bytes: Uint8Array): string | undefined {
  const { isMain, nativeId, sharesId } = readHeading(bytes, new Uint8Array())
  return isMain ? undefined : sharesId ? nativeId : ''
}

function messagesIn(record: Fields): Fields[] {
  if (typeof record.id === 'string') return [record]
  return [...listOf(fieldsOf(record.$set).messages), ...listOf(record.messages)].filter(isObject)
}

function typedIn(message: Fields): string {
  if (message.type !== 'user' || isSeed(message)) return ''
  const classified = classifyUserRecord(message)
  if (classified.kind === 'shell') return `!${classified.command}`
  const content = classified.kind === 'prompt' ? bodyOf(classified.parts, new Map()).content : ''
  return typeof content === 'string'
    ? content
    : (content.find((part) => part.type === 'text')?.text as string) || ''
}
