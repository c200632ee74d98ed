import type { HookEvent, HookLanguage } from '../contract/hooks.ts'
import { fieldsOf, textOf } from '../shared/transcript/fields.ts'

/**
 * The hook language of our OpenCode plugin (plugin/). This file is part of the hook bundle: it imports only small
 * files.
 */
export const opencodeHooks: HookLanguage = {
  parse: parseOpenCodeEvent,
  shellsNameSession: true,
  contextFor: (event, text, shown) =>
    event.kind === 'command' ? JSON.stringify({ agent: text, person: shown }) : '',
  messageFor: (_event, text) => JSON.stringify({ person: text }),
}

/** The plugin's input for the hook. */
export interface PluginEvent {
  event: (typeof KINDS)[number]
  session: string
  transcript: string
  directory: string | undefined
  /** On `command`: the slash command without the slash, and its raw arguments. */
  command?: string
  args?: string
}

const KINDS = ['command', 'turn-start', 'turn-end', 'session-end'] as const

/** Reads a PluginEvent of any version of the plugin. Any other payload is an event of kind `other`. Never throws. */
export function parseOpenCodeEvent(payload: unknown): HookEvent {
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
  return event
}
