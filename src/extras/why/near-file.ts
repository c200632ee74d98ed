import { basename } from 'node:path'
import { paste } from '../../text/paste.ts'
import { typingSlips } from '../../text/typing-slips.ts'
import { trackedFiles } from '../../workspace/git/index.ts'
import type { Workspace } from '../../workspace/open.ts'

/**
 * What to ask instead of `why` for a file that is not there and that nobody wrote: the file of nearly this name that git
 * tracks, with the same line, else which conversations speak of it.
 */
export async function fixForUnknown(
  { root, environment }: Workspace,
  file: string,
  line?: number,
): Promise<string> {
  const near = nearest(file, await trackedFiles(root, environment.env))
  if (near === undefined) return paste`cortext search ${basename(file)}`
  return paste`cortext why ${line === undefined ? near : `${near}:${line}`}`
}

/** The path that differs least: the same name in another folder first, then names with few typing slips. */
function nearest(file: string, known: readonly string[]): string | undefined {
  const name = basename(file)
  const ranked = known
    .map((path) => ({ path, slips: basename(path) === name ? -1 : slipsBetween(name, basename(path)) }))
    .filter(({ slips }) => slips < Number.POSITIVE_INFINITY)
  return ranked.sort((one, other) => one.slips - other.slips || one.path.length - other.path.length)[0]?.path
}

/** A name with another ending is another file's, unless it has none. */
function slipsBetween(typed: string, known: string): number {
  return Math.min(typingSlips(typed, known), typingSlips(typed, known.replace(/\.[^.]*$/, '')))
}
