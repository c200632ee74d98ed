import type { PackCommand, RenderedFile } from '../contract/pack.ts'
import { namedPrompt } from '../shared/genai/named-command.ts'

/** Renders `.gemini/commands/<name>.toml`. A dot stays in the name, and the person types it (0.61.0). */
export function renderCommand(command: PackCommand): RenderedFile {
  const { name, description } = command
  const lines = [
    `description = ${tomlText(description)}`,
    `prompt = ${tomlText(`${namedPrompt(command)}${SHELL_OUTPUT[name] ?? ''}\n`)}`,
  ]
  return { path: `.gemini/commands/${name}.toml`, content: `${lines.join('\n')}\n` }
}

/**
 * The end of a command's prompt. The client puts the output of our call there, so the model need not make that call.
 * The client inserts the arguments as one quoted word. It adds the output as it is, whatever its size, and expands
 * nothing in it.
 */
const SHELL_OUTPUT: Record<string, string> = {
  'workspace.resume': '\n\n[cortext] What that call says:\n\n!{cortext agent resume --whole -- {{args}}}',
}

/** Makes a TOML basic string. It is escaped as in JSON. DEL is escaped too, because TOML does not allow DEL raw. */
function tomlText(value: string): string {
  return JSON.stringify(value).replaceAll('\u007f', '\\u007f')
}
