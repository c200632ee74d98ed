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
  const owners = ownersIn(commits, conversation)
  const folders = [...owners.keys()]
  const places = new Map(commits.map((commit, at) => [commit, at]))
  const isOurs = (folder: string, commit: ExportedCommit) => owners.get(folder)!(places.get(commit)!)
  const isIn = (change: string, commit: ExportedCommit) =>
    folders.some((folder) => pathIn(change).startsWith(`${folder}/`) && isOurs(folder, commit))
  // A commit that was made when the conversation was saved may change nothing but the settings.
  const isAbout = (commit: ExportedCommit) => {
    const last = asUtf8(commit.message.trimEnd().split('\n').at(-1)!)
    return (
      commit.changes.some((change) => isIn(change, commit)) ||
      folders.some((folder) => conversation.trailerOf(folder) === last && isOurs(folder, commit))
    )
  }
  return { isIn, isAbout }
}

/** What a commit does with a session.json: the id of its new content, or none if it removes it. */
interface Change {
  at: number
  folder: string
  blob: string | undefined
}

/**
 * The folders that a conversation has had: a commit that moves it makes the next one, and deletes the one before or
 * gives it to another conversation. For each of them, tells
 * at which commits it is that of this conversation. Between its removal and the next session.json there, a folder is that
 * of the next one.
 */
function ownersIn(
  commits: readonly ExportedCommit[],
  { paths, othersAmong }: Concerned,
): Map<string, (at: number) => boolean> {
  const byCommit = commits.map(({ changes }, at) => changes.flatMap((change) => sessionIn(change, at)))
  const byFolder = new Map<string, Change[]>()
  for (const change of byCommit.flat()) {
    const before = byFolder.get(change.folder)
    if (before === undefined) byFolder.set(change.folder, [change])
    else before.push(change)
  }
  const blobBefore = ({ at, folder }: Change) => byFolder.get(folder)!.findLast((one) => one.at < at)?.blob
  const foldersWith = (
    isOurs: (blob: string) => boolean,
    isOther: (blob: string) => boolean,
  ): Set<string> => {
    const folders = new Set(paths)
    for (const changes of byCommit.toReversed()) {
      const made = changes.filter(
        ({ folder, blob }) => blob !== undefined && folders.has(folder) && isOurs(blob),
      )
      if (made.length === 0) continue
      const isNew = made.some((change) => !isOf(isOurs, blobBefore(change)))
      for (const change of changes) {
        const before = blobBefore(change)
        const isLeft =
          change.blob === undefined
            ? before === undefined || isOurs(before)
            : isNew && isOther(change.blob) && isOf(isOurs, before)
        if (isLeft) folders.add(change.folder)
      }
    }
    return folders
  }
  const all = () => true
  const candidates = [...foldersWith(all, all)].flatMap((folder) => byFolder.get(folder) ?? [])
  const others = othersAmong(candidates.flatMap(({ blob }) => blob ?? []))
  const isOurs = (blob: string) => !others.has(blob)
  return new Map(
    [...foldersWith(isOurs, (blob) => others.has(blob))].map((folder) => [
      folder,
      ownerBy(byFolder.get(folder) ?? [], isOurs),
    ]),
  )
}

function isOf(isOurs: (blob: string) => boolean, blob: string | undefined): boolean {
  return blob !== undefined && isOurs(blob)
}

function ownerBy(changes: readonly Change[], isOurs: (blob: string) => boolean): (at: number) => boolean {
  const lives: { from: number; isOurs: boolean }[] = []
  let removed: number | undefined
  for (const { at, blob } of changes)
    if (blob === undefined) removed = at
    else {
      const from = lives.length === 0 ? 0 : removed === undefined ? at : removed + 1
      // Each save has one.
      if (lives.at(-1)?.isOurs !== isOurs(blob)) lives.push({ from, isOurs: isOurs(blob) })
      removed = undefined
    }
  return (at) => lives.findLast(({ from }) => from <= at)?.isOurs ?? true
}

/** All folders that a conversation has had in a history, which may have been elsewhere in another one. */
export function withEarlierFolders(exported: Buffer, conversation: Concerned): Concerned {
  return { ...conversation, paths: [...ownersIn(commitsIn(exported), conversation).keys()] }
}

/** What a change of the commit `at` does with a session.json; nothing for another file. */
function sessionIn(change: string, at: number): Change | [] {
  const folder = change.includes('session.json') ? SESSION.exec(pathIn(change))?.[1] : undefined
  return folder === undefined ? [] : { at, folder, blob: /^M \d+ (\w+)/.exec(change)?.[1] }
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
