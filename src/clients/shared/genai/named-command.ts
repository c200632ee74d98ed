import type { PackCommand } from '../../contract/pack.ts'

/** This file is part of the hook bundle: it imports only types. */

/**
 * The prompt of a command file of this family: `{{args}}` stands for the arguments. The first line names the command,
 * because hooks and transcripts have only the expanded text. That line must not begin with a slash: the client would
 * leave the message out at a resume.
 */
export function namedPrompt(command: PackCommand): string {
  return `[/${command.name}] {{args}}\n\n${commandBody(command, '{{args}}')}`
}

/**
 * Expands a command like a client of this family, without the first line. The body must not contain what the client
 * itself would expand: `!{…}` runs a command, `@{…}` reads a file.
 */
export function commandBody(command: PackCommand, args: string): string {
  const text = command.body
    .trim()
    .replace(/([!@])\{/g, '$1 {')
    .replaceAll('{{args}}', '{ {args} }')
  if (text.includes('$ARGUMENTS')) return text.replaceAll('$ARGUMENTS', () => args)
  return args === '' ? text : `${text}\n\n${args}`
}

/**
 * The command of ours that an expanded prompt names in its first line, and the arguments in that line. Arguments of several
 * lines go to the first empty line.
 */
export function namedCommand(prompt: string): { command: string; args: string } | undefined {
  const [, command, args = ''] =
    /^\[\/(workspace\.[a-z][a-z0-9-]*)\](?: ((?:[^\n]|\n(?!\n))*))?\n/.exec(prompt) ?? []
  return command === undefined ? undefined : { command, args: args.trim() }
}
