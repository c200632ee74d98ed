import type { PackCommand, RenderedFile } from '../contract/pack.ts'

/**
 * Renders `.gemini/commands/<name>.toml`. A dot stays in the name, and the person types it (0.61.0). The first line of
 * the prompt names the command, because the hook before a turn gets only the expanded text. That line must not begin
 * with a slash: the client would leave the message out at a resume.
 */
export function renderCommand(command: PackCommand): RenderedFile {
  const { name, description } = command
  const lines = [
    `description = ${tomlText(description)}`,
    `prompt = ${tomlText(`[/${name}] {{args}}\n\n${body(command, '{{args}}')}${SHELL_OUTPUT[name] ?? ''}\n`)}`,
  ]
  return { path: `.gemini/commands/${name}.toml`, content: `${lines.join('\n')}\n` }
}

/** Expands a command like Gemini CLI, without the first line. */
export function commandBody(command: PackCommand, args: string): string {
  return body(command, args)
}

/**
 * The end of a command's prompt. The client puts the output of our call there, so the model need not make that call.
 * The client inserts the arguments as one quoted word. It adds the output as it is, whatever its size, and expands
 * nothing in it.
 */
const SHELL_OUTPUT: Record<string, string> = {
  'workspace.resume': '\n\n[cortext] What that call says:\n\n!{cortext agent resume --whole -- {{args}}}',
}

/**
 * Makes the body. It must not contain what the client itself would expand: `!{…}` runs a command, `@{…}` reads a file.
 */
function body(command: PackCommand, args: string): string {
  const text = command.body
    .trim()
    .replace(/([!@])\{/g, '$1 {')
    .replaceAll('{{args}}', '{ {args} }')
  if (text.includes('$ARGUMENTS')) return text.replaceAll('$ARGUMENTS', () => args)
  return args === '' ? text : `${text}\n\n${args}`
}

/** Makes a TOML basic string. It is escaped as in JSON. DEL is escaped too, because TOML does not allow DEL raw. */
function tomlText(value: string): string {
  return JSON.stringify(value).replaceAll('\u007f', '\\u007f')
}
