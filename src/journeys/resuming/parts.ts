import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { clientOf } from '../../clients/index.ts'
import { CortextError } from '../../errors.ts'
import { writeFileAtomic } from '../../io/atomic-write.ts'
import { errnoOf } from '../../io/file-error.ts'
import { ensureLocalFolder, fileNameOf, localFiles } from '../../store/layout.ts'
import { inParts } from '../../text/in-parts.ts'
import type { Workspace } from '../../workspace/open.ts'
import type { SessionName } from '../recording/current-session.ts'

type Named = Pick<SessionName, 'client' | 'nativeId'>

/** Room for the line that stands behind a part. */
const FOOTER = { bytes: 300, lines: 4 }

/**
 * What an agent is given by a shell call, as its client passes it on: the whole, or the first part of it, and which
 * calls bring the others. Not as a file: Gemini CLI's agent may read none outside the work tree, and the file tools
 * of all three cut long lines.
 */
export function firstPart(ws: Workspace, native: Named, text: string): string {
  const { bytes, lines = Number.POSITIVE_INFINITY } = clientOf(native.client).tools.shellOutput
  const whole = inParts(text, { bytes, lines })
  if (whole.length === 1) return text
  const parts = inParts(text, { bytes: bytes - FOOTER.bytes, lines: lines - FOOTER.lines })
  ensureLocalFolder(ws.local, localFiles(ws.local).contexts)
  writeFileAtomic(partsFile(ws, native), JSON.stringify(parts), { mode: 0o600 })
  return partOf(parts, 1)
}

/** A further part of what was given last in this native session. Throws `not-found` when there is none. */
export function laterPart(ws: Workspace, native: Named, number: number): string {
  const parts = readParts(partsFile(ws, native))
  if (parts[number - 1] !== undefined) return partOf(parts, number)
  throw new CortextError('not-found', `there is no part ${number} of what was resumed here`, {
    fix: '/workspace.resume',
  })
}

function partOf(parts: readonly string[], number: number): string {
  const part = parts[number - 1]!
  if (number > 1) return `[Part ${number} of ${parts.length}]\n${part}`
  const calls = parts.slice(1).map((_, n) => `cortext resume --here --part ${n + 2}`)
  const shown = calls.length > 4 ? [calls[0], '…', calls.at(-1)] : calls
  return `${part}\n\n[Part 1 of ${parts.length}. The history goes on: before you answer, run each of: ${shown.join(' ; ')}]`
}

function readParts(file: string): string[] {
  try {
    const parts: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return Array.isArray(parts) ? parts.filter((part) => typeof part === 'string') : []
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || error instanceof SyntaxError) return []
    throw error
  }
}

function partsFile(ws: Workspace, { client, nativeId }: Named): string {
  return join(localFiles(ws.local).contexts, `${fileNameOf(client)}-${fileNameOf(nativeId)}.parts.json`)
}
