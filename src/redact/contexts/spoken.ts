import { groupedAt } from '../groups.ts'
import { isConvincing, isInventedPassword, isPhrase, isTold, kindOfValue } from '../judge.ts'
import type { Expectation } from '../names.ts'
import { isRandom } from '../random.ts'
import type { Span } from '../scan.ts'
import type { NamedPlace } from './named-place.ts'
import { VERBS } from './separator.ts'

/**
 * Finds a secret that a sentence names without a sign right after the name: `with the password "…"`, `the token for
 * staging: …`, `user ada, Passwort …`, `пароль от базы …`.
 */
export function spokenSecret({ text, start, end, expected }: NamedPlace): Span | undefined {
  const grouped = text[end] === ' ' ? groupedAt(text, end + 1) : undefined
  if (grouped !== undefined)
    return { start: end + 1, end: end + 1 + grouped.length, kind: kindOfValue(grouped) }
  if (expected === 'key') return undefined
  for (const { pattern, accepts } of FORMS) {
    pattern.lastIndex = end
    const value = pattern.exec(text)?.[1]
    if (value === undefined || !accepts(value, expected)) continue
    if (isCommit(value) && !TO_USE.test(text.slice(Math.max(0, start - 30), start))) continue
    return { start: pattern.lastIndex - value.length, end: pattern.lastIndex, kind: kindOfValue(value) }
  }
  return undefined
}

/** What a sentence does with it: `set the key to …`, `changed from …`. */
const VERB =
  '(?:(?:is |was )?(?:set|changed|reset) (?:to|from)|with (?:the )?value|wurde auf|(?:is |was )?generated)'
/** What a sentence says between the name and the value: whom or what it is for. */
const FOR =
  "(?:for|of|on|to|from|at|in|when|here|you need|für|zum|zur|vom|von|der|des|pour|de|du|del|para|da|do|dell[ao]|voor|van|till?|för|dla|per|di|k|от|для|к|на|до)(?: (?:https?://[^\\s:]{1,60}|[\\p{L}\\d'’._@[\\]`*-]{1,30})){0,5}"
const WORDS = `(?: \\([^()\\n]{1,40}\\)| ${FOR}| ${VERB}){1,2}`
const SIGN = `(?: ?[:=→]| [–—-]| (?:${VERBS}):?)`
const GAP = '(?:[ \\t]{1,3}|[ \\t]{0,3}(?:\\r?\\n|\\\\{1,8}n)[ \\t]{0,8})'
const CLOSING = '["\'`*]{0,3}'
const VALUE = '([^\\s"\'`\\\\“”„«»「」<>]{6,200}'
const PHRASE = '([^\\s"\'`\\\\“”„«»「」<>][^"\'`\\\\“”„«»「」<>\\n]{4,100}[^\\s"\'`\\\\“”„«»「」<>])'
const OPEN = '(?:\\\\{0,8}["\'`]|\\*\\*|[“„”»「『]|« ?)'
const CLOSE = '(?=\\\\{0,8}["\'`]|\\*\\*|[”“«」』]| ?»)'
const END = '(?=[.,;)!?。，、]{0,2}(?:[\\s"\'`\\\\*]|$))'

/** `use this token for the API: …` is not said of a commit. */
const TO_USE = /\b(?:use|with|my|your|our|take|nimm|utilise|usa|api|auth|access) (?:\w{1,10} ){0,2}$/i

type Accepts = (value: string, expected: Expectation) => boolean

const FORMS: readonly { pattern: RegExp; accepts: Accepts }[] = [
  // In quotes, after a sign
  {
    pattern: new RegExp(
      `${CLOSING}(?:${WORDS}${SIGN}${GAP}${OPEN}|${SIGN}${GAP}(?:\\*\\*|[“„”»「『]|« ?))${PHRASE}${CLOSE}`,
      'uy',
    ),
    accepts: (value, expected) => isTold(value, expected) || (expected !== 'key' && isPhrase(value)),
  },
  // In quotes, without a sign
  {
    pattern: new RegExp(`${CLOSING}(?:${WORDS})?[ ]{1,2}${OPEN}${PHRASE}${CLOSE}`, 'uy'),
    accepts: (value, expected) =>
      (isConvincing(value, expected) &&
        /[0-9]/.test(value) &&
        !/[()[\]{}=;,]/.test(value) &&
        (!/^[\w.-]+$/.test(value) || isRandom(value))) ||
      isInventedPassword(value, expected) ||
      (expected !== 'key' && isPhrase(value)),
  },
  // After a sign
  {
    pattern: new RegExp(
      `${CLOSING}(?:(?:${WORDS}|(?: \\p{L}{2,14}){1,2})${SIGN}|['’]s)${GAP}["'\`]?${VALUE}?)${END}`,
      'uy',
    ),
    accepts: (value, expected) => isTold(value, expected) && /[0-9]/.test(value),
  },
  // Alone on a line below
  {
    pattern: new RegExp(
      `${CLOSING}[^:\\n\\\\]{0,60}:\\*{0,2}[ \\t]{0,4}(?:(?:\\r?\\n|\\\\{1,8}n)[ \\t>|*#-]{0,8}(?:\`{3}\\w{0,10})?){1,4}["'\`]?${VALUE})["'\`]?(?=\\s{0,4}(?:\\n|\\\\n|$|"))`,
      'uy',
    ),
    accepts: (value, expected) =>
      /[0-9]/.test(value)
        ? isConvincing(value, expected) ||
          isInventedPassword(value, expected) ||
          /^[0-9a-f]{24,64}$/.test(value)
        : /^[A-Za-z]+$/.test(value) && isTold(value, expected),
  },
  // Without a sign
  {
    pattern: new RegExp(
      `${CLOSING}(?:${WORDS})?[ ]{1,2}(?:[0-9] )?([^\\s"'\`\\\\<>«»“”,;()]{8,60}?)${END}`,
      'uy',
    ),
    accepts: (value, expected) =>
      isInventedPassword(value, expected) ||
      (isConvincing(value, expected) && /^[!-~]+$/.test(value) && isMixed(value)),
  },
  {
    pattern:
      /(?: [\p{L}\d._@-]{1,30}){1,3} ?[:=] {1,3}["'`]?([A-Za-z0-9!@#$%^&*?+~_-]{8,40})(?=[\s"'`<\\]|$)/uy,
    accepts: (value, expected) =>
      isInventedPassword(value, expected) ||
      (isConvincing(value, expected) && (isMixed(value) || isRandom(value))),
  },
  {
    pattern: new RegExp(
      `${CLOSING}(?:${WORDS})?[ ]{1,2}["'\`(]?([A-Za-z0-9_-]{20,200})(?=[.,;)]?(?:[\\s"'\`<\\\\]|$))`,
      'uy',
    ),
    accepts: (value, expected) =>
      isConvincing(value, expected) && [/[a-z]/, /[A-Z]/, /[0-9]/].every((kind) => kind.test(value)),
  },
]

/** Whether this looks like the hash of a commit or of a file: sentences about tokens and keys have these, too. */
export function isCommit(value: string): boolean {
  return /^(?:[0-9a-f]{7,12}|[0-9a-f]{40}|[0-9a-f]{64})$/.test(value)
}

/** Whether small letters, capitals, digits and a sign are together, and no address, version or variable. */
function isMixed(value: string): boolean {
  return (
    [/[a-z]/, /[A-Z]/, /[0-9]/, /.[!@#$%^&*?+~]/].every((kind) => kind.test(value)) &&
    !/^[^A-Za-z0-9]|^[a-z]+[#?][A-Z][a-z]|\+\+|[!@#$%^&*?+~_-]$(?<=[A-Za-z]{3}[+*&_-])|(?:%[0-9A-F]{2}.{0,20}){2}/.test(
      value,
    )
  )
}
