import { asPrinted } from '../../../text/line.ts'

/** Trusted markup. Only `html` and the renderers in this folder make it, so no text from a record becomes markup. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type Value = Html | string | number | false | undefined | readonly Value[]

/**
 * Makes markup from a template. Escapes texts, also for quoted attributes. Removes control characters and characters
 * that turn the direction of writing. `false` and undefined become nothing.
 */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  let text = parts[0]!
  for (const [index, value] of values.entries()) text += markupOf(value) + parts[index + 1]!
  return new Html(text)
}

/** Escapes a text for HTML, as `html` does. */
export function escapeHtml(text: string): string {
  return asPrinted(text).replace(/[&<>"']/g, (char) => ENTITIES[char]!)
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
  if (typeof value === 'string') return escapeHtml(value)
  return typeof value === 'number' ? String(value) : value.map(markupOf).join('')
}
