import { clientOf } from '../../clients/index.ts'
import { CortextError } from '../../errors.ts'
import { readContextParts, writeContextParts } from '../../store/machine/context-parts.ts'
import { inParts } from '../../text/in-parts.ts'
import type { Workspace } from '../../workspace/open.ts'
import type { SessionName } from '../recording/current-session.ts'

type Named = Pick<SessionName, 'client' | 'nativeId'>

/** Room for the lines below the first part that say how to print the other parts. */
const FOOTER = { bytes: 300, lines: 4 }

/**
 * Returns a text for an agent, as the output of a shell call within the limits of the agent's client. If the whole text
 * is too long, returns its first part and the calls that print the other parts. A file would not do: Gemini CLI's agent
 * cannot read files outside the work tree, and the file tools of Claude Code, Gemini CLI and OpenCode cut long lines.
 * Throws `disk-full`, `unwritable` or `unsafe-path`.
 */
export function firstPart(ws: Workspace, native: Named, text: string): string {
  const { bytes, lines = Number.POSITIVE_INFINITY } = clientOf(native.client).tools.shellOutput
  const whole = inParts(text, { bytes, lines })
  if (whole.length === 1) return text
  const parts = inParts(text, { bytes: bytes - FOOTER.bytes, lines: lines - FOOTER.lines })
  writeContextParts(ws.local, native, parts)
  return partOf(parts, 1)
}

/**
 * Returns a further part of the last text that `firstPart` divided for this native session. Throws `not-found` when
 * there is no such part.
 */
export function laterPart(ws: Workspace, native: Named, number: number): string {
  const parts = readContextParts(ws.local, native)
  if (parts[number - 1] !== undefined) return partOf(parts, number)
  throw new CortextError('not-found', `there is no part ${number} of what was resumed here`, {
    fix: '/workspace.resume',
  })
}

function partOf(parts: readonly string[], number: number): string {
  const part = parts[number - 1]!
  if (number > 1) {
    // A part that begins in the middle of a line gets the space of a recorded line, because the line is probably
    // recorded.
    const isNewLine = parts[number - 2]!.endsWith('\n')
    return `[Part ${number} of ${parts.length}]\n${isNewLine ? '' : ' '}${part}`
  }
  const calls = parts.slice(1).map((_, n) => `cortext agent resume --part ${n + 2}`)
  const shown = calls.length > 4 ? [calls[0], '…', calls.at(-1)] : calls
  return `${part}\n\n[Part 1 of ${parts.length}. The history goes on: before you answer, run each of: ${shown.join(' ; ')}]`
}
