import { parseClaudeEvent } from './claude/events.ts'
import type { HookEvent } from './client.ts'

/** How each client's hook payload is read. Apart from index.ts, so that the hook bundle stays small. */
export const parseEvent: Record<
  string,
  (payload: unknown, env: Record<string, string | undefined>) => HookEvent
> = {
  claude: parseClaudeEvent,
}
