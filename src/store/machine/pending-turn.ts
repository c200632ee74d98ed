import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { statInside } from '../../io/inside.ts'
import { readText } from '../../io/regular-file.ts'
import { Message } from '../../session/schema.ts'
import { checkRelativePath, fileNameOf, localFiles, RECORD } from '../layout.ts'
import { type ReadOptions, type RecordRead, readRecord } from '../record/index.ts'
import { copiedBeyond } from './copied-beyond.ts'
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
   * What this machine knows beyond the record: what only the copy of the record has, then the pending turn. Some of the
   * turn may be in messages.jsonl already, because its writer is still appending or has died.
   */
  beyond: readonly Message[]
}

/**
 * Reads the lines of a conversation and its pending turn as they were at one moment, without a lock, and what only the
 * copy of its record has. The record is read again only if its files have changed since `known`. Throws `unreadable` or
 * `unsafe-path`.
 */
export function readRecordAndPendingTurn(
  local: string,
  path: string,
  folder: string,
  known?: RecordRead,
  options: ReadOptions = {},
): RecordAndPendingTurn {
  for (let tries = 1; ; tries++) {
    const before = readText(pendingTurnFile(local, path))
    const size = sizeIn(folder)
    const read = readRecord(folder, known, options)
    const after = readText(pendingTurnFile(local, path))
    // If no turn was pending before and after, another process may have written one and appended it in between. Then
    // messages.jsonl has grown.
    const still = before === after && (before !== undefined || size === sizeIn(folder))
    if (!still && tries < MAX_TRIES) continue
    const { lines, pruned } = copiedBeyond(local, path, folder, read)
    return { ...read, pruned, beyond: [...lines, ...parseTurn(local, path, after)] }
  }
}

/** It is very unlikely that other processes write so many times in a row during a read. */
const MAX_TRIES = 50

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
