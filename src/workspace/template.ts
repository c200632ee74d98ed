import { readInside } from '../io/inside.ts'
import { shippedPack } from './pack/shipped.ts'

/** The template for types that have none. */
export const PLAIN_TEMPLATE = '# {{title}}\n\n{{type}} · {{date}} · {{id}}\n'

/** Loads a template by its name without `.md`: the workspace's own, else the shipped one, else PLAIN_TEMPLATE. */
export function loadTemplate(root: string, name: string, pack = shippedPack()): string {
  const file = `${name}.md`
  return (
    readInside(root, `.workspace/templates/${file}`) ??
    readInside(pack, `templates/${file}`) ??
    PLAIN_TEMPLATE
  )
}

/**
 * Replaces `{{title}}`, `{{date}}`, `{{id}}` and `{{type}}` in a template. Braces in an inserted text and all other
 * braces stay.
 */
export function fillTemplate(
  template: string,
  values: { title: string; date: string; id: string; type: string },
): string {
  return template.replace(/\{\{(title|date|id|type)\}\}/g, (_, key: keyof typeof values) => values[key])
}
