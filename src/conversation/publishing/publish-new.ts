import { pathInside, statInside } from '../../io/inside.ts'
import { isTalk } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { DEFAULT_TITLE } from '../../session/schema.ts'
import { firstRequest, tells, titleFrom } from '../../session/title.ts'
import { RECORD } from '../../store/layout.ts'
import { hasPendingTurn } from '../../store/machine/pending-turn.ts'
import type { ReadMark } from '../../store/machine/published.ts'
import type { Workspace } from '../../workspace/open.ts'
import { type Conversation, readNew } from '../read.ts'
import { markOf, stillValid } from '../read-mark.ts'
import { joinContents } from '../segments/join-contents.ts'
import { nextPiece } from '../segments/next-piece.ts'
import type { Reach, SegmentContent } from '../segments/segment-content.ts'
import { readWritable } from './read-to-write.ts'
import { type Change, type Published, type State, type Written, write } from './write.ts'

/**
 * Publishes the new part of a conversation: a long transcript piece by piece, each as if the transcript ended there, so
 * that memory does not grow with the transcript. After a kill between two pieces, the next publishing continues. Only
 * with the last piece the metadata are changed, by what `Found` (write.ts) says of a publishing in pieces. `keep` makes a
 * function, which may count what it has seen, that chooses of each piece the messages that `change` needs. The caller
 * holds the lock.
 */
export function publishNew(
  ws: Workspace,
  path: string,
  state: State,
  reach: Reach,
  change: Change,
  keep?: () => (part: readonly Message[]) => Message[],
): Written {
  const folder = pathInside(ws.root, path)
  const choose = keep?.()
  const kept: Message[] = []
  let said: Message | undefined
  let earlier: Counts | undefined
  let mark = markOf(ws, path, folder)
  for (;;) {
    const piece = readPiece(ws, path, reach, mark)
    if (piece === undefined) break
    const written = write(ws, piece, state)
    for (const { content } of piece.segments) {
      for (const message of choose?.(content.read.messages) ?? []) kept.push(message)
      said ??= content.read.messages.find(isTalk)
    }
    const { appended, contents } = join(earlier, written)
    earlier = { appended, contents: contents.map(countsOf) }
    mark = stillValid(written.mark, folder)
  }
  const read = readNew(ws, path, reach, mark) ?? readWritable(ws, path, reach)
  const last = write(ws, read, state, (session, { append, asked, messages }) =>
    change(session, {
      append: said === undefined ? append : [said, ...append],
      asked,
      messages: messages ?? (choose && [...kept, ...append]),
    }),
  )
  return join(earlier, last)
}

type Counts = Pick<Published, 'appended' | 'contents'>

function join<T extends Counts>(earlier: Counts | undefined, last: T): T {
  if (earlier === undefined) return last
  return {
    ...last,
    appended: earlier.appended + last.appended,
    contents: last.contents.map((content) => {
      const before = earlier.contents.find(isOf(content))
      const isReadWhole = content.stamp !== undefined
      // Its own counts include the pieces then.
      return before === undefined || isReadWhole ? content : joinContents(before, content)
    }),
  }
}

/** Of a piece, only the counts are needed later. */
function countsOf(content: SegmentContent): SegmentContent {
  return { ...content, read: { ...content.read, messages: [] }, subagents: {}, blobs: new Map() }
}

function isOf({ read }: SegmentContent): (other: SegmentContent) => boolean {
  return (other) =>
    other.read.client === read.client &&
    other.read.nativeId === read.nativeId &&
    other.read.startedAt === read.startedAt
}

/** Reads the piece after the mark; undefined when the caller must publish the rest at once. */
function readPiece(
  ws: Workspace,
  path: string,
  reach: Reach,
  mark: ReadMark | undefined,
): Conversation | undefined {
  if (mark === undefined) return readFirstPiece(ws, path, reach)
  const piece = nextPiece(ws, path, reach, mark)
  return piece && readNew(ws, path, { ...reach, piece }, mark)
}

/** Reads the first piece of a conversation with an empty record. */
function readFirstPiece(ws: Workspace, path: string, reach: Reach): Conversation | undefined {
  const size = statInside(pathInside(ws.root, path), RECORD.messages)?.size ?? 0n
  if (size > 0n || hasPendingTurn(ws.local, path)) return undefined
  for (let factor = 1; ; factor *= 2) {
    const piece = nextPiece(ws, path, reach, undefined, factor)
    if (piece === undefined) return undefined
    const conversation = readWritable(ws, path, { ...reach, piece })
    if (!isPlain(conversation)) return undefined
    if (hasTitle(conversation)) return conversation
  }
}

function isPlain({ problems, record, segments, holdsAnother, folderGone }: Conversation): boolean {
  const isEmpty = record.all.length === 0 && record.pruned.size === 0 && record.beyond.length === 0
  return isEmpty && problems.length === 0 && segments.length === 1 && !holdsAnother && !folderGone
}

/**
 * Whether the conversation has a title that does not change when more is said: later pieces do not have the first
 * messages, of which a title is made.
 */
function hasTitle({ session: { title }, messages }: Conversation): boolean {
  if (title === DEFAULT_TITLE || title === '') return false
  return title !== titleFrom(messages) || tells(firstRequest(messages) ?? '')
}
