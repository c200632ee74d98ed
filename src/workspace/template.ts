import { join } from 'node:path'
import { readText } from './merge/json-file.ts'
import { shippedPack } from './pack/shipped.ts'

/** What a conversation's document begins with when its type has no template. */
export const PLAIN_TEMPLATE = '# {{title}}\n\n{{type}} · {{date}} · {{id}}\n'

/** A template by its name, without `.md`: the workspace's own, else the shipped one, else a plain heading. */
export function loadTemplate(root: string, name: string, pack = shippedPack()): string {
  const file = `${name}.md`
  return (
    readText(join(root, '.workspace', 'templates', file)) ??
    readText(join(pack, 'templates', file)) ??
    PLAIN_TEMPLATE
  )
}

/**
 * A template with `{{title}}`, `{{date}}`, `{{id}}` and `{{type}}` filled in. One pass: what is put in is data
 * and is not looked at again. Other braces stay.
 */
export function fillTemplate(
  template: string,
  values: { title: string; date: string; id: string; type: string },
): string {
  return template.replace(/\{\{(title|date|id|type)\}\}/g, (_, key: keyof typeof values) => values[key])
}
