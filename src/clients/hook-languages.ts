import { claudeHooks } from './claude/hook-events.ts'
import type { HookLanguage } from './contract/hooks.ts'
import { geminiHooks } from './gemini/hook-events.ts'
import type { ClientId } from './index.ts'
import { opencodeHooks } from './opencode/hook-events.ts'

/**
 * How each client's hooks speak: `hooks` of each client in index.ts. The hook bundle loads this list instead of that
 * one, so that it stays small. The type makes the compiler ask for a line here when a client is added there.
 */
export const hookLanguages: Record<ClientId, HookLanguage> = {
  claude: claudeHooks,
  gemini: geminiHooks,
  opencode: opencodeHooks,
}
