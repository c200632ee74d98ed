/** What a context holds and what it does not: shown to the person, and told to the agent in the block. */
export interface Receipt {
  strategy: string
  /** Tokens that the block and the history may have, and have (o200k). */
  budget: number
  tokens: number
  /** Messages of the live path that a person or the agent said, and of them the person's. */
  messages: number
  fromUser: number
  whole: number
  shortened: number
  leftOut: number
  /** Tool results: whole, or said in one line. */
  toolResultsWhole: number
  toolResultsInALine: number
  /** Workspace-relative path of the whole history. */
  record: string
}

/** The `History:` line of the block. */
export function historyLine(receipt: Omit<Receipt, 'tokens'>): string {
  const all = `${receipt.messages} messages (${receipt.fromUser} from you)`
  if (receipt.messages === 0) return `nothing was said yet`
  const tools =
    receipt.toolResultsInALine === 0 ? '' : `, ${receipt.toolResultsInALine} tool results as one line each`
  if (receipt.leftOut === 0 && receipt.shortened === 0)
    return tools === ''
      ? `${all}, included in full`
      : `${all}, every text in full${tools}; the whole record is in ${receipt.record}`
  const shortened = receipt.shortened === 0 ? '' : `, ${receipt.shortened} shortened`
  return `${all}: ${receipt.whole} in full${shortened}, ${receipt.leftOut} left out${tools}; the whole record is in ${receipt.record}`
}

/** The receipt in two lines for a terminal. */
export function receiptLines(receipt: Receipt): string[] {
  const parts = [
    `${receipt.whole} whole`,
    ...(receipt.shortened > 0 ? [`${receipt.shortened} shortened`] : []),
    ...(receipt.leftOut > 0 ? [`${receipt.leftOut} left out`] : []),
    ...(receipt.toolResultsInALine > 0
      ? [`${receipt.toolResultsInALine} tool results as one line each`]
      : []),
  ]
  return [
    `Context: ${receipt.tokens} of ${receipt.budget} tokens (o200k), strategy ${receipt.strategy}; messages: ${parts.join(', ')}.`,
    `Whole history: ${receipt.record}`,
  ]
}
