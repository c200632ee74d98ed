import type { PrunedPart } from './pruned-part.ts'

/** What a context holds and what it does not: shown to the person, and told to the agent in the block. */
export interface Receipt {
  strategy: string
  /** Tokens that the block and the history may have, and have (o200k). */
  budget: number
  tokens: number
  /** Messages of the live path that a person or the agent said, and of them the person's. */
  messages: number
  fromUser: number
  /** Of the messages: the sum of these four is `messages`. */
  whole: number
  shortened: number
  /** Of which a summary or the state says something in their words. */
  summarised: number
  /** Of these the ones that a model's summary stands for; the others, or all where this is absent, mechanically. */
  byModel?: { model: string; messages: number }
  leftOut: number
  /** Tool results that are there as the record has them, and shorter. */
  toolResultsWhole: number
  toolResultsPruned: number
  /** Tool calls of the whole messages, each said with its result in one line. */
  toolCallsInALine: number
  /** Workspace-relative path of the whole history. */
  record: string
  /** What lies outside it, in archives; absent where nothing does. None of the numbers above counts it. */
  pruned?: PrunedPart
}

/** The `History:` line of the block. */
export function historyLine(receipt: Omit<Receipt, 'tokens'>): string {
  const all = `${receipt.messages} message${receipt.messages === 1 ? '' : 's'} (${receipt.fromUser} from you)`
  const before = prunedWords(receipt).map((words) => `; ${words}`)
  if (receipt.messages === 0) return ['nothing was said yet', ...before].join('')
  const told = [...fates(receipt), ...tools(receipt)]
  if (told.length === 0) return [`${all}, included in full`, ...before].join('')
  const whole = receipt.whole === receipt.messages ? 'every text in full' : `${receipt.whole} in full`
  const line = `${all}: ${[whole, ...told].join(', ')}; the whole record is in ${receipt.record}`
  return [line, ...before].join('')
}

/** The receipt in two lines for a terminal. */
export function receiptLines(receipt: Receipt): string[] {
  const parts = [`${receipt.whole} whole`, ...fates(receipt), ...tools(receipt)]
  return [
    `Context: ${receipt.tokens} of ${receipt.budget} tokens (o200k), strategy ${receipt.strategy}; messages: ${parts.join(', ')}.`,
    `Whole history: ${[receipt.record, ...prunedWords(receipt)].join('; ')}`,
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

/** ` (30 in a summary by gpt-5, 4 mechanically)` */
function byWhom(summarised: number, byModel: Counts['byModel']): string {
  if (byModel === undefined) return ''
  const rest = summarised - byModel.messages
  return ` (${byModel.messages} in a summary by ${byModel.model}${rest === 0 ? '' : `, ${rest} mechanically`})`
}

function tools({ toolResultsPruned: pruned, toolCallsInALine: calls }: Counts): string[] {
  return [
    ...(pruned === 0 ? [] : [`${pruned} tool result${pruned === 1 ? '' : 's'} shortened`]),
    ...(calls === 0
      ? []
      : [calls === 1 ? '1 tool call as one line' : `${calls} tool calls as one line each`]),
  ]
}
