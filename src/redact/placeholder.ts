import { crypto } from '../hash.ts'

/** A replacement. It never contains the secret itself. */
export interface Found {
  kind: string
  /**
   * The start of the secret's sha256: 8 hex digits, or 2 when a person may have made the secret up (see `hashLength`).
   */
  hash: string
}

/** Makes `[REDACTED:<kind>:<hash>]`, which depends only on kind and secret. */
export function placeholder(kind: string, secret: string): Found & { text: string } {
  const hash = crypto()
    .createHash('sha256')
    .update(canonical(secret))
    .digest('hex')
    .slice(0, hashLength(kind))
  return { kind, hash, text: `${MARK}${kind}:${hash}]` }
}

export const MARK = '[REDACTED:'

/**
 * The offset where the placeholder at `offset` ends. If the text only starts like a placeholder, the offset where its
 * mark ends.
 */
export function placeholderEnd(text: string, offset: number): number {
  REST.lastIndex = offset + MARK.length
  return REST.test(text) ? REST.lastIndex : offset + MARK.length
}

const REST = /[a-z0-9-]{1,40}:[0-9a-f]{2,8}\]/y

/** The text without our placeholders in it. */
export function withoutPlaceholders(text: string): string {
  return text.replace(/\[REDACTED:[a-z0-9-]{1,40}:[0-9a-f]{2,8}\]/g, '')
}

/** The kind of a secret that its surroundings gave away and that a person may have made up. */
export const GUESSABLE = 'password'

/**
 * Anyone who reads an unsalted hash can try guesses against it. 32 bits confirm a guess beyond doubt, which is harmless
 * only where guessing is hopeless. For a password 8 bits are shown: they shorten a list of guesses 256-fold and confirm
 * none of them, and they still distinguish two passwords of one conversation nearly always.
 */
function hashLength(kind: string): number {
  return kind === GUESSABLE ? 2 : 8
}

/**
 * The same form of a secret, however often it was escaped: in JSON within JSON, or in a key with `\n` for its line
 * ends.
 */
function canonical(secret: string): string {
  if (secret.startsWith('-----BEGIN')) return secret.replace(/\\+[nrt]?|\s/g, '')
  return secret.includes('\\') ? secret.replaceAll('\\', '') : secret
}
