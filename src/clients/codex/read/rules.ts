import type { Bucket } from '../../shared/transcript/byte-ledger.ts'
import { type Fields, fieldsOf, isObject, listOf, textOf } from '../../shared/transcript/fields.ts'

/** How the ids in our own handoff seed begin: ids of messages with `SEED`, the id of the turn with `SEED_TURN`. */
export const SEED = 'msg_cortext_'
export const SEED_TURN = 'cortext-'

/** Lines of a rollout that contain only the client's own state (0.169.0). */
export const STATE_LINES = new Set([
  'dynamic_tools_updated',
  'inter_agent_communication_metadata',
  'realtime_item',
  'resume_metadata',
  'security_risk_score',
  'session_state',
  'turn_context',
  'world_state',
])

/** Events that contain only the client's own state. */
const STATE_EVENTS = new Set([
  'background_event',
  'deprecation_notice',
  'environment_connected',
  'environment_disconnected',
  'hook_completed',
  'hook_started',
  'mcp_startup_complete',
  'mcp_startup_update',
  'model_reroute',
  'model_verification',
  'session_configured',
  'shutdown_complete',
  'skills_update_available',
  'thread_goal_updated',
  'thread_name_updated',
  'thread_queue_changed',
  'thread_settings_applied',
  'turn_moderation_metadata',
])

/** Events that repeat an item of the model or of a tool. */
const COPY_EVENTS =
  /^(?:(?:exec_command|patch_apply|mcp_tool_call|web_search|image_generation|view_image_tool_call|collab_\w+|dynamic_tool_call)(?:_begin|_end|_output_delta|_updated|_request|_response)?|item_started|item_updated|context_compacted|raw_response_item|plan_update|plan_delta|turn_diff|agent_message_delta|agent_reasoning_delta|agent_reasoning_section_break|exec_approval_request|apply_patch_approval_request|request_user_input|elicitation_request|entered_review_mode|exited_review_mode|sub_agent_activity)$/

/** Items about tools. The call and its output are also in lines of their own. */
export const TOOL_ITEMS = new Set([
  'CollabAgentToolCall',
  'CommandExecution',
  'ContextCompaction',
  'DynamicToolCall',
  'EnteredReviewMode',
  'ExitedReviewMode',
  'FileChange',
  'ImageGeneration',
  'ImageView',
  'McpToolCall',
  'Plan',
  'Sleep',
  'SubAgentActivity',
  'WebSearch',
])

/**
 * The kind of a message in the request, by the metadata that Codex gives to its parts. If there is no metadata, the
 * beginning of the message's text decides.
 */
export function kindOf(
  payload: Fields,
): 'said' | 'shell' | 'aborted' | 'skill' | 'hook' | 'system' | 'agent' {
  const marks = fieldsOf(payload.internal_chat_message_metadata_passthrough)
  const kinds = listOf(marks.content_item_kinds).map(textOf)
  const sources = listOf(marks.content_item_metadata).map((source) =>
    textOf(fieldsOf(fieldsOf(source).provenance).type),
  )
  if (kinds.length > 0) {
    if (kinds.some((kind) => kind.startsWith('user.')) && !sources.includes('tool')) return 'said'
    const kind = kinds[0]!
    if (sources.includes('tool')) return 'agent'
    if (kind === 'shell.user_command') return 'shell'
    if (kind === 'generic.turn_aborted') return 'aborted'
    if (kind.startsWith('skills.selected')) return 'skill'
    return kind.startsWith('hooks.') ? 'hook' : 'system'
  }
  const text = textIn(payload.content)
  const begin = /^<([a-z_]+)>/.exec(text)?.[1] ?? ''
  return BEGINS[begin] ?? (SYSTEM_TEXT.test(text) ? 'system' : 'said')
}

/** Texts that Codex puts into the request without a tag: its instructions, and the summary of a compaction. */
const SYSTEM_TEXT = /^(?:# AGENTS\.md instructions|Another language model started to solve this problem)/

/** The tags of Codex. No other tag counts, because a person may paste `<error_log>`. */
const BEGINS: Record<string, ReturnType<typeof kindOf>> = {
  __proto__: null as never,
  environment_context: 'system',
  user_instructions: 'system',
  user_action: 'system',
  permissions: 'system',
  // Seen in 0.145.0.
  recommended_plugins: 'system',
  skill: 'skill',
  subagent_notification: 'agent',
  turn_aborted: 'aborted',
  user_shell_command: 'shell',
}

/** The texts of a message's parts, joined. */
export function textIn(content: unknown): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .map((part) => (isObject(part) ? textOf(part.text) : ''))
    .join('')
}

/** The summary of a compaction without the sentence that Codex puts before it for the model. */
export function summaryIn(message: string): string {
  return message.replace(/^Another language model started to solve this problem[^\n]*:\n/, '')
}

/** The bucket of an event without text. Undefined for an unknown event. */
export function bucketOfEvent(type: string): Bucket | undefined {
  if (type === 'token_count') return { dropped: 'usage' }
  if (type === 'error' || type === 'stream_error') return { dropped: 'api-error' }
  if (type === 'warning' || type === 'guardian_warning') return { dropped: 'client-note' }
  if (STATE_EVENTS.has(type)) return { dropped: 'client-state' }
  return COPY_EVENTS.test(type) ? 'derived' : undefined
}

/** Like `bucketOfEvent`, but for an item of the request. */
export function bucketOfItem(type: string): Bucket | undefined {
  if (type === 'ghost_snapshot') return { dropped: 'file-snapshot' }
  if (type === 'additional_tools') return { dropped: 'listing' }
  if (type === 'configuration_update') return { dropped: 'client-state' }
  return /^(?:compaction\w*|context_compaction|compaction_trigger)$/.test(type) ? 'derived' : undefined
}

/** The content of a `user_message` event of an older version, in the form of an item's content. */
export function partsOfEvent(payload: Fields): Fields[] {
  const files = listOf(payload.local_images).map((path) => ({ type: 'local_image', path: textOf(path) }))
  const images = listOf(payload.images).map((url) => ({ type: 'image', url: textOf(url) }))
  return [...images, ...files, { type: 'text', text: textOf(payload.message) }]
}

/** Reads the person's own shell command and its output from the message that sent them to the model. */
export function shellIn(text: string): { command: string; output: string } {
  const command = /<command>\n?([\s\S]*?)\n?<\/command>/.exec(text)?.[1] ?? ''
  const result = /<result>\n?([\s\S]*?)\n?<\/result>/.exec(text)?.[1] ?? ''
  return { command, output: /(?:^|\n)Output:\n([\s\S]*)$/.exec(result)?.[1] ?? result }
}

/**
 * Splits a prompt into what an editor or the app has put before the person's words, and these words. `editor` is '' where
 * there is nothing of it.
 */
export function splitEditor(prompt: string): { editor: string; words: string } {
  const [all = '', editor = ''] = EDITOR.exec(prompt) ?? []
  return all === ''
    ? { editor: '', words: prompt }
    : { editor: editor.trim(), words: prompt.slice(all.length).trim() }
}

const EDITOR =
  /^(\s*# (?:Context from my IDE setup|Files mentioned by the user):\s*\n(?:(?!## My request for Codex:)[^\n]*\n)*)## My request for Codex:[^\S\n]*(?:\n|$)/
