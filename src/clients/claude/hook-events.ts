import type { HookEvent, HookLanguage } from '../contract/hooks.ts'
import { fieldsOf, textOf } from '../shared/transcript/fields.ts'

/**
 * The hook language of Claude Code (2.1.197, 2.1.330). This file is part of the hook bundle, so it imports only small
 * files.
 */
export const claudeHooks: HookLanguage = {
  parse: parseClaudeEvent,
  shellsNameSession: true,
  projectSettings: ['.claude/settings.local.json', '.claude/settings.json'],
  contextFor(event, text, shown) {
    const hookEventName = EVENT_NAMES[event.kind]
    if (hookEventName === undefined) return ''
    // `JSON.stringify` leaves out a key whose value is undefined.
    const hookSpecificOutput = { hookEventName, additionalContext: text }
    return JSON.stringify({ systemMessage: shown, hookSpecificOutput })
  },
  messageFor: (_event, text) => JSON.stringify({ systemMessage: text }),
}

/** Claude Code's names of the events at which a hook can give context to the model. */
const EVENT_NAMES: Partial<Record<HookEvent['kind'], string>> = {
  'session-start': 'SessionStart',
  command: 'UserPromptExpansion',
  'turn-start': 'UserPromptSubmit',
}

/**
 * Reads the event of a Claude Code hook from its stdin payload and its environment (observed on 2.1.197). Never throws:
 * a payload that it does not understand is an event of kind `other`.
 */
export function parseClaudeEvent(payload: unknown, env: Record<string, string | undefined>): HookEvent {
  const fields = fieldsOf(payload)
  const name = textOf(fields.hook_event_name)
  const event: HookEvent = {
    kind: kindOf(name, fields),
    nativeId: textOf(fields.session_id) || env.CLAUDE_CODE_SESSION_ID || '',
    transcript: textOf(fields.transcript_path),
    // The payload's cwd changes when the agent runs `cd`; the project folder does not.
    cwd: env.CLAUDE_PROJECT_DIR || textOf(fields.cwd),
  }
  if (isCopilot(env)) return { ...event, kind: 'other' }
  if (event.kind === 'command') {
    event.command = textOf(fields.command_name).replace(/^\//, '')
    event.args = textOf(fields.command_args)
  }
  if (event.kind === 'turn-end' && fields.error === 'rate_limit') event.limit = true
  if (fields.source === 'clear' || fields.reason === 'clear') event.cleared = true
  return event
}

/**
 * Copilot CLI runs the hooks of `.claude/settings.json` too, with payloads of Claude Code's form (1.0.102). Its sessions
 * are not Claude Code's. A Claude Code that was started inside Copilot CLI has both variables.
 */
function isCopilot(env: Record<string, string | undefined>): boolean {
  return Boolean(env.COPILOT_CLI) && !env.CLAUDECODE
}

function kindOf(name: string, fields: Record<string, unknown>): HookEvent['kind'] {
  switch (name) {
    case 'SessionStart':
      return 'session-start'
    case 'UserPromptExpansion':
      return fields.expansion_type === 'slash_command' && textOf(fields.command_name) !== ''
        ? 'command'
        : 'other'
    case 'UserPromptSubmit':
      return 'turn-start'
    case 'Stop':
    case 'StopFailure':
      return 'turn-end'
    case 'SessionEnd':
      return 'session-end'
    default:
      return 'other'
  }
}
