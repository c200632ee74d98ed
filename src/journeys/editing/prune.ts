import { basename } from 'node:path'
import { toolVocabulary } from '../../clients/all-tools.ts'
import { prunedTask } from '../../context/pruned-part.ts'
import { rarityIn } from '../../context/rarity.ts'
import { historyOf } from '../../context/select-strategy.ts'
import { digest } from '../../context/state/digest.ts'
import { workIn } from '../../context/state/index.ts'
import { estimate } from '../../context/tokens/index.ts'
import { publish } from '../../conversation/publish.ts'
import { type Conversation, readConversation } from '../../conversation/read.ts'
import { markAfterMove, markOf } from '../../conversation/read-mark.ts'
import { isTalk, livePath, textOf } from '../../session/live-path.ts'
import { type Keep, pruneCut } from '../../session/pruning/cut.ts'
import { prunedLine } from '../../session/pruning/event.ts'
import type { Message } from '../../session/schema.ts'
import { conversationLock, withLockSync } from '../../store/machine/locks/lock.ts'
import type { ReadMark } from '../../store/machine/published.ts'
import { keptRaw, placedIn, type RecordRead } from '../../store/record/index.ts'
import { movePrunedOut, type Restored, restorePruned, tidy } from '../../store/record/pruned-lines.ts'
import type { Workspace } from '../../workspace/open.ts'

/** Counts and times of what a prune moves, or would move. */
export interface PrunePlan {
  lines: number
  /** Number of moved messages by a person or an agent. A message counts once, even if it has several lines. */
  messages: number
  bytes: number
  /** Estimated tokens of the moved messages on the live path. */
  tokens: number
  /** The times of the first and the last moved message, in ISO 8601. */
  from: string
  to: string
  /** Number of messages by a person or an agent that stay. */
  kept: number
}

/**
 * Plans what `prune` would move, unpublished lines included. Undefined when there is nothing to move. Throws
 * `not-found` for an unknown message. Pure.
 */
export function planPrune(conversation: Conversation, keep: Keep): PrunePlan | undefined {
  const old = oldOf(conversation, keep)
  const ids = new Set(old.map(({ id }) => id))
  const unpublished = conversation.plan.append.filter(({ id }) => ids.has(id))
  const lines = [...recordLines(conversation, ids).map(({ message }) => message), ...unpublished]
  if (old.length === 0) return undefined
  return { ...planOf(conversation, old, lines.length), bytes: sum(lines.map(bytesOf)) }
}

/**
 * Publishes, then moves the lines before the kept lines, byte for byte, into a file in `.session/archive/`. In place of
 * these lines, writes one event with the name of the file and a summary. A kill at any point loses nothing, and the
 * next call does the rest. Files that changed since `earlier` was read are read again. Returns undefined when there was
 * nothing to move. Throws `not-found` for an unknown message, and what publish throws.
 */
export async function prune(
  ws: Workspace,
  path: string,
  keep: Keep,
  earlier: Conversation = readConversation(ws, path, { keepRaw: true }),
): Promise<(PrunePlan & { archive: string }) | undefined> {
  const published = await publish(ws, path, { earlier })
  const { moved, conversation } = withLockSync(ws.local, conversationLock(path), () =>
    moveOld(ws, keep, published.conversation),
  )
  // Publishing derives the counts in session.json from the lines.
  await publish(ws, path, { earlier: conversation })
  return moved
}

/**
 * Undoes every prune of a conversation. messages.jsonl then has its old lines again, before the lines that were
 * published after the prunes. Throws what publish throws.
 */
export async function restore(ws: Workspace, path: string): Promise<Restored> {
  const { conversation } = await publish(ws, path, { earlier: readConversation(ws, path, { keepRaw: true }) })
  const { folder } = conversation
  const { restored, earlier } = withLockSync(ws.local, conversationLock(path), () => {
    const mark = markOf(ws, path, folder)
    const { record, ...restored } = restorePruned(folder, keptRaw(folder, conversation.record))
    return { restored, earlier: afterMove(conversation, mark, record) }
  })
  await publish(ws, path, { earlier })
  return restored
}

/** Moves the old lines. Returns what was moved, and the conversation after the move. */
function moveOld(ws: Workspace, keep: Keep, earlier: Conversation) {
  const { path, folder } = earlier
  const mark = markOf(ws, path, folder)
  tidy(folder, keptRaw(folder, earlier.record))
  const tidied = afterMove(earlier, mark)
  const conversation = { ...readConversation(ws, path, { earlier: tidied }), moved: tidied.moved }
  const old = oldOf(conversation, keep)
  const lines = recordLines(
    conversation,
    new Set([...old.map(({ id }) => id), ...conversation.pruned.keys()]),
  )
  if (old.length === 0 || lines.length === 0) return { moved: undefined, conversation }
  const plan = planOf(conversation, old, lines.length)
  const summary = summaryOf(ws, old, prunedTask(conversation.messages))
  const places = new Set(lines.map(({ place }) => place))
  const { archive, bytes, record } = movePrunedOut(folder, conversation.record, places, (moved) =>
    prunedLine(moved, { ...plan, summary, at: ws.environment.now(), origin: conversation.session.origin }),
  )
  const moved = { ...plan, bytes, archive: `${path}/.session/${archive}` }
  return { moved, conversation: afterMove(conversation, mark, record) }
}

/**
 * Returns a conversation whose lines were moved, for the publishing after the move, which so need not read the
 * transcripts again. `mark` is the mark before the move, `record` the record after it.
 */
function afterMove(
  conversation: Conversation,
  mark: ReadMark | undefined,
  record: RecordRead = conversation.record,
): Conversation {
  const moved = markAfterMove(mark, conversation.folder)
  return { ...conversation, record: { ...conversation.record, ...record }, moved }
}

/** Returns the messages to prune, in reading order, without the events of earlier prunes. */
function oldOf({ messages }: Conversation, keep: Keep): Message[] {
  return messages.slice(0, pruneCut(messages, keep)).filter(({ event }) => event !== 'pruned')
}

/** Returns the lines of messages.jsonl with these ids, without the events of earlier prunes. */
function recordLines(
  { record }: Conversation,
  ids: ReadonlySet<string>,
): { message: Message; place: number }[] {
  return placedIn(record).filter(({ message }) => ids.has(message.id) && message.event !== 'pruned')
}

function planOf(
  conversation: Conversation,
  old: readonly Message[],
  lines: number,
): Omit<PrunePlan, 'bytes'> {
  const messages = old.filter(isTalk).length
  // The time of an event is when cortext noticed it, so the times of messages are preferred.
  const said = old.filter(({ event }) => event === undefined)
  const times = (said.length > 0 ? said : old).map(({ timestamp }) => timestamp)
  return {
    lines,
    messages,
    tokens: sum(livePath(old).map((message) => estimate.count(textOf(message)))),
    from: times[0]!,
    to: times.at(-1)!,
    kept: conversation.messages.filter(isTalk).length - messages,
  }
}

function bytesOf(line: Message): number {
  return Buffer.byteLength(JSON.stringify(line)) + 1
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}

const SUMMARY_TOKENS = 600

/** Makes a mechanical summary of the pruned messages. Returns '' if nothing was said in them. */
function summaryOf(ws: Workspace, old: readonly Message[], task: string | undefined): string {
  const history = {
    ...historyOf({ messages: old, project: basename(ws.root), tools: toolVocabulary() }),
    task,
  }
  if (history.said.length === 0) return ''
  const room = { limit: SUMMARY_TOKENS, words: SUMMARY_TOKENS, count: estimate.count }
  return digest(history.said, workIn(history), rarityIn(history.said), room)?.text ?? ''
}
