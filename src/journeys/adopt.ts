import type { NativeHere } from './native-here.ts'
import type { Workspace } from './open.ts'
import { type Started, start } from './start.ts'

const DEFAULT_TYPE = 'brainstorm'

/** A native session that was never bound becomes a conversation, from its first message to the running turn. */
export function adopt(ws: Workspace, here: NativeHere, type = DEFAULT_TYPE): Promise<Started> {
  const known = ws.types.has(type) ? type : [...ws.types.keys()][0]!
  return start(ws, { type: known, title: '', here, fromBeginning: true, how: 'adopt' })
}
