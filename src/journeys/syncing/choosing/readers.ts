import { CortextError } from '../../../errors.ts'
import { noteReader, READER, readersIn, sealAnew } from '../../../store/machine/place.ts'
import { oneLine } from '../../../text/line.ts'
import { readKeys, sealKeys } from '../../../workspace/keys.ts'
import type { Workspace } from '../../../workspace/open.ts'
import { recipientOf } from '../../../workspace/places/age.ts'
import { placeOf, sync } from '../sync.ts'

/**
 * Lets a key open what the next sync sends, or no longer. All of this project at the place is sealed anew then. Throws
 * `usage` for what is no public key of age, `refused` for a place that is not sealed and for one's own key; and what
 * `sync` throws.
 */
export async function changeReader(ws: Workspace, reader: string, isReader: boolean): Promise<void> {
  if (!READER.test(reader))
    throw new CortextError('usage', `${oneLine(reader)} is no public key of age: age1…`)
  checkIsSealed(ws)
  const own = await Promise.all(readKeys(ws.environment).identities.map(recipientOf))
  if (!isReader && own.includes(reader))
    throw new CortextError('refused', 'that is the key of this machine, which could not open the place then')
  // What another machine has said about this key counts.
  await sync(ws)
  if (!isReader && !readersIn(placeOf(ws)).includes(reader))
    throw new CortextError('not-found', 'that key cannot open the place', { fix: 'cortext sync' })
  noteReader(ws.local, reader, isReader)
}

/** Lets the next sync lay the person's key at the place, sealed with a passphrase. Throws `refused` and what files throw. */
export async function layKey(ws: Workspace, passphrase: string): Promise<void> {
  checkIsSealed(ws)
  await sealKeys(ws.environment, passphrase)
  sealAnew(ws.local)
}

function checkIsSealed(ws: Workspace): void {
  if (placeOf(ws).sealed === undefined)
    throw new CortextError('refused', 'this place is not sealed', {
      fix: 'cortext sync --to <a new place> --seal',
    })
}
