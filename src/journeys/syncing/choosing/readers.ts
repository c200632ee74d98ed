import { CortextError } from '../../../errors.ts'
import type { Environment } from '../../../io/environment.ts'
import { noteReader, READER, readersIn, readPlace, sealAnew } from '../../../store/machine/place.ts'
import { oneLine } from '../../../text/line.ts'
import { keyFile, needKeys, readKeys, sealKeys } from '../../../workspace/keys.ts'
import type { Workspace } from '../../../workspace/open.ts'
import { personalPlace } from '../../../workspace/personal-place.ts'
import { recipientOf } from '../../../workspace/places/age.ts'
import { howToBringKey, placeOf, sync } from '../sync.ts'

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

/** This person's own key on this machine. */
export interface OwnKey {
  file: string
  /** Its public key. */
  reader: string
  /** It was made now. */
  isNew: boolean
}

/**
 * Returns the key of this machine, and makes one if there is none. Throws `refused` if there is none although a sealed
 * place is set here, for the workspace or for all: a new key would not open it. Also throws what files throw.
 */
export async function ownKey(environment: Environment, ws?: Workspace): Promise<OwnKey> {
  const isNew = readKeys(environment).identities.length === 0
  const address = sealedPlace(environment, ws)
  if (isNew && address !== undefined)
    throw new CortextError(
      'refused',
      `this machine has no key for ${oneLine(address)}, which is sealed; a new one would not open it`,
      { fix: howToBringKey(environment, ws, address) },
    )
  const { identities } = await needKeys(environment)
  return { file: keyFile(environment), reader: await recipientOf(identities[0]!), isNew }
}

/** The address of the sealed place of a workspace, or of the person's for all workspaces. Throws `unreadable`. */
function sealedPlace(environment: Environment, ws: Workspace | undefined): string | undefined {
  const place = ws && readPlace(ws.local)
  if (place?.sealed !== undefined) return place.address
  const personal = personalPlace(environment)
  return personal?.isSealed ? personal.address : undefined
}

/** Lets the next sync lay the person's key at the place, sealed with a passphrase. Throws `refused` and what files throw. */
export async function layKey(ws: Workspace, passphrase: string): Promise<void> {
  checkIsSealed(ws)
  await ownKey(ws.environment, ws)
  await sealKeys(ws.environment, passphrase)
  sealAnew(ws.local)
}

function checkIsSealed(ws: Workspace): void {
  if (placeOf(ws).sealed === undefined)
    throw new CortextError('refused', 'this place is not sealed', {
      fix: 'cortext sync --to <a new place> --seal',
    })
}
