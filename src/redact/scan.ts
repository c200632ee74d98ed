import { type Found, MARK, placeholder, placeholderEnd } from './placeholder.ts'

/** A secret in a text: from `start` up to `end`. */
export interface Span {
  start: number
  end: number
  kind: string
}

/** Result of a rule at an offset: secrets to replace, in their order; text to skip; or nothing. */
export type Verdict = Span | readonly Span[] | { skipTo: number } | undefined

/** Judges one match of the trigger in a text. It may remember what it read of that text. */
export type Judge = (offset: number, literal: string) => Verdict

/**
 * Walks once over a text and asks `judge` at each of the trigger's literals. Returns the secrets in order. They do not
 * overlap: the first of two overlapping secrets wins. Placeholders are skipped; for this, every trigger must match
 * MARK.
 */
export function spansIn(text: string, trigger: RegExp, judge: Judge): Span[] {
  const spans: Span[] = []
  let done = 0
  trigger.lastIndex = 0
  for (let hit = trigger.exec(text); hit !== null; hit = trigger.exec(text)) {
    const verdict = hit[0] === MARK ? { skipTo: placeholderEnd(text, hit.index) } : judge(hit.index, hit[0])
    trigger.lastIndex = hit.index + 1
    if (verdict === undefined) continue
    if ('skipTo' in verdict) {
      trigger.lastIndex = verdict.skipTo
      continue
    }
    for (const span of 'start' in verdict ? [verdict] : verdict) {
      if (span.start < done) continue
      spans.push(span)
      done = span.end
    }
    trigger.lastIndex = Math.max(done, hit.index + 1)
  }
  return spans
}

/**
 * Replaces spans by placeholders, and notes them in `found`. A placeholder is made of the `secret` of its span; without
 * one, of the text there. Returns the same text when there are no spans.
 */
export function replaceSpans(
  text: string,
  spans: readonly (Span & { secret?: string })[],
  found: Found[],
  isMeant: (secret: Found) => boolean = () => true,
): string {
  let out = ''
  let done = 0
  for (const span of spans) {
    const replaced = placeholder(span.kind, span.secret ?? text.slice(span.start, span.end))
    if (!isMeant(replaced)) continue
    found.push({ kind: replaced.kind, hash: replaced.hash })
    out += text.slice(done, span.start) + replaced.text
    done = span.end
  }
  return done === 0 ? text : out + text.slice(done)
}

/** A regular expression that finds any of the literals, the longest first. */
export function anyOf(literals: Iterable<string>): RegExp {
  return new RegExp(longestFirst(literals).map(escapeLiteral).join('|'), 'g')
}

export function longestFirst(literals: Iterable<string>): string[] {
  return [...new Set(literals)].sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
}

export function escapeLiteral(literal: string): string {
  return literal.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}
