import { closeSync } from 'node:fs'
import { openRegular } from '../../../io/regular-file.ts'
import { readAt, sizeOf } from './copy-bytes.ts'

/** This file is part of the hook bundle: it imports only node's modules and other files of the bundle. */

/**
 * Returns when the end of a transcript contains `text`, at the latest after two seconds: a client may write what came
 * before a hook while it waits for the hook. Whatever it writes later still is copied by the next hook.
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
    return readAt(fd, Math.max(0, (sizeOf(path) ?? 0) - END_BYTES), END_BYTES).includes(text)
  } finally {
    closeSync(fd)
  }
}
