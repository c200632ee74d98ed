import { clientOf, readerList } from '../../../clients/index.ts'
import { plainRecap } from '../../../context/recap.ts'
import { type Receipt, receiptLines } from '../../../context/receipt.ts'
import type { ResumePlan } from '../../../journeys/resuming/plan.ts'
import { safeTitle } from '../../../session/resume-block.ts'

/**
 * The lines for a person before the client starts. They name the conversation and the client. For a handoff they also
 * say how much of the conversation the agent is given. They contain the recap if the client does not show it.
 */
export function startLines(
  {
    mode,
    client,
    conversation,
    context,
    recap,
    showsRecap,
  }: Pick<ResumePlan, 'mode' | 'client' | 'conversation' | 'context' | 'recap' | 'showsRecap'>,
  verbose: boolean,
): string[] {
  const { session } = conversation
  const head = `Resuming "${safeTitle(session)}" in ${clientOf(client).name}`
  if (mode === 'native')
    return [
      `${head}, in its own session.`,
      ...(showsRecap
        ? []
        : plainRecap(recap)
            .slice(1)
            .map((line) => `  ${line}`)),
    ]
  const last = session.agent_sessions.at(-1)?.client ?? session.agent_config.client
  const other = last === client ? undefined : readerList().find(({ id }) => id === last)
  return [
    `${head}: ${shareOf(context.receipt)}${other === undefined ? '' : `; the conversation was last in ${other.name}`}.`,
    ...(verbose ? receiptLines(context.receipt) : []),
  ]
}

function shareOf({ messages, whole, summarised, shortened }: Receipt): string {
  if (messages === 0) return 'nothing was said yet'
  const many = messages.toLocaleString('en')
  if (whole === messages) return messages === 1 ? 'its one message' : 'every message'
  const further = [
    ...(shortened === 0 ? [] : [`${shortened.toLocaleString('en')} shortened`]),
    ...(summarised === 0 ? [] : [`${summarised.toLocaleString('en')} in a summary`]),
  ]
  const first = `${whole.toLocaleString('en')} of ${many} messages word for word`
  return `${[first, ...further].join(', ')}; the agent knows where the rest is`
}
