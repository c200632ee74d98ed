import { statSync } from 'node:fs'
import { join, parse } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { realFolder } from '../../io/real-folder.ts'
import type { NativeSession, Sessions } from '../contract/sessions.ts'
import { fieldsOf, jsonIn, listOf, textOf } from '../shared/transcript/fields.ts'
import { type FileEnds, readEnds } from '../shared/transcript/file-ends.ts'
import { splitLines } from '../shared/transcript/lines.ts'
import { checkId, textAt } from '../shared/transcript/session-files.ts'
import { ownFolder } from './facts.ts'
import { readHeading } from './heading.ts'
import { inUse } from './in-use.ts'
import { isAtReview, reviewBegun } from './read/subagents.ts'
import {
  daysOf,
  filesOf,
  metaOf,
  newestOf,
  partsBefore,
  type Rollout,
  readAt,
  rolloutsAround,
  rolloutsIn,
  STORES,
} from './rollouts.ts'

export const sessions: Sessions = {
  locate,
  folders,
  transcriptPath,
  // An archived thread does not count, because Codex CLI does not open it (0.169.0).
  hasSession: (environment, _, nativeId) => filesHere(environment, nativeId, ['sessions']).length > 0,
  // A file's name is a time and the thread's id, and after a rewind an id of the file's own.
  isNamedAfter(transcript, nativeId) {
    const { name } = parse(transcript)
    return nativeId.length >= 8 && name.replace(/_[0-9a-f-]{36}$/, '').endsWith(`-${nativeId}`)
  },
  // The folder that the first line of a thread's newest file names.
  folderOf(environment, nativeId) {
    const newest = filesHere(environment, nativeId, STORES).at(-1)
    const cwd = newest && metaOf(newest.path)?.cwd
    return typeof cwd === 'string' ? cwd : undefined
  },
  inUse,
  sideFiles,
  newest: newestOf,
  givenName,
  // In a subagent's shell, CODEX_SESSION_ID should name the person's thread (not tried).
  currentSession: ({ CODEX_SESSION_ID, CODEX_THREAD_ID }) => CODEX_SESSION_ID || CODEX_THREAD_ID || undefined,
}

/**
 * Lists the threads of a folder, newest first, from the names and ends of their files. It leaves out threads of
 * subagents and threads in which nothing was said. It also leaves out copies that Codex made of another client's
 * sessions.
 */
function locate(environment: Environment, folder: string): NativeSession[] {
  const cwd = realFolder(folder)
  const copies = copiedThreads(environment)
  const isHere = folderCheck(cwd)
  const threads = new Map<string, Rollout[]>()
  for (const rollout of folders(environment).flatMap((store) => rolloutsIn(store))) {
    const files = threads.get(rollout.thread)
    if (files === undefined) threads.set(rollout.thread, [rollout])
    else files.push(rollout)
  }
  return [...threads]
    .filter(([thread, [first]]) => !copies.has(thread) && mayBeOf(first!.path, isHere))
    .flatMap(([thread, files]) => sessionOf(filesOf(files, thread), isHere) ?? [])
    .map((session) => ({ ...session, title: givenName(environment, session) ?? session.title }))
    .sort((a, b) => b.lastActive.getTime() - a.lastActive.getTime())
}

/** The path of a thread's newest file. Throws `unsafe-path` on an id that is not a plain name. */
function transcriptPath(environment: Environment, _folder: string, nativeId: string): string {
  checkId(nativeId, 'a Codex CLI')
  return (
    filesHere(environment, nativeId, STORES).at(-1)?.path ??
    join(ownFolder(environment), 'sessions', `rollout-${nativeId}.jsonl`)
  )
}

/** The folders in which Codex CLI keeps threads, archived threads included. */
function folders(environment: Environment): string[] {
  return STORES.map((store) => join(ownFolder(environment), store))
}

/**
 * Finds the files of a thread. It searches the days since the thread began and, if no file is found there, all days.
 */
function filesHere(environment: Environment, nativeId: string, stores: readonly string[]): Rollout[] {
  const filesSince = (day?: string) =>
    filesOf(
      stores.flatMap((store) => rolloutsIn(join(ownFolder(environment), store), day)),
      nativeId,
    )
  const found = filesSince(daysOf(nativeId).from)
  return found.length > 0 ? found : filesSince()
}

/**
 * Finds the rollouts of a thread's subagents, and of the subagents that these started. Each of these rollouts names the
 * thread as its session. The id of a subagent is in the file of the agent that started it. Of the agent of a `/review`
 * neither is true (0.77.0): it began when the thread began to review.
 */
function sideFiles(transcript: string, nativeId: string): { path: string; name: string }[] {
  const found = new Map<string, string>()
  const around = once(() => rolloutsAround(transcript, daysOf(nativeId).from))
  const addAgentsNamedIn = (path: string) => {
    for (const id of agentsNamedIn(path))
      for (const rollout of around()) {
        const { path: file, thread } = rollout
        if (thread !== id || found.has(file) || !isSubagentOf(metaOf(file), nativeId)) continue
        found.set(file, `${id}.jsonl`)
        addAgentsNamedIn(file)
      }
  }
  for (const path of [...partsBefore(transcript).map((part) => part.path), transcript]) {
    addAgentsNamedIn(path)
    const reviews = reviewsIn(path)
    if (reviews.length === 0) continue
    for (const { path: file, thread } of around())
      if (thread !== nativeId && !found.has(file) && isReview(metaOf(file), metaOf(path)?.cwd, reviews))
        found.set(file, `review-${thread}.jsonl`)
  }
  return [...found].map(([path, name]) => ({ path, name }))
}

/**
 * Returns all ids in a file that names subagents. Most files name none: for such a file, this returns no ids without a
 * search.
 */
function agentsNamedIn(path: string): Set<string> {
  const bytes = readAt(path, 0, Number.POSITIVE_INFINITY)
  if (!AGENT_KEYS.some((key) => bytes.includes(key))) return new Set()
  return new Set(bytes.toString('latin1').match(ID))
}

/** When the thread of a file began to review. */
function reviewsIn(path: string): number[] {
  const bytes = readAt(path, 0, Number.POSITIVE_INFINITY)
  if (!bytes.includes('"entered_review_mode"')) return []
  return splitLines(bytes).flatMap(reviewBegun)
}

/** Whether a rollout is that of the agent of one of these reviews, which works in the folder of the thread. */
function isReview(meta: unknown, folder: unknown, begun: readonly number[]): boolean {
  const { source, timestamp, cwd } = fieldsOf(meta)
  if (fieldsOf(source).subagent !== 'review' || cwd !== folder) return false
  return isAtReview(Date.parse(textOf(timestamp)), begun)
}

/** The keys of the ids of subagents, as read/calls.ts reads them. */
const AGENT_KEYS = ['agent_id', 'agent_thread_id', 'receiver_thread_ids']
const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

function once<T>(get: () => T): () => T {
  let value: T | undefined
  return () => (value ??= get())
}

function isSubagentOf(meta: unknown, session: string): boolean {
  const { session_id, thread_source } = fieldsOf(meta)
  return session_id === session && thread_source === 'subagent'
}

/**
 * Returns a function that checks whether a path leads to this folder. Its results are cached, because many threads
 * share a folder.
 */
function folderCheck(cwd: string): (path: string) => boolean {
  const cache = new Map<string, boolean>()
  return (path) => {
    const isSame = cache.get(path) ?? realFolder(path) === cwd
    cache.set(path, isSame)
    return isSame
  }
}

/**
 * Whether a thread may belong to this folder, by the `cwd` at the beginning of its file. This check is cheap, and most
 * threads belong to other folders.
 */
function mayBeOf(path: string, isHere: (path: string) => boolean): boolean {
  const [, folder] =
    /^\{[^{]*\{[^{]*?"cwd":("(?:[^"\\]|\\.)*")/.exec(readAt(path, 0, 1024).toString('utf8')) ?? []
  // Where the line is damaged, the reader of the thread reports it.
  const cwd = folder === undefined ? undefined : jsonIn(folder)
  return cwd === undefined || isHere(textOf(cwd))
}

/**
 * The number of bytes that are read from the beginning of a file. For some models, the list of tools before the first
 * prompt takes more than half of these bytes (0.169.0).
 */
const HEAD_BYTES = 256 * 1024

function sessionOf(files: readonly Rollout[], isHere: (path: string) => boolean): NativeSession | undefined {
  const ends = files.flatMap(({ path }) => readEnds(path, HEAD_BYTES) ?? [])
  const newest = ends.at(-1)
  if (newest === undefined) return undefined
  const headings = ends.map(({ head, tail }) => readHeading(head, tail))
  const meta = headings[0]?.meta
  if (meta === undefined || meta.isSubagent || !isHere(meta.cwd)) return undefined
  if (!headings.some(({ hasTalk }) => hasTalk)) return undefined
  const title = headings.map((heading) => heading.title).find((text) => text !== '') ?? ''
  const bytes = ends.reduce((sum, file) => sum + file.bytes, 0)
  const lastActive = new Date(Math.max(...ends.map((file: FileEnds) => file.lastActive.getTime())))
  return {
    client: 'codex',
    nativeId: meta.thread,
    transcript: newest.path,
    title,
    cwd: realFolder(meta.cwd),
    lastActive,
    bytes,
    ...(meta.isAutomated ? { automated: true } : {}),
  }
}

/** The threads into which Codex CLI has copied sessions of another client. */
function copiedThreads(environment: Environment): Set<string> {
  const file = join(ownFolder(environment), 'external_agent_session_imports.json')
  const { records } = fieldsOf(jsonIn(textAt(file) ?? ''))
  return new Set(listOf(records).map((record) => textOf(fieldsOf(record).imported_thread_id)))
}

/**
 * Returns the name that a person gave to a thread with `/rename`. Codex CLI appends a line with the id and the name to
 * `session_index.jsonl`, beside the folder of its threads; the last line counts. The index of the home from which a
 * copied rollout comes is asked first.
 */
function givenName(
  environment: Environment,
  { nativeId, transcript }: { nativeId: string; transcript: string },
): string | undefined {
  const [, copied] = /^(.*)[/\\](?:archived_)?sessions[/\\]/.exec(transcript) ?? []
  for (const home of new Set([copied ?? ownFolder(environment), ownFolder(environment)])) {
    const name = namesIn(join(home, 'session_index.jsonl')).get(nativeId)
    if (name) return name
  }
  return undefined
}

/** A list of threads asks for the name of each. */
let lastNames: { key: string; names: ReadonlyMap<string, string> } | undefined

function namesIn(index: string): ReadonlyMap<string, string> {
  const stats = statSync(index, { throwIfNoEntry: false })
  const key = `${index} ${stats?.size} ${stats?.mtimeMs}`
  if (lastNames?.key === key) return lastNames.names
  const records = splitLines(Buffer.from(textAt(index) ?? '')).map(({ content }) =>
    content.kind === 'record' ? content.record : {},
  )
  const names = new Map(records.map(({ id, thread_name: name }) => [textOf(id), textOf(name)]))
  lastNames = { key, names }
  return names
}
