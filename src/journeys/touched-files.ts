import { isAbsolute, relative, resolve, sep } from 'node:path'
import type { Message } from '../session/schema.ts'

/**
 * Files of the workspace that the conversation's tool calls named: `edited` or `read`, by workspace-relative path.
 * Read from the arguments that all three clients use for paths; what only a shell command names is not seen.
 */
export function touchedFiles(root: string, messages: readonly Message[]): Map<string, 'edited' | 'read'> {
  const touched = new Map<string, 'edited' | 'read'>()
  for (const call of messages.flatMap((message) => message.tool_calls ?? [])) {
    const path = pathOf(call.arguments)
    if (path === undefined) continue
    const inside = relative(root, isAbsolute(path) ? path : resolve(root, path))
    if (inside === '' || inside.startsWith('..') || isAbsolute(inside)) continue
    const name = inside.split(sep).join('/')
    if (EDITS.test(call.name)) touched.set(name, 'edited')
    else if (!touched.has(name)) touched.set(name, 'read')
  }
  return touched
}

const EDITS = /write|edit|replace|patch|create/i

function pathOf(argument: unknown): string | undefined {
  if (typeof argument !== 'object' || argument === null) return undefined
  const fields = argument as Record<string, unknown>
  for (const name of ['file_path', 'filePath', 'absolute_path', 'path', 'notebook_path']) {
    const value = fields[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}
