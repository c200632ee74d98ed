import type { HookEvent, HookLanguage } from '../contract/hooks.ts'

export const codexHooks: HookLanguage = {
  parse: (payload) => {
    const { hook_event_name, session_id, transcript_path, cwd } = Object(payload)
    const kind = KINDS[String(hook_event_name)] ?? 'other'
    return { kind, nativeId: String(session_id), transcript: String(transcript_path ?? ''), cwd: String(cwd) }
  },
  tellAgent: () => '',
  tellPerson: (_event, text) => JSON.stringify({ systemMessage: text }),
  shellsNameSession: false,
}

const KINDS: Record<string, HookEvent['kind']> = {
  __proto__: null as never,
  SessionStart: 'session-start',
  UserPromptSubmit: 'turn-start',
  Stop: 'turn-end',
  SessionEnd: 'session-end',
}
