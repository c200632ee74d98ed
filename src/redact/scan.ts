import { type Found, MARK, placeholder, placeholderEnd } from './placeholder.ts'

/** A secret in a text: from `start` up to `end`. */
export interface Span {
  start: number
  end: number
  kind: string
}

/** What a search says at a place: a secret to replace, a stretch to pass over whole, or nothing. */
export type Verdict = Span | { skipTo: number } | undefined

/**
 * One walk over a text: wherever one of the trigger's literals stands, `judge` is asked what is there. Spans do
 * not overlap, the first one wins; placeholders, which every trigger must name, are passed over. Gives the text itself when nothing is replaced.
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
