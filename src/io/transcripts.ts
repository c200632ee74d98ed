import { appendFileSync, mkdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'

/** Makes an empty transcript where a client would write it. A transcript that exists stays as it is. */
export function beginTranscript(transcript: string): void {
  mkdirSync(dirname(transcript), { recursive: true })
  appendFileSync(transcript, '')
}

/** Writes a recorded transcript again, line by line, as its client did. Yields each line after it was written. */
export function* play(recording: string, transcript: string): Generator<string> {
  const lines = readFileSync(recording, 'utf8').split('\n')
  for (const line of lines.filter((text) => text !== '')) {
    appendFileSync(transcript, `${line}\n`)
    yield line
  }
}

/** Removes a transcript that cortext wrote, and the two folders above it if they are now empty. */
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
