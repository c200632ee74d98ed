import { type Fields, fieldsOf, isObject, textOf } from '../../shared/transcript/fields.ts'

/** What becomes of a record. */
export type Fate =
  | { as: 'seed' | 'prompt' | 'notification' | 'answer' | 'results' }
  | { as: 'command' | 'compaction' | 'rewind' | 'title' }
  | { as: 'dropped'; rule: string }
  | { as: 'derived' }
  | { as: 'unknown'; kind: string }

/** Decides by `type` and `subtype` (0.24.4). */
export function fateOf(record: Fields): Fate {
  if (fieldsOf(record.cortext).seed === true) return { as: 'seed' }
  const subtype = textOf(record.subtype)
  switch (record.type) {
    case 'user':
      if (subtype === '' || SAID.has(subtype)) return { as: 'prompt' }
      return BY_THE_CLIENT.has(subtype) ? { as: 'notification' } : unknown(`user:${subtype}`)
    case 'assistant':
      return subtype === '' || SAID.has(subtype) ? { as: 'answer' } : unknown(`assistant:${subtype}`)
    case 'tool_result':
      return { as: 'results' }
    case 'system':
      return fateOfSystem(record, subtype)
    default:
      return unknown(textOf(record.type) || 'no-type')
  }
}

/** Records of words that were typed while the agent worked, or said in a voice call. */
const SAID = new Set(['mid_turn_user_message', 'realtime_message'])

/** Prompts that the client itself sends: the end of a background task, a scheduled prompt, the next step to a goal. */
const BY_THE_CLIENT = new Set(['notification', 'cron', 'goal_runtime'])

function fateOfSystem(record: Fields, subtype: string): Fate {
  switch (subtype) {
    case 'slash_command':
      return fateOfCommand(fieldsOf(record.systemPayload))
    case 'chat_compression':
      return { as: 'compaction' }
    case 'rewind':
      return { as: 'rewind' }
    case 'custom_title':
      return { as: 'title' }
    // The prompt that follows has the same words.
    case 'at_command':
    case 'user_text_elements':
      return { as: 'derived' }
    default: {
      const rule = LEFT_OUT[subtype]
      return rule === undefined ? unknown(`system:${subtype || 'no-subtype'}`) : { as: 'dropped', rule }
    }
  }
}

/** A command whose expansion the model gets is the person's prompt. Any other is for the client itself (`/model`). */
function fateOfCommand({ phase, sentToModel }: Fields): Fate {
  if (phase === 'invocation' && sentToModel === true) return { as: 'command' }
  return { as: 'dropped', rule: phase === 'invocation' ? 'local-command' : 'local-command-output' }
}

/** Subtypes of records that say nothing of the talk. */
const LEFT_OUT: Record<string, string> = {
  __proto__: null as never,
  ui_telemetry: 'usage',
  turn_result: 'turn-end',
  goal_turn_end: 'turn-end',
  attribution_snapshot: 'file-snapshot',
  file_history_snapshot: 'file-snapshot',
  session_model: 'client-state',
  session_source: 'client-state',
  session_sources_snapshot: 'client-state',
  session_artifact_event: 'client-state',
  session_artifact_snapshot: 'client-state',
  parent_session: 'client-state',
  branch_checkpoint: 'client-state',
  goal_state: 'client-state',
  background_task_completed: 'client-state',
  agent_bootstrap: 'client-state',
  agent_launch_prompt: 'client-state',
  agent_retry: 'client-state',
  agent_session_ready: 'client-state',
  // What the client recalls from its own memory for the model.
  omni_recall: 'memory',
}

function unknown(kind: string): Fate {
  return { as: 'unknown', kind }
}

/** Whether an answer calls a tool. */
export function callsTool(record: Fields): boolean {
  const { parts } = fieldsOf(record.message)
  return Array.isArray(parts) && parts.some((part) => isObject(part) && part.functionCall !== undefined)
}
