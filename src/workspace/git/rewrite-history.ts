/** A conversation in a history: its folder, with other folders that it has had, and the last line of its commits. */
export interface Concerned {
  paths: readonly string[]
  trailerOf: (path: string) => string
}

/**
 * Leaves a conversation out of a history without merges: all that commits change in its folder, also under the earlier
 * names of the folder. A commit that changes nothing else goes too; another one that is about it loses its message, but
 * not the mark by which a machine knows what it has sent (`sentMessage`).
 *
 * The history is a stream of git-fast-export(1) with `--no-data`, and so is the result. Each of its commits follows the
 * one before it.
 */
export function withoutConversation(exported: Buffer, conversation: Concerned): Buffer {
  const commits = commitsIn(exported)
  const { isIn: isErased, isAbout } = concerning(commits, conversation)
  const left = commits.flatMap((commit) => {
    const changes = commit.changes.filter((change) => !isErased(change))
    if (changes.length === 0 && commit.changes.length > 0) return []
    return {
      ...commit,
      changes,
      message: isAbout(commit) ? `Settings${SENT.exec(commit.message.trimEnd())?.[0] ?? ''}` : commit.message,
    }
  })
  return streamOf(left)
}

/**
 * Replaces the contents that the files of a conversation have had, and the messages of the commits that change them.
 * `newBlob` gets the path and the id of a content, and returns the id of its new content. The history and the result are
 * as for `withoutConversation`.
 */
export function withOtherContents(
  exported: Buffer,
  conversation: Concerned,
  newBlob: (path: string, blob: string) => string,
  newMessage: (message: string) => string,
): Buffer {
  const commits = commitsIn(exported)
  const { isIn: isConcerned, isAbout } = concerning(commits, conversation)
  const changed = commits.map((commit) => {
    if (!isAbout(commit)) return commit
    const changes = commit.changes.map((change) =>
      isConcerned(change)
        ? change.replace(/^(M \d+ )(\w+)/, (_, mode, blob) => mode + newBlob(pathIn(change), blob))
        : change,
    )
    const message = Buffer.from(newMessage(asUtf8(commit.message)), 'utf8').toString('latin1')
    return { ...commit, changes, message }
  })
  return streamOf(changed)
}

/** The end of a message that `sentMessage` has made. */
const SENT = /\n\nsync-id: [0-9a-f-]{36}$/

function streamOf(commits: readonly ExportedCommit[]): Buffer {
  const lines = commits.flatMap(({ head, message, changes }) => [
    ...head,
    `data ${message.length}`,
    message,
    ...changes,
    '',
  ])
  // In latin1 each byte is one character, so lengths and unknown encodings stay as they are.
  return Buffer.from(lines.map((line) => `${line}\n`).join(''), 'latin1')
}

/** Which changes are in the folder of a conversation, now or before, and which commits are about it. */
function concerning(commits: readonly ExportedCommit[], { paths, trailerOf }: Concerned) {
  const folders = foldersOf(commits, paths)
  const trailers = folders.map(trailerOf)
  const isIn = (change: string) => folders.some((folder) => pathIn(change).startsWith(`${folder}/`))
  // A commit that was made when the conversation was saved may change nothing but the settings.
  const isAbout = ({ changes, message }: ExportedCommit) =>
    changes.some(isIn) || trailers.includes(asUtf8(message.trimEnd().split('\n').at(-1)!))
  return { isIn, isAbout }
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
