import type { HookEvent, HookLanguage } from '../../contract/hooks.ts'
import { fieldsOf, textOf } from '../transcript/fields.ts'

/** This file is part of the hook bundle: it imports only small files. */

/** The input for the hook from a plugin of ours that runs in a client's own process. */
export interface PluginEvent {
  event: (typeof KINDS)[number]
  session: string
  transcript: string
  directory: string | undefined
  /** On `command`: the slash command without the slash, and its raw arguments. */
  command?: string
  args?: string
  /** On `session-start` and `session-end`: the person goes on in a new session. */
  cleared?: boolean
}

const KINDS = ['session-start', 'command', 'turn-start', 'turn-end', 'session-end'] as const

/** How the hook answers a plugin of ours. */
export const pluginAnswers: Omit<HookLanguage, 'parse'> = {
  shellsNameSession: true,
  contextFor: (event, text, shown) =>
    event.kind === 'command' ? JSON.stringify({ agent: text, person: shown }) : '',
  messageFor: (_event, text) => JSON.stringify({ person: text }),
}

/** Reads a PluginEvent of any version of a plugin. Any other payload is an event of kind `other`. Never throws. */
export function parsePluginEvent(payload: unknown): HookEvent {
  const fields = fieldsOf(payload)
  const event: HookEvent = {
    kind: KINDS.find((kind) => kind === fields.event) ?? 'other',
    nativeId: textOf(fields.session),
    transcript: textOf(fields.transcript),
    cwd: textOf(fields.directory),
  }
  if (event.kind === 'command') {
    event.command = textOf(fields.command)
    event.args = textOf(fields.args)
  }
  if (fields.cleared === true) event.cleared = true
  return event
}
