import { sha256 } from '../../hash.ts'
import { localFiles } from '../layout.ts'
import { type Note, readNote, removeNote, writeNote } from './note.ts'

/** Where a workspace's conversations are sent, and what this machine knows of what was deleted. */
export interface PlaceNote {
  address: string
  branch: string
  /** The last commit of the branch when this machine last sent or fetched it. */
  commit?: string
  /** When the last sync ended, in ISO 8601. */
  at?: string
  /** Deleted conversations that the place does not know of yet. Each is named by the hash of its origin. */
  toDelete: string[]
  /** Deleted conversations that the place knows of. */
  deleted: string[]
  /** Those that this machine has begun to delete because another has. After a kill, they are deleted again. */
  deleting: string[]
  /** Conversations whose secrets were redacted since the last sync. */
  toRedact: string[]
  /** How often the secrets of each conversation were redacted, on all machines. */
  redacted: Record<string, number>
}

export function readPlace(local: string): PlaceNote | undefined {
  return readNote(noteOf(local))
}

/** Throws what files throw. */
export function writePlace(local: string, place: PlaceNote): void {
  writeNote(local, noteOf(local), place)
}

/** Throws `unwritable`. */
export function forgetPlace(local: string): void {
  removeNote(noteOf(local))
}

/** Notes that a conversation is to be deleted, or its secrets are to be redacted, at the place too. */
export function noteForPlace(local: string, origin: string | undefined, what: 'toDelete' | 'toRedact'): void {
  const place = readPlace(local)
  if (place === undefined || origin === undefined) return
  writePlace(local, { ...place, [what]: [...new Set([...place[what], markOf(origin)])] })
}

/** The name under which a place keeps a deleted conversation. It tells nothing about it. */
export function markOf(origin: string): string {
  return sha256(`cortext conversation ${origin}`)
}

function noteOf(local: string): Note<PlaceNote> {
  return { path: localFiles(local).place, parse }
}

function parse(value: unknown): PlaceNote | undefined {
  const { address, branch, commit, at, ...lists } = Object(value) as Record<string, unknown>
  if (typeof address !== 'string' || typeof branch !== 'string') return undefined
  return {
    address,
    branch,
    ...(typeof commit === 'string' && { commit }),
    ...(typeof at === 'string' && { at }),
    ...{ toDelete: texts(lists.toDelete), deleted: texts(lists.deleted) },
    ...{ deleting: texts(lists.deleting), toRedact: texts(lists.toRedact) },
    redacted: countsIn(lists.redacted),
  }
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

export function countsIn(value: unknown): Record<string, number> {
  const counts = Object.entries(Object(value)).filter(([, count]) => Number.isSafeInteger(count))
  return Object.fromEntries(counts) as Record<string, number>
}
