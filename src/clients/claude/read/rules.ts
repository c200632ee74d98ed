import { blocksOf, type Fields, fieldsOf, listOf, plainText, textOf } from '../../shared/transcript/fields.ts'
import type { Line } from '../../shared/transcript/lines.ts'

/**
 * The fate of a record. `dropped` names the rule, so that a person can ask why. A record that no rule knows is
 * `unknown` and kept raw.
 */
export type Fate =
  | { as: 'user' | 'assistant' | 'queued' | 'queue' | 'compaction' | 'summary' | 'agent-progress' }
  /** Words that were spoken in a voice call. */
  | { as: 'spoken' }
  /** Messages from other agents or services to this agent. */
  | { as: 'delivered'; text: string }
  /** A command to the client, or its output, in a `system` record. */
  | { as: 'local-command' }
  /** The client notes that the turn is over. */
  | { as: 'turn-end' }
  | { as: 'derived' }
  | { as: 'dropped'; rule: string }
  | { as: 'unknown'; kind: string }

/** Records that repeat a kept record or a fact of the reading. */
const DERIVED = new Set(['last-prompt', 'ai-title', 'custom-title', 'summary', 'tools-used'])

/**
 * Types of records about the session itself, by the rule that leaves them out. 2.1.330 has a table of all types that it
 * can write.
 */
const DROPPED_TYPES = byName({
  'client-state': [
    ...[
      'mode',
      'permission-mode',
      'agent-name',
      'agent-color',
      'agent-setting',
      'atis-latch',
      'tag',
      'pr-link',
    ],
    ...['worktree-state', 'artifact-autoreact-ledger', 'artifact-comment-monitor', 'attribution-snapshot'],
    ...['content-replacement', 'continued-in', 'data-flow-incomplete', 'data-flow-records', 'derived-from'],
    ...['dev-mods', 'ended-by-model', 'fork-context-ref', 'frame-link', 'history-suppression', 'host-row'],
    ...['hybrid-organization', 'isolation-latch', 'memory-mode', 'observer-ref', 'relocated', 'repl-mode'],
    ...['resume-head-vouch', 'session-owner'],
  ],
  // These records contain the address at which the session can be controlled from elsewhere. The address stays in the
  // journal.
  'remote-control': ['bridge-session'],
  'file-snapshot': ['file-history-snapshot', 'file-history-delta'],
  usage: ['cost-state', 'api-request', 'api-request-resumed'],
  'system-text': ['api-request-shape'],
  // Such a record contains every message as it was sent to the model. Among them are the texts of our seed, which have
  // no `cortext` key in this record.
  'request-copy': ['api-request-blob'],
})

const DROPPED_ATTACHMENTS = byName({
  // The content of an @file. The person mentioned the file, or the client shows it again after a compaction.
  'mentioned-file': [
    ...['file', 'directory', 'compact_file_reference', 'already_read_file', 'at_mention_reference', 'image'],
    ...['inlined_image_paths', 'mcp_resource', 'message_pdf_reads', 'pdf_reference', 'project_doc_reads'],
    'read_truncation_notice',
  ],
  // The client notifies the model of files that someone else has changed since the model read them.
  'changed-file': ['edited_image_file', 'edited_text_file'],
  // Files or texts that were open or selected in the editor while the person typed.
  'editor-selection': ['opened_file_in_ide', 'selected_lines_in_diff', 'selected_lines_in_ide'],
  diagnostics: ['diagnostics'],
  // The plan itself is in the call that presented it.
  'plan-mode': ['plan_file_reference', 'plan_mode', 'plan_mode_exit', 'plan_mode_reentry'],
  memory: [
    ...['account_memory_recall', 'cowork_memory_context', 'memory_update', 'nested_memory'],
    ...['relevant_memories', 'withheld_memory'],
  ],
  'hook-output': [
    ...['async_hook_response', 'async_hook_response_batch', 'hook_additional_context', 'hook_blocking_error'],
    ...['hook_cancelled', 'hook_deferred_tool', 'hook_error_during_execution', 'hook_non_blocking_error'],
    ...['hook_permission_decision', 'hook_stopped_continuation', 'hook_success', 'hook_system_message'],
    'plugin_note',
  ],
  listing: [
    ...['agent_listing_delta', 'command_permissions', 'deferred_tools_delta', 'deferred_tools_record'],
    ...['dynamic_skill', 'linked_plugin_tools_note', 'mcp_dropped_tools_delta', 'mcp_instructions_delta'],
    ...['repl_mcp_needs_auth', 'repl_mcp_servers', 'skill_listing', 'tool_hosts_correction'],
    ...['tool_hosts_notice', 'tool_offer_record', 'tool_search_usage_reminder', 'unknown_command_fallback'],
  ],
  // The prompt contains the mention, too.
  mention: ['agent_mention', 'peer_mention', 'skill_mention', 'widget_context_hint'],
  'command-body': ['invoked_skills', 'workflow_keyword_request'],
  reminder: [
    ...[
      'attention_budget',
      'batching_reminder',
      'batching_reminder_sent',
      'context_efficiency',
      'first_week',
    ],
    ...['critical_system_reminder', 'elapsed_time_reminder', 'goal_status', 'goals', 'secondary_reminder'],
    ...[
      'secondary_reminder_sent',
      'silent_turn_reminder',
      'task_reminder',
      'task_status',
      'todo',
      'todo_reminder',
    ],
    ...[
      'total_tokens_reminder',
      'ultra_effort_enter',
      'ultra_effort_exit',
      'ultrathink_effort',
      'ultramemory',
    ],
    ...['workflow_size_guideline_change', 'verify_plan_reminder', 'agent_pending_messages', 'context_tip'],
  ],
  usage: ['budget_usd', 'output_token_usage', 'token_usage'],
  'system-text': [
    ...[
      'environment',
      'model',
      'session_context',
      'date',
      'date_change',
      'remote_session_change',
      'auto_mode',
    ],
    ...['auto_mode_exit', 'prompt_snapshot', 'agent_ask_notice', 'bash_output_audience_note'],
    ...['claude_app_notice', 'companion_intro', 'context_sections', 'coordinator_context', 'dir_sync_notice'],
    ...['fork_briefing', 'instruction_files_not_loaded', 'instructions', 'language', 'output_limit_note'],
    ...['output_style', 'output_style_instructions', 'prefix_delta', 'proactivity', 'sandbox_instructions'],
    ...['team_context', 'thread_state'],
  ],
  'client-state': [
    ...['advisor_stripped', 'advisor_tool', 'artifact_opening_prefetch', 'credential_org'],
    ...['max_turns_reached', 'projects_thread_ask', 'prompt_as_file', 'prompt_render_point'],
    ...['session_cron_carry', 'teammate_shutdown_batch', 'thinking_drop', 'thinking_stripped'],
    ...['tool_host_result_lines', 'tool_results_cut', 'whole_texts_withdrawn'],
  ],
  // A structured answer is also in the tool call by which the agent gave it.
  'answer-copy': ['structured_output'],
})

const DROPPED_SUBTYPES = byName({
  'client-note': [
    ...['informational', 'agents_killed', 'cloud_session_status', 'feedback_draft_queued'],
    ...['file_attachments_missing', 'instruction_size_warning', 'memory_recall', 'memory_saved'],
    ...['notification', 'permission_denied', 'permission_retry', 'late_allow_not_run', 'peer_message_hold'],
    ...['code_change_published', 'session_writes_lost', 'status', 'turn_handoff_available', 'turn_preempted'],
  ],
  // The client's recap, written by a model, for a person who comes back.
  'away-summary': ['away_summary', 'post_turn_summary', 'task_summary'],
  // The next record contains the prompt of the scheduled task.
  'scheduled-task': ['scheduled_task_fire'],
  'remote-control': ['bridge_status', 'bridge_state'],
  'api-error': ['api_error', 'api_retry', 'model_refusal_no_fallback'],
  'client-state': [
    ...[
      'checkpoint_done',
      'commands_changed',
      'background_tasks_changed',
      'dev_intent',
      'init',
      'mirror_error',
    ],
    ...['model_consent_fallback', 'model_fallback', 'model_refusal_fallback', 'per_turn_effort_changed'],
    ...['plugin_install', 'rewind_stand_in', 'session_metadata', 'session_state_changed'],
    ...['session_title_changed', 'shell_cwd', 'start_folder', 'task_notification', 'task_progress'],
    ...['task_started', 'task_updated', 'thinking', 'thinking_tokens', 'turn_starting', 'vcs_state_changed'],
  ],
  'file-snapshot': ['file_snapshot'],
  'hook-output': ['hook_progress', 'hook_response', 'hook_started'],
})

/** Turns a table from rule to names into one from name to rule. */
function byName(names: Record<string, readonly string[]>): ReadonlyMap<string, string> {
  return new Map(Object.entries(names).flatMap(([rule, some]) => some.map((name) => [name, rule] as const)))
}

/** The fate of a record by its fields. The text of a user record is classified later. */
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

/** Whether a block is text that the client adds to what the person typed. */
export function isClientText(block: Fields): boolean {
  return clientTextRule(block) !== undefined
}

/** The rule that leaves out a text of the client; undefined for any other block. */
export function clientTextRule(block: Fields): string | undefined {
  const tag = block.type === 'text' ? /^<([a-z_-]+)>/.exec(textOf(block.text))?.[1] : undefined
  return tag === undefined ? undefined : CLIENT_TEXTS.get(tag)
}

/** The texts of the client at the head of a prompt, each with its rule, and what the person typed behind them. */
export function atHead(prompt: string): { texts: { rule: string; text: string }[]; rest: string } {
  const texts: { rule: string; text: string }[] = []
  let rest = prompt
  for (let found = headOf(rest); found !== undefined; found = headOf(rest)) {
    texts.push(found)
    rest = rest.slice(found.text.length).trimStart()
  }
  // A text with nothing behind it is what the person typed.
  return rest === '' ? { texts: [], rest: prompt } : { texts, rest }
}

function headOf(text: string): { rule: string; text: string } | undefined {
  const [head, tag] = /^<([a-z_-]+)>[\s\S]*?<\/\1>/.exec(text) ?? []
  const rule = tag === undefined ? undefined : CLIENT_TEXTS.get(tag)
  return rule === undefined ? undefined : { rule, text: head! }
}

const CLIENT_TEXTS = byName({
  reminder: ['system-reminder'],
  'editor-selection': ['ide_opened_file', 'ide_selection'],
  diagnostics: ['ide_diagnostics'],
})

/** The uuids of slash commands that the client refused: the record after such a command contains the client's error. */
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
  // The client says these words in the model's name. The next agent must not mistake them for its own words.
  if (record.isApiErrorMessage === true) return { as: 'dropped', rule: 'api-error' }
  if (fieldsOf(record.message).model === '<synthetic>') return { as: 'dropped', rule: 'synthetic-answer' }
  return { as: 'assistant' }
}

function attachmentFate(attachment: Fields): Fate {
  const type = textOf(attachment.type)
  if (type === 'queued_command') return { as: 'queued' }
  if (type === 'teammate_mailbox' || type === 'poll_events')
    return { as: 'delivered', text: deliveredIn(attachment) }
  return dropped(DROPPED_ATTACHMENTS, type) ?? { as: 'unknown', kind: `attachment:${type}` }
}

function systemFate(subtype: string): Fate {
  if (subtype === 'compact_boundary') return { as: 'compaction' }
  if (subtype === 'local_command') return { as: 'local-command' }
  if (subtype === 'voice_call_talk') return { as: 'spoken' }
  if (subtype === 'turn_duration' || subtype === 'stop_hook_summary') return { as: 'turn-end' }
  return dropped(DROPPED_SUBTYPES, subtype) ?? { as: 'unknown', kind: `system:${subtype}` }
}

/** The messages of teammates (`messages`), or of services that the agent waited for (`envelopes`). */
function deliveredIn({ messages, envelopes }: Fields): string {
  const texts = listOf(messages).map((message) => {
    const { from, text } = fieldsOf(message)
    return textOf(from) === '' ? textOf(text) : `${textOf(from)}: ${textOf(text)}`
  })
  return [...texts, ...listOf(envelopes).map(plainText)].join('\n\n')
}

function dropped(rules: ReadonlyMap<string, string>, name: string): Fate | undefined {
  const rule = rules.get(name)
  return rule === undefined ? undefined : { as: 'dropped', rule }
}

function hasMessage(record: Fields): boolean {
  const content = fieldsOf(record.message).content
  return typeof content === 'string' || Array.isArray(content)
}
