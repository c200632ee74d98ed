import type { Started } from '../../conversation/create.ts'
import { forgetBeyond } from '../../conversation/segments/forget-beyond.ts'
import { CortextError } from '../../errors.ts'
import { beginsAsked, isControlTurn, NOT_NOTED, turnsOf, typeOpenedIn } from '../../session/control-turns.ts'
import { titleFrom } from '../../session/title.ts'
import { readMetadataBackup } from '../../store/machine/metadata-backup.ts'
import { PLAIN_TYPE } from '../../text/plain-type.ts'
import { isChanged } from '../../workspace/git/index.ts'
import type { Workspace } from '../../workspace/open.ts'
import { stayStopped } from './bind.ts'
import type { CurrentSession } from './current-session.ts'
import { saidInSession, unboundFrom } from './said-in-session.ts'
import { isRecorded, start } from './start.ts'

/**
 * Makes a conversation from a native session that is not bound. Its type is that of the command that the person typed
 * in the session, else the plain one. The conversation gets the talk that belongs to no
 * conversation yet, up to the running turn. Throws `refused` when there is no such talk, and what start throws.
 */
export async function adopt(ws: Workspace, current: CurrentSession): Promise<Started> {
  const command = current.binding?.segments.at(-1)?.command?.slice('workspace.'.length)
  if (current.binding !== undefined && command !== undefined && !isRecorded(ws, command)) {
    forgetBeyond(ws.local, current.binding)
    throw new CortextError('refused', `the type "${command}" is not recorded, so there is nothing to save`)
  }
  if (!hasTalk(ws, current)) {
    // The session's last conversation may have ended without a stop in this session. The person stops that conversation
    // now.
    stayStopped(ws, current)
    throw nothingNew(ws, current)
  }
  const said = saidInSession(ws, current, unboundFrom(ws, current))
  const opened = typeOpenedIn(said, ws.types)
  // The folder is named after the title and keeps its name, so the title is made from the first words now.
  const title = titleFrom(said) ?? ''
  const type = opened ?? PLAIN_TYPE
  return start(ws, { type, title, current, fromBeginning: true, how: 'adopt', promptUnknown: NOT_NOTED })
}

/**
 * Returns the conversation that was stopped in this session, if nothing was said after the stop and git has not
 * committed all of it. The stop was interrupted, or did not have to commit.
 */
export async function stoppedHere(ws: Workspace, current: CurrentSession): Promise<string | undefined> {
  const last = current.binding?.segments.at(-1)
  if (last?.ended_by !== 'stop' || hasTalk(ws, current)) return undefined
  return (await isChanged(ws, last.conversation)) ? last.conversation : undefined
}

/** Whether anything was said that belongs to no conversation yet. */
function hasTalk(ws: Workspace, current: CurrentSession): boolean {
  const turns = turnsOf(saidInSession(ws, current, unboundFrom(ws, current)))
  return turns.some((turn) => beginsAsked(turn) && !isControlTurn(turn))
}

function nothingNew(ws: Workspace, current: CurrentSession): CortextError {
  const last = current.binding?.segments.at(-1)?.conversation
  if (last === undefined)
    return new CortextError('refused', 'nothing was said in this session yet, so there is nothing to save')
  const title = readMetadataBackup(ws.local, last)?.session.title ?? last
  return new CortextError('refused', `"${title}" is saved already; nothing was said here since`, {
    fix: '/workspace.resume, to go on with it',
  })
}
