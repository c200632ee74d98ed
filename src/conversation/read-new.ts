import { pathInside } from '../io/inside.ts'
import { reconcileNew, type SavePlan } from '../session/reconcile.ts'
import type { Message, SessionFile } from '../session/schema.ts'
import { lastAsked } from '../session/summary.ts'
import { hasPendingTurn } from '../store/machine/pending-turn.ts'
import type { Workspace } from '../workspace/open.ts'
import { markOf, type ReadMark } from './mark.ts'
import { type Conversation, readOutline, readState } from './read.ts'
import { readTails } from './segments/read-segment.ts'
import type { BoundSegment, Reach } from './segments/segment-content.ts'
import { tokensOf } from './tokens.ts'

/** The new part of a conversation, read without its record. */
export interface NewPart {
  folder: string
  mark: ReadMark
  plan: Pick<SavePlan, 'append' | 'session'>
  /** The beginning of what the person asked last. */
  asked: string
  counts: { messages: number; tokens: number }
  segments: BoundSegment[]
}

/**
 * Reads what is new since the conversation was published. Undefined when everything must be read: the record has
 * changed since, or the new part does more than continue the talk. The plan appends the same lines as after reading
 * everything. A caller that writes the result must hold the conversation's lock. Throws what readConversation throws.
 */
export function readNew(
  ws: Workspace,
  path: string,
  reach: Reach = {},
  known?: ReadMark,
): NewPart | undefined {
  const folder = pathInside(ws.root, path)
  const mark = known ?? markOf(ws, path, folder)
  if (mark === undefined || hasPendingTurn(ws.local, path)) return undefined
  const { session, problems, writable, folderGone, another } = readState(ws, path, folder)
  if (folderGone || another || session.merged !== undefined || !writable || problems.length > 0)
    return undefined
  const segments = readTails(ws, path, reach, mark)
  if (segments === undefined || !coversAll(mark, segments)) return undefined
  const open = mark.segments.flatMap((one) => one.open)
  const plan = reconcileNew(
    session,
    { messages: mark.messages, newest: mark.newest, open, alone: mark.alone === true },
    segments.map(({ content }) => content.read),
  )
  if (plan === undefined) return undefined
  const asked = lastAsked(plan.append)
  // A rewind may have taken back what was asked before.
  if (asked === '' && plan.append.some(({ event }) => event === 'rewound')) return undefined
  return {
    folder,
    mark,
    plan,
    asked: asked || mark.asked,
    counts: { messages: plan.session.message_count, tokens: mark.tokens + growth(plan.append, open) },
    segments,
  }
}

/** Whether the mark has only these segments. `readTails` has found each of them in the mark. */
function coversAll(mark: ReadMark, segments: readonly BoundSegment[]): boolean {
  return mark.segments.length === segments.length
}

function growth(append: readonly Message[], open: readonly Message[]): number {
  const before = new Map(open.map((message) => [message.id, message]))
  const replaced = append.flatMap(({ id }) => before.get(id) ?? [])
  return tokensOf(append) - tokensOf(replaced)
}

/** Returns the metadata with the new counts; `publish` adds the repository's state and the caller's change. */
export function sessionOf({ plan, counts }: NewPart): SessionFile {
  return { ...plan.session, token_count: counts.tokens }
}

/**
 * Reads the present metadata of a conversation, as `readConversation` returns it. If all messages had to be read, they
 * are in the result without their long texts. Writes nothing. Throws what readConversation throws.
 */
export function readDescription(
  ws: Workspace,
  path: string,
): Pick<Conversation, 'path' | 'folder' | 'session' | 'problems' | 'messages'> {
  const news = readNew(ws, path)
  return news === undefined
    ? withTokens(readOutline(ws, path))
    : { path, folder: news.folder, session: sessionOf(news), problems: [], messages: [] }
}

/**
 * Counts the tokens of what is in no record yet. The messages of a record may be without their long texts, so the count
 * is never lower than the one that was saved with them.
 */
export function withTokens<T extends Pick<Conversation, 'session' | 'messages'>>(read: T): T {
  const token_count = Math.max(read.session.token_count, tokensOf(read.messages))
  return { ...read, session: { ...read.session, token_count } }
}
