/** This file is part of the hook bundle: it imports nothing. */

/**
 * Node's own crypto. It is loaded at the first call: most commands hash nothing, and loading takes a millisecond or
 * two.
 */
export function crypto(): typeof import('node:crypto') {
  return process.getBuiltinModule('node:crypto')
}

/** The SHA-256 in hexadecimal digits. */
export function sha256(data: string | Uint8Array): string {
  return crypto().createHash('sha256').update(data).digest('hex')
}
