import { callKey, textOf } from '../../../session/live-path.ts'
import type { Message } from '../../../session/schema.ts'
import type { History } from '../../strategy.ts'

/**
 * Returns a function that gives the last result of a program that went on after its call had returned, and any other
 * result as it is. Later calls ask for such a program by the id that the first result names.
 */
export function programEnds({
  live,
  answers,
}: Pick<History, 'live' | 'answers'>): (result: Message) => Message {
  const ends = new Map<string, Message>()
  for (const message of live)
    for (const call of message.tool_calls ?? []) {
      const given = Object(call.arguments) as Record<string, unknown>
      const program = ASKED_BY.map((name) => given[name]).find((id) => id !== undefined)
      const result = answers.results.get(callKey(message, call.id))
      if (program !== undefined && result !== undefined && result.refused !== true)
        ends.set(`${program}`, result)
    }
  return (result) => ends.get(programIn(result)) ?? result
}

/** The arguments with which the clients' tools ask for a running program. */
const ASKED_BY = ['session_id', 'bash_id', 'task_id', 'shell_id', 'shellId']

/**
 * Returns the id of a program that goes on: 91798 for `Process running with session ID 91798` (Codex), b1 for `Command
 * running in background with ID: b1` (Claude Code), and for `shellId: b1` (Copilot).
 */
function programIn(result: Message): string {
  const [, id = ''] =
    /^(?:[^\n]*\n){0,2}[^\n]*(?:Process running with session ID|running in (?:the )?background with ID:|(?:started in background|still running) with shellId:) ?(\w+)/.exec(
      textOf(result).slice(0, 1000),
    ) ?? []
  return id
}
