import { readInside } from '../io/inside.ts'
import { shippedPack } from './pack/shipped.ts'

/** The beginning of a document whose type has no template. */
export const PLAIN_TEMPLATE = '# {{title}}\n\n{{type}} · {{date}} · {{id}}\n'

/** Loads a template by its name, without `.md`: the workspace's own, else the shipped one, else a plain heading. */
export function loadTemplate(root: string, name: string, pack = shippedPack()): string {
  const file = `${name}.md`
  return (
    readInside(root, `.workspace/templates/${file}`) ??
    readInside(pack, `templates/${file}`) ??
    PLAIN_TEMPLATE
  )
}

/**
 * Fills `{{title}}`, `{{date}}`, `{{id}}` and `{{type}}` into a template, in one pass: the inserted text is not
 * searched again. Other braces stay.
 */
export function fillTemplate(
  template: string,
  values: { title: string; date: string; id: string; type: string },
): string {
  return template.replace(/\{\{(title|date|id|type)\}\}/g, (_, key: keyof typeof values) => values[key])
}
