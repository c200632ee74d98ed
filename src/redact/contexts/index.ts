import type { Judge } from '../scan.ts'
import { assignedSecret, labelledSecret } from './assignment.ts'
import { CODES_TRIGGER, recoveryCodes } from './codes.ts'
import { commandSecret, listedSecret } from './commands.ts'
import { CONSOLE_TRIGGER, consoleSecret } from './consoles.ts'
import {
  cookieHeader,
  cookieLine,
  headerCredentials,
  inHeader,
  pgpassLine,
  schemeCredentials,
  urlCredentials,
} from './credentials.ts'
import { expectationOfLabel, LABEL_TRIGGER, unsealKey } from './labels.ts'
import { hereString, htpasswd, pipedSecret } from './pipes.ts'
import {
  authPair,
  CALL_TRIGGER,
  callSecret,
  identifiedBy,
  LOGIN_TRIGGER,
  loginPair,
  oracleUrl,
  passwordFor,
  secureString,
  webKey,
} from './statements.ts'
import { Quotes } from './values.ts'

/**
 * The words near which a secret may stand that only its surroundings give away: `DB_PASSWORD=…`, `"api_key": "…"`,
 * `--token …`, `https://user:…@host`, `Authorization: …`. `secretsInContext` tries the rules of a word wherever the
 * word occurs.
 */
export const CONTEXT_TRIGGER = new RegExp(
  `${CONSOLE_TRIGGER}|${LOGIN_TRIGGER}|${CALL_TRIGGER}|${CODES_TRIGGER}|${/\[REDACTED:|:\/\/|password for |--password-stdin|passwd|pass|pwd|pw|pword|secret|token |token|key|authorization|auth|credential|bearer |basic |cookie|[ "']-(?:[sSfkLvig]{0,6}u|[kpabwcPUAX]|hp)| --user| --proxy-user| --cookie| --auth| --body|identified by |convertto-securestring |jdbc:oracle:|sudo -s|"kty|unseal key|bindpw|rootpw|psk|dsn|_pat|:(?:5432|5433|6432|\*):|(?:\t|\\t)(?:TRUE|FALSE)/.source}|${LABEL_TRIGGER}`,
  'gi',
)

const LABEL = new RegExp(`^(?:${LABEL_TRIGGER})$`, 'i')

const LOGIN = new RegExp(`^(?:${LOGIN_TRIGGER})$`, 'i')
const CALL = new RegExp(`^(?:${CALL_TRIGGER})$`, 'i')
const CODES = new RegExp(`^(?:${CODES_TRIGGER})$`, 'i')

/** Judges the places of a text that have a word of the trigger. */
export function secretsInContext(text: string): Judge {
  const quotes = new Quotes(text)
  return (offset, literal) => {
    const word = literal.toLowerCase()
    const ofConsole = consoleSecret(text, offset, word)
    if (ofConsole !== undefined) return ofConsole
    if (word === 'login ' || LOGIN.test(word)) return loginPair(text, offset)
    if (word.endsWith('(') && CALL.test(word)) return callSecret(text, offset)
    if (CODES.test(word)) return recoveryCodes(text, offset + literal.length)
    switch (word) {
      case '://':
        return urlCredentials(text, offset)
      case 'bearer ':
      case 'basic ':
        return schemeCredentials(text, offset)
      case 'token ':
        return (
          (inHeader(text, offset) ? schemeCredentials(text, offset) : undefined) ??
          assignedSecret(text, offset, quotes)
        )
      case 'authorization':
        // Digest sends names and hashes, and no password.
        return /^\W{1,8}digest /i.test(text.slice(offset + word.length, offset + word.length + 16))
          ? undefined
          : (headerCredentials(text, offset) ?? assignedSecret(text, offset, quotes))
      case 'identified by ':
        return identifiedBy(text, offset)
      case 'password for ':
        return passwordFor(text, offset) ?? assignedSecret(text, offset, quotes)
      case 'convertto-securestring ':
        return secureString(text, offset)
      case 'jdbc:oracle:':
        return oracleUrl(text, offset)
      case 'sudo -s':
      case '--password-stdin':
        return pipedSecret(text, offset) ?? hereString(text, offset)
      case 'passwd':
        return htpasswd(text, offset) ?? pipedSecret(text, offset) ?? assignedSecret(text, offset, quotes)
      case 'auth':
      case 'auth ':
        return authPair(text, offset) ?? assignedSecret(text, offset, quotes)
      case 'pw':
        // `PowerStatePw`
        return /[A-Za-z.]/.test(text[offset - 1] ?? '') ? undefined : assignedSecret(text, offset, quotes)
      case 'secret':
        return hereString(text, offset) ?? assignedSecret(text, offset, quotes)
      case '"kty':
        return webKey(text, offset)
      case 'unseal key':
        return unsealKey(text, offset)
      case 'cookie':
        return cookieHeader(text, offset)
      default:
        if (LABEL.test(word)) {
          const expected = expectationOfLabel(text, offset, literal)
          return expected && labelledSecret(text, offset, literal.length, expected, quotes)
        }
        if (/^["']/.test(word)) return listedSecret(text, offset)
        if (word.startsWith(' -')) return commandSecret(text, offset)
        if (word.startsWith(':')) return pgpassLine(text, offset)
        if (/true|false/.test(word)) return cookieLine(text, offset)
        return assignedSecret(text, offset, quotes)
    }
  }
}
