import { type Blamed, type BlamedCommit, blame } from '../../workspace/git/blame.ts'
import type { Workspace } from '../../workspace/open.ts'
import type { Traced } from './attribute.ts'
import { matchLines } from './lines.ts'

/**
 * Git's blame of a file in a commit, also of lines that were moved within it. When a formatter has indented a line as
 * another one, which reads the same, was indented until then, git takes it for that one. But it stayed where it was, so it
 * came with the commit that indented it.
 */
export async function blameOf(
  { root, environment }: Workspace,
  file: string,
  commit: string,
  linesAt: Traced['linesAt'],
): Promise<Blamed | undefined> {
  const [moved, plain] = await Promise.all(
    [true, false].map((moves) => blame(root, environment.env, file, { commit, moves })),
  )
  if (moved === undefined || plain === undefined) return moved
  const indented = new Map<BlamedCommit, ReadonlySet<number>>()
  const lines: Blamed['lines'] = []
  for (const [at, line] of moved.lines.entries()) {
    const stayed = plain.lines[at]!
    if (stayed.commit.sha === line.commit.sha) {
      lines.push(line)
      continue
    }
    const known = indented.get(stayed.commit) ?? (await indentedWith(stayed.commit, linesAt))
    indented.set(stayed.commit, known)
    lines.push(known.has(stayed.line) ? stayed : line)
  }
  return { ...moved, lines }
}

/** The lines, from 1, of which a commit changed only the white space around them. */
async function indentedWith(commit: BlamedCommit, linesAt: Traced['linesAt']): Promise<ReadonlySet<number>> {
  if (commit.previous === undefined) return new Set()
  const [lines, before] = (await linesAt([commit, commit.previous])) as [string[], string[]]
  const trimmed = (texts: readonly string[]) => texts.map((text) => text.trim())
  const places = matchLines(trimmed(before), trimmed(lines))
  return new Set(
    lines.flatMap((line, at) => (places[at] !== -1 && before[places[at]!] !== line ? [at + 1] : [])),
  )
}
