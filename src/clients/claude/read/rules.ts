import { blocksOf, type Fields, fieldsOf, textOf } from '../../transcript/fields.ts'
import type { Line } from '../../transcript/lines.ts'

/**
 * What becomes of a record. `dropped` names the rule, so that a person can ask why. What no rule knows is `unknown` and
 * kept raw.
 */
export type Fate =
  | { as: 'user' | 'assistant' | 'queued' | 'queue' | 'compaction' | 'summary' | 'agent-progress' }
  /** A command to the client, or its output, that the client tells of in a note of its own. */
  | { as: 'local-command' }
  /** The client itself says that the turn is over. */
  | { as: 'turn-end' }
  | { as: 'derived' }
  | { as: 'dropped'; rule: string }
  | { as: 'unknown'; kind: string }

/** These records repeat what a kept record, or a fact of the reading, says. */
const DERIVED = new Set(['last-prompt', 'ai-title', 'custom-title', 'summary', 'tools-used'])

const DROPPED_TYPES: Record<string, string> = {
  mode: 'client-state',
  'permission-mode': 'client-state',
  'agent-name': 'client-state',
  'agent-color': 'client-state',
  'agent-setting': 'client-state',
  'atis-latch': 'client-state',
  tag: 'client-state',
  'pr-link': 'client-state',
  'worktree-state': 'client-state',
  // These name the address at which the session can be steered from elsewhere. It is in the journal, and not shared.
  'bridge-session': 'remote-control',
  'file-history-snapshot': 'file-snapshot',
  'cost-state': 'usage',
  'api-request': 'usage',
  'api-request-shape': 'system-text',
  // Such a record holds every message as it was sent, among them the texts of our seed without its mark.
  'api-request-blob': 'request-copy',
}

const DROPPED_ATTACHMENTS: Record<string, string> = {
  // The content of an @file that was mentioned, or that the client shows again after a compaction.
  file: 'mentioned-file',
  directory: 'mentioned-file',
  compact_file_reference: 'mentioned-file',
  hook_success: 'hook-output',
  hook_additional_context: 'hook-output',
  hook_non_blocking_error: 'hook-output',
  hook_blocking_error: 'hook-output',
  hook_system_message: 'hook-output',
  agent_listing_delta: 'listing',
  skill_listing: 'listing',
  deferred_tools_delta: 'listing',
  mcp_instructions_delta: 'listing',
  command_permissions: 'listing',
  invoked_skills: 'command-body',
  task_reminder: 'reminder',
  todo_reminder: 'reminder',
  task_status: 'reminder',
  nested_memory: 'system-text',
  environment: 'system-text',
  model: 'system-text',
  session_context: 'system-text',
  date: 'system-text',
  date_change: 'system-text',
  remote_session_change: 'system-text',
  auto_mode: 'system-text',
  prompt_snapshot: 'system-text',
}

const DROPPED_SUBTYPES: Record<string, string> = {
  informational: 'client-note',
  bridge_status: 'remote-control',
  api_error: 'api-error',
}

/** Decides by the record alone. What a user record says is sorted later, by its text. */
export function fateOf(record: Fields): Fate {
  // The record is from our own handoff seed; a fork keeps this key.
  if (record.cortext !== undefined) return { as: 'dropped', rule: 'resume-context' }
  const type = textOf(record.type)
  switch (type) {
    case 'user':
      if (record.isCompactSummary === true) return { as: 'summary' }
      return hasMessage(record) ? { as: 'user' } : { as: 'unknown', kind: 'user' }
    case 'assistant':
      return assistantFate(record)
    case 'attachment':
      return attachmentFate(fieldsOf(record.attachment))
    case 'system':
      return systemFate(textOf(record.subtype))
    case 'progress':
      return fieldsOf(record.data).type === 'agent_progress'
        ? { as: 'agent-progress' }
        : { as: 'dropped', rule: 'progress' }
    case 'queue-operation':
      return { as: 'queue' }
    default:
      if (DERIVED.has(type)) return { as: 'derived' }
      return dropped(DROPPED_TYPES, type) ?? { as: 'unknown', kind: type || 'no-type' }
  }
}

/** The rule for a user record that the client marks as its own (`isMeta`). */
export function metaRule(record: Fields, afterCommand: boolean): string {
  const text = textOf(blocksOf(fieldsOf(record.message).content)[0]?.text)
  if (text.startsWith('<local-command-caveat>')) return 'local-command'
  if (text.startsWith('<system-reminder>')) return 'reminder'
  if (text.startsWith('<task-notification>')) return 'task-notification'
  if (
    afterCommand ||
    record.sourceToolUseID !== undefined ||
    text.startsWith('Base directory for this skill:')
  )
    return 'command-body'
  return 'client-note'
}

/** Whether a block is text that the client puts beside what the person typed. */
export function isClientText(block: Fields): boolean {
  if (block.type !== 'text') return false
  return /^<(system-reminder|ide_opened_file|ide_selection|ide_diagnostics)>/.test(textOf(block.text))
}

/** The uuids of slash commands that the client refused. The record behind the command tells so. */
export function refusedCommands(lines: readonly Line[]): Set<string> {
  const refused = new Set<string>()
  for (const { content } of lines) {
    if (content.kind !== 'record' || content.record.type !== 'user') continue
    if (textOf(fieldsOf(content.record.message).content).startsWith('<local-command-stderr>'))
      refused.add(textOf(content.record.parentUuid))
  }
  return refused
}

function assistantFate(record: Fields): Fate {
  if (!hasMessage(record)) return { as: 'unknown', kind: 'assistant' }
  // The client says these in the model's name. The next agent must not take them for its own words.
  if (record.isApiErrorMessage === true) return { as: 'dropped', rule: 'api-error' }
  if (fieldsOf(record.message).model === '<synthetic>') return { as: 'dropped', rule: 'synthetic-answer' }
  return { as: 'assistant' }
}

function attachmentFate(attachment: Fields): Fate {
  const type = textOf(attachment.type)
  if (type === 'queued_command') return { as: 'queued' }
  return dropped(DROPPED_ATTACHMENTS, type) ?? { as: 'unknown', kind: `attachment:${type}` }
}

function systemFate(subtype: string): Fate {
  if (subtype === 'compact_boundary') return { as: 'compaction' }
  if (subtype === 'local_command') return { as: 'local-command' }
  if (subtype === 'turn_duration' || subtype === 'stop_hook_summary') return { as: 'turn-end' }
  return dropped(DROPPED_SUBTYPES, subtype) ?? { as: 'unknown', kind: `system:${subtype}` }
}

function dropped(rules: Record<string, string>, name: string): Fate | undefined {
  return Object.hasOwn(rules, name) ? { as: 'dropped', rule: rules[name]! } : undefined
}

function hasMessage(record: Fields): boolean {
  const content = fieldsOf(record.message).content
  return typeof content === 'string' || Array.isArray(content)
}
