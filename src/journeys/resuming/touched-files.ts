import { toolVocabulary } from '../../clients/all-tools.ts'
import type { Message } from '../../session/schema.ts'
import { pathOf, type ToolUse, useOf } from '../../session/tool-use.ts'
import { pathBelow, projectPath } from '../../text/project-path.ts'

/**
 * Returns the workspace-relative paths of the files that the conversation's tool calls named, each with `edited` or
 * `read`. `roots` are the folders in which the workspace was: a worktree may be below another one. Files that only shell
 * commands name are left out. A failed call does not count.
 */
export function touchedFiles(
  roots: readonly string[],
  messages: readonly Message[],
): Map<string, 'edited' | 'read'> {
  const innermost = roots.toSorted((a, b) => b.length - a.length)
  const nameOf = (path: string) =>
    innermost.map((root) => pathBelow(root, root, path)).find((name) => name !== undefined) ??
    projectPath(roots[0]!, path)
  const tools = toolVocabulary()
  const failed = new Set(
    messages.map((message) => (message.is_error === true ? message.tool_call_id : undefined)),
  )
  const touched = new Map<string, 'edited' | 'read'>()
  for (const { tool_calls = [], client } of messages)
    for (const call of tool_calls) {
      const path = pathOf(tools, call, client)
      if (path === undefined || failed.has(call.id)) continue
      const name = nameOf(path)
      if (name === undefined) continue
      if (changes(useOf(tools, call.name, client))) touched.set(name, 'edited')
      else if (!touched.has(name)) touched.set(name, 'read')
    }
  return touched
}

function changes({ writes, edits, removes, patches }: ToolUse): boolean {
  return (writes ?? edits ?? removes ?? patches) !== undefined
}
