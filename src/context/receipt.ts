/** What a context holds and what it does not: shown to the person, and told to the agent in the block. */
export interface Receipt {
  strategy: string
  /** Tokens that the block and the history may have, and have (o200k). */
  budget: number
  tokens: number
  /** Messages of the live path that a person or the agent said, and of them the person's. */
  messages: number
  fromUser: number
  /** Of the messages: their sum is `messages`. */
  whole: number
  shortened: number
  leftOut: number
  /** Tool results that are there as the record has them. */
  toolResultsWhole: number
  /** Tool calls of the whole messages, each said with its result in one line. */
  toolCallsInALine: number
  /** Workspace-relative path of the whole history. */
  record: string
}

/** The `History:` line of the block. */
export function historyLine(receipt: Omit<Receipt, 'tokens'>): string {
  const all = `${receipt.messages} message${receipt.messages === 1 ? '' : 's'} (${receipt.fromUser} from you)`
  if (receipt.messages === 0) return 'nothing was said yet'
  const inFull = receipt.leftOut === 0 && receipt.shortened === 0
  if (inFull && receipt.toolCallsInALine === 0) return `${all}, included in full`
  const parts = [
    inFull ? 'every text in full' : `${receipt.whole} in full`,
    ...(receipt.shortened === 0 ? [] : [`${receipt.shortened} shortened`]),
    ...(receipt.leftOut === 0 ? [] : [`${receipt.leftOut} left out`]),
    ...toolCalls(receipt),
  ]
  return `${all}: ${parts.join(', ')}; the whole record is in ${receipt.record}`
}

/** The receipt in two lines for a terminal. */
export function receiptLines(receipt: Receipt): string[] {
  const parts = [
    `${receipt.whole} whole`,
    ...(receipt.shortened > 0 ? [`${receipt.shortened} shortened`] : []),
    ...(receipt.leftOut > 0 ? [`${receipt.leftOut} left out`] : []),
    ...toolCalls(receipt),
  ]
  return [
    `Context: ${receipt.tokens} of ${receipt.budget} tokens (o200k), strategy ${receipt.strategy}; messages: ${parts.join(', ')}.`,
    `Whole history: ${receipt.record}`,
  ]
}

function toolCalls({ toolCallsInALine: calls }: Pick<Receipt, 'toolCallsInALine'>): string[] {
  if (calls === 0) return []
  return [calls === 1 ? '1 tool call as one line' : `${calls} tool calls as one line each`]
}
