import type { HookEvent, HookLanguage } from '../../../src/clients/contract/hooks.ts'

const KINDS: Partial<Record<string, HookEvent['kind']>> = {
  __proto__: null as never,
  Said: 'turn-start',
  Answered: 'turn-end',
}

/** `{"event":"Said","session":…,"file":…,"folder":…}`; a line typed as `/command args` is a command. */
export const tinyHooks: HookLanguage = {
  shellsNameSession: true,
  parse(payload) {
    const { event, session, file, folder, said } = Object(payload)
    const [, command, args] = /^\/(\S+) ?([\s\S]*)$/.exec(textOf(said)) ?? []
    const common = { nativeId: textOf(session), transcript: textOf(file), cwd: textOf(folder) }
    const kind = KINDS[textOf(event)] ?? 'other'
    if (kind !== 'turn-start' || command === undefined) return { kind, ...common }
    return { kind: 'command', ...common, command, args: args ?? '', opensTurn: true }
  },
  contextFor: (event, text) => (event.kind === 'other' ? '' : JSON.stringify({ agent: text })),
  messageFor: (_event, text) => JSON.stringify({ person: text }),
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
