import { claudeHooks } from './claude/hook-events.ts'
import { codexHooks } from './codex/hook-events.ts'
import type { HookLanguage } from './contract/hooks.ts'
import { copilotHooks } from './copilot/hook-events.ts'
import { geminiHooks } from './gemini/hook-events.ts'
import type { ClientId } from './index.ts'
import { opencodeHooks } from './opencode/hook-events.ts'
import { piHooks } from './pi/hook-events.ts'
import { qwenHooks } from './qwen/hook-events.ts'

/**
 * The hook language of each client: the same object as `hooks` of the client in index.ts. The hook bundle loads this
 * list and not index.ts, to stay small. When a client is added to index.ts, the compiler asks for a line here.
 */
export const hookLanguages: Record<ClientId, HookLanguage> = {
  claude: claudeHooks,
  codex: codexHooks,
  copilot: copilotHooks,
  gemini: geminiHooks,
  opencode: opencodeHooks,
  pi: piHooks,
  qwen: qwenHooks,
}
