import { isConvincing, isSecretValue, kindOfValue } from '../judge.ts'
import type { Span } from '../scan.ts'
import { isLineEnd, unquotedAt } from './values.ts'

/** Words of other languages for a password, as a person or a form writes them before it. */
const LABELS =
  'kennwort|losungswort|wachtwoord|mot de passe|contrase[nñ]a|senha|пароль|パスワード|暗証番号|密码|密碼|비밀번호|lösenord|hasło|heslo|parola'

/** Finds a label; part of the search for secrets that only their surroundings give away. */
export const LABEL_TRIGGER = `${LABELS}|unseal key`

const LABELLED = new RegExp(
  `(?:${LABELS})[ \\t\\u00a0]?(?:[:=：＝]|(?<=[ \\u00a0])(?:ist|lautet|is|est|es|è|é)(?=[ \\u00a0]))[ \\t\\u00a0]{0,4}(["'\`])?`,
  'iy',
)
/** `Unseal Key 1: …` of Vault. */
const UNSEAL_KEY = /unseal key(?: \d{1,2})?: {0,4}([A-Za-z0-9+/]{40,}={0,2})/iy

/** Finds `Kennwort: …`, `mot de passe : …`, `пароль: …`, and a key that unseals a vault. The label begins at `offset`. */
export function labelledSecret(text: string, offset: number): Span | undefined {
  UNSEAL_KEY.lastIndex = offset
  const key = UNSEAL_KEY.exec(text)?.[1]
  if (key !== undefined)
    return { start: UNSEAL_KEY.lastIndex - key.length, end: UNSEAL_KEY.lastIndex, kind: 'secret' }
  LABELLED.lastIndex = offset
  const label = LABELLED.exec(text)
  if (label === null) return undefined
  const start = LABELLED.lastIndex
  const value = unquotedAt(text, start, 'colon')?.value ?? ''
  const end = start + value.length
  const isWhole = label[1] === undefined ? isLineEnd(text, end) : text[end] === label[1]
  const isSecret = isWhole
    ? /[0-9]/.test(value) && isSecretValue(value, { expected: 'password', form: 'line' })
    : isConvincing(value, 'password')
  return isSecret ? { start, end, kind: kindOfValue(value) } : undefined
}
