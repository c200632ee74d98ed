import type { HookEvent, HookLanguage } from '../client.ts'

/** How our OpenCode plugin (templates/opencode/cortext.js) speaks. Part of the hook bundle: imports types only. */
export const opencodeHooks: HookLanguage = {
  parse: parseOpenCodeEvent,
  shellsNameSession: true,
  tellAgent: (event, text) => (event.kind === 'command' ? JSON.stringify({ agent: text }) : ''),
  tellPerson: (_event, text) => JSON.stringify({ person: text }),
}

const KINDS: readonly string[] = ['command', 'turn-start', 'turn-end', 'session-end']

/** What the plugin hands over on stdin; what is not understood is an event of kind `other`. Never throws. */
export function parseOpenCodeEvent(payload: unknown): HookEvent {
  const fields = typeof payload === 'object' && payload !== null ? (payload as Record<string, unknown>) : {}
  const kind = text(fields.event)
  const event: HookEvent = {
    kind: KINDS.includes(kind) ? (kind as HookEvent['kind']) : 'other',
    nativeId: text(fields.session),
    transcript: text(fields.transcript),
    cwd: text(fields.directory),
  }
  if (event.kind === 'command') {
    event.command = text(fields.command)
    event.args = text(fields.args)
  }
  return event
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
