import { existsSync, readFileSync } from 'node:fs'
import { dirname, sep } from 'node:path'
import type { HookLanguage } from '../clients/contract/hooks.ts'
import { hookLanguages } from '../clients/hook-languages.ts'
import { readLines, statsOf } from '../io/regular-file.ts'
import { openSource, type Part, type Source, sizeOf } from '../store/machine/journal/copy-bytes.ts'

interface Native {
  client: string
  transcript: string
}

/** Returns the parts of other files that come before a transcript: none for most clients. Loads no client's code. */
export function partsBefore({ client, transcript }: Native): Part[] {
  const language = (hookLanguages as Record<string, HookLanguage | undefined>)[client]
  return transcript === '' ? [] : (language?.before?.(transcript) ?? [])
}

/** Returns the number of bytes of a transcript and the parts before it; undefined when the transcript is missing. */
export function sizeOfTranscript(native: Native): number | undefined {
  const own = sizeOf(native.transcript)
  return own === undefined ? undefined : partsBefore(native).reduce((sum, { to }) => sum + to, own)
}

/**
 * Returns the size (in bytes) and the time of change (in milliseconds) of a transcript's file; undefined when it is
 * missing.
 */
export function stampOfTranscript(transcript: string): { size: number; mtime: number } | undefined {
  const stats = transcript === '' ? undefined : statsOf(transcript)
  return stats?.isFile() === true ? { size: stats.size, mtime: stats.mtimeMs } : undefined
}

/**
 * Returns a function like stampOfTranscript that looks for each folder once. After a clone, a workspace may name
 * thousands of sessions whose folders are not on this machine.
 */
export function stamper(): typeof stampOfTranscript {
  const folders = new Map<string, boolean>()
  return (transcript) => {
    const folder = transcript.slice(0, transcript.lastIndexOf(sep))
    const isHere = folders.get(folder) ?? existsSync(dirname(transcript))
    folders.set(folder, isHere)
    return isHere ? stampOfTranscript(transcript) : undefined
  }
}

/**
 * Opens a transcript and the parts before it; undefined when the transcript is missing. Lines that are too long are
 * zeros (`readLines`). The caller closes it. Throws `unreadable`.
 */
export function openTranscript(native: Native): Source | undefined {
  const source = native.transcript === '' ? undefined : openSource(native.transcript, partsBefore(native))
  if (source === undefined) return undefined
  const { size } = source
  const read = (offset: number, length: number) =>
    readLines(source.read, offset, Math.min(offset + length, size))
  return { ...source, read }
}

/** Reads a transcript and the parts before it, like `openTranscript`. Throws when the transcript cannot be read. */
export function bytesOfTranscript(native: Native): Buffer {
  const source = openTranscript(native)
  if (source === undefined) return readFileSync(native.transcript)
  try {
    return source.read(0, source.size)
  } finally {
    source.close()
  }
}
