import { existsSync } from 'node:fs'
import { join } from 'node:path'
import glob from 'fast-glob'
import type { NativeSession } from '../../clients/contract/sessions.ts'
import { readerOf } from '../../clients/index.ts'
import { withDefault } from '../../errors.ts'
import { readBeginning } from '../../io/regular-file.ts'
import { listBindings } from '../../store/machine/list-bindings.ts'
import { textInQuotes } from '../../text/json.ts'
import { pathBelow } from '../../text/project-path.ts'
import { trackedFiles } from '../../workspace/git/index.ts'
import type { Workspace } from '../../workspace/open.ts'
import { notSavedAmong } from '../not-saved/sessions.ts'

/** A folder that is gone, with the sessions that clients have of it and no conversation has. */
export interface GonePlace {
  folder: string
  /** Whether this workspace was there. Otherwise only the files that the sessions name are the same. */
  wasHere: boolean
  sessions: NativeSession[]
}

/**
 * Finds the folders in which this workspace was before somebody renamed or moved it, and those of removed worktrees. A
 * folder that is there again is another one.
 */
export async function gonePlaces(ws: Workspace, clients: Iterable<string>): Promise<GonePlace[]> {
  const wereHere = new Set(listBindings(ws.local).map(({ root }) => root))
  const files = new Set(await trackedFiles(ws))
  const sessions = [...clients].flatMap((client) => {
    const alike = [...heldIn(ws, client)].filter(([folder, held]) => isAlike(ws.root, folder, held, files))
    const gone = new Set([...wereHere, ...alike.map(([folder]) => folder)])
    return [...gone]
      .filter((folder) => folder !== ws.root && !existsSync(folder))
      .flatMap((folder) => locate(ws, client, folder).map((session) => ({ folder, session })))
  })
  const notSaved = new Set(
    notSavedAmong(
      ws,
      sessions.map(({ session }) => session),
    ),
  )
  const places = new Map<string, GonePlace>()
  for (const { folder, session } of sessions) {
    if (!notSaved.has(session)) continue
    const place = places.get(folder) ?? { folder, wasHere: wereHere.has(folder), sessions: [] }
    place.sessions.push(session)
    places.set(folder, place)
  }
  return [...places.values()]
}

/**
 * The gone folders in which a client held sessions, by the beginnings of its transcripts, each with its transcripts. Of
 * clients that keep no transcripts or that name the folder elsewhere, none.
 */
function heldIn({ environment }: Workspace, client: string): Map<string, string[]> {
  const held = new Map<string, string[]>()
  const isGone = new Map<string, boolean>()
  for (const store of new Set(readerOf(client).sessions.folders?.(environment) ?? []))
    for (const path of transcriptsIn(store)) {
      const [, quoted = ''] = /"cwd":\s*("(?:[^"\\]|\\.){1,4000}")/.exec(beginningOf(path, HEAD_BYTES)) ?? []
      const folder = textInQuotes(quoted)
      if (folder === '') continue
      if (!isGone.has(folder)) isGone.set(folder, !existsSync(folder))
      if (isGone.get(folder)) held.set(folder, [...(held.get(folder) ?? []), path])
    }
  return held
}

function transcriptsIn(store: string): string[] {
  if (!existsSync(store)) return []
  return glob
    .sync('**/*.jsonl', { cwd: store, deep: 5, followSymbolicLinks: false, suppressErrors: true })
    .slice(0, MAX_TRANSCRIPTS)
    .map((name) => join(store, name))
}

const MAX_TRANSCRIPTS = 20_000
const HEAD_BYTES = 16 * 1024

/**
 * Whether the sessions of a folder worked on this project: the folder was in the workspace, or most of the files that
 * they name below it, and at least two, are files that git tracks here.
 */
function isAlike(
  root: string,
  folder: string,
  transcripts: readonly string[],
  files: ReadonlySet<string>,
): boolean {
  if (pathBelow(root, root, folder) !== undefined) return true
  const named = new Set<string>()
  for (const path of transcripts.slice(-MOST_READ))
    for (const [quoted] of beginningOf(path, EVIDENCE_BYTES).matchAll(
      /"(?:\/|[A-Za-z]:\\\\)(?:[^"\\\n]|\\\\){1,500}"/g,
    )) {
      const below = pathBelow(folder, folder, textInQuotes(quoted))
      if (below?.includes('.') === true) named.add(below)
    }
  const known = [...named].filter((name) => files.has(name)).length
  return known >= 2 && known * 2 >= named.size
}

const MOST_READ = 5
const EVIDENCE_BYTES = 1024 * 1024

/** A file that cannot be read says nothing of its folder. */
function beginningOf(path: string, length: number): string {
  return withDefault('', () => readBeginning(path, length))
}

/** If a client does not answer, the person has been told so already. */
function locate({ environment }: Workspace, client: string, folder: string): NativeSession[] {
  return withDefault([], () => readerOf(client).sessions.locate(environment, folder))
}
