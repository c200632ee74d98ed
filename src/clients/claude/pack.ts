import type { PackCommand, RenderedFile } from '../contract/pack.ts'
import { ALLOWED_TOOLS } from './permissions.ts'

/** Renders `.claude/commands/<name>.md`. A dot stays in the name, and the person types it (observed on 2.1.197). */
export function renderCommand(command: PackCommand): RenderedFile {
  const head = [
    '---',
    // Every JSON string is a YAML string.
    `description: ${JSON.stringify(command.description)}`,
    ...(command.argumentHint === '' ? [] : [`argument-hint: ${JSON.stringify(command.argumentHint)}`]),
    `allowed-tools: ${ALLOWED_TOOLS}`,
    // Only the person runs these commands: the client does not offer them to the model.
    'disable-model-invocation: true',
    '---',
    '',
  ]
  return {
    path: `.claude/commands/${command.name}.md`,
    content: `${head.join('\n')}\n${command.body.trim()}\n`,
  }
}

/**
 * Expands a command as Claude Code does. The raw arguments replace `$ARGUMENTS`. In a body without `$ARGUMENTS` they
 * come at the end.
 */
export function commandBody(command: PackCommand, args: string): string {
  const body = command.body.trim()
  if (body.includes('$ARGUMENTS')) return body.replaceAll('$ARGUMENTS', () => args)
  return args === '' ? body : `${body}\n\nARGUMENTS: ${args}`
}
