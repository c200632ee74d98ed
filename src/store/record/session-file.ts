import { basename, join } from 'node:path'
import { CortextError } from '../../errors.ts'
import { readInside, renameInside, statInside, writeInside } from '../../io/inside.ts'
import { MAJOR_VERSION, SessionFile } from '../../session/schema.ts'
import { joinSides } from '../../session/sharing/join-sides.ts'
import { parseJson } from '../../text/json.ts'
import { isTooDeep } from '../../text/nesting.ts'
import { paste } from '../../text/paste.ts'
import type * as z from '../../zod.ts'
import { RECORD } from '../layout.ts'
import { isConflictMarker, type Problem } from './problem.ts'

export interface SessionRead {
  session: SessionFile
  problems: Problem[]
  /** False when a newer Cortext wrote the file. Such a file is shown, never written. */
  writable: boolean
  /** Only one side of a conflict could be read: a person is editing the file, or something else is wrong. */
  halved?: true
}

/**
 * Reads the session.json of a conversation folder; undefined when there is none. Joins both sides of the file if git's
 * conflict markers are in it (join-sides.ts), and reports this problem. The next write repairs the file. Throws
 * `corrupt`, with the path and a fix, `unreadable` or `unsafe-path`.
 */
export function readSession(folder: string): SessionRead | undefined {
  const path = join(folder, RECORD.session)
  const text = readInside(folder, RECORD.session)
  if (text === undefined) return undefined
  const { value, problems, ...rest } = parseSession(path, text)
  const writable = majorOf(value) <= MAJOR_VERSION
  const parsed = SessionFile.safeParse(value)
  if (parsed.success) return { session: parsed.data, problems, writable, ...rest }
  if (!writable) return { session: asFarAsUnderstood(folder, value, parsed.error), problems, writable }
  throw corrupt(path, describe(parsed.error))
}

/**
 * Writes session.json atomically, indented by two spaces: the documented keys first, in their order, then unknown keys.
 * An unchanged file is not touched. Throws `newer-version` when `session`, or the file on disk, has a newer major
 * version; `disk-full`, `unwritable` or `unsafe-path`.
 */
export function writeSession(folder: string, session: SessionFile): void {
  const path = join(folder, RECORD.session)
  const before = readInside(folder, RECORD.session)
  if (majorOf(session) > MAJOR_VERSION || (before !== undefined && isNewer(path, before)))
    throw new CortextError('newer-version', `${path} was written by a newer Cortext and stays as it is`, {
      fix: 'npm install --global cortext@latest',
    })
  const text = sessionJson(SessionFile.parse(session))
  if (text === before) return
  writeInside(folder, RECORD.session, text)
}

/** The schema returns its own keys in their documented order, and the unknown ones after them. */
function sessionJson(session: SessionFile): string {
  return `${JSON.stringify(session, null, 2)}\n`
}

/** A value as the text of a session.json; undefined when it is not one, or has a newer major version. */
export function sessionText(value: unknown): string | undefined {
  const parsed = SessionFile.safeParse(value)
  return parsed.success && majorOf(value) <= MAJOR_VERSION ? sessionJson(parsed.data) : undefined
}

/**
 * Renames a session.json that cannot be read, so that the next write loses nothing of it. The new name is in the same
 * folder. Throws `unwritable`.
 */
export function setBrokenSessionAside(folder: string): void {
  let number = 1
  while (statInside(folder, `${RECORD.session}.broken-${number}`) !== undefined) number += 1
  renameInside(folder, RECORD.session, `session.json.broken-${number}`)
}

function parseSession(path: string, text: string): { value: unknown; problems: Problem[]; halved?: true } {
  const sides = splitConflict(text)
  if (sides === undefined) return { value: parseObject(path, text), problems: [] }
  const { line, bytes } = sides
  const both = [tryParse(sides.ours), tryParse(sides.theirs)]
  const value = joinSides(...(both as [unknown, unknown]))
  if (value === undefined) throw corrupt(path, `a git conflict begins in line ${line}`)
  return {
    value,
    problems: [{ path, line, kind: 'conflict-marker', bytes }],
    ...(both.includes(undefined) && { halved: true }),
  }
}

interface Sides {
  ours: string
  theirs: string
  /** The 1-based line of the first marker, and its length in bytes, with its line break. */
  line: number
  bytes: number
}

/**
 * Both versions of a text in which git left conflict markers (gitattributes(5), also `diff3`). Undefined when the text
 * has no such markers.
 */
function splitConflict(text: string): Sides | undefined {
  const lines = text.split('\n')
  const first = lines.findIndex((line) => line.startsWith('<<<<<<<') && isConflictMarker(line.trimEnd()))
  if (first === -1) return undefined
  const ours: string[] = []
  const theirs: string[] = []
  let side: 'both' | 'ours' | 'base' | 'theirs' = 'both'
  for (const line of lines) {
    const marker = isConflictMarker(line.trimEnd()) ? line[0] : undefined
    if (marker !== undefined) side = SIDE_AFTER[marker] ?? side
    else {
      if (side === 'both' || side === 'ours') ours.push(line)
      if (side === 'both' || side === 'theirs') theirs.push(line)
    }
  }
  return {
    ours: ours.join('\n'),
    theirs: theirs.join('\n'),
    line: first + 1,
    bytes: Buffer.byteLength(lines[first]!) + 1,
  }
}

const SIDE_AFTER: Record<string, 'both' | 'ours' | 'base' | 'theirs'> = {
  '<': 'ours',
  '|': 'base',
  '=': 'theirs',
  '>': 'both',
}

function parseObject(path: string, text: string): unknown {
  const value = tryParse(text)
  if (value === undefined) throw corrupt(path, text.trim() === '' ? 'it is empty' : 'it is not JSON')
  return value
}

/** The value of a JSON text; undefined when it is not JSON. */
export function tryParse(text: string): unknown {
  return isTooDeep(text) ? undefined : parseJson(text.replace(/^\uFEFF/, ''))
}

function isNewer(path: string, text: string): boolean {
  try {
    return majorOf(parseSession(path, text).value) > MAJOR_VERSION
  } catch (error) {
    // A file that cannot be read has no version. The caller has decided to write over it.
    if (error instanceof CortextError) return false
    throw error
  }
}

function majorOf(value: unknown): number {
  if (typeof value !== 'object' || value === null || !('version' in value)) return MAJOR_VERSION
  const major = Number.parseInt(String(value.version), 10)
  return Number.isNaN(major) ? MAJOR_VERSION : major
}

/** Reads from a newer file the keys that this version understands. The other keys get their defaults. */
function asFarAsUnderstood(folder: string, value: unknown, error: z.core.$ZodError): SessionFile {
  const strange = new Set(error.issues.map(({ path }) => path[0]))
  const understood = Object.entries(value ?? {}).filter(([key]) => !strange.has(key))
  return SessionFile.parse({
    conversation_id: basename(folder),
    conversation_type: 'unknown',
    created_at: NEVER,
    last_active: NEVER,
    ...Object.fromEntries(understood),
  })
}

const NEVER = new Date(0).toISOString()

function describe(error: z.core.$ZodError): string {
  const [issue] = error.issues
  return `${issue?.path.join('.') || 'it'}: ${issue?.message}`
}

function corrupt(path: string, why: string): CortextError {
  return new CortextError('corrupt', `${path} cannot be read: ${why}`, { fix: mend(join(path, '..', '..')) })
}

/**
 * The command that repairs a broken session.json: it sets the file aside and writes a new one from the metadata backup
 * and the messages.
 */
export function mend(folder: string): string {
  return paste`cortext save ${basename(folder)}`
}
