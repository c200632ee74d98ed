import { join } from 'node:path'
import { CortextError } from '../../errors.ts'
import { listInside, readInside, writeInside } from '../../io/inside.ts'
import { MAJOR_VERSION } from '../../session/schema.ts'
import { SummaryFile } from '../../session/summary-file.ts'
import { parseJson } from '../../text/json.ts'
import { isTooDeep } from '../../text/nesting.ts'
import { RECORD } from '../layout.ts'
import type { Problem } from './problem.ts'

/**
 * Reads the summaries of a conversation folder, by name. Does not check whether they still fit the record. A file that
 * is not a summary is a problem, never fatal. A summary of a newer major version is skipped.
 */
export function readSummaries(folder: string): { summaries: SummaryFile[]; problems: Problem[] } {
  const summaries: SummaryFile[] = []
  const problems: Problem[] = []
  const note = (path: string) =>
    problems.push({ path: join(folder, path), line: 1, kind: 'broken-summary', bytes: 0 })
  const names = namesIn(folder)
  if (names === undefined) note(RECORD.summaries)
  for (const path of (names ?? []).sort().map((name) => `${RECORD.summaries}/${name}`)) {
    const read = readOne(folder, path)
    if (read === undefined) note(path)
    else if (Number.parseInt(read.version, 10) <= MAJOR_VERSION) summaries.push(read)
  }
  return { summaries, problems }
}

/**
 * Writes a summary atomically and returns its path. The file is named after the hash of the messages that it
 * summarises.
 */
export function writeSummary(folder: string, summary: SummaryFile): string {
  const path = `${RECORD.summaries}/${summary.hash.replace(/^sha256:/, '').slice(0, 16)}.json`
  writeInside(folder, path, `${JSON.stringify(SummaryFile.parse(summary), null, 2)}\n`)
  return join(folder, path)
}

function namesIn(folder: string): string[] | undefined {
  try {
    return listInside(folder, RECORD.summaries, '.json')
  } catch (error) {
    if (error instanceof CortextError) return undefined
    throw error
  }
}

function readOne(folder: string, path: string): SummaryFile | undefined {
  try {
    const text = readInside(folder, path) ?? ''
    return isTooDeep(text) ? undefined : SummaryFile.safeParse(parseJson(text)).data
  } catch (error) {
    if (error instanceof CortextError) return undefined
    throw error
  }
}
