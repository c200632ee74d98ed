import type { PackCommand, RenderedFile } from '../contract/pack.ts'

/** `.opencode/commands/<name>.md`; a dot in the name is kept and typed as it is (observed on 1.18.33). */
export function renderCommand(command: PackCommand): RenderedFile {
  // A JSON string is a YAML string, whatever is in it.
  const head = ['---', `description: ${JSON.stringify(command.description)}`, '---', '']
  return {
    path: `.opencode/commands/${command.name}.md`,
    content: `${head.join('\n')}\n${command.body.trim()}\n`,
  }
}

/** The plugin, which is built from plugin/. */
export function pluginFile(shipped: (path: string) => string): RenderedFile {
  return { path: '.opencode/plugins/cortext.js', content: shipped('dist/opencode-plugin.js') }
}

/** As OpenCode expands it: `$ARGUMENTS` is the raw text; a body without it gets the arguments at its end. */
export function commandBody(command: PackCommand, args: string): string {
  const body = command.body.trim()
  if (body.includes('$ARGUMENTS')) return body.replaceAll('$ARGUMENTS', () => args)
  return args === '' ? body : `${body}\n\n${args}`
}
