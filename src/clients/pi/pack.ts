import type { PackCommand, RenderedFile } from '../contract/pack.ts'

/**
 * Renders `.pi/prompts/<name>.md`. A dot stays in the name, and the person types it (1.5.2). Pi fills in `$ARGUMENTS`,
 * `$@`, `$1` and `${…}`, takes quotes out of the arguments, and runs nothing.
 */
export function renderCommand(command: PackCommand): RenderedFile {
  const { name, description, argumentHint } = command
  // Every JSON string is a YAML string.
  const head = [
    '---',
    `description: ${JSON.stringify(description)}`,
    ...(argumentHint === '' ? [] : [`argument-hint: ${JSON.stringify(argumentHint)}`]),
    '---',
    '',
  ]
  return {
    path: `.pi/prompts/${name}.md`,
    content: `${head.join('\n')}\n${commandBody(command, '$ARGUMENTS')}\n`,
  }
}

/** The extension's file, which is built from plugin/. */
export function pluginFile(shipped: (path: string) => string): RenderedFile {
  return { path: '.pi/extensions/cortext.js', content: shipped('dist/pi-plugin.js') }
}

/** Expands a command like Pi. In a body without `$ARGUMENTS` the arguments come at the end. */
export function commandBody(command: PackCommand, args: string): string {
  const body = inert(command.body.trim())
  if (body.includes('$ARGUMENTS')) return body.replaceAll('$ARGUMENTS', () => args)
  return args === '' ? body : `${body}\n\n${args}`
}

/** The body without the places that Pi would fill in, apart from `$ARGUMENTS`. */
function inert(body: string): string {
  return body.replace(/\$(?=[@\d{])/g, '$ ')
}
