import { asSeen } from '../../../text/line.ts'

/** Markup of ours. Only `html` and the renderers of this room make it, so a text from a record is never taken for it. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type Value = Html | string | number | false | undefined | readonly Value[]

/**
 * Markup with values put in. A text becomes text: what HTML would read is escaped, in attributes too if these are quoted,
 * and characters that turn the direction of writing or that no page shows are taken out. `false` and undefined put in
 * nothing.
 */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  let text = parts[0]!
  for (const [place, value] of values.entries()) text += markupOf(value) + parts[place + 1]!
  return new Html(text)
}

export function join(values: readonly Html[], between = ''): Html {
  return new Html(values.map(({ text }) => text).join(between))
}

/** A text as HTML shows it. */
export function escaped(text: string): string {
  return asSeen(text).replace(/[&<>"']/g, (char) => ENTITIES[char]!)
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function markupOf(value: Value): string {
  if (value instanceof Html) return value.text
  if (value === undefined || value === false) return ''
  if (typeof value === 'string') return escaped(value)
  return typeof value === 'number' ? String(value) : value.map(markupOf).join('')
}
