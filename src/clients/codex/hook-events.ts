import type { HookEvent, HookLanguage } from '../contract/hooks.ts'
import { fieldsOf, textOf } from '../shared/transcript/fields.ts'
import { partsBefore } from './rollouts.ts'

/** The hook language of Codex CLI (0.169.0). This file is part of the hook bundle: it imports only small files. */
export const codexHooks: HookLanguage = {
  parse: parseCodexEvent,
  // The variables of an agent's shell name the agent's session. Hooks may be children of a server that many terminals
  // share, so a note under the number of that server's process would be wrong.
  shellsNameSession: true,
  projectSettings: ['.codex/hooks.json'],
  contextFor(event, text, shown) {
    const hookEventName = EVENT_NAMES[event.kind]
    if (hookEventName === undefined) return ''
    // `JSON.stringify` leaves out a key whose value is undefined.
    return JSON.stringify({
      systemMessage: shown,
      hookSpecificOutput: { hookEventName, additionalContext: text },
    })
  },
  messageFor: (_event, text) => JSON.stringify({ systemMessage: text }),
  before: partsBefore,
}

/** Codex CLI's names of the events at which a hook can give context to the model. */
const EVENT_NAMES: Partial<Record<HookEvent['kind'], string>> = {
  'session-start': 'SessionStart',
  command: 'UserPromptSubmit',
  'turn-start': 'UserPromptSubmit',
}

/**
 * Reads the event of a Codex CLI hook from its stdin payload. The environment is not read, because it comes from the
 * process that started the background server. Never throws: a payload that it does not understand is an event of kind
 * `other`.
 */
export function parseCodexEvent(payload: unknown, _env: Record<string, string | undefined>): HookEvent {
  const fields = fieldsOf(payload)
  // A hook of a subagent is of kind `other`. Its payload names the person's thread, but the subagent's file and prompts
  // (0.169.0).
  const name = fields.agent_id ? '' : textOf(fields.hook_event_name)
  const typed = name === 'UserPromptSubmit' ? typedCommand(textOf(fields.prompt)) : undefined
  const event: HookEvent = {
    kind: typed === undefined ? (KINDS[name] ?? 'other') : 'command',
    nativeId: textOf(fields.session_id),
    transcript: textOf(fields.transcript_path),
    cwd: textOf(fields.cwd),
  }
  if (typed !== undefined) Object.assign(event, typed, { opensTurn: true })
  return event
}

const KINDS: Record<string, HookEvent['kind']> = {
  __proto__: null as never,
  SessionStart: 'session-start',
  UserPromptSubmit: 'turn-start',
  Stop: 'turn-end',
  SessionEnd: 'session-end',
}

/**
 * Finds the command that a prompt begins with: `$workspace-resume 3`, or `$workspace:resume 3` where the skill belongs
 * to a plugin. A skill that is named later in a prompt is no command: the prompt is about something else.
 */
function typedCommand(prompt: string): { command: string; args: string } | undefined {
  const [, verb, args = ''] = /^\s*\$workspace[-:]([a-z][a-z0-9-]*)(?![\w.:-])([\s\S]*)$/.exec(prompt) ?? []
  return verb === undefined ? undefined : { command: `workspace.${verb}`, args: args.trim() }
}
