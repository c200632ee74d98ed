import { clientOf } from '../../../clients/index.ts'
import type { Conversation } from '../../../conversation/read.ts'
import { type Summarised, type SummaryOptions, summarise } from '../../../journeys/summarising/summarise.ts'
import { countOf } from '../../../text/count-of.ts'
import type { Workspace } from '../../../workspace/open.ts'
import { note } from '../../print.ts'

/**
 * Asks a client for a summary and reports on stderr what the summary costs. Ctrl-C stops the client, and then no
 * summary is kept.
 */
export async function askForSummary(
  ws: Workspace,
  conversation: Conversation,
  id: string,
  wish: Omit<SummaryOptions, 'client' | 'stop' | 'onAsk'>,
): Promise<Summarised> {
  const client = clientOf(id)
  const stop = new AbortController()
  const end = (): void => stop.abort()
  for (const signal of SIGNALS) process.once(signal, end)
  try {
    const done = await summarise(ws, conversation, {
      ...wish,
      client,
      stop: stop.signal,
      onAsk: ({ messages, tokens, questions }) =>
        note(
          `Asking ${client.name} for a summary of the first ${messages} messages: about ${tokens} tokens are sent to its model${questions === 1 ? '' : `, in ${questions} questions`}. Ctrl-C cancels.`,
        ),
    })
    note(inWords(done, client.name))
    return done
  } finally {
    for (const signal of SIGNALS) process.off(signal, end)
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

function inWords(done: Summarised, client: string): string {
  if (done.outcome === 'there')
    return `${done.model} has already summarised the first ${countOf(done.messages, 'message')}; no model was asked, no tokens were used.`
  if (done.outcome === 'not needed')
    return `No model was asked, no tokens were used: within this budget the strategy is ${done.strategy}, which uses no summary.`
  const { read, wrote, counted } = done.cost
  const how = counted ? `by the count of ${client}` : 'o200k; the client does not report it'
  return `${done.model} read ${read} tokens and wrote ${wrote} (${how}); kept in ${done.path}`
}
