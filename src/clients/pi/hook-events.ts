import type { HookEvent, HookLanguage } from '../contract/hooks.ts'
import { fieldsOf, textOf } from '../shared/transcript/fields.ts'

/**
 * The hook language of our extension of Pi (plugin/). This file is part of the hook bundle: it imports only small
 * files.
 */
export const piHooks: HookLanguage = {
  parse: parsePiEvent,
  shellsNameSession: true,
  contextFor: (event, text, shown) =>
    event.kind === 'command' ? JSON.stringify({ agent: text, person: shown }) : '',
  messageFor: (_event, text) => JSON.stringify({ person: text }),
}

/** The extension's input for the hook. */
export interface PluginEvent {
  event: (typeof KINDS)[number]
  session: string
  transcript: string
  directory: string
  /** On `command`: the slash command without the slash, and its raw arguments. */
  command?: string
  args?: string
  /** On `session-start` and `session-end`: the person goes on in a new session (`/new`). */
  cleared?: boolean
}

const KINDS = ['session-start', 'command', 'turn-start', 'turn-end', 'session-end'] as const

/** Reads a PluginEvent of any version of the extension. Any other payload is an event of kind `other`. Never throws. */
function parsePiEvent(payload: unknown): HookEvent {
  const fields = fieldsOf(payload)
  const event: HookEvent = {
    kind: KINDS.find((kind) => kind === fields.event) ?? 'other',
    nativeId: textOf(fields.session),
    transcript: textOf(fields.transcript),
    cwd: textOf(fields.directory),
  }
  if (event.kind === 'command')
    Object.assign(event, { command: textOf(fields.command), args: textOf(fields.args), opensTurn: true })
  if (fields.cleared === true) event.cleared = true
  return event
}
