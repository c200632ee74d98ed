/**
 * Leaves a conversation out of a history without merges: all that commits change in its folder, also under the earlier
 * names of the folder. A commit that changes nothing else goes too; another one loses its message.
 *
 * The history is a stream of git-fast-export(1) with `--no-data`, and so is the result. Each of its commits follows the
 * one before it. Undefined if no commit has anything of the conversation.
 */
export function withoutConversation(exported: Buffer, paths: readonly string[]): Buffer | undefined {
  const commits = commitsIn(exported)
  const folders = foldersOf(commits, paths)
  const isErased = (path: string) => folders.some((folder) => path.startsWith(`${folder}/`))
  if (!commits.some(({ changes }) => changes.some((change) => isErased(pathIn(change))))) return undefined
  const out: string[] = []
  for (const { head, message, changes } of commits) {
    const left = changes.filter((change) => !isErased(pathIn(change)))
    if (left.length === 0) continue
    const said = left.length < changes.length ? 'Settings' : message
    out.push(...head, `data ${said.length}`, said, ...left, '')
  }
  // In latin1 each byte is one character, so lengths and unknown encodings stay as they are.
  return Buffer.from(out.map((line) => `${line}\n`).join(''), 'latin1')
}

/** The folder of a conversation, and those that it had before: a commit that moves it deletes one and makes the next. */
function foldersOf(commits: readonly ExportedCommit[], paths: readonly string[]): string[] {
  const folders = [...paths]
  for (const { changes } of commits.toReversed()) {
    const sessions = (kind: string) =>
      changes
        .filter((change) => change.startsWith(kind))
        .flatMap((change) => SESSION.exec(pathIn(change))?.[1] ?? [])
    if (sessions('M ').some((folder) => folders.includes(folder))) folders.push(...sessions('D '))
  }
  return folders
}

const SESSION = /^(.+)\/\.session\/session\.json$/s

interface ExportedCommit {
  /** `commit …`, `author …` and `committer …`. */
  head: string[]
  message: string
  /** `M …` and `D …`. */
  changes: string[]
}

function commitsIn(exported: Buffer): ExportedCommit[] {
  const commits: ExportedCommit[] = []
  const text = exported.toString('latin1')
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at)
    const line = text.slice(at, end)
    at = end + 1
    const commit = commits.at(-1)
    if (line.startsWith('commit ')) commits.push({ head: [line], message: '', changes: [] })
    else if (/^(?:author|committer) /.test(line)) commit?.head.push(line)
    else if (/^[MD] /.test(line)) commit?.changes.push(line)
    else if (line.startsWith('data ') && commit !== undefined) {
      const length = Number(line.slice('data '.length))
      commit.message = text.slice(at, at + length)
      at += length
    }
  }
  return commits
}

/** The path of a change: `D path`, `M mode id path`, with a path in quotes if it has unusual signs. */
function pathIn(change: string): string {
  const path = change.startsWith('D ') ? change.slice(2) : change.split(' ').slice(3).join(' ')
  if (!path.startsWith('"')) return asUtf8(path)
  return asUtf8(
    path
      .slice(1, -1)
      .replace(/\\(?:([0-7]{3})|(.))/g, (_, octal?: string, sign?: string) =>
        octal === undefined ? (ESCAPED[sign!] ?? sign!) : String.fromCharCode(Number.parseInt(octal, 8)),
      ),
  )
}

const ESCAPED: Record<string, string> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' }

function asUtf8(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
