import type { HookEvent, HookLanguage } from '../contract/hooks.ts'
import { namedCommand } from '../shared/genai/named-command.ts'
import { fieldsOf, textOf } from '../shared/transcript/fields.ts'

/** The hook language of Gemini CLI (0.61.0). This file is part of the hook bundle: it imports only small files. */
export const geminiHooks: HookLanguage = {
  parse: parseGeminiEvent,
  shellsNameSession: false,
  projectSettings: ['.gemini/settings.json'],
  contextFor(event, text, shown) {
    // In a headless run the client puts the context of a SessionStart hook before the prompt. It then no longer
    // recognises a slash command in the prompt. A context of 1 MB from a BeforeAgent hook arrived whole.
    if (event.kind !== 'turn-start' && event.kind !== 'command') return ''
    // The expanded resume command already contains the output of our call (facts.ts).
    if (event.command === 'workspace.resume') return ''
    return JSON.stringify({
      systemMessage: shown,
      hookSpecificOutput: { hookEventName: 'BeforeAgent', additionalContext: text },
    })
  },
  messageFor: (_event, text) => JSON.stringify({ systemMessage: text }),
}

/**
 * Reads the event of a Gemini CLI hook from its stdin payload and its environment. Never throws: a payload that it does
 * not understand is an event of kind `other`. PreCompress, which fires before every request, is of kind `other` too.
 */
export function parseGeminiEvent(payload: unknown, env: Record<string, string | undefined>): HookEvent {
  const fields = fieldsOf(payload)
  const name = textOf(fields.hook_event_name)
  const typed = name === 'BeforeAgent' ? namedCommand(textOf(fields.prompt)) : undefined
  const event: HookEvent = {
    kind: typed === undefined ? (KINDS[name] ?? 'other') : 'command',
    nativeId: textOf(fields.session_id) || env.GEMINI_SESSION_ID || '',
    // If the person resumes the session in another minute than the one in which it began, the client makes a second
    // file. Until the first turn, `transcript_path` names that file. It contains no talk (a stub).
    transcript: mayBeStub(fields) ? '' : textOf(fields.transcript_path),
    cwd: env.GEMINI_PROJECT_DIR || textOf(fields.cwd),
  }
  if (typed !== undefined) Object.assign(event, typed, { opensTurn: true })
  if (fields.source === 'clear' || fields.reason === 'clear') event.cleared = true
  if (env.CORTEXT_LAUNCH) event.launch = env.CORTEXT_LAUNCH
  return event
}

function mayBeStub({ hook_event_name, source }: Record<string, unknown>): boolean {
  return source === 'resume' || hook_event_name === 'SessionEnd'
}

const KINDS: Record<string, HookEvent['kind']> = {
  __proto__: null as never,
  SessionStart: 'session-start',
  BeforeAgent: 'turn-start',
  AfterAgent: 'turn-end',
  SessionEnd: 'session-end',
}
