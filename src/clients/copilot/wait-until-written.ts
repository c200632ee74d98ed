import { closeSync, fstatSync, readSync } from 'node:fs'
import { openRegular } from '../../io/regular-file.ts'

/**
 * Returns when the end of a transcript contains `text`, at the latest after two seconds. Whatever the client writes
 * later still is copied by the next hook. This file is part of the hook bundle.
 */
export function waitUntilWritten(transcript: string, text: string): void {
  const until = Date.now() + PATIENCE_MS
  while (!endContains(transcript, text) && Date.now() < until) Atomics.wait(SLEEPER, 0, 0, PAUSE_MS)
}

const PATIENCE_MS = 2000
const PAUSE_MS = 15
const SLEEPER = new Int32Array(new SharedArrayBuffer(4))

/** What others write at the same time, such as subagents, comes after the text. */
const END_BYTES = 256 * 1024

function endContains(path: string, text: string): boolean {
  const fd = openRegular(path)
  if (fd === undefined) return false
  try {
    const { size } = fstatSync(fd)
    const end = Buffer.alloc(Math.min(size, END_BYTES))
    readSync(fd, end, 0, end.length, size - end.length)
    return end.includes(text)
  } finally {
    closeSync(fd)
  }
}
