import { closeSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { openInside, statInside } from '../../io/inside.ts'
import { readText } from '../../io/regular-file.ts'
import { Message } from '../../session/schema.ts'
import { checkRelativePath, fileNameOf, localFiles, RECORD } from '../layout.ts'
import { type RecordRead, readRecord } from '../record/index.ts'
import { copyFolder } from './copies.ts'
import { readAt } from './journal/copy-bytes.ts'
import { writeLog } from './log.ts'
import { type Note, removeNote, writeNote } from './note.ts'

/**
 * A turn that will be appended to messages.jsonl. It is first written into a file of its own, as a whole, and from then
 * on it belongs to the conversation. If the process dies while it appends, readers take the turn from this file, and
 * the next append adds the lines that are missing.
 */
interface PendingTurn {
  path: string
  messages: readonly Message[]
}

export function writePendingTurn(local: string, path: string, messages: readonly Message[]): void {
  writeNote(local, noteOf(local, checkRelativePath(path)), { path, messages })
}

/**
 * Removes the pending turn, if there is one. Call this when the whole turn is in messages.jsonl, when appending it has
 * failed, or when the conversation is deleted.
 */
export function removePendingTurn(local: string, path: string): void {
  removeNote(noteOf(local, path))
}

export function hasPendingTurn(local: string, path: string): boolean {
  return existsSync(pendingTurnFile(local, path))
}

export interface RecordAndPendingTurn extends RecordRead {
  /**
   * The pending turn, after what only this machine's copy of the record has. Some of its messages may be in
   * messages.jsonl already, because its writer is still appending or has died.
   */
  turn: readonly Message[]
}

/**
 * Reads the lines of a conversation and its pending turn as they were at one moment, without a lock, and what only the
 * copy of its record has. The record is read
 * again only if its files have changed since `known`; `keepRaw` and `outlines` are for readRecord.
 */
export function readRecordAndPendingTurn(
  local: string,
  path: string,
  folder: string,
  known?: RecordRead,
  keepRaw = false,
  outlines = false,
): RecordAndPendingTurn {
  for (let tries = 1; ; tries++) {
    const before = readText(pendingTurnFile(local, path))
    const size = sizeIn(folder)
    const read = readRecord(folder, known, keepRaw, outlines)
    const after = readText(pendingTurnFile(local, path))
    // If no turn was pending before and after, another process may have written one and appended it in between. Then
    // messages.jsonl has grown.
    const still = before === after && (before !== undefined || size === sizeIn(folder))
    if (!still && tries < MAX_TRIES) continue
    const { lines, pruned } = copiedLines(local, path, folder, read)
    return { ...read, pruned, turn: [...lines, ...parseTurn(local, path, after)] }
  }
}

/** It is very unlikely that other processes write so many times in a row during a read. */
const MAX_TRIES = 50

/**
 * What this machine's copy of a record contains beyond the record in the work tree. Git may put an older version of the
 * record there, or take it away: a branch is changed, reset or deleted. No journal has the talk of an agent loop or the
 * beginning of a fork, so readers take these lines from the copy, and the next publishing appends them again. Pruned
 * lines do not count if the record has the event of that prune, or no line at all; otherwise this branch does not know
 * the prune. Throws `unreadable` or `unsafe-path`.
 */
function copiedLines(
  local: string,
  path: string,
  folder: string,
  record: RecordRead,
): { lines: readonly Message[]; pruned: RecordRead['pruned'] } {
  const { pruned } = record
  if (!differsFromCopy(local, path, folder)) return { lines: [], pruned }
  const copy = readRecord(copyFolder(local, path))
  if (record.all.length === 0) return { lines: copy.lines, pruned: copy.pruned }
  const present = new Set(record.all.map(({ id }) => id))
  const all = [...copy.pruned.values(), ...copy.lines]
  return { lines: all.filter(({ id, event }) => event !== 'pruned' && !present.has(id)), pruned }
}

/** Whether this machine has a copy of a record and its messages.jsonl has other bytes than that of the work tree. */
export function differsFromCopy(local: string, path: string, folder: string): boolean {
  const copied = copyFolder(local, path)
  const there = statInside(copied, RECORD.messages)
  if (there === undefined) return false
  const here = statInside(folder, RECORD.messages)
  if (here === undefined || here.size !== there.size) return true
  // The copy is a hard link until git writes the file again.
  if (here.ino === there.ino && here.dev === there.dev) return false
  return !haveSameBytes(copied, folder, Number(here.size))
}

function haveSameBytes(a: string, b: string, size: number): boolean {
  const files = [a, b].map((folder) => openInside(folder, RECORD.messages))
  try {
    const [one, other] = files
    if (one === undefined || other === undefined) return false
    for (let offset = 0; offset < size; offset += CHUNK_BYTES)
      if (!readAt(one, offset, CHUNK_BYTES).equals(readAt(other, offset, CHUNK_BYTES))) return false
    return true
  } finally {
    for (const file of files) if (file !== undefined) closeSync(file)
  }
}

const CHUNK_BYTES = 1024 * 1024

function parseTurn(local: string, path: string, text: string | undefined): readonly Message[] {
  if (text === undefined) return []
  const { path: file, parse } = noteOf(local, path)
  try {
    return parse(JSON.parse(text))?.messages ?? []
  } catch {
    // This program writes the file only as a whole, so another program has changed it.
    writeLog(local, `turn cannot be read: ${file}`)
    return []
  }
}

function sizeIn(folder: string): bigint {
  return statInside(folder, RECORD.messages)?.size ?? 0n
}

function noteOf(local: string, path: string): Note<PendingTurn> {
  return { path: pendingTurnFile(local, path), parse }
}

function parse(value: unknown): PendingTurn {
  const { path, messages } = value as PendingTurn
  return { path, messages: messages.map((message) => Message.parse(message)) }
}

/** The path of the file for a conversation's pending turn. The file need not exist. */
export function pendingTurnFile(local: string, path: string): string {
  return join(localFiles(local).pendingTurns, `${fileNameOf(path)}.json`)
}
