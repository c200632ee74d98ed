import { appendFileSync, mkdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'

/** Begins an empty transcript where a client would write it. An existing transcript stays as it is. */
export function beginTranscript(transcript: string): void {
  mkdirSync(dirname(transcript), { recursive: true })
  appendFileSync(transcript, '')
}

/** Writes a recording into a transcript line by line, as its client did, and yields each line after it was written. */
export function* play(recording: string, transcript: string): Generator<string> {
  const lines = readFileSync(recording, 'utf8').split('\n')
  for (const line of lines.filter((text) => text !== '')) {
    appendFileSync(transcript, `${line}\n`)
    yield line
  }
}

/** Removes a transcript that cortext wrote, and the two folders above it if they are empty then. */
export function removeTranscript(path: string): void {
  rmSync(path, { force: true })
  removeEmpty(dirname(path))
  removeEmpty(dirname(dirname(path)))
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // The folder may contain other transcripts.
  }
}
