import type { HookEvent, HookLanguage } from '../contract/hooks.ts'
import { partsBefore } from './rollouts.ts'

/** A placeholder: payloads are read where hooks are set up. */
export const codexHooks: HookLanguage = {
  parse(payload) {
    const fields = (typeof payload === 'object' && payload !== null ? payload : {}) as Record<string, unknown>
    const text = (value: unknown) => (typeof value === 'string' ? value : '')
    const kinds: Record<string, HookEvent['kind']> = {
      SessionStart: 'session-start',
      UserPromptSubmit: 'turn-start',
      Stop: 'turn-end',
      SessionEnd: 'session-end',
    }
    const kind = kinds[text(fields.hook_event_name)] ?? 'other'
    return {
      kind,
      nativeId: text(fields.session_id),
      transcript: text(fields.transcript_path),
      cwd: text(fields.cwd),
    }
  },
  tellAgent: () => '',
  tellPerson: () => '',
  shellsNameSession: false,
  before: partsBefore,
}
