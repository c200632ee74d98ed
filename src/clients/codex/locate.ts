import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CortextError } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { realFolder } from '../../io/real-folder.ts'
import type { NativeSession } from '../contract/sessions.ts'
import { fieldsOf, listOf, textOf } from '../transcript/fields.ts'
import { type FileEnds, readEnds } from '../transcript/file-ends.ts'
import { readHeading } from './heading.ts'
import { codexHome } from './home.ts'
import { filesOf, metaOf, type Rollout, readAt, rolloutsAround, rolloutsIn, STORES } from './rollouts.ts'

/**
 * Lists the threads of a folder, newest first, from the names and ends of their files. Those of subagents, those in which
 * nothing was said, and the copies that Codex made of another client's sessions are left out.
 */
export function locate(environment: Environment, folder: string): NativeSession[] {
  const cwd = realFolder(folder)
  const copies = copiedThreads(environment)
  const all = rolloutsOf(environment)
  const threads = new Map<string, Rollout[]>()
  for (const one of all) threads.set(one.thread, [...(threads.get(one.thread) ?? []), one])
  return [...threads]
    .filter(([thread]) => !copies.has(thread))
    .flatMap(([thread, files]) => sessionOf(filesOf(files, thread), cwd) ?? [])
    .sort((a, b) => b.lastActive.getTime() - a.lastActive.getTime())
}

/** Where Codex CLI keeps threads, and where it puts those that are archived. */
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
    filesOf(rolloutsOf(environment), nativeId).at(-1)?.path ??
    join(codexHome(environment), 'sessions', `rollout-${nativeId}.jsonl`)
  )
}

/** Whether Codex CLI has the thread. It does not open one that is archived (0.169.0). */
export function hasSession(environment: Environment, _folder: string, nativeId: string): boolean {
  return filesOf(rolloutsIn(join(codexHome(environment), 'sessions')), nativeId).length > 0
}

/**
 * The rollouts of a thread's subagents. They lie among all others, and name the thread as their session. None is older
 * than the thread.
 */
export function sideFiles(transcript: string, nativeId: string): { path: string; name: string }[] {
  return (
    rolloutsAround(transcript)
      .filter(({ thread }) => thread > nativeId && NAME.test(thread))
      // Most files are of other threads, and say so at once.
      .filter(({ path }) => readAt(path, 0, 1024).includes(`"session_id":"${nativeId}"`))
      .filter(({ path }) => isSubagentOf(metaOf(path), nativeId))
      .map(({ path, thread }) => ({ path, name: `${thread}.jsonl` }))
  )
}

/** It is the name of a file. */
const NAME = /^[0-9A-Za-z_-]+$/

function isSubagentOf(meta: unknown, session: string): boolean {
  const { session_id, thread_source } = fieldsOf(meta)
  return session_id === session && thread_source === 'subagent'
}

function rolloutsOf(environment: Environment): Rollout[] {
  return folders(environment).flatMap((folder) => rolloutsIn(folder))
}

/** Some models are given tools that take more than half of this before the first prompt (0.169.0). */
const HEAD = 256 * 1024

function sessionOf(files: readonly Rollout[], cwd: string): NativeSession | undefined {
  const ends = files.flatMap(({ path }) => readEnds(path, HEAD) ?? [])
  const newest = ends.at(-1)
  if (newest === undefined) return undefined
  const headings = ends.map(({ head, tail }) => readHeading(head, tail))
  const meta = headings[0]?.meta
  if (meta === undefined || meta.isSubagent || realFolder(meta.cwd) !== cwd) return undefined
  if (!headings.some(({ said }) => said)) return undefined
  const title = headings.map((one) => one.title).find((one) => one !== '') ?? ''
  const bytes = ends.reduce((sum, one) => sum + one.bytes, 0)
  const lastActive = new Date(Math.max(...ends.map((one: FileEnds) => one.lastActive.getTime())))
  return { client: 'codex', nativeId: meta.thread, transcript: newest.path, title, cwd, lastActive, bytes }
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
