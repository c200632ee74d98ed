import type { BuiltContext } from '../../context/build.ts'
import { recapOf } from '../../context/recap.ts'
import type { Conversation } from '../../conversation/read.ts'
import type { Workspace } from '../../workspace/open.ts'
import type { AskedContext } from './context.ts'
import type { Change } from './current-command.ts'
import { sinceItems } from './since.ts'

/** What a person sees first after a handoff, as markdown. */
export function recapFor(
  ws: Workspace,
  { session }: Conversation,
  { tokenizer, since }: AskedContext,
  { history }: BuiltContext,
  change: Change | undefined,
): string {
  const changed = [
    ...(change === undefined ? [] : [`the instructions of ${session.agent_config.command}`]),
    ...(since === undefined ? [] : sinceItems(since)),
  ]
  return recapOf({ session, history, now: ws.environment.now(), changed }, tokenizer.count)
}
