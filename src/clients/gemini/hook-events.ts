import type { HookEvent, HookLanguage } from '../contract/hooks.ts'
import { fieldsOf, textOf } from '../shared/transcript/fields.ts'

/** The hook language of Gemini CLI (0.61.0). This file is part of the hook bundle: it imports only small files. */
export const geminiHooks: HookLanguage = {
  parse: parseGeminiEvent,
  // A context of 1 MB arrived whole.
  shellsNameSession: false,
  tellAgent(event, text, shown) {
    // Headless, the context of a SessionStart hook is put before the prompt, which then loses its slash command.
    if (event.kind !== 'turn-start' && event.kind !== 'command') return ''
    // The resume command brings its own list along.
    if (event.command === 'workspace.resume') return ''
    return JSON.stringify({
      systemMessage: shown,
      hookSpecificOutput: { hookEventName: 'BeforeAgent', additionalContext: text },
    })
  },
  tellPerson: (_event, text) => JSON.stringify({ systemMessage: text }),
}

/**
 * Reads what a Gemini CLI hook tells, from its stdin payload and its environment. Never throws: a payload that is not
 * understood is an event of kind `other`. So is PreCompress, which fires before every request.
 */
export function parseGeminiEvent(payload: unknown, env: Record<string, string | undefined>): HookEvent {
  const fields = fieldsOf(payload)
  const name = textOf(fields.hook_event_name)
  const typed = name === 'BeforeAgent' ? typedCommand(textOf(fields.prompt)) : undefined
  const event: HookEvent = {
    kind: typed === undefined ? (KINDS[name] ?? 'other') : 'command',
    nativeId: textOf(fields.session_id) || env.GEMINI_SESSION_ID || '',
    // A session that was resumed in a later minute has the path of a stub until its first turn.
    transcript: isStub(fields) ? '' : textOf(fields.transcript_path),
    cwd: env.GEMINI_PROJECT_DIR || textOf(fields.cwd),
  }
  if (typed !== undefined) Object.assign(event, typed, { opensTurn: true })
  if (fields.source === 'clear' || fields.reason === 'clear') event.cleared = true
  if (env.CORTEXT_LAUNCH) event.launch = env.CORTEXT_LAUNCH
  return event
}

function isStub({ hook_event_name, source }: Record<string, unknown>): boolean {
  return source === 'resume' || hook_event_name === 'SessionEnd'
}

const KINDS: Record<string, HookEvent['kind']> = {
  __proto__: null as never,
  SessionStart: 'session-start',
  BeforeAgent: 'turn-start',
  AfterAgent: 'turn-end',
  SessionEnd: 'session-end',
}

/** Finds what was typed. The hook is given the expanded prompt, and the first line of each of our commands tells it. */
function typedCommand(prompt: string): { command: string; args: string } | undefined {
  const [, command, args = ''] = /^\[\/(workspace\.[a-z][a-z0-9-]*)\](?: ([^\n]*))?\n/.exec(prompt) ?? []
  return command === undefined ? undefined : { command, args: args.trim() }
}
