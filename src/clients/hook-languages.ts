import { claudeHooks } from './claude/hook-events.ts'
import type { HookLanguage } from './client.ts'
import { geminiHooks } from './gemini/hook-events.ts'
import type { ClientId } from './index.ts'
import { opencodeHooks } from './opencode/hook-events.ts'

/**
 * How each client's hooks speak. Apart from index.ts, so that the hook bundle stays small; the type makes the
 * compiler ask for one where a client is added there.
 */
export const hookLanguages: Record<ClientId, HookLanguage> = {
  claude: claudeHooks,
  gemini: geminiHooks,
  opencode: opencodeHooks,
}
