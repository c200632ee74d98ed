import type { HookEvent, HookLanguage } from '../contract/hooks.ts'
import { fieldsOf, textOf } from '../shared/transcript/fields.ts'
import { partsBefore } from './rollouts.ts'

/** The hook language of Codex CLI (0.169.0). This file is part of the hook bundle: it imports only small files. */
export const codexHooks: HookLanguage = {
  parse: parseCodexEvent,
  // Hooks may be children of a server that many terminals share: only the payload tells the session.
  shellsNameSession: true,
  tellAgent(event, text, shown) {
    const hookEventName = EVENT_NAMES[event.kind]
    if (hookEventName === undefined) return ''
    // Without a value there is no key.
    return JSON.stringify({
      systemMessage: shown,
      hookSpecificOutput: { hookEventName, additionalContext: text },
    })
  },
  tellPerson: (_event, text) => JSON.stringify({ systemMessage: text }),
  before: partsBefore,
}

/** The events whose answer can carry context for the model. */
const EVENT_NAMES: Partial<Record<HookEvent['kind'], string>> = {
  'session-start': 'SessionStart',
  command: 'UserPromptSubmit',
  'turn-start': 'UserPromptSubmit',
}

/**
 * Reads what a Codex CLI hook tells, from its stdin payload alone: the environment is that of whoever started the server
 * first. Never throws: a payload that is not understood is an event of kind `other`.
 */
export function parseCodexEvent(payload: unknown, _env: Record<string, string | undefined>): HookEvent {
  const fields = fieldsOf(payload)
  // A subagent's hooks name the thread of the person, with a file and prompts of the subagent's own (0.169.0).
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
 * Finds the command that a prompt begins with: `$workspace-resume 3`, or `$workspace:resume 3` where the skill is one of
 * a plugin. A skill that is named further on in a prompt is no command of ours: its words are about something else.
 */
function typedCommand(prompt: string): { command: string; args: string } | undefined {
  const [, verb, args = ''] = /^\s*\$workspace[-:]([a-z][a-z0-9-]*)(?![\w.:-])([\s\S]*)$/.exec(prompt) ?? []
  return verb === undefined ? undefined : { command: `workspace.${verb}`, args: args.trim() }
}
