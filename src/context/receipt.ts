import { safeLine } from '../session/resume-block.ts'
import type { PrunedPart } from './pruned-part.ts'

/** Counts what a context contains and leaves out. The person sees it, and the agent reads it in the resume block. */
export interface Receipt {
  strategy: string
  /** The tokens (o200k) that the resume block and the history may use. */
  budget: number
  /** The tokens that they use. */
  tokens: number
  /** Number of messages of the live path that a person or an agent said. */
  messages: number
  /** Number of these messages that a person said. */
  fromUser: number
  /** `whole`, `shortened`, `summarised` and `leftOut` add up to `messages`. */
  whole: number
  shortened: number
  /** Number of messages that are not shown, but that a summary or the state covers. */
  summarised: number
  /**
   * Number of the summarised messages that a model's summary covers. The others are summarised without a model. Absent
   * when no model's summary is used.
   */
  byModel?: { model: string; messages: number }
  leftOut: number
  /** Number of tool results that are shown as in the record. */
  toolResultsWhole: number
  /** Number of tool results that are shown shortened. */
  toolResultsPruned: number
  /** Number of results in `toolResultsWhole` that the record itself has only as head and tail. */
  toolResultsCut: number
  /** Number of tool calls that are reported in a line with their outcome. */
  toolCallsInALine: number
  /** The workspace-relative path of messages.jsonl. */
  record: string
  /** The pruned lines; absent when nothing was pruned. The counts above do not include them. */
  pruned?: PrunedPart
}

/** Writes the `History:` line of the resume block. */
export function historyLine(receipt: Omit<Receipt, 'tokens'>): string {
  const all = `${receipt.messages} message${receipt.messages === 1 ? '' : 's'} (${receipt.fromUser} from you)`
  const before = prunedWords(receipt).map((words) => `; ${words}`)
  if (receipt.messages === 0) return ['nothing was said yet', ...before].join('')
  const changes = [...fates(receipt), ...tools(receipt)]
  if (changes.length === 0) return [`${all}, included in full`, ...before].join('')
  const whole = receipt.whole === receipt.messages ? 'every text in full' : `${receipt.whole} in full`
  const line = `${all}: ${[whole, ...changes].join(', ')}; the whole record is in ${receipt.record}`
  return [line, ...before].join('')
}

/** Writes the receipt in two lines for a terminal. */
export function receiptLines(receipt: Receipt): string[] {
  const parts = [`${receipt.whole} whole`, ...fates(receipt), ...tools(receipt)]
  return [
    `Context: ${receipt.tokens} of ${receipt.budget} tokens (o200k), strategy ${receipt.strategy}; messages: ${parts.join(', ')}.`,
    `Whole history: ${safeLine([receipt.record, ...prunedWords(receipt)].join('; '))}`,
  ]
}

type Counts = Omit<Receipt, 'tokens'>

function fates({ shortened, summarised, byModel, leftOut }: Counts): string[] {
  return [
    ...(shortened === 0 ? [] : [`${shortened} shortened`]),
    ...(summarised === 0 ? [] : [`${summarised} summarised${byWhom(summarised, byModel)}`]),
    ...(leftOut === 0 ? [] : [`${leftOut} left out`]),
  ]
}

function prunedWords({ pruned }: Counts): string[] {
  if (pruned === undefined) return []
  const earlier = `${pruned.messages} earlier message${pruned.messages === 1 ? '' : 's'}`
  return [`${earlier} in ${pruned.archives.join(', ')}`]
}

/** Says who summarised the messages: ` (30 in a summary by gpt-5, 4 mechanically)`. */
function byWhom(summarised: number, byModel: Counts['byModel']): string {
  if (byModel === undefined) return ''
  const rest = summarised - byModel.messages
  return ` (${byModel.messages} in a summary by ${byModel.model}${rest === 0 ? '' : `, ${rest} mechanically`})`
}

function tools({
  toolResultsPruned: pruned,
  toolCallsInALine: calls,
  toolResultsCut: cut,
  record,
}: Counts): string[] {
  const whole = `${record.slice(0, record.lastIndexOf('/') + 1)}attachments/<its sha256>`
  return [
    ...(cut === 0
      ? []
      : [`${cut} long tool result${cut === 1 ? '' : 's'} cut (where the whole is kept: ${whole})`]),
    ...(pruned === 0 ? [] : [`${pruned} tool result${pruned === 1 ? '' : 's'} shortened`]),
    ...(calls === 0 ? [] : [`${calls} tool call${calls === 1 ? '' : 's'} told in a line`]),
  ]
}
