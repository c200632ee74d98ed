import type { HookLanguage } from '../contract/hooks.ts'
import { parsePluginEvent, pluginAnswers } from '../shared/plugin/hook-language.ts'

/** The hook language of our OpenCode plugin (plugin/). */
export const opencodeHooks: HookLanguage = {
  ...pluginAnswers,
  projectPlugin: '.opencode/plugins/cortext.js',
  parse: parsePluginEvent,
}
