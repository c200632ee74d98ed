import type { Message, ToolCall } from '../../session/schema.ts'

export interface FileChange {
  path: string
  action: 'created' | 'modified' | 'deleted'
}

/**
 * The files that the tool calls of all three clients changed, with the last thing that was done to each, in that order.
 * Of shell commands only plain removals count. A call that failed changed nothing.
 */
export function filesChanged(messages: readonly Message[]): FileChange[] {
  const results = new Map(
    messages.flatMap((message) =>
      message.tool_call_id === undefined ? [] : [[message.tool_call_id, message] as const],
    ),
  )
  const known = new Set<string>()
  const changed = new Map<string, FileChange['action']>()
  for (const call of messages.flatMap((message) => message.tool_calls ?? [])) {
    const result = results.get(call.id)
    if (result?.is_error === true) continue
    for (const { path, action } of changesOf(call, known, result)) {
      const before = changed.get(path)
      changed.delete(path)
      // A file that was created here and modified later still counts as created.
      changed.set(path, before === 'created' && action === 'modified' ? 'created' : action)
      known.add(path)
    }
    const read = pathOf(call.arguments)
    if (read !== undefined) known.add(read)
  }
  return [...changed].map(([path, action]) => ({ path, action }))
}

function changesOf(call: ToolCall, known: ReadonlySet<string>, result: Message | undefined): FileChange[] {
  const tool = call.name.split('__').at(-1)!.toLowerCase()
  const fields = fieldsOf(call.arguments)
  const patch = [fields.patchText, fields.patch, fields.input].find((value) => typeof value === 'string')
  if (/patch/.test(tool) && typeof patch === 'string') return patched(patch)
  const command = fields.command
  if (typeof command === 'string') return removed(command)
  const path = pathOf(fields)
  if (path === undefined) return []
  if (/delete|remove/.test(tool)) return [{ path, action: 'deleted' }]
  if (/^(?:write|write_?file|create|create_?file|save_?file)$/.test(tool))
    return [{ path, action: known.has(path) || saysUpdated(result) ? 'modified' : 'created' }]
  return /edit|replace|write|insert/.test(tool) ? [{ path, action: 'modified' }] : []
}

/** Claude Code: `The file … has been updated`; Gemini CLI: `Successfully overwrote file`. */
function saysUpdated(result: Message | undefined): boolean {
  return (
    typeof result?.content === 'string' && /\b(?:updated|overwr[io]t\w+|modified)\b/i.test(result.content)
  )
}

const ACTIONS = { Add: 'created', Update: 'modified', Delete: 'deleted' } as const

/** `*** Add File: src/a.ts` */
function patched(patch: string): FileChange[] {
  return [...patch.matchAll(/^\*\*\* (Add|Update|Delete) File: (.+)$/gm)].map(([, verb, path]) => ({
    path: path!.trim(),
    action: ACTIONS[verb as keyof typeof ACTIONS],
  }))
}

/** `rm -f a b`, `git rm a`: names without quotes, variables and patterns. */
function removed(command: string): FileChange[] {
  return command
    .split(/&&|\|\||[;|\n]/)
    .flatMap((part) => /^\s*(?:git\s+)?rm\s+(.*)$/.exec(part)?.[1]?.split(/\s+/) ?? [])
    .filter((word) => /^[\w./@+-]+$/.test(word) && !word.startsWith('-'))
    .map((path) => ({ path, action: 'deleted' }))
}

function pathOf(argument: unknown): string | undefined {
  const fields = fieldsOf(argument)
  return ['file_path', 'filePath', 'absolute_path', 'path', 'notebook_path']
    .map((name) => fields[name])
    .find((value): value is string => typeof value === 'string' && value !== '')
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
