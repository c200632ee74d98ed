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
  return text.replace(PLACEHOLDERS, '')
}

/** The placeholders in a text, with their offsets. */
export function placeholdersIn(text: string): (Found & { at: number })[] {
  return [...text.matchAll(PLACEHOLDERS)].map(({ 1: kind, 2: hash, index: at }) => ({
    kind: kind!,
    hash: hash!,
    at,
  }))
}

const PLACEHOLDERS = /\[REDACTED:([a-z0-9-]{1,40}):([0-9a-f]{2,8})\]/g

/** The kind of a secret that a person may have made up. The text around it shows that it is a secret. */
export const GUESSABLE = 'password'

/**
 * Anyone who reads an unsalted hash can try guesses against it. 32 bits prove that a guess is right, so we show 32 bits
 * only of secrets that nobody can guess. Of a password we show 8 bits. They exclude 255 of 256 wrong guesses, and prove
 * none. Two passwords of one conversation still nearly always have different hashes.
 */
function hashLength(kind: string): number {
  return kind === GUESSABLE ? 2 : 8
}

/**
 * Takes the escapes out of a secret, so that its hash does not depend on them. JSON within JSON escapes a secret twice.
 * A key may have `\n` for its line ends.
 */
function canonical(secret: string): string {
  if (secret.startsWith('-----BEGIN')) return secret.replace(/\\+[nrt]?|\s/g, '')
  return secret.includes('\\') ? secret.replaceAll('\\', '') : secret
}
