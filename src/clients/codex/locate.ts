import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CortextError } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { realFolder } from '../../io/real-folder.ts'
import type { NativeSession } from '../contract/sessions.ts'
import { fieldsOf, listOf, textOf } from '../shared/transcript/fields.ts'
import { type FileEnds, readEnds } from '../shared/transcript/file-ends.ts'
import { readHeading } from './heading.ts'
import { codexHome } from './home.ts'
import {
  daysOf,
  filesOf,
  metaOf,
  partsBefore,
  type Rollout,
  readAt,
  rolloutsAround,
  rolloutsIn,
  STORES,
} from './rollouts.ts'

/**
 * Lists the threads of a folder, newest first, from the names and ends of their files. Those of subagents, those in which
 * nothing was said, and the copies that Codex made of another client's sessions are left out.
 */
export function locate(environment: Environment, folder: string): NativeSession[] {
  const cwd = realFolder(folder)
  const copies = copiedThreads(environment)
  const isHere = foldersThatAre(cwd)
  const threads = new Map<string, Rollout[]>()
  for (const one of folders(environment).flatMap((store) => rolloutsIn(store))) {
    const files = threads.get(one.thread)
    if (files === undefined) threads.set(one.thread, [one])
    else files.push(one)
  }
  return [...threads]
    .filter(([thread, [one]]) => !copies.has(thread) && mayBeOf(one!.path, isHere))
    .flatMap(([thread, files]) => sessionOf(filesOf(files, thread), isHere) ?? [])
    .sort((a, b) => b.lastActive.getTime() - a.lastActive.getTime())
}

/** Folders in which Codex CLI keeps threads, archived ones included. */
export function folders(environment: Environment): string[] {
  return STORES.map((store) => join(codexHome(environment), store))
}

/** The path of a thread's newest file. Throws `unsafe-path` on an id that is not a plain name. */
export function transcriptPath(environment: Environment, _folder: string, nativeId: string): string {
  if (!/^[A-Za-z0-9_-]+$/.test(nativeId))
    throw new CortextError('unsafe-path', `not a Codex CLI session id: ${JSON.stringify(nativeId)}`, {
      fix: 'cortext resume --list',
    })
  return (
    filesHere(environment, nativeId, STORES).at(-1)?.path ??
    join(codexHome(environment), 'sessions', `rollout-${nativeId}.jsonl`)
  )
}

/** Whether Codex CLI has the thread. It does not open one that is archived (0.169.0). */
export function hasSession(environment: Environment, _folder: string, nativeId: string): boolean {
  return filesHere(environment, nativeId, ['sessions']).length > 0
}

/** The files of a thread. None is older than the thread, unless its clock was wrong. */
function filesHere(environment: Environment, nativeId: string, stores: readonly string[]): Rollout[] {
  const filesSince = (day?: string) =>
    filesOf(
      stores.flatMap((store) => rolloutsIn(join(codexHome(environment), store), day)),
      nativeId,
    )
  const found = filesSince(daysOf(nativeId).from)
  return found.length > 0 ? found : filesSince()
}

/**
 * The rollouts of a thread's subagents, and of theirs. They lie among all others, name the thread as their session, and
 * are named by what started them: the output of a call, or an item.
 */
export function sideFiles(transcript: string, nativeId: string): { path: string; name: string }[] {
  const found = new Map<string, string>()
  const around = once(() => rolloutsAround(transcript, daysOf(nativeId).from))
  const look = (path: string) => {
    for (const id of agentsNamedIn(path))
      for (const one of around()) {
        if (one.thread !== id || found.has(one.path) || !isSubagentOf(metaOf(one.path), nativeId)) continue
        found.set(one.path, `${id}.jsonl`)
        look(one.path)
      }
  }
  for (const { path } of partsBefore(transcript)) look(path)
  look(transcript)
  return [...found].map(([path, name]) => ({ path, name }))
}

/** Most threads have no subagent, and say so at once. */
function agentsNamedIn(path: string): Set<string> {
  const bytes = readAt(path, 0, Number.POSITIVE_INFINITY)
  if (!MARKS.some((mark) => bytes.includes(mark))) return new Set()
  return new Set(bytes.toString('latin1').match(ID))
}

/** Under these names the reader of calls (read/calls.ts) finds them. */
const MARKS = ['agent_id', 'agent_thread_id', 'receiver_thread_ids']
const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

function once<T>(get: () => T): () => T {
  let value: T | undefined
  return () => (value ??= get())
}

function isSubagentOf(meta: unknown, session: string): boolean {
  const { session_id, thread_source } = fieldsOf(meta)
  return session_id === session && thread_source === 'subagent'
}

/** Tells of a path whether it leads to a folder; threads have few folders. */
function foldersThatAre(cwd: string): (path: string) => boolean {
  const known = new Map<string, boolean>()
  return (path) => {
    const is = known.get(path) ?? realFolder(path) === cwd
    known.set(path, is)
    return is
  }
}

/** Most threads are of other folders, and say so at once: by the first folder that the first line names. */
function mayBeOf(path: string, isHere: (path: string) => boolean): boolean {
  const [, folder] =
    /^\{[^{]*\{[^{]*?"cwd":("(?:[^"\\]|\\.)*")/.exec(readAt(path, 0, 1024).toString('utf8')) ?? []
  try {
    return folder === undefined || isHere(JSON.parse(folder))
  } catch {
    // The line is damaged, and will be told of.
    return true
  }
}

/** Some models are given tools that take more than half of this before the first prompt (0.169.0). */
const HEAD = 256 * 1024

function sessionOf(files: readonly Rollout[], isHere: (path: string) => boolean): NativeSession | undefined {
  const ends = files.flatMap(({ path }) => readEnds(path, HEAD) ?? [])
  const newest = ends.at(-1)
  if (newest === undefined) return undefined
  const headings = ends.map(({ head, tail }) => readHeading(head, tail))
  const meta = headings[0]?.meta
  if (meta === undefined || meta.isSubagent || !isHere(meta.cwd)) return undefined
  if (!headings.some(({ said }) => said)) return undefined
  const title = headings.map((one) => one.title).find((one) => one !== '') ?? ''
  const bytes = ends.reduce((sum, one) => sum + one.bytes, 0)
  const lastActive = new Date(Math.max(...ends.map((one: FileEnds) => one.lastActive.getTime())))
  return {
    client: 'codex',
    nativeId: meta.thread,
    transcript: newest.path,
    title,
    cwd: realFolder(meta.cwd),
    lastActive,
    bytes,
  }
}

/** The threads into which Codex CLI has copied sessions of another client. */
function copiedThreads(environment: Environment): Set<string> {
  try {
    const file = join(codexHome(environment), 'external_agent_session_imports.json')
    const { records } = fieldsOf(JSON.parse(readFileSync(file, 'utf8')))
    return new Set(listOf(records).map((one) => textOf(fieldsOf(one).imported_thread_id)))
  } catch {
    // Nothing was imported.
    return new Set()
  }
}
