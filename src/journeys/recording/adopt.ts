import { CortextError } from '../../errors.ts'
import { isOwnTurn, turnsOf } from '../../session/control-turns.ts'
import { readShadow } from '../../store/machine/metadata-backup.ts'
import type { Workspace } from '../../workspace/open.ts'
import type { NativeHere } from './current-session.ts'
import { saidHere, unboundFrom } from './said-in-session.ts'
import { type Started, start } from './start.ts'

const DEFAULT_TYPE = 'brainstorm'

/**
 * A native session that is not bound becomes a conversation: all that belongs to none yet, up to the running turn.
 * Throws `refused` where that is nothing.
 */
export async function adopt(ws: Workspace, here: NativeHere, type = DEFAULT_TYPE): Promise<Started> {
  const turns = turnsOf(saidHere(ws, here, unboundFrom(here)))
  // What no prompt begins is the end of a turn in which something was stopped.
  if (turns.every((turn) => turn[0]?.role !== 'user' || isOwnTurn(turn))) throw nothingNew(ws, here)
  const known = ws.types.has(type) ? type : [...ws.types.keys()][0]!
  return start(ws, { type: known, title: '', here, fromBeginning: true, how: 'adopt' })
}

function nothingNew(ws: Workspace, here: NativeHere): CortextError {
  const last = here.binding?.stretches.at(-1)?.conversation
  if (last === undefined)
    return new CortextError('refused', 'nothing was said in this session yet, so there is nothing to save')
  const title = readShadow(ws.local, last)?.session.title ?? last
  return new CortextError('refused', `"${title}" is saved already; nothing was said here since`, {
    fix: '/workspace.resume, to go on with it',
  })
}
