import { escapeLiteral, type Judge } from '../scan.ts'
import { assignedSecret, labelledSecret } from './assignment.ts'
import { CODES_WORDS, pinCode, recoveryCodes } from './codes.ts'
import { commandSecret, listedSecret } from './commands.ts'
import { CONSOLE_WORDS, consoleSecret } from './consoles.ts'
import {
  cookieHeader,
  cookieLine,
  headerCredentials,
  inHeader,
  pgpassLine,
  schemeCredentials,
  urlCredentials,
} from './credentials.ts'
import { expectationOfLabel, LABEL_WORDS, unsealKey } from './labels.ts'
import { listedItems } from './lists.ts'
import { hereString, htpasswd, pipedSecret } from './pipes.ts'
import {
  authPair,
  CALL_WORDS,
  callSecret,
  charArray,
  identifiedBy,
  LOGIN_WORDS,
  loginPair,
  mailPair,
  oracleUrl,
  passwordFor,
  secureString,
  walletKeys,
  webKey,
} from './statements.ts'
import { Quotes } from './values.ts'

const LABELS = new Set(LABEL_WORDS)
const LOGINS = new Set(LOGIN_WORDS)
const CALLS = new Set(CALL_WORDS)
const CODES = new Set(CODES_WORDS)

/** Other words that need no pattern. */
const OTHERS =
  'secret create |luksopen|luksformat|load-key|keystore add|--passphrase-fd|--with-token|--passwd-on-stdin|smbpasswd|salt|pepper|authtok|tp seed|fa seed|otp_seed|otpseed|accounts: [|accounts = [|"accounts": [|stringdata|pin |pin:|pin=|pin"|pincode|pin-code|".tochararray|encryption|encryptk|signing|cleartext'.split(
    '|',
  )

/** Plain words are found fast where those that begin alike are side by side; the longer ones come first. */
const WORDS = [...new Set([...CONSOLE_WORDS, ...LABELS, ...LOGINS, ...CALLS, ...CODES, ...OTHERS])]
  .sort()
  .reverse()
  .map(escapeLiteral)
  .join('|')

/**
 * The words near which a secret may stand that only its surroundings give away: `DB_PASSWORD=…`, `"api_key": "…"`,
 * `--token …`, `https://user:…@host`, `Authorization: …`. `secretsInContext` tries the rules of a word wherever the
 * word occurs.
 */
export const CONTEXT_TRIGGER = new RegExp(
  `${WORDS}|${/\[REDACTED:|:\/\/|password for |--password-stdin|secrets create|secrets versions add|secret put|env add |kinit |passwd|pass|pwd|pword|pw|secret|token |token|key|authorization|auth|credential|bearer |basic |cookie|[ "']-(?:[sSfkLvig]{0,6}u|[kpabwcyPUAXN]|hp)| --user| --proxy-user| --cookie| --auth| --body|identified by |convertto-securestring |jdbc:oracle:|sudo -s|"kty|\.(?:com|org|net|io|dev|de|fr|es|it|nl|pl|ru|uk|eu)(?::| ?[/|] )|unseal key|bindpw|rootpw|psk|dsn|_pat|pat:|:(?:5432|5433|6432|\*):|(?:\t|\\t)(?:TRUE|FALSE)/.source}`,
  'gi',
)

/** Judges the places of a text that have a word of the trigger. */
export function secretsInContext(text: string): Judge {
  const quotes = new Quotes(text)
  return (offset, literal) => {
    const word = literal.toLowerCase()
    const ofConsole = consoleSecret(text, offset, word)
    if (ofConsole !== undefined) return ofConsole
    if (word === 'login ' || LOGINS.has(word))
      return loginPair(text, offset) ?? assignedSecret(text, offset, quotes)
    if (CALLS.has(word)) return callSecret(text, offset, word)
    if (CODES.has(word)) return recoveryCodes(text, offset + literal.length)
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
      case 'secrets create':
      case 'secrets versions add':
      case 'secret put':
      case '--passwd-on-stdin':
      case 'secret create ':
      case 'luksopen':
      case 'luksformat':
      case 'load-key':
      case 'keystore add':
      case '--passphrase-fd':
      case '--with-token':
      case 'smbpasswd':
      case 'env add ':
      case 'kinit ':
        return pipedSecret(text, offset) ?? hereString(text, offset)
      case 'passwd':
      case 'passwd ':
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
      case 'stringdata':
        return listedItems(text, offset + word.length, 'password')
      case '".tochararray':
        return charArray(text, offset)
      case 'unseal key':
        return unsealKey(text, offset)
      case 'cookie':
        return cookieHeader(text, offset)
      default:
        if (LABELS.has(word)) {
          const expected = expectationOfLabel(text, offset, literal)
          return expected && labelledSecret(text, offset, literal.length, expected, quotes)
        }
        if (word.includes('accounts')) return walletKeys(text, offset)
        if (/^["']/.test(word)) return listedSecret(text, offset)
        if (word.startsWith('pin')) return pinCode(text, offset) ?? assignedSecret(text, offset, quotes)
        if (word.endsWith(' seed')) return assignedSecret(text, offset + 3, quotes)
        if (word.startsWith(' -')) return commandSecret(text, offset)
        if (word.startsWith('.')) return mailPair(text, offset)
        if (/^[ /(*]/.test(word)) return undefined
        if (word.startsWith(':')) return pgpassLine(text, offset)
        if (/true|false/.test(word)) return cookieLine(text, offset)
        return assignedSecret(text, offset, quotes)
    }
  }
}
