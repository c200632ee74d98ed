import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { CortextError } from '../../errors.ts'
import type { Place } from '../../io/place.ts'
import { realFolder } from '../../io/real-folder.ts'
import type { NativeSession } from '../client.ts'
import { readEnds } from '../file-ends.ts'
import { readHeading } from './heading.ts'
import { ownFolder } from './trust.ts'

/** Sessions of a folder, newest first, from the ends of their files. A stub that a resume left behind is none. */
export function locate(place: Place, folder: string): NativeSession[] {
  const cwd = realFolder(folder)
  const sessions = sessionFiles(place, cwd).flatMap((transcript) => sessionOf(transcript, cwd) ?? [])
  sessions.sort((a, b) => b.bytes - a.bytes)
  const distinct = sessions.filter(
    (one, index) => sessions.findIndex(({ nativeId }) => nativeId === one.nativeId) === index,
  )
  return distinct.sort((a, b) => b.lastActive.getTime() - a.lastActive.getTime())
}

/**
 * The file of a session, whose name holds the minute of its start and eight letters of its id; the largest, since a
 * resume in another minute leaves a stub of the same name. Throws `unsafe-path` on an id that is not a plain name.
 */
export function transcriptPath(place: Place, folder: string, nativeId: string): string {
  if (!/^[A-Za-z0-9_-]+$/.test(nativeId))
    throw new CortextError('unsafe-path', `not a Gemini CLI session id: ${JSON.stringify(nativeId)}`, {
      fix: 'cortext resume --list',
    })
  const cwd = realFolder(folder)
  const short = nativeId.slice(0, 8)
  const [largest] = sessionFiles(place, cwd)
    .filter((path) => path.endsWith(`-${short}.jsonl`) || path.endsWith(`-${nativeId}.jsonl`))
    .flatMap((path) => readEnds(path) ?? [])
    .filter(({ head }) => readHeading(head, NOTHING).nativeId === nativeId)
    .sort((a, b) => b.bytes - a.bytes)
  return (
    largest?.path ??
    join(chatsOf(place, cwd)[0] ?? join(ownFolder(place), 'tmp'), `session-${nativeId}.jsonl`)
  )
}

/** Where the session files of its subagents lie. */
export function sideFolder(transcript: string, nativeId: string): string {
  return join(transcript, '..', nativeId)
}

const NOTHING = new Uint8Array()

function sessionFiles(place: Place, cwd: string): string[] {
  return chatsOf(place, cwd).flatMap((chats) =>
    namesIn(chats)
      .filter((name) => name.startsWith('session-') && name.endsWith('.jsonl'))
      .map((name) => join(chats, name)),
  )
}

/** The client gives each folder a short name: in `projects.json`, and in a `.project_root` beside the sessions. */
function chatsOf(place: Place, cwd: string): string[] {
  const store = join(ownFolder(place), 'tmp')
  const named = slugIn(join(ownFolder(place), 'projects.json'), cwd)
  const marked = namesIn(store).filter((slug) => textOf(join(store, slug, '.project_root'))?.trim() === cwd)
  return [...new Set([...(named === undefined ? [] : [named]), ...marked])].map((slug) =>
    join(store, slug, 'chats'),
  )
}

function slugIn(registry: string, cwd: string): string | undefined {
  try {
    const slug: unknown = JSON.parse(textOf(registry) ?? '{}').projects?.[cwd]
    return typeof slug === 'string' && basename(slug) === slug ? slug : undefined
  } catch {
    // Being written, or damaged: the markers tell too.
    return undefined
  }
}

function sessionOf(transcript: string, cwd: string): NativeSession | undefined {
  const ends = readEnds(transcript)
  if (ends === undefined) return undefined
  const { nativeId, title, isMain, said } = readHeading(ends.head, ends.tail)
  if (nativeId === '' || !isMain || !said) return undefined
  const { bytes, lastActive } = ends
  return { client: 'gemini', nativeId, transcript, title, cwd, lastActive, bytes }
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // Not there, or not ours to read: it names nothing.
    return undefined
  }
}
