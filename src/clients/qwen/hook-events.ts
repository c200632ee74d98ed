import type { HookEvent, HookLanguage } from '../contract/hooks.ts'
import { namedCommand } from '../shared/genai/named-command.ts'
import { isOwnCall } from '../shared/setup/own-call.ts'
import { fieldsOf, textOf } from '../shared/transcript/fields.ts'

/** The hook language of Qwen Code (0.24.4). This file is part of the hook bundle: it imports only small files. */
export const qwenHooks: HookLanguage = {
  parse: parseQwenEvent,
  shellsNameSession: true,
  projectSettings: ['.qwen/settings.json'],
  contextFor(event, text, shown) {
    // With the context of this hook the client also keeps what was typed. It writes `<` as `&lt;` in the context.
    if (event.kind !== 'turn-start' && event.kind !== 'command') return ''
    return JSON.stringify({
      systemMessage: shown,
      hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: text },
    })
  },
  messageFor: (_event, text) => JSON.stringify({ systemMessage: text }),
}

/**
 * Reads the event of a Qwen Code hook from its stdin payload and its environment. Never throws: a payload that it does
 * not understand is an event of kind `other`. Within a turn UserPromptSubmit runs again, with an empty prompt, before
 * the client sends results of tools: that begins no turn.
 */
export function parseQwenEvent(payload: unknown, env: Record<string, string | undefined>): HookEvent {
  const fields = fieldsOf(payload)
  const name = textOf(fields.hook_event_name)
  const prompt = name === 'UserPromptSubmit' ? textOf(fields.prompt) : ''
  const typed = typedCommand(prompt, textOf(fields.submitted_prompt))
  const isWithinTurn = name === 'UserPromptSubmit' && prompt === ''
  const event: HookEvent = {
    kind: typed !== undefined ? 'command' : isWithinTurn ? 'other' : (KINDS[name] ?? 'other'),
    nativeId: textOf(fields.session_id) || env.QWEN_CODE_SESSION_ID || '',
    transcript: textOf(fields.transcript_path),
    // The payload's cwd is the folder in which the client was started. That of QWEN_PROJECT_DIR is the same.
    cwd: textOf(fields.cwd) || env.QWEN_PROJECT_DIR || '',
  }
  if (typed !== undefined) Object.assign(event, typed, { opensTurn: true })
  if (name === 'PermissionRequest' && isAllowed(fields)) event.answer = ALLOW
  if (event.kind === 'turn-end' && fields.error === 'rate_limit') event.limit = true
  if (fields.source === 'clear' || fields.reason === 'clear') event.cleared = true
  return event
}

const KINDS: Record<string, HookEvent['kind']> = {
  __proto__: null as never,
  SessionStart: 'session-start',
  UserPromptSubmit: 'turn-start',
  Stop: 'turn-end',
  StopFailure: 'turn-end',
  SessionEnd: 'session-end',
}

/** The client runs the tool without asking the person. */
const ALLOW = JSON.stringify({
  hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } },
})

/** On Windows the agent's shell may be cmd, for which a call would have to look otherwise. */
function isAllowed({ tool_name, tool_input }: Record<string, unknown>): boolean {
  return (
    process.platform !== 'win32' &&
    tool_name === 'run_shell_command' &&
    isOwnCall(textOf(fieldsOf(tool_input).command))
  )
}

/**
 * Finds the command that the person typed. The prompt is expanded, and its first line names our command. What was typed
 * has the arguments as they are, also over several lines.
 */
function typedCommand(prompt: string, typed: string): { command: string; args: string } | undefined {
  const named = namedCommand(prompt)
  if (named === undefined) return undefined
  const start = `/${named.command}`
  return /^\s/.test(typed.slice(start.length)) && typed.startsWith(start)
    ? { ...named, args: typed.slice(start.length).trim() }
    : named
}
