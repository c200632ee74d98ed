import type { PackCommand, RenderedFile } from '../contract/pack.ts'
import { namedPrompt } from '../shared/genai/named-command.ts'

/** Renders `.qwen/commands/<name>.md`. A dot stays in the name, and the person types it (0.24.4). */
export function renderCommand(command: PackCommand): RenderedFile {
  const { name, description, argumentHint } = command
  const head = [
    '---',
    // Every JSON string is a YAML string.
    `description: ${JSON.stringify(description)}`,
    ...(argumentHint === '' ? [] : [`argument-hint: ${JSON.stringify(argumentHint)}`]),
    // Only the person runs these commands: the client does not offer them to the model.
    'disable-model-invocation: true',
    '---',
    '',
  ]
  return { path: `.qwen/commands/${name}.md`, content: `${head.join('\n')}\n${namedPrompt(command)}\n` }
}
