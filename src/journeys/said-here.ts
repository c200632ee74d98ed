import { join } from 'node:path'
import { clientOf } from '../clients/index.ts'
import { isTalk } from '../session/live-path.ts'
import type { Message } from '../session/schema.ts'
import { readJournal } from '../store/journal.ts'
import { localFiles } from '../store/layout.ts'
import type { NativeHere } from './native-here.ts'
import type { Workspace } from './open.ts'

/** What was said in a native session between an offset of its journal and the turn that is now running. */
export function saidHere(
  ws: Workspace,
  here: Pick<NativeHere, 'client' | 'nativeId' | 'journal' | 'turn'>,
  from: number,
): Message[] {
  if (from >= here.turn) return []
  const bytes = readJournal(join(localFiles(ws.local).journal, here.client, here.journal))
  const { messages } = clientOf(here.client).read({
    nativeId: here.nativeId,
    bytes,
    from,
    to: here.turn,
    sides: [],
    side: () => undefined,
  })
  return messages.filter(isTalk)
}

/** Where in its journal a native session is nobody's: behind the last stretch of it, else at its begin. */
export function unboundFrom({ binding, journal, turn }: NativeHere): number {
  const last = binding?.stretches.at(-1)
  return last?.journal === journal ? (last.to ?? turn) : 0
}
