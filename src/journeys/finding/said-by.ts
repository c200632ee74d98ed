import { nameHere } from '../../conversation/author.ts'
import { withDefault } from '../../errors.ts'
import { authorName, authorOfMessage } from '../../session/sharing/authors.ts'
import { RECORD } from '../../store/layout.ts'
import { somePiece } from '../../store/record/matching-lines.ts'
import { prunedFilesIn } from '../../store/record/pruned-files.ts'
import { ownMessageIn } from '../../store/record/read-lines.ts'
import type { Workspace } from '../../workspace/open.ts'
import type { Listed } from './list.ts'

/**
 * Returns a function that says whether a person said something in a conversation of this workspace, as far as it is
 * saved. `wanted` is a part of the person's name, in any case, or `me`: then also a conversation in which nobody is
 * named, because it has never left this machine, and one in which the person is or was last without a stop. Reads each
 * record up to the first message that answers, and asks git only for the name of `me`.
 */
export async function saidBy(
  ws: Workspace,
  wanted: string,
): Promise<(one: Pick<Listed, 'folder' | 'live' | 'left'>) => boolean> {
  const isMe = wanted === 'me'
  const own = isMe ? (await nameHere(ws))?.toLowerCase() : undefined
  const part = authorName(wanted)?.toLowerCase()
  const isWanted = (author: string) =>
    isMe ? author.toLowerCase() === own : part !== undefined && author.toLowerCase().includes(part)
  const known = new Map<string, boolean>()
  return ({ folder, live, left }) => {
    if (isMe && (live || left)) return true
    const before = known.get(folder)
    if (before !== undefined) return before
    // `doctor` names a record that cannot be read.
    const speakers = withDefault(undefined, () => speakersIn(folder, isWanted))
    const answer = speakers === 'wanted' || (isMe && speakers === 'nobody')
    known.set(folder, answer)
    return answer
  }
}

/** Who is named in a record: somebody who is wanted, only others, or nobody. */
function speakersIn(folder: string, isWanted: (author: string) => boolean): 'wanted' | 'others' | 'nobody' {
  // As their bytes are in the file: most lines name somebody who was seen before, and need no parsing.
  const others = new Set<string>()
  const hasWanted = (file: string) =>
    somePiece(folder, file, (bytes) => {
      for (const { index, 1: name } of bytes.matchAll(NAMED)) {
        if (others.has(name!)) continue
        const message = ownMessageIn(asUtf8(lineAt(bytes, index)))
        const author = message && authorOfMessage(message)
        if (author === undefined) continue
        if (isWanted(author)) return true
        // The line may have the key elsewhere too, as in the arguments of a tool.
        if (JSON.stringify(message!.author) === `"${asUtf8(name!)}"`) others.add(name!)
        isNamed = true
      }
      return false
    })
  let isNamed = false
  const pruned = () => prunedFilesIn(folder).map((file) => `${RECORD.folder}/${file}`)
  if (hasWanted(RECORD.messages) || pruned().some(hasWanted)) return 'wanted'
  return isNamed ? 'others' : 'nobody'
}

const NAMED = /"author"\s*:\s*"((?:[^"\\\n]|\\.)*)"/g

/** The line of a text around an index. */
function lineAt(text: string, index: number): string {
  const end = text.indexOf('\n', index)
  return text.slice(text.lastIndexOf('\n', index) + 1, end === -1 ? undefined : end)
}

/** The text whose bytes these characters are. */
function asUtf8(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
