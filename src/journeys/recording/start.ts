import { create, createDocument, type Started } from '../../conversation/create.ts'
import { editConversation } from '../../conversation/edit.ts'
import { nameAfterTitle } from '../../conversation/naming/name-after-title.ts'
import { pause } from '../../conversation/pause.ts'
import { forgetBeyond } from '../../conversation/segments/forget-beyond.ts'
import { clientProcess } from '../../io/process.ts'
import { isTalk } from '../../session/live-path.ts'
import { DEFAULT_TITLE } from '../../session/schema.ts'
import { readMetadataBackup } from '../../store/machine/metadata-backup.ts'
import { documentPath } from '../../workspace/folder.ts'
import type { Workspace } from '../../workspace/open.ts'
import { bind, type NewSegment, noteNotified, unbind } from './bind.ts'
import type { CurrentSession } from './current-session.ts'
import { saidInSession, unboundFrom } from './said-in-session.ts'

export interface StartRequest {
  type: string
  /** The title as typed; '' if there is none yet. */
  title: string
  current: CurrentSession | undefined
  /** Begins a new conversation even if one is open, because the person typed the command. */
  anew?: boolean
  /** The segment begins at the first message that belongs to no conversation, instead of at this turn. */
  fromBeginning?: boolean
  /** See NewConversation. */
  keepHere?: boolean
  /** Default: `start`. */
  how?: 'start' | 'adopt'
  /** See NewConversation. */
  promptUnknown?: string
}

/**
 * Opens a conversation and binds it to the native session in which the start was asked for. Pauses the conversation
 * that was bound to the session before. Without `anew`, two requests make only one conversation: this returns the open
 * conversation if the running turn has opened it, if its resume is pending, or if it has no title. Throws `not-found`
 * for an unknown type, `locked`, and what publish throws.
 */
export async function start(ws: Workspace, request: StartRequest): Promise<Started> {
  const { current } = request
  if (!isRecorded(ws, request.type)) return startUnrecorded(ws, request)
  const open = current?.live
  if (current !== undefined && open !== undefined) {
    // Messages are counted here, not bytes, because the client writes lines of its own before the first prompt.
    const before = saidInSession(ws, { ...current, turn: current.marked }, open.from)
    const same = open.pending === true || !before.some(isTalk) || isUntitled(ws, open.conversation)
    if (same && request.anew !== true)
      return openAlready(ws, open.conversation, open.pending === true, request)
  }
  const made = await create(ws, request)
  if (current !== undefined)
    await bindInstead(ws, current, {
      conversation: made.path,
      how: request.how ?? 'start',
      from: request.fromBeginning === true ? unboundFrom(ws, current) : current.turn,
      command: `workspace.${request.type}`,
    })
  return made
}

/** Whether conversations of a type are recorded. True for an unknown type: `create` then throws the error. */
export function isRecorded(ws: Workspace, type: string): boolean {
  return ws.types.get(type)?.session_support !== false
}

/**
 * Opens a conversation that keeps only its document. An empty segment marks where it began, so that a conversation that
 * was open before does not get the talk after this mark.
 */
async function startUnrecorded(
  ws: Workspace,
  { type, title, current, anew }: StartRequest,
): Promise<Started> {
  const command = `workspace.${type}`
  const last = current?.binding?.segments.at(-1)
  // To find the start of the turn, the caller has copied the session into the journal. This call removes the copy.
  if (current?.binding !== undefined && current.live === undefined) forgetBeyond(ws.local, current.binding)
  if (anew !== true && last?.command === command && last.to === last.from) {
    const path = last.conversation
    const id = path.split('/').at(-1)!
    return { id, path, document: documentPath(path, type), title: id, created: false, resumed: false }
  }
  const made = createDocument(ws, { type, title })
  if (current === undefined) return made
  await bindInstead(ws, current, { conversation: made.path, how: 'start', from: current.turn, command })
  unbind(ws, current, { to: current.turn, by: 'stop', conversation: made.path })
  noteNotified(ws, current, clientProcess(ws.environment.env))
  return made
}

/**
 * Binds a native session to a conversation. If the session was bound to another conversation, the segment of that
 * conversation ends where the new one begins, and the conversation is saved as paused. Saving may fail, so it
 * comes last; the talk is in the journal by then. Throws `locked`, and what publish throws.
 */
export async function bindInstead(ws: Workspace, current: CurrentSession, what: NewSegment): Promise<void> {
  bind(ws, current, what, current.live && Math.max(what.from, current.live.from))
  if (current.live !== undefined) await pause(ws, current.live.conversation)
}

/**
 * Returns the conversation that is open already. If it has no title, it gets the title of the request, and its folder
 * is named after it: the answer tells the agent the new path.
 */
async function openAlready(
  ws: Workspace,
  at: string,
  resumed: boolean,
  { title, keepHere }: StartRequest,
): Promise<Started> {
  let path = at
  if (keepHere) await editConversation(ws, path, { keepHere }, false)
  if (title.trim() !== '' && isUntitled(ws, path)) {
    const session = await editConversation(ws, path, { title }, false)
    path = (await nameAfterTitle(ws, { path, session })).path
  }
  const session = readMetadataBackup(ws.local, path)?.session
  const id = path.split('/').at(-1)!
  const type = session?.conversation_type ?? ''
  const document = hasDocument(ws, type) ? documentPath(path, type) : undefined
  return { id, path, document, title: session?.title ?? id, created: false, resumed }
}

/** Whether conversations of a type begin with a document. */
function hasDocument({ types }: Workspace, type: string): boolean {
  const known = types.get(type)
  return known === undefined || known.template !== undefined
}

function isUntitled(ws: Workspace, path: string): boolean {
  return readMetadataBackup(ws.local, path)?.session.title === DEFAULT_TITLE
}
