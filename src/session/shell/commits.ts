/** A commit that git reported. */
export interface ReportedCommit {
  /** The id, as git shortened it. */
  id: string
  branch: string
  subject: string
  /** How many files git said to have changed; undefined if it did not say. */
  files?: number
}

/**
 * The line in which git reports a commit: `[main 1a2b3c4] Subject`, `[main (root-commit) 1a2b3c4] Subject`, `[detached
 * HEAD 1a2b3c4] Subject`. Of a command that its sandbox stopped later, older versions of Codex CLI put the output behind
 * `stdout: `.
 */
const COMMIT =
  /(?:^|, stdout: )\[([^\s\]]+|detached HEAD)(?: \([\w -]+\))? ([0-9a-f]{7,40})\] (.*)$(?:\n (?:Author|Date|Committer): .*)*(?:\n (\d+) files? changed)?/gm

/** The commits that a shell command made, as git reports them in the output. */
export function reportedCommits(command: string, output: string): ReportedCommit[] {
  if (!/\b(?:commit|revert|cherry-pick)\b/.test(command)) return []
  return [...output.matchAll(COMMIT)].map(([, branch, id, subject, files]) => ({
    id: id!,
    branch: branch!,
    subject: subject!,
    ...(files === undefined ? {} : { files: Number(files) }),
  }))
}

/** The line in which a commit names the conversation that it saves. */
export function conversationTrailer(path: string): string {
  return `${TRAILER_KEY}: ${path.split('/').slice(-2).join('/')}`
}

const TRAILER_KEY = 'Conversation'

/** The conversation that a commit's message names in its last paragraph, as `<date>/<id>`. */
export function conversationNamed(message: string): string | undefined {
  const last =
    message
      .trim()
      .split(/\n\s*\n/)
      .slice(1)
      .at(-1) ?? ''
  return new RegExp(`^${TRAILER_KEY}: *(\\S.*?) *$`, 'm').exec(last)?.[1]
}
