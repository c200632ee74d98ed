import { textOf } from '../../session/live-path.ts'
import type { Message, ToolCall } from '../../session/schema.ts'

/**
 * Returns the open tasks of the agent's own list, in its order. Some calls replace the whole list of tasks, or show it as
 * it is, with what other agents did. Others add a task, or finish one by its number.
 */
export function openTasks(done: readonly { call: ToolCall; result: Message | undefined }[]): string[] {
  let open = new Map<string, string>()
  for (const { call, result } of done) {
    const given = Object(call.arguments) as Record<string, unknown>
    const text = result === undefined ? '' : textOf(result)
    if (Array.isArray(given.todos)) {
      open = new Map(given.todos.flatMap(openTodo))
    } else if (typeof given.subject === 'string') {
      const [, id] = /\bTask #(\w+) created/.exec(text) ?? []
      if (id !== undefined) open.set(id, given.subject)
    } else if (given.taskId !== undefined && FINISHED.test(`${given.status}`)) {
      open.delete(`${given.taskId}`)
    } else if (LISTS_TASKS.test(call.name) && result?.is_error !== true) {
      open = stillOpen(open, text)
    }
  }
  return [...open.values()]
}

/** The tools that show the list of tasks (Claude Code). */
export const LISTS_TASKS = /^TaskList$/i
const FINISHED = /^(?:completed|deleted|cancelled)$/

function openTodo(one: unknown, index: number): [string, string][] {
  const { content, description, status } = Object(one) as Record<string, unknown>
  const text = content ?? description
  if (typeof text !== 'string' || /^(?:completed|cancelled)$/.test(`${status}`)) return []
  return [[`${index}`, status === 'in_progress' ? `${text} (in progress)` : text]]
}

/**
 * Returns those of the tasks that are open in the list that a tool shows: `#1 [completed] Sort it (ann)`. The other tasks
 * of a list may be those of other agents. A list of another form changes nothing.
 */
function stillOpen(tasks: Map<string, string>, list: string): Map<string, string> {
  const listed = [...list.matchAll(/^#(\w+) \[(\w+)\]/gm)]
  if (listed.length === 0 && !/^No tasks\b/.test(list)) return tasks
  const open = new Set(listed.filter(([, , status]) => !FINISHED.test(status!)).map(([, id]) => id))
  return new Map([...tasks].filter(([id]) => open.has(id)))
}
