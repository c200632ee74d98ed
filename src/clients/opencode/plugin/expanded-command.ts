import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TypedCommand } from './recorder.ts'

/**
 * Finds which command of ours a prompt was expanded from, and its arguments. OpenCode 2 gives hooks only the expanded
 * text. Throws where the commands cannot be read.
 */
export function commandIn(text: string): TypedCommand | undefined {
  // The path is relative to the installed file, .opencode/plugins/cortext.js.
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

/** Finds what replaced `$ARGUMENTS` when a text was made from a body. Undefined when it was not made from it. */
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
