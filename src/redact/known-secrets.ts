import { redactText } from './index.ts'
import { type Found, GUESSABLE, placeholdersIn } from './placeholder.ts'

/**
 * Secrets that were in versions of documents, known by their hashes: of a version without its secrets, placeholders tell
 * them.
 */
export class KnownSecrets {
  readonly #names = new Set<string>()
  /** What comes before a password in its line: its hash is so short that another password may have it too. */
  readonly #before = new Set<string>()

  /** Adds the secrets of a version. What is no text has none. */
  add(version: Buffer): void {
    const { text: clean } = redactText(textIn(version) ?? '')
    for (const one of placeholdersIn(clean)) this.#names.add(nameOf(one))
    for (const line of clean.split('\n')) for (const begin of beforePasswords(line)) this.#before.add(begin)
  }

  /** The text without these secrets. A password goes only where the line before it is as it was in a version. */
  takeOut(text: string): string {
    const isKnown = (one: Found) => this.#names.has(nameOf(one))
    const { text: clean } = redactText(text, (one) => one.kind !== GUESSABLE && isKnown(one))
    if (this.#before.size === 0) return clean
    const lines = clean.split('\n').map((line) => {
      const without = redactText(line, isKnown).text
      return beforePasswords(without).some((begin) => this.#before.has(begin)) ? without : line
    })
    return lines.join('\n')
  }
}

function nameOf({ kind, hash }: Found): string {
  return `${kind} ${hash}`
}

function beforePasswords(line: string): string[] {
  return placeholdersIn(line).flatMap(({ kind, at }) =>
    kind === GUESSABLE ? line.slice(0, at).trimStart() : [],
  )
}

/** The text of a document; undefined for a picture. */
export function textIn(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8')
  return Buffer.from(text).equals(bytes) ? text : undefined
}
