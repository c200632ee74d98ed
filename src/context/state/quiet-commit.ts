import type { ReportedCommit } from '../../session/shell/commits.ts'

/** A shell command with its output. */
export interface ShellRun {
  command: string
  output: string
  failed: boolean
}

/**
 * Returns the commit of a command that told git to be quiet, or gave its output to another program, and that went well:
 * from the message that it gave, or from a log that the same command shows. Its id is '' if nothing shows it. `words`:
 * those after `git commit`; `input`: how many commits before it in the command read their message from their input.
 */
export function quietCommit(
  { command, output, failed }: ShellRun,
  { words, isPiped, input }: { words: readonly string[]; isPiped: boolean; input: number },
  branch: string,
): ReportedCommit | undefined {
  const isQuiet = isPiped || words.some((word) => /^(?:--quiet|-[a-z]*q[a-z]*)$/.test(word))
  if (failed || !isQuiet || REFUSED.test(output)) return undefined
  if (isPiped && !SAYS_CHANGED.test(output)) return undefined
  const shown = logLines(output)
  const given = subjectIn(command, words, input)
  if (given !== undefined)
    return { ...(shown.find(({ subject }) => subject === given) ?? { id: '', subject: given }), branch }
  const [first] = words.includes('--amend') ? shown : []
  return first && { ...first, branch }
}

const REFUSED = /^(?:fatal|error|husky|lefthook)\b|\bnothing (?:added )?to commit\b|\bno changes added\b/im
/** The lines below git's report of a commit, which another program may have left. */
const SAYS_CHANGED = /^ (?:\d+ files? changed\b|(?:create|delete) mode |rename |mode change )/m
/** The commits that lines of `git log --oneline` show. */
export function logLines(output: string): { id: string; subject: string }[] {
  return [...output.matchAll(LOG_LINE)].map(([, id, subject]) => ({ id: id!, subject: subject! }))
}

const LOG_LINE = /^([0-9a-f]{7,40}) (?:\([^()\n]*\) )?(\S.*)$/gm

/** The first line of the message that a command gives, in itself or in a here-document; undefined when it gives none. */
export function subjectIn(command: string, words: readonly string[], input: number): string | undefined {
  const at = words.findIndex((word) => /^(?:--message|-[a-z]*m)$/.test(word))
  const given = at === -1 ? '' : (words[at + 1] ?? '')
  if (!readsInput(words)) return given.replace(/^"|"$/g, '').split('\n', 1)[0] || undefined
  return [...command.matchAll(/<<-?\s*['"]?\w+['"]?[^\n]*\n\s*(\S[^\n]*)/g)].at(input)?.[1]
}

/** Whether a commit reads its message from a here-document: `-F -` or `-m "$(cat <<EOF …`. */
export function readsInput(words: readonly string[]): boolean {
  const at = words.findIndex((word) => /^(?:--message|-[a-z]*m)$/.test(word))
  return (at !== -1 && words[at + 1]?.includes('$(') === true) || words.some(isFromInput)
}

/** Whether git shall read the message from its input: `-F -`. */
function isFromInput(word: string, at: number, words: readonly string[]): boolean {
  return /^(?:--file=|-[a-z]*F)-$/.test(word) || (/^(?:--file|-[a-z]*F)$/.test(word) && words[at + 1] === '-')
}
