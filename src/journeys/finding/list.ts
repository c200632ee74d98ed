import { followMoved } from '../../conversation/moved.ts'
import { goneConversations } from '../../conversation/worktrees.ts'
import { listInside, readInside } from '../../io/inside.ts'
import { statsOf } from '../../io/regular-file.ts'
import { type IndexEntry, indexEntryOf } from '../../session/index-entry.ts'
import { type EffectiveStatus, effectiveStatus } from '../../session/lifecycle.ts'
import { findableOf, type Names, namesAmong } from '../../session/names.ts'
import { recoveredSession } from '../../session/recovered.ts'
import type { Hidden } from '../../session/resumable-lines.ts'
import { type Binding, rootOf } from '../../store/machine/binding.ts'
import { readMergeCheck } from '../../store/machine/git-checks.ts'
import { type BoundSegment, listBindings, liveSegmentsIn } from '../../store/machine/list-bindings.ts'
import { readMetadataBackup } from '../../store/machine/metadata-backup.ts'
import { type Entry, scanWorkspace } from '../../store/scan.ts'
import { oneLine } from '../../text/line.ts'
import { documentPath } from '../../workspace/folder.ts'
import type { Workspace } from '../../workspace/open.ts'
import { otherCopies } from '../../workspace/repository.ts'
import { findGitTop } from '../../workspace/root.ts'

/** A conversation as lists show it. */
export interface Listed {
  /** The name that stands beside it wherever it is shown, and that means no other conversation (`Names.nameOf`). */
  readonly name: string
  /** The folder's name. Several conversations may have it. */
  id: string
  /** Like `name`, but with the words of its id (`Names.idOf`). */
  readonly ownId: string
  datedId: string
  path: string
  folder: string
  title: string
  type: string
  status: EffectiveStatus
  lastActive: Date
  created: Date
  summary: string
  tags: readonly string[]
  /** The key, if an agent loop has the conversation. */
  key?: string
  messages: number
  /** Estimated tokens of the talk, from session.json. */
  tokens: number
  client: string
  archived: boolean
  /** No sync sends it. */
  keptHere?: boolean
  /** Why lists leave it out by default, in words: it has been quiet for long, or many newer ones are open. */
  old?: string
  live: boolean
  /** The root of the other worktree in which it is open, or was held last. */
  worktree?: string
  /**
   * Its last session on this machine ended or went on to another conversation without a stop, which would have
   * committed.
   */
  left: boolean
  /** The native sessions with segments of the conversation, in their order; a live session is the last. */
  native: IndexEntry['native']
}

export interface Listing {
  /** Newest first. */
  conversations: Listed[]
  /** Conversations whose session.json cannot be read, with the reason. */
  broken: { path: string; code: string; message: string }[]
  /** Paths of conversations whose folders were removed, and that this machine can bring back. */
  gone: string[]
  /** Workspace-relative paths of conversation folders with a document and no session. */
  documents: string[]
}

/**
 * Lists all conversations of the workspace, from metadata only; it reads no message. If `ws.mayWrite` is true, it
 * writes the index, and updates the paths of moved conversations in the local folder. Throws `locked`.
 */
export function listConversations(ws: Workspace): Listing {
  const { conversations: entries, documents } = scanWorkspace(ws.root, ws.local, ws)
  if (ws.mayWrite) followMoved(ws, entries)
  const bindings = listBindings(ws.local, ws)
  const live = liveByConversation(bindings)
  const settled = leftByPath(ws)
  const last = lastSegments(bindings)
  const left = leftWithoutStop(ws, last)
  const worktreeOf = otherWorktrees(ws, last)
  const conversations: Listed[] = []
  const names = namesAmong(() => conversations)
  const broken: Listing['broken'] = []
  for (const found of entries) {
    const entry = settled(found)
    if (entry.problem !== undefined)
      broken.push({ path: entry.problem.path, code: entry.problem.code, message: entry.problem.message })
    const session = entry.session ?? metadataElsewhere(ws, entry.path)
    const one = listedOf(ws, entry, session, live.get(entry.path), names)
    const isOver = one.live || one.archived || one.status.status === 'completed'
    one.left = left.has(entry.path) && !isOver
    const worktree = worktreeOf(entry.path)
    if (worktree !== undefined) one.worktree = worktree
    conversations.push(one)
  }
  conversations.sort((a, b) => b.lastActive.getTime() - a.lastActive.getTime() || (a.path < b.path ? 1 : -1))
  const gone = goneConversations(ws.root, ws.local, entries)
  const withDocument = documents
    .filter((path) => !isOfUnrecorded(ws, path))
    .filter((path) => listInside(ws.root, path, '.md').length > 0)
  markOld(ws, conversations)
  return { conversations, broken, gone, documents: withDocument }
}

/** Whether a folder without a session is of a type that is not recorded. */
function isOfUnrecorded({ types }: Workspace, path: string): boolean {
  const name = path.split('/').at(-1)!.replace(/^\d+-/, '')
  return [...types.values()].some((type) => !type.session_support && name.startsWith(`${type.name}-`))
}

const DAY = 24 * 60 * 60_000

/** Marks old conversations. The mark is never stored, so a conversation that is resumed is not old any more. */
function markOld(ws: Workspace, conversations: readonly Listed[]): void {
  const { archiveAfterDays, maxOpen } = ws.config.list
  const oldest = ws.environment.now().getTime() - archiveAfterDays * DAY
  let open = 0
  for (const one of conversations) {
    if (!isResumable(one) || one.live) continue
    open += 1
    if (archiveAfterDays > 0 && one.lastActive.getTime() < oldest)
      one.old = `quiet for ${archiveAfterDays} days`
    else if (maxOpen > 0 && open > maxOpen) one.old = `beyond the newest ${maxOpen}`
  }
}

/** Whether a conversation is offered for a resume: it is not completed, not archived and not old. */
export function isResumable(one: Listed): boolean {
  return whyOver(one) === undefined
}

/**
 * Git may have merged two versions of a conversation; the next verb that writes will settle this. Returns a function
 * that already gives an entry its settled metadata.
 */
function leftByPath(ws: Workspace): (entry: Entry) => Entry {
  const left = new Map(readMergeCheck(ws.local, ws.root)?.left.map((one) => [one.path, one]))
  if (left.size === 0) return (entry) => entry
  return (entry) => {
    const { session, mtimeMs } = left.get(entry.path) ?? {}
    if (session === undefined || entry.session === undefined || entry.mtimeMs !== mtimeMs) return entry
    const { problem: _, ...whole } = entry
    return { ...whole, session: { ...entry.session, ...session } }
  }
}

function whyOver({ archived, status, old }: Listed): string | undefined {
  return archived ? 'archived' : status.status === 'completed' ? 'completed' : old
}

/** Whether an agent loop holds the conversation, and no person has talked in it in a client. */
export function isOfLoop({ key, native }: Listed): boolean {
  return key !== undefined && native.length === 0
}

/** The conversations that a person is offered for a resume, and how many are hidden, by the reason. */
export interface ToResume<T> {
  /** The resumable conversations of people; if there are none, those of agent loops; if there are none, the old ones. */
  shown: T[]
  hidden: Hidden
}

export function toResume<T extends Listed>(conversations: readonly T[]): ToResume<T> {
  const open = conversations.filter(isResumable)
  const ofPeople = open.filter((one) => !isOfLoop(one))
  const old = conversations.filter((one) => one.old !== undefined)
  const shown = [ofPeople, open, old].find((some) => some.length > 0) ?? []
  return { shown, hidden: hiddenIn(conversations, shown) }
}

/** Counts the conversations that are not shown, by the reason. */
export function hiddenIn(conversations: readonly Listed[], shown: readonly Listed[]): Hidden {
  const paths = new Set(shown.map(({ folder }) => folder))
  const hidden = new Map<string, number>()
  for (const one of conversations) {
    if (paths.has(one.folder)) continue
    const why = whyOver(one) ?? (isOfLoop(one) ? 'of agent loops' : undefined)
    if (why !== undefined) hidden.set(why, (hidden.get(why) ?? 0) + 1)
  }
  return hidden
}

/** Returns the name of the conversation at a path; the path if it is not listed. */
export function nameAt(conversations: readonly Listed[], path: string): string {
  return conversations.find((one) => one.path === path)?.name ?? path
}

/** Returns the name and the title of a conversation: `5 "API design"`; its path if it is not listed. */
export function nameAndTitle(conversations: readonly Listed[], path: string): string {
  const one = conversations.find((candidate) => candidate.path === path)
  return oneLine(one === undefined ? path : `${one.name} "${one.title}"`)
}

/** Names all conversations of a workspace, as `listConversations` does. */
export function namesIn(ws: Workspace, entries: readonly Entry[]): Names {
  return namesAmong(() => {
    const settled = leftByPath(ws)
    return entries.map((one) =>
      findableOf({ path: one.path, session: settled(one).session ?? metadataElsewhere(ws, one.path) }),
    )
  })
}

/** The first heading of the document in a folder without a session; '' if there is none. */
export function headingOf({ root, types }: Workspace, path: string): string {
  const { conversation_type: type } = recoveredSession(path, types.keys())
  const document = readInside(root, documentPath(path, type)) ?? ''
  return /^# (.+)$/m.exec(document)?.[1]?.trim() ?? ''
}

/**
 * Returns the id and the name of the conversation at a path, as `--json` prints them. A folder that is not listed has
 * its path as name.
 */
export function idAndName(ws: Workspace, path: string): { id: string; name: string } {
  const one = listConversations(ws).conversations.find((candidate) => candidate.path === path)
  return one === undefined ? { id: path.split('/').at(-1)!, name: path } : { id: one.ownId, name: one.name }
}

/** Returns the metadata of a conversation whose session.json cannot be read: from the backup, else from its path. */
function metadataElsewhere(ws: Workspace, path: string): IndexEntry {
  return indexEntryOf(readMetadataBackup(ws.local, path)?.session ?? recoveredSession(path, ws.types.keys()))
}

function listedOf(
  ws: Workspace,
  entry: Entry,
  session: IndexEntry,
  live: Live | undefined,
  names: Names,
): Listed {
  const liveAt = live?.at
  const lastActive = later(new Date(session.last_active), liveAt)
  const parts = entry.path.split('/')
  return {
    get name() {
      return names.nameOf(entry.path)
    },
    get ownId() {
      return names.idOf(entry.path)
    },
    // A session.json that was edited by hand may contain anything; lists show one line of it.
    id: oneLine(session.conversation_id),
    datedId: parts.slice(-2).join('/'),
    path: entry.path,
    folder: entry.folder,
    title: session.title || recoveredSession(entry.path, [session.conversation_type]).title,
    type: oneLine(session.conversation_type),
    status: effectiveStatus(session, {
      live: liveAt !== undefined,
      // `lastActive` is the time of the last message or event. For a live conversation, only its transcript's time
      // counts.
      lastTurn: liveAt ?? lastActive,
      now: ws.environment.now(),
      idleMinutes: ws.config.autoPause.minutes,
    }),
    lastActive,
    created: new Date(session.created_at),
    summary: session.context_summary,
    tags: session.tags ?? [],
    ...(session.key === undefined ? {} : { key: session.key }),
    messages: session.message_count,
    tokens: session.token_count,
    client: live?.client ?? session.client,
    archived: session.archived_at !== undefined,
    ...(session.keep_here === true && { keptHere: true }),
    live: liveAt !== undefined,
    left: false,
    native: live === undefined ? session.native : withLast(session.native, live),
  }
}

/** The newest live session of a conversation, with the time of its last activity. */
export interface Live {
  client: string
  native_id: string
  at: Date
}

function withLast(native: Listed['native'], { client, native_id }: Live): Listed['native'] {
  return [...native.filter((one) => one.native_id !== native_id), { client, native_id }]
}

/** Returns the newest live session of each conversation that has a live segment in these bindings, by path. */
export function liveByConversation(bindings: readonly Binding[]): Map<string, Live> {
  const result = new Map<string, Live>()
  for (const { binding, segment } of liveSegmentsIn(bindings)) {
    const at = statsOf(binding.transcript)?.mtime ?? new Date(segment.started_at)
    const before = result.get(segment.conversation)
    if (before === undefined || at >= before.at)
      result.set(segment.conversation, { client: binding.client, native_id: binding.native_id, at })
  }
  return result
}

/**
 * Returns the conversations whose last segment ended without a stop. Reads only bindings, and does not run git. Empty
 * if stops commit nothing here.
 */
function leftWithoutStop({ config, root }: Workspace, last: LastSegments): Set<string> {
  if (config.commit !== 'auto' || config.visibility !== 'shared' || findGitTop(root) === undefined)
    return new Set()
  const left = [...last].filter(
    ([, { segment }]) => segment.ended_by === 'session-end' || segment.ended_by === 'switch',
  )
  return new Set(left.map(([path]) => path))
}

/** The last segment of each conversation, by path. */
type LastSegments = ReadonlyMap<string, BoundSegment>

function lastSegments(bindings: readonly Binding[]): LastSegments {
  const last = new Map<string, BoundSegment>()
  for (const binding of bindings)
    for (const segment of binding.segments) {
      const before = last.get(segment.conversation)?.segment
      if (before === undefined || before.started_at <= segment.started_at)
        last.set(segment.conversation, { binding, segment })
    }
  return last
}

/** Returns a function that gives the other worktree in which a conversation was held last, if that is still there. */
function otherWorktrees({ root }: Workspace, last: LastSegments): (path: string) => string | undefined {
  const roots = new Set([...last.values()].map(rootOf))
  roots.delete(root)
  if (roots.size === 0) return () => undefined
  const others = new Set(otherCopies(root).filter((other) => roots.has(other)))
  return (path) => {
    const segment = last.get(path)
    const held = segment && rootOf(segment)
    return held !== undefined && others.has(held) ? held : undefined
  }
}

function later(a: Date, b: Date | undefined): Date {
  return b !== undefined && b > a ? b : a
}
