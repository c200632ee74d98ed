/** A person's words in the result of a tool call. */
export interface PersonsWords {
  /** '' where they said nothing. */
  words: string
  /** The person did not let the tool run. */
  refused: boolean
}

export const NO_WORDS: PersonsWords = { words: '', refused: false }

/**
 * Renders each question as a quotation, with the person's answer below it. Questions without an answer are left out.
 */
export function answersText(asked: readonly { question: string; answer: string }[]): string {
  return asked
    .filter(({ answer }) => answer.trim() !== '')
    .map(({ question, answer }) =>
      question === '' ? answer : `${question.trim().replace(/^/gm, '> ')}\n\n${answer}`,
    )
    .join('\n\n')
}
