import { groupedAt } from '../groups.ts'
import { isConvincing, kindOfValue } from '../judge.ts'
import { isRandom } from '../random.ts'
import type { Span } from '../scan.ts'
import type { NamedPlace } from './named-place.ts'

/**
 * Finds a secret that a sentence names without a sign right after the name: `with the password "…"`, `the token for
 * staging: …`, `user ada, Passwort …`, `пароль от базы …`.
 */
export function spokenSecret({ text, end, expected }: NamedPlace): Span | undefined {
  const grouped = text[end] === ' ' ? groupedAt(text, end + 1) : undefined
  if (grouped !== undefined)
    return { start: end + 1, end: end + 1 + grouped.length, kind: kindOfValue(grouped) }
  if (expected === 'key') return undefined
  for (const { pattern, accepts } of FORMS) {
    pattern.lastIndex = end
    const value = pattern.exec(text)?.[1]
    if (value === undefined || !isConvincing(value, expected) || !accepts(value)) continue
    return { start: pattern.lastIndex - value.length, end: pattern.lastIndex, kind: kindOfValue(value) }
  }
  return undefined
}

/** What a sentence says between the name and the value: whom or what it is for. */
/** What a sentence does with it: `set the key to …`, `changed from …`. */
const VERB =
  '(?:(?:is |was )?(?:set|changed) (?:to|from)|is now|will be|wurde auf|(?:is |was )?generated|with (?:the )?value)'
const FOR =
  "(?:for|of|on|to|from|at|in|you need|für|zum|zur|vom|von|pour|de|du|des|del|para|da|do|voor|van|till?|för|dla|per|di|от|для|к|на)(?: (?:https?://[^\\s:]{1,60}|[\\p{L}\\d'’._@[\\]-]{1,30})){0,4}"
const WORDS = `(?: \\([^()\\n]{1,40}\\)| ${FOR}| ${VERB}){1,2}`
const SIGN = '(?: ?[:=→]| [–—-]| (?:is|ist|lautet|est|es|é|è|är|er|jest|это))'
const GAP = '(?:[ \\t]{1,3}|[ \\t]{0,3}(?:\\r?\\n|\\\\{1,8}n)[ \\t]{0,8})'
const CLOSING = '["\'`*]{0,3}'
const VALUE = '([^\\s"\'`\\\\“”„«»<>]{8,200})'

const FORMS: readonly { pattern: RegExp; accepts: (value: string) => boolean }[] = [
  {
    pattern: new RegExp(
      `${CLOSING}(?:${WORDS})?[ ]{1,2}(?:\\\\{0,8}["'\`]|[“„«])${VALUE}(?=\\\\{0,8}["'\`”“»])`,
      'uy',
    ),
    accepts: (value) =>
      /[0-9]/.test(value) && !/[()[\]{}=;,]/.test(value) && (!/^[\w.-]+$/.test(value) || isRandom(value)),
  },
  {
    pattern: new RegExp(
      `${CLOSING}(?:${WORDS}${SIGN}|['’]s)${GAP}["'\`]?${VALUE.replace(',200}', ',200}?')}(?=[.,;)]?(?:[\\s"'\`\\\\]|$))`,
      'uy',
    ),
    accepts: (value) => /[0-9]/.test(value) && !isCommit(value),
  },
  {
    pattern: new RegExp(
      `${CLOSING}(?:${WORDS})?[ ]{1,2}(?:[0-9] )?([A-Za-z0-9!@#$%^&*?+~_-]{8,40})(?=[.,;)]?(?:[\\s"'<\\\\]|$))`,
      'uy',
    ),
    accepts: isMixed,
  },
  {
    pattern:
      /(?: [\p{L}\d._@-]{1,30}){1,3} ?[:=] {1,3}["'`]?([A-Za-z0-9!@#$%^&*?+~_-]{8,40})(?=[\s"'`<\\]|$)/uy,
    accepts: isMixed,
  },
  {
    pattern: new RegExp(
      `${CLOSING}(?:${WORDS})?[ ]{1,2}["'\`(]?([A-Za-z0-9_-]{20,200})(?=[.,;)]?(?:[\\s"'\`<\\\\]|$))`,
      'uy',
    ),
    accepts: (value) => [/[a-z]/, /[A-Z]/, /[0-9]/].every((kind) => kind.test(value)),
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
