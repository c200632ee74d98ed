import type { PackCommand, RenderedFile } from '../contract/pack.ts'
import { skillFile } from './hook-events.ts'

/**
 * Renders `.github/skills/<name>/SKILL.md`. A dot stays in the name, and the person types it (1.0.102). Copilot CLI also
 * reads Claude Code's commands. Of two with one name it takes the skill in this folder, so each command is there once.
 * The first line of the body names the command, because the hook before a turn gets only the expanded text.
 */
export function renderCommand(command: PackCommand): RenderedFile {
  const { name, description, argumentHint } = command
  const head = [
    '---',
    `name: ${name}`,
    // Every JSON string is a YAML string.
    `description: ${JSON.stringify(description)}`,
    ...(argumentHint === '' ? [] : [`argument-hint: ${JSON.stringify(argumentHint)}`]),
    // Only the person runs these commands: the client does not offer them to the model.
    'disable-model-invocation: true',
    '---',
    '',
  ]
  return {
    path: skillFile(name),
    content: `${head.join('\n')}\n[/${name}] $ARGUMENTS\n\n${commandBody(command, '$ARGUMENTS')}\n`,
  }
}

/** Expands a command like Copilot CLI, without the first line. */
export function commandBody(command: PackCommand, args: string): string {
  const body = command.body.trim()
  if (body.includes('$ARGUMENTS')) return body.replaceAll('$ARGUMENTS', () => args)
  return args === '' ? body : `${body}\n\n${args}`
}
