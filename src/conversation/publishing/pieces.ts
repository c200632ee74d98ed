import { pathInside, statInside } from '../../io/inside.ts'
import { isTalk } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { DEFAULT_TITLE } from '../../session/schema.ts'
import { firstRequest, tells, titleFrom } from '../../session/title.ts'
import { RECORD } from '../../store/layout.ts'
import { hasPendingTurn } from '../../store/machine/pending-turn.ts'
import type { Workspace } from '../../workspace/open.ts'
import { markOf } from '../mark.ts'
import type { Conversation } from '../read.ts'
import { readNew } from '../read-new.ts'
import { joinContents } from '../segments/join-contents.ts'
import { nextPiece } from '../segments/next-piece.ts'
import type { Reach, SegmentContent } from '../segments/segment-content.ts'
import { readWritable } from './read-to-write.ts'
import { type Found, type Published, type State, writeNew, writeWhole } from './write.ts'

/**
 * Publishes the new part of a long transcript piece by piece, up to the last piece. Each piece is published as if the
 * transcript ended there, so that memory does not grow with the transcript. After a kill between two pieces, the next
 * publishing continues. The caller holds the lock. It then publishes the last piece; `join` adds the earlier pieces to
 * its result.
 */
export function publishPieces(ws: Workspace, path: string, state: State, reach: Reach, keep?: Keep): Pieces {
  const pieces = new Pieces(keep?.())
  for (;;) {
    const piece = publishPiece(ws, path, state, reach)
    if (piece === undefined) return pieces
    pieces.add(piece)
  }
}

type Keep = () => (part: readonly Message[]) => Message[]

/** The pieces that were published before the last one. */
class Pieces {
  readonly #keep: ReturnType<Keep> | undefined
  readonly #kept: Message[] = []
  #appended = 0
  #said: Message | undefined
  readonly #contents: SegmentContent[] = []

  constructor(keep: ReturnType<Keep> | undefined) {
    this.#keep = keep
  }

  add({ appended, contents }: Published): void {
    this.#appended += appended
    for (const content of contents) {
      for (const message of this.#keep?.(content.read.messages) ?? []) this.#kept.push(message)
      this.#said ??= content.read.messages.find(isTalk)
      // Only the counts of a piece are needed later.
      this.#contents.push({
        ...content,
        read: { ...content.read, messages: [] },
        subagents: {},
        blobs: new Map(),
      })
    }
  }

  /** Adds the pieces to the facts that a change of the metadata gets. */
  found(last: Found): Found {
    const said = this.#said === undefined ? [] : [this.#said]
    const messages = last.messages ?? (this.#keep && [...this.#kept, ...last.append])
    return { ...last, append: [...said, ...last.append], ...(messages && { messages }) }
  }

  join<T extends Published>(last: T): T {
    if (this.#contents.length === 0) return last
    return {
      ...last,
      appended: this.#appended + last.appended,
      contents: last.contents.map((content) =>
        // If the segment was read as a whole in the end, its own counts include the pieces.
        content.stamp === undefined ? joinContents(this.#contents.filter(isOf(content)), content) : content,
      ),
    }
  }
}

function isOf({ read }: SegmentContent): (other: SegmentContent) => boolean {
  return (other) =>
    other.read.client === read.client &&
    other.read.nativeId === read.nativeId &&
    other.read.startedAt === read.startedAt
}

function publishPiece(ws: Workspace, path: string, state: State, reach: Reach): Published | undefined {
  const folder = pathInside(ws.root, path)
  const mark = markOf(ws, path, folder)
  if (mark === undefined) return firstPiece(ws, path, state, reach)
  const piece = nextPiece(ws, path, reach, mark)
  const news = piece && readNew(ws, path, { ...reach, piece }, mark)
  return news && writeNew(ws, path, news, state)
}

/** Publishes the first piece of a conversation with an empty record. */
function firstPiece(ws: Workspace, path: string, state: State, reach: Reach): Published | undefined {
  const size = statInside(pathInside(ws.root, path), RECORD.messages)?.size ?? 0n
  if (size > 0n || hasPendingTurn(ws.local, path)) return undefined
  for (let factor = 1; ; factor *= 2) {
    const piece = nextPiece(ws, path, reach, undefined, factor)
    if (piece === undefined) return undefined
    const conversation = readWritable(ws, path, { ...reach, piece })
    if (!isPlain(conversation)) return undefined
    if (hasTitle(conversation)) return writeWhole(ws, conversation, state)
  }
}

function isPlain({ problems, record, segments, another, folderGone }: Conversation): boolean {
  const isEmpty = record.all.length === 0 && record.pruned.size === 0 && record.turn.length === 0
  return isEmpty && problems.length === 0 && segments.length === 1 && !another && !folderGone
}

/** Whether the conversation has a title that does not change when more is said. */
function hasTitle({ session: { title }, messages }: Conversation): boolean {
  if (title === DEFAULT_TITLE || title === '') return false
  return title !== titleFrom(messages) || tells(firstRequest(messages) ?? '')
}
