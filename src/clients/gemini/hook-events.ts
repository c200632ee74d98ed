import type { HookEvent, HookLanguage } from '../contract/hooks.ts'

/** How Gemini CLI's hooks speak (0.61.0). Part of the hook bundle: imports types only. */
export const geminiHooks: HookLanguage = {
  parse: parseGeminiEvent,
  // 1 MB arrived whole.
  shellsNameSession: false,
  tellAgent(event, text) {
    // A SessionStart hook's context is put before the prompt headless, which then loses its slash command.
    if (event.kind !== 'turn-start' && event.kind !== 'command') return ''
    // It brings its own list along.
    if (event.command === 'workspace.resume') return ''
    return JSON.stringify({
      hookSpecificOutput: { hookEventName: 'BeforeAgent', additionalContext: text },
    })
  },
  tellPerson: (_event, text) => JSON.stringify({ systemMessage: text }),
}

/**
 * What a Gemini CLI hook tells, from its stdin payload and its environment. Never throws: a payload that is not
 * understood is an event of kind `other`. PreCompress is one of those: it fires before every request.
 */
export function parseGeminiEvent(payload: unknown, env: Record<string, string | undefined>): HookEvent {
  const fields = isObject(payload) ? payload : {}
  const name = text(fields.hook_event_name)
  const typed = name === 'BeforeAgent' ? typedCommand(text(fields.prompt)) : undefined
  const event: HookEvent = {
    kind: typed === undefined ? (KINDS[name] ?? 'other') : 'command',
    nativeId: text(fields.session_id) || env.GEMINI_SESSION_ID || '',
    // Resumed in a later minute, the session has the path of a stub until its first turn.
    transcript: isStub(fields) ? '' : text(fields.transcript_path),
    cwd: env.GEMINI_PROJECT_DIR || text(fields.cwd),
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

/** The hook is given the expanded prompt; the first line of each of our commands says what was typed. */
function typedCommand(prompt: string): { command: string; args: string } | undefined {
  const [, command, args = ''] = /^\[\/(workspace\.[a-z][a-z0-9-]*)\](?: ([^\n]*))?\n/.exec(prompt) ?? []
  return command === undefined ? undefined : { command, args: args.trim() }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
