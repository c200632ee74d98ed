import { isFormWord } from '../form-words.ts'
import { isConvincing, isInventedPassword, kindOfValue } from '../judge.ts'
import type { Expectation } from '../names.ts'
import { isRandom } from '../random.ts'
import type { Span } from '../scan.ts'

/**
 * Finds the items of a list after its name, which ends at `end`: `"api_keys": ["…", "…"]`, or lines with hyphens or
 * names in YAML.
 */
export function listedItems(text: string, end: number, expected: Expectation): Span[] | undefined {
  const spans = itemsAfter(text, end, BRACKET, STRING) ?? itemsAfter(text, end, COLON, LINE) ?? []
  const secrets = spans.filter(({ start, end }) => isSecretItem(text.slice(start, end), expected))
  return secrets.length === 0 ? undefined : secrets
}

/** Whether an item of a list of secrets is one. Such lists often have names or numbers, so it has to be convincing. */
export function isSecretItem(value: string, expected: Expectation): boolean {
  return (
    (isConvincing(value, expected) && (isRandom(value) || !isFormWord(value))) ||
    isInventedPassword(value, expected)
  )
}

function itemsAfter(text: string, end: number, opening: RegExp, item: RegExp): Span[] | undefined {
  opening.lastIndex = end
  if (!opening.test(text)) return undefined
  item.lastIndex = opening.lastIndex
  const spans: Span[] = []
  for (let n = 0; n < MAX_ITEMS; n++) {
    const match = item.exec(text)
    if (match === null) break
    const [, before, value] = match as unknown as [string, string, string]
    const start = match.index + before.length
    spans.push({ start, end: start + value.length, kind: kindOfValue(value) })
  }
  return spans
}

const SPACE = '(?:\\s|\\\\{1,40}[nrt]){0,60}'
const BRACKET = /\\{0,40}["']?\s?(?::|=|:=|=>)\s?[[(](?=\s|\\|["'])/y
const COLON = /["']?:(?=\s{0,4}\n|\\{1,8}n)/y
const STRING = new RegExp(`(${SPACE}\\\\{0,40}["'])([^"'\\\\\\s]{1,400})\\\\{0,40}["'](?:${SPACE},)?`, 'y')
const LINE =
  /((?:\s{0,4}\n|\\{1,8}n)[ \t>|+]{0,40}(?:- |(?<=[ \t])[\w.-]{1,40}: )["']?)([^\s"'\\]{1,400})(?<!:)["']?(?=[\s\\}\]]|$)/y
const MAX_ITEMS = 20
