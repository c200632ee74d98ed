import type { PackCommand, RenderedFile } from '../../contract/pack.ts'

/** Makes a command's file of Markdown. `head` is its front matter; a field without a value is left out. */
export function markdownFile(
  path: string,
  head: Record<string, string | boolean | undefined>,
  body: string,
): RenderedFile {
  const fields = Object.entries(head).flatMap(([name, value]) => (value ? `${name}: ${value}\n` : []))
  return { path, content: `---\n${fields.join('')}---\n\n${body}\n` }
}

/** The fields of the front matter that name a command's description and its arguments. Every JSON string is a YAML string. */
export function descriptionOf({ description, argumentHint }: PackCommand) {
  return {
    description: JSON.stringify(description),
    'argument-hint': argumentHint === '' ? undefined : JSON.stringify(argumentHint),
  }
}

/** Expands a command: the raw arguments replace `$ARGUMENTS`. In a body without `$ARGUMENTS` they come at the end. */
export function fillIn(body: string, args: string, before = ''): string {
  if (body.includes('$ARGUMENTS')) return body.replaceAll('$ARGUMENTS', () => args)
  return args === '' ? body : `${body}\n\n${before}${args}`
}
