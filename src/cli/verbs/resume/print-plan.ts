import { clientOf, readerList } from '../../../clients/index.ts'
import { plainRecap } from '../../../context/recap.ts'
import { type Receipt, receiptLines } from '../../../context/receipt.ts'
import { idAndName } from '../../../journeys/finding/list.ts'
import { differenceOf } from '../../../journeys/resuming/current-command.ts'
import type { ResumePlan } from '../../../journeys/resuming/plan.ts'
import { safeLine, safeTitle } from '../../../session/resume-block.ts'
import { oneLine } from '../../../text/line.ts'
import { asWord } from '../../../text/paste.ts'
import type { Workspace } from '../../../workspace/open.ts'
import { note, say, sayJson, sayWrapped } from '../../print.ts'

/**
 * `--print`: prints what the agent would be given. The receipt goes to stderr; with `--json`, it is part of the document
 * on stdout.
 */
export function printPlan(ws: Workspace, plan: ResumePlan, { json }: { json?: boolean }): void {
  const text = [plan.body, plan.context.text].filter(Boolean).join('\n\n')
  if (json) {
    sayJson({ ...asJson(ws, plan), text })
    return
  }
  note(plan.notices, receiptLines(plan.context.receipt))
  say(text)
}

/** `--dry-run`: prints what would be done. */
export async function describePlan(
  ws: Workspace,
  plan: ResumePlan,
  { json }: { json?: boolean },
): Promise<void> {
  if (json) return sayJson(asJson(ws, plan))
  const { session, path } = plan.conversation
  const why = plan.why === undefined || plan.mode === 'native' ? '' : ` (not native: ${plan.why})`
  sayWrapped(
    `Conversation: ${safeLine(session.conversation_type)} / ${safeTitle(session)} (${oneLine(path)})`,
    `Client: ${clientOf(plan.client).name}, ${plan.mode}${why}`,
    receiptLines(plan.context.receipt),
    plan.notices,
    plan.change === undefined ? [] : await differenceOf(plan.change),
    `Would run: ${[plan.launch.command, ...plan.launch.args].map(quoteWord).join(' ')}`,
  )
}

/** Quotes every word except flags, because a word may come from a conversation. */
function quoteWord(word: string): string {
  return /^--?[a-z][a-z-]*$/.test(word) ? word : asWord(word)
}

function asJson(ws: Workspace, plan: ResumePlan) {
  const { session, path } = plan.conversation
  return {
    ...idAndName(ws, path),
    path,
    client: plan.client,
    mode: plan.mode,
    ...(plan.why === undefined ? {} : { why: plan.why }),
    command: session.agent_config.command,
    notices: plan.notices,
    receipt: plan.context.receipt,
    launch: { command: plan.launch.command, args: plan.launch.args, cwd: plan.launch.cwd },
  }
}

type Started = Pick<ResumePlan, 'mode' | 'client' | 'conversation' | 'context' | 'recap' | 'showsRecap'>

/**
 * The lines for a person before the client starts. They name the conversation and the client. For a handoff they also
 * say how much of the conversation the agent is given. They contain the recap if the client does not show it.
 */
export function startLines(
  { mode, client, conversation, context, recap, showsRecap }: Started,
  verbose: boolean,
): string[] {
  const { session } = conversation
  const head = `Resuming "${safeTitle(session)}" in ${clientOf(client).name}`
  if (mode === 'native') {
    const told = showsRecap ? [] : plainRecap(recap).slice(1)
    return [`${head}, in its own session.`, ...told.map((line) => `  ${line}`)]
  }
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
