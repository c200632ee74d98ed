import { relative, resolve, sep } from 'node:path'
import type { Message } from '../../session/schema.ts'

/**
 * Files of the workspace that the conversation's tool calls named: `edited` or `read`, by workspace-relative path.
 * Read from the arguments that all three clients use for paths; what only a shell command names is not seen. A call
 * that failed touched nothing.
 */
export function touchedFiles(root: string, messages: readonly Message[]): Map<string, 'edited' | 'read'> {
  const failed = new Set(
    messages.map((message) => (message.is_error === true ? message.tool_call_id : undefined)),
  )
  const touched = new Map<string, 'edited' | 'read'>()
  for (const call of messages.flatMap((message) => message.tool_calls ?? [])) {
    const path = pathOf(call.arguments)
    if (path === undefined || failed.has(call.id)) continue
    const inside = relative(root, resolve(root, path))
    if (inside === '' || inside === '..' || inside.startsWith(`..${sep}`)) continue
    const name = inside.split(sep).join('/')
    if (isEdit(call.name)) touched.set(name, 'edited')
    else if (!touched.has(name)) touched.set(name, 'read')
  }
  return touched
}

/** Of an MCP tool, `mcp__server__tool`, the tool's own name counts. */
function isEdit(tool: string): boolean {
  return /write|edit|replace|patch|create/i.test(tool.split('__').at(-1)!)
}

function pathOf(argument: unknown): string | undefined {
  if (typeof argument !== 'object' || argument === null) return undefined
  const fields = argument as Record<string, unknown>
  for (const name of ['file_path', 'filePath', 'absolute_path', 'path', 'notebook_path']) {
    const value = fields[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}
