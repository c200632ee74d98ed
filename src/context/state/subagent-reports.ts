import { callKey, textOf } from '../../session/live-path.ts'
import type { Message, ToolCall } from '../../session/schema.ts'
import { shortLine } from '../../text/line.ts'
import type { Answers } from '../rendering/answers.ts'
import { offersMore } from './said/telling-answer.ts'

/**
 * Returns a function that gives the report of the subagent that a call in a message asked, in one line: the request and
 * the end of the report. Undefined when the call asked none, or when no report is known. A subagent in the background
 * reports later, in a notification of its own.
 */
export function subagentReports(
  live: readonly Message[],
  { results }: Pick<Answers, 'results'>,
): (call: ToolCall, message: Message) => string | undefined {
  const later = new Map<string, string>()
  for (const message of live)
    if (message.role === 'tool' && message.tool_call_id === undefined) noteReport(later, textOf(message))
  return (call, message) => {
    const result = results.get(callKey(message, call.id))
    if (!ASKS_SUBAGENT.test(call.name) || result === undefined || result.is_error === true) return undefined
    const begun = textOf(result)
    const report = IN_BACKGROUND.test(begun)
      ? (later.get(call.id) ?? later.get(/^agent_?id: (\S+)/im.exec(begun)?.[1] ?? ''))
      : begun
    return report === undefined ? undefined : reportLine(call, report)
  }
}

/** The clients' tools that give a task to another agent. */
const ASKS_SUBAGENT = /^(?:task|agent|delegate_to_agent)$/i
/** What clients answer when the subagent has only begun: Claude Code, its teams, and Copilot CLI. */
const IN_BACKGROUND =
  /^(?:Async agent launched|Spawned successfully|(?:Agent|Task) (?:was )?(?:started|launched|running)\b|Agent .{0,80}\bin (?:the )?background\b)/i
const REPORT_LENGTH = 400

/** Notes the report in a notification of Claude Code under the ids of its call and of its agent. */
function noteReport(reports: Map<string, string>, text: string): void {
  if (!text.includes('<task-notification>')) return
  for (const [note] of text.matchAll(/<task-notification>[\s\S]*?(?:<\/task-notification>|$)/g)) {
    const report = fieldIn(note, 'result')
    if (report === '' || fieldIn(note, 'status') !== 'completed') continue
    for (const id of [fieldIn(note, 'tool-use-id'), fieldIn(note, 'task-id')])
      if (id !== '') reports.set(id, report)
  }
}

function fieldIn(note: string, name: string): string {
  return new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(note)?.[1]?.trim() ?? ''
}

function askedIn({ arguments: given }: ToolCall): string {
  const { description, prompt } = Object(given) as Record<string, unknown>
  return ([description, prompt].find((one) => typeof one === 'string') as string | undefined) ?? 'a task'
}

function reportLine(call: ToolCall, report: string): string | undefined {
  const paragraphs = report
    .replace(/^agentId:[\s\S]*$/m, '')
    // OpenCode puts the report into tags.
    .replace(/^task_id: .*$|<\/?task(?:_result)?\b[^>\n]*>/gm, '')
    .trim()
    .split(/\n\s*\n/)
  const end = paragraphs.findLast((one) => !offersMore(one)) ?? ''
  return end === '' ? undefined : `${shortLine(askedIn(call), 80)}: ${shortLine(end, REPORT_LENGTH)}`
}
