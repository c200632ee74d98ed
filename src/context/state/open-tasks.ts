import { textOf } from '../../session/live-path.ts'
import type { Message, ToolCall } from '../../session/schema.ts'

interface Task {
  text: string
  isOpen: boolean
}

/**
 * Returns the open tasks of the agent's own list, in its order, and the first of them behind the last finished one: one
 * before that may be done without a word. Some calls replace the whole list of tasks, or show it as it is, with what
 * other agents did. Others add a task, or finish one by its number.
 */
export function openTasks(done: readonly { call: ToolCall; result: Message | undefined }[]): {
  open: string[]
  next: string
} {
  let tasks = new Map<string, Task>()
  for (const { call, result } of done) {
    const given = Object(call.arguments) as Record<string, unknown>
    const text = result === undefined ? '' : textOf(result)
    if (Array.isArray(given.todos)) {
      tasks = new Map(given.todos.flatMap(taskIn))
    } else if (typeof given.subject === 'string') {
      const [, id] = /\bTask #(\w+) created/.exec(text) ?? []
      if (id !== undefined) tasks.set(id, { text: given.subject, isOpen: true })
    } else if (given.taskId !== undefined && FINISHED.test(`${given.status}`)) {
      close(tasks, `${given.taskId}`)
    } else if (LISTS_TASKS.test(call.name) && result?.is_error !== true) {
      for (const id of closedIn(tasks, text)) close(tasks, id)
    }
  }
  const all = [...tasks.values()]
  const openAmong = (some: readonly Task[]) => some.filter(({ isOpen }) => isOpen).map(({ text }) => text)
  return {
    open: openAmong(all),
    next: openAmong(all.slice(all.findLastIndex(({ isOpen }) => !isOpen) + 1))[0] ?? '',
  }
}

function close(tasks: Map<string, Task>, id: string): void {
  const task = tasks.get(id)
  if (task !== undefined) task.isOpen = false
}

/** The tools that show the list of tasks (Claude Code). */
export const LISTS_TASKS = /^TaskList$/i
const FINISHED = /^(?:completed|deleted|cancelled)$/

function taskIn(one: unknown, index: number): [string, Task][] {
  const { content, description, status } = Object(one) as Record<string, unknown>
  const text = content ?? description
  if (typeof text !== 'string') return []
  const isOpen = !/^(?:completed|cancelled)$/.test(`${status}`)
  return [[`${index}`, { text: status === 'in_progress' ? `${text} (in progress)` : text, isOpen }]]
}

/**
 * Returns the tasks that are not open in the list that a tool shows: `#1 [completed] Sort it (ann)`. The other tasks of a
 * list may be those of other agents. A list of another form says nothing.
 */
function closedIn(tasks: ReadonlyMap<string, Task>, list: string): string[] {
  const listed = [...list.matchAll(/^#(\w+) \[(\w+)\]/gm)]
  if (listed.length === 0 && !/^No tasks\b/.test(list)) return []
  const open = new Set(listed.filter(([, , status]) => !FINISHED.test(status!)).map(([, id]) => id))
  return [...tasks.keys()].filter((id) => !open.has(id))
}
