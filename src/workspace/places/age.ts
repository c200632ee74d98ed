import { CortextError } from '../../errors.ts'

/**
 * Sealing, in the format of the age tool (age-encryption.org/v1). An identity (`AGE-SECRET-KEY-1…`) opens what was sealed
 * for its recipient (`age1…`).
 */
async function age(): Promise<typeof import('age-encryption')> {
  return import('age-encryption')
}

export async function newIdentity(): Promise<string> {
  return (await age()).generateX25519Identity()
}

export async function recipientOf(identity: string): Promise<string> {
  return (await age()).identityToRecipient(identity)
}

/** Seals bytes for these recipients. */
export async function seal(bytes: Uint8Array, recipients: readonly string[]): Promise<Buffer> {
  const { Encrypter } = await age()
  const encrypter = new Encrypter()
  for (const recipient of recipients) encrypter.addRecipient(recipient)
  return bufferOf(await encrypter.encrypt(bytes))
}

/**
 * Opens what was sealed. Returns undefined if it is damaged, or not whole. Throws `refused` if it was sealed for none of
 * these identities.
 */
export async function unseal(sealed: Uint8Array, identities: readonly string[]): Promise<Buffer | undefined> {
  const { Decrypter } = await age()
  const decrypter = new Decrypter()
  for (const identity of identities) decrypter.addIdentity(identity)
  try {
    return bufferOf(await decrypter.decrypt(sealed))
  } catch (error) {
    if (/no identity matched/i.test(String(error))) throw new CortextError('refused', SEALED_FOR_OTHERS)
    return undefined
  }
}

export const SEALED_FOR_OTHERS = 'it is sealed for keys that this machine does not have'

/** Seals bytes with a passphrase. */
export async function sealWith(passphrase: string, bytes: Uint8Array): Promise<Buffer> {
  const { Encrypter } = await age()
  const encrypter = new Encrypter()
  encrypter.setPassphrase(passphrase)
  return bufferOf(await encrypter.encrypt(bytes))
}

/** Undefined if the passphrase is not the right one. */
export async function unsealWith(passphrase: string, sealed: Uint8Array): Promise<Buffer | undefined> {
  const { Decrypter } = await age()
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  try {
    return bufferOf(await decrypter.decrypt(sealed))
  } catch {
    return undefined
  }
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
