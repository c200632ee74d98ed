import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TypedCommand } from './recorder.ts'

/**
 * The command of ours that a prompt is the expansion of, with its arguments: OpenCode 2 hands a command on expanded, and
 * tells nobody which it was. Throws where the commands cannot be read.
 */
export function commandIn(text: string): TypedCommand | undefined {
  // Of the installed file: .opencode/plugins/cortext.js.
  const folder = fileURLToPath(new URL('../commands/', import.meta.url))
  for (const file of readdirSync(folder)) {
    const command = /^(workspace\..+)\.md$/.exec(file)?.[1]
    if (command === undefined) continue
    const body = readFileSync(join(folder, file), 'utf8').replace(/^---\n[\s\S]*?\n---\n/, '')
    const args = argumentsIn(text, body.trim())
    if (args !== undefined) return { command, arguments: args }
  }
  return undefined
}

/** What stands for `$ARGUMENTS` in a text that was made of a body; undefined when it was not. */
function argumentsIn(text: string, body: string): string | undefined {
  const pieces = body.split('$ARGUMENTS')
  if (pieces.length === 1) {
    if (text === body) return ''
    return text.startsWith(`${body}\n\n`) ? text.slice(body.length + 2) : undefined
  }
  const length = (text.length - pieces.join('').length) / (pieces.length - 1)
  const start = pieces[0]!.length
  const args = text.slice(start, start + length)
  return pieces.join(args) === text ? args : undefined
}
