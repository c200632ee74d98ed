import { assignedSecret } from './assignment.ts'
import { commandSecret } from './commands.ts'
import {
  captured,
  cookieHeader,
  cookieLine,
  headerCredentials,
  inHeader,
  pgpassLine,
  schemeCredentials,
  urlCredentials,
} from './credentials.ts'
import type { Judge } from './scan.ts'
import { Quotes } from './values.ts'

/**
 * Finds secrets that only their surroundings give away: `DB_PASSWORD=…`, `"api_key": "…"`, `--token …`,
 * `https://user:…@host`, `Authorization: …`. Each rule is tried where one of its words stands.
 */
export const CONTEXT_TRIGGER =
  /\[REDACTED:|:\/\/|pass|pwd|_pw|pword|secret|token |token|key|authorization|auth|credential|bearer |basic |cookie| -[ukpabw]| --user| --proxy-user| --cookie|identified by |dsn|_pat|:(?:5432|5433|6432|\*):|(?:\t|\\t)(?:TRUE|FALSE)/gi

/** `CREATE USER me IDENTIFIED BY '…'` */
const IDENTIFIED = /identified by (?:password )?\\*['"]([^'"\\]{4,200})(?=\\*['"])/iy

/** Judges the places of a text where a word of the trigger stands. */
export function secretsInContext(text: string): Judge {
  const quotes = new Quotes(text)
  return (at, literal) => {
    const word = literal.toLowerCase()
    switch (word) {
      case '://':
        return urlCredentials(text, at)
      case 'bearer ':
      case 'basic ':
        return schemeCredentials(text, at)
      case 'token ':
        return (
          (inHeader(text, at) ? schemeCredentials(text, at) : undefined) ?? assignedSecret(text, at, quotes)
        )
      case 'authorization':
        return headerCredentials(text, at) ?? assignedSecret(text, at, quotes)
      case 'identified by ':
        return captured(text, at, IDENTIFIED)
      case 'cookie':
        return cookieHeader(text, at)
      default:
        if (word.startsWith(' -')) return commandSecret(text, at)
        if (word.startsWith(':')) return pgpassLine(text, at)
        if (/true|false/.test(word)) return cookieLine(text, at)
        return assignedSecret(text, at, quotes)
    }
  }
}
