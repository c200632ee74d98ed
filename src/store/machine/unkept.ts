import { readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { writeFileAtomic } from '../../io/atomic-write.ts'
import { ensureLocalFolder, localFiles } from '../layout.ts'
import { writeLog } from './log.ts'

/** What a native session was found to hold beyond all records, and on what that depends. It holds no words. */
export interface Remembered {
  client: string
  nativeId: string
  transcript: string
  key: string
  parts: { why: 'before' | 'stopped' | 'lost'; into?: string; messages: number; turns: number }[]
  command: string
}

/** By client and native id. Empty where nothing is known: then everything is looked at anew. */
export function readUnkept(local: string): Record<string, Remembered> {
  try {
    const { format, sessions } = JSON.parse(readFileSync(localFiles(local).unkept, 'utf8'))
    return format === FORMAT ? sessions : {}
  } catch {
    // There is none yet, or it was written by half. It may be lost at any time.
    return {}
  }
}

/** Where it cannot be written, the log says why, and the next look is a longer one. */
export function writeUnkept(local: string, sessions: Record<string, Remembered>): void {
  const file = localFiles(local).unkept
  try {
    ensureLocalFolder(local, dirname(file))
    writeFileAtomic(file, JSON.stringify({ format: FORMAT, sessions }), FILE)
  } catch (error) {
    writeLog(local, `what is not kept: ${error instanceof Error ? error.message : error}`)
  }
}

/** It names conversations by their paths, which are made from titles. */
export function forgetUnkept(local: string): void {
  rmSync(localFiles(local).unkept, { force: true })
}

const FORMAT = 1
const FILE = { mode: 0o600, durable: false, refuseSymlink: true }
