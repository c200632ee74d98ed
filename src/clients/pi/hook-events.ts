import type { HookLanguage } from '../contract/hooks.ts'
import { parsePluginEvent, pluginAnswers } from '../shared/plugin/hook-language.ts'

/** The hook language of our extension of Pi (plugin/). No `turn-start` follows a command. */
export const piHooks: HookLanguage = {
  ...pluginAnswers,
  projectPlugin: '.pi/extensions/cortext.js',
  parse(payload) {
    const event = parsePluginEvent(payload)
    return event.kind === 'command' ? { ...event, opensTurn: true } : event
  },
}
