import { join } from 'node:path'
import { CortextError } from '../../errors.ts'
import { writeFileAtomic } from '../../io/atomic-write.ts'
import { ensureFolder } from '../../io/ensure-folder.ts'
import { fileError } from '../../io/file-error.ts'
import { listNames } from '../../io/list-names.ts'
import { MAJOR_VERSION } from '../../session/schema.ts'
import { SummaryFile } from '../../session/summary-file.ts'
import { recordFiles } from '../layout.ts'
import { readPlain } from '../read-plain.ts'
import type { Problem } from './problem.ts'

/**
 * Reads the summaries of a conversation folder, by name. Whether they still fit the record is not checked here. A file
 * that is not a summary is a problem, never fatal. A summary of a newer major version is skipped.
 */
export function readSummaries(folder: string): { summaries: SummaryFile[]; problems: Problem[] } {
  const { summaries: where } = recordFiles(folder)
  const summaries: SummaryFile[] = []
  const problems: Problem[] = []
  const names = namesIn(where)
  if (names === undefined) problems.push({ path: where, line: 1, kind: 'broken-summary', bytes: 0 })
  for (const path of (names ?? []).sort().map((name) => join(where, name))) {
    const read = readOne(path)
    if (read === undefined) problems.push({ path, line: 1, kind: 'broken-summary', bytes: 0 })
    else if (Number.parseInt(read.version, 10) <= MAJOR_VERSION) summaries.push(read)
  }
  return { summaries, problems }
}

/** Writes a summary atomically and returns its path. The name follows from the messages that it summarises. */
export function writeSummary(folder: string, summary: SummaryFile): string {
  const { summaries: where } = recordFiles(folder)
  const path = join(where, `${summary.hash.replace(/^sha256:/, '').slice(0, 16)}.json`)
  ensureFolder(folder, where)
  writeFileAtomic(path, `${JSON.stringify(SummaryFile.parse(summary), null, 2)}\n`, { refuseSymlink: true })
  return path
}

function namesIn(folder: string): string[] | undefined {
  try {
    return listNames(folder, '.json')
  } catch (error) {
    if (error instanceof CortextError) return undefined
    throw error
  }
}

function readOne(path: string): SummaryFile | undefined {
  try {
    return SummaryFile.safeParse(JSON.parse(textIn(path))).data
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof CortextError) return undefined
    throw error
  }
}

function textIn(path: string): string {
  try {
    return readPlain(path)
  } catch (error) {
    throw fileError(error, path, 'read')
  }
}
