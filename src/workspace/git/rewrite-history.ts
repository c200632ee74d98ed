/** A conversation in a history: its folder, with other folders that it has had, and the last line of its commits. */
export interface Concerned {
  paths: readonly string[]
  trailerOf: (path: string) => string
  /** Of the ids of contents of session.json in such folders, those of other conversations that were there too. */
  othersAmong: (blobs: readonly string[]) => ReadonlySet<string>
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
    const changes = commit.changes.filter((change) => !isErased(change, commit))
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
      isConcerned(change, commit)
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
function concerning(commits: readonly ExportedCommit[], conversation: Concerned) {
  const { folders, isOther } = foldersOf(commits, conversation)
  const { trailerOf } = conversation
  const places = new Map(commits.map((commit, at) => [commit, at]))
  const owners = new Map(folders.map((folder) => [folder, ownerIn(commits, folder, isOther)]))
  const isOurs = (folder: string, commit: ExportedCommit) => owners.get(folder)!(places.get(commit)!)
  const isIn = (change: string, commit: ExportedCommit) =>
    folders.some((folder) => pathIn(change).startsWith(`${folder}/`) && isOurs(folder, commit))
  // A commit that was made when the conversation was saved may change nothing but the settings.
  const isAbout = (commit: ExportedCommit) => {
    const last = asUtf8(commit.message.trimEnd().split('\n').at(-1)!)
    return (
      commit.changes.some((change) => isIn(change, commit)) ||
      folders.some((folder) => trailerOf(folder) === last && isOurs(folder, commit))
    )
  }
  return { isIn, isAbout }
}

/**
 * Tells at which commits a folder is that of the conversation. Between its removal and the next session.json there, it is
 * that of the next one.
 */
function ownerIn(
  commits: readonly ExportedCommit[],
  folder: string,
  isOther: IsOther,
): (at: number) => boolean {
  const lives: { from: number; isOurs: boolean }[] = []
  let removed: number | undefined
  for (const [at, { changes }] of commits.entries())
    for (const change of changes) {
      if (sessionIn(change) !== folder) continue
      const blob = blobIn(change)
      if (blob === undefined) removed = at
      else {
        const from = lives.length === 0 ? 0 : removed === undefined ? at : removed + 1
        lives.push({ from, isOurs: !isOther(blob) })
        removed = undefined
      }
    }
  return (at) => lives.findLast(({ from }) => from <= at)?.isOurs ?? true
}

/** Whether a session.json, by the id of its content, is that of another conversation. */
type IsOther = (blob: string) => boolean

/**
 * The folder of a conversation, and those that it had before: a commit that moves it deletes one and makes the next.
 * Other conversations may have been there too.
 */
function foldersOf(
  commits: readonly ExportedCommit[],
  { paths, othersAmong }: Concerned,
): { folders: string[]; isOther: IsOther } {
  const sessions = commits.map(({ changes }) =>
    changes.flatMap((change) => {
      const folder = sessionIn(change)
      return folder === undefined ? [] : [{ folder, blob: blobIn(change) }]
    }),
  )
  const foldersWith = (isOther: IsOther): string[] => {
    const folders = [...paths]
    for (const [at, changed] of [...sessions.entries()].reverse()) {
      if (!changed.some(({ folder, blob }) => blob !== undefined && folders.includes(folder))) continue
      for (const { folder, blob } of changed) {
        if (blob !== undefined || folders.includes(folder)) continue
        const [last] = sessions
          .slice(0, at)
          .flat()
          .filter((one) => one.folder === folder)
          .slice(-1)
        if (last?.blob === undefined || !isOther(last.blob)) folders.push(folder)
      }
    }
    return folders
  }
  const candidates = foldersWith(() => false)
  const blobs = sessions.flat().filter(({ folder }) => candidates.includes(folder))
  const others = othersAmong(blobs.flatMap(({ blob }) => blob ?? []))
  const isOther = (blob: string) => others.has(blob)
  return { folders: foldersWith(isOther), isOther }
}

/** All folders that a conversation has had in a history, which may have been elsewhere in another one. */
export function withEarlierFolders(exported: Buffer, conversation: Concerned): Concerned {
  return { ...conversation, paths: foldersOf(commitsIn(exported), conversation).folders }
}

/** The folder of the session.json that a change is about. */
function sessionIn(change: string): string | undefined {
  return change.includes('session.json') ? SESSION.exec(pathIn(change))?.[1] : undefined
}

/** The id of the content that a change gives to a file; undefined if it removes it. */
function blobIn(change: string): string | undefined {
  return /^M \d+ (\w+)/.exec(change)?.[1]
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
