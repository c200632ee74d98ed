import { type Found, MARK, placeholder, placeholderEnd } from './placeholder.ts'

/** A secret in a text: from `start` up to `end`. */
export interface Span {
  start: number
  end: number
  kind: string
}

/** What a rule found at a place: a secret to replace, text to skip, or nothing. */
export type Verdict = Span | { skipTo: number } | undefined

/**
 * Walks once over a text and asks `judge` wherever one of the trigger's literals stands. Spans do not overlap: the
 * first one wins. Placeholders are skipped; every trigger must name their mark. Returns the same text when nothing is
 * replaced.
 */
export function replaceSpans(
  text: string,
  trigger: RegExp,
  judge: (text: string, at: number, literal: string) => Verdict,
  found: Found[],
): string {
  let out = ''
  let done = 0
  trigger.lastIndex = 0
  for (let hit = trigger.exec(text); hit !== null; hit = trigger.exec(text)) {
    const verdict =
      hit[0] === MARK ? { skipTo: placeholderEnd(text, hit.index) } : judge(text, hit.index, hit[0])
    if (verdict === undefined) {
      trigger.lastIndex = hit.index + 1
    } else if ('skipTo' in verdict) {
      trigger.lastIndex = verdict.skipTo
    } else if (verdict.start < done) {
      trigger.lastIndex = hit.index + 1
    } else {
      const replaced = placeholder(verdict.kind, text.slice(verdict.start, verdict.end))
      found.push({ kind: replaced.kind, hash: replaced.hash })
      out += text.slice(done, verdict.start) + replaced.text
      done = verdict.end
      trigger.lastIndex = Math.max(done, hit.index + 1)
    }
  }
  return done === 0 ? text : out + text.slice(done)
}

/** A regular expression that finds any of the literals, the longest first. */
export function anyOf(literals: Iterable<string>): RegExp {
  const longestFirst = [...new Set(literals)].sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
  return new RegExp(longestFirst.map(escapeLiteral).join('|'), 'g')
}

export function escapeLiteral(literal: string): string {
  return literal.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}
