import type { PackCommand, RenderedFile } from '../contract/pack.ts'

/** Renders `.opencode/commands/<name>.md`. A dot stays in the name, and the person types it (observed on 1.18.33). */
export function renderCommand(command: PackCommand): RenderedFile {
  // Every JSON string is a YAML string.
  const head = ['---', `description: ${JSON.stringify(command.description)}`, '---', '']
  return {
    path: `.opencode/commands/${command.name}.md`,
    content: `${head.join('\n')}\n${command.body.trim()}\n`,
  }
}

/** The plugin file, which is built from plugin/. */
export function pluginFile(shipped: (path: string) => string): RenderedFile {
  return { path: '.opencode/plugins/cortext.js', content: shipped('dist/opencode-plugin.js') }
}

/**
 * Expands a command like OpenCode: the raw arguments replace `$ARGUMENTS`. In a body without `$ARGUMENTS` they come at
 * the end.
 */
export function commandBody(command: PackCommand, args: string): string {
  const body = command.body.trim()
  if (body.includes('$ARGUMENTS')) return body.replaceAll('$ARGUMENTS', () => args)
  return args === '' ? body : `${body}\n\n${args}`
}
