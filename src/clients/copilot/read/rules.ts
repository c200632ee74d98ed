import { sha256 } from '../../../hash.ts'
import { type Fields, fieldsOf, textOf } from '../../shared/transcript/fields.ts'

/** The beginning of every id in a seed of ours. The client's own ids are random UUIDs of version 4. */
const SEED_PREFIX = 'c027e875-5eed-8'

/** Makes the id of a line of our seed. It is a UUID, because the client loads no other ids (1.0.102). */
export function seedId(nativeId: string, part: string | number): string {
  const hex = sha256(`cortext-seed\0${nativeId}\0${part}`)
  return `${SEED_PREFIX}${hex.slice(0, 3)}-a${hex.slice(3, 6)}-${hex.slice(6, 18)}`
}

/** Whether an event is a line of our seed, also in a fork of the session. */
export function isSeed(event: Fields): boolean {
  return textOf(event.id).startsWith(SEED_PREFIX)
}

/** The rule that leaves an event out. Undefined where no rule does. */
export function ruleFor(type: string): string | undefined {
  return LEFT_OUT[type] ?? FAMILIES.find(([prefix]) => type.startsWith(prefix))?.[1]
}

const FAMILIES: readonly (readonly [string, string])[] = [
  ['hook.', 'hook-output'],
  // Notes of the whole request, which a compaction makes.
  ['model.', 'request-copy'],
  ['permission.', 'client-state'],
  ['session.canvas.', 'client-state'],
  ['session.schedule_', 'client-state'],
  ['session.usage_', 'usage'],
  ['skill.', 'command-body'],
  ['subagent.', 'client-state'],
]

/** Events that say nothing of the talk. Those that were not seen on disk are named in the client's schema (1.0.102). */
const LEFT_OUT: Record<string, string> = {
  __proto__: null as never,
  'assistant.turn_end': 'turn-end',
  'assistant.turn_start': 'turn-end',
  'external_tool.requested': 'client-state',
  'mcp.oauth_recovery_completed': 'client-state',
  'session.auto_mode_resolved': 'client-state',
  'session.autopilot_objective_changed': 'client-state',
  'session.compaction_start': 'client-state',
  'session.completion_receipt': 'client-state',
  'session.context_changed': 'client-state',
  'session.error': 'api-error',
  'session.info': 'client-note',
  'session.mode_changed': 'client-state',
  'session.mode_notice_delivered': 'client-state',
  'session.model_change': 'client-state',
  'session.model_deselected': 'client-state',
  'session.permission_recovery': 'client-state',
  'session.permissions_changed': 'client-state',
  'session.plan_changed': 'client-state',
  'session.remote_steerable_changed': 'client-state',
  'session.request_body_compression_disabled': 'client-state',
  'session.resume': 'client-state',
  'session.session_limits_changed': 'client-state',
  'session.shutdown': 'usage',
  'session.start': 'client-state',
  // The call of the tool that ends a task has the same summary.
  'session.task_complete': 'client-state',
  'session.truncation': 'client-state',
  'session.warning': 'client-note',
  'session.workspace_file_changed': 'file-snapshot',
  'system.message': 'system-text',
  'tool_search.activated': 'client-state',
}

/**
 * The subagent whose event this is, or ''. Before there was `agentId`, an event of a subagent named only the call that
 * started it.
 */
export function agentOf({ agentId, data }: Fields): string {
  return textOf(agentId) || textOf(fieldsOf(data).parentToolCallId)
}

/** What the person typed. The client of December 2025 wrote the time below it, and later beside it. */
export function typedText({ content, transformedContent }: Fields): string {
  const text = textOf(content)
  return transformedContent === undefined ? text.replace(TIME_BELOW, '') : text
}

const TIME_BELOW = /\n\n<current_datetime>[^<\n]*<\/current_datetime>$/

/** Whether a `user.message` with a source only reminds the model of something, such as tools that it can look up. */
export function isReminder({ source, content }: Fields): boolean {
  const text = textOf(content).trim()
  const isTagged = text.startsWith('<system_reminder>') && text.endsWith('</system_reminder>')
  return source === 'system' && (text === '' || isTagged)
}

/** Whether a `user.message` is the person's own. With a source it comes from an agent, a skill or the client. */
export function isTyped({ source, isAutopilotContinuation }: Fields): boolean {
  return (textOf(source) === '' || source === 'user') && isAutopilotContinuation !== true
}

/**
 * What a `Stop` hook of the person told the agent in place of a final answer. It comes back as a `user.message` without
 * any mark.
 */
export function hookReason({ hookType, output }: Fields): string {
  const { decision, reason } = fieldsOf(output)
  return /^(?:agentStop|Stop)$/.test(textOf(hookType)) && decision === 'block' ? textOf(reason) : ''
}

/** Whether an answer is the last one of its turn: it calls no tool, and no further part of it follows. */
export function isFinal({ toolRequests, chunkIndex, chunkCount }: Fields): boolean {
  if (Array.isArray(toolRequests) && toolRequests.length > 0) return false
  return typeof chunkIndex !== 'number' || typeof chunkCount !== 'number' || chunkIndex >= chunkCount - 1
}
