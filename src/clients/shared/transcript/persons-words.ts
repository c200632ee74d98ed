/** Words of a person in place of a tool, or beside its answer. */
export interface PersonsWords {
  /** '' where they said nothing. */
  words: string
  /** The person did not let the tool run. */
  refused: boolean
}

export const NO_WORDS: PersonsWords = { words: '', refused: false }

/** Each question as a quotation, and below it what the person answered. Questions without an answer are left out. */
export function answersText(asked: readonly { question: string; answer: string }[]): string {
  return asked
    .filter(({ answer }) => answer.trim() !== '')
    .map(({ question, answer }) =>
      question === '' ? answer : `${question.trim().replace(/^/gm, '> ')}\n\n${answer}`,
    )
    .join('\n\n')
}
