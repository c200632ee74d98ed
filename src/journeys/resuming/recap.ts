import { recapOf } from '../../context/recap.ts'
import { historyOf } from '../../context/select-strategy.ts'
import type { Workspace } from '../../workspace/open.ts'
import type { Conversation } from '../conversation/read.ts'
import type { AskedContext } from './context.ts'
import type { Change } from './current-command.ts'
import { sinceItems } from './since.ts'

/** What a person sees first after a handoff, as markdown, from what its context is built from. */
export function recapFor(
  ws: Workspace,
  { session }: Conversation,
  { messages, project, tools, tokenizer, since }: AskedContext,
  change: Change | undefined,
): string {
  const changed = [
    ...(change === undefined ? [] : [`the instructions of ${session.agent_config.command}`]),
    ...(since === undefined ? [] : sinceItems(since)),
  ]
  const history = historyOf({ messages, project, tools })
  return recapOf({ session, history, now: ws.environment.now(), changed }, tokenizer.count)
}
