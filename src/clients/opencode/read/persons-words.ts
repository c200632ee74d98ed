import { type Fields, fieldsOf, listOf, textOf } from '../../shared/transcript/fields.ts'
import { answersText, NO_WORDS, type PersonsWords } from '../../shared/transcript/persons-words.ts'

/**
 * The person's words in the answer to a call: their answers to questions (`metadata.answers`, a list for each
 * question), or what they said with a refusal. Seen in 1.18.33.
 */
export function personsWords(part: Fields): PersonsWords {
  const state = fieldsOf(part.state)
  const [refusal, words = ''] = REFUSED.exec(textOf(state.error)) ?? []
  if (refusal !== undefined) return { words, refused: true }
  const { answers } = fieldsOf(state.metadata)
  if (!Array.isArray(answers)) return NO_WORDS
  const asked = listOf(fieldsOf(state.input).questions).map((asking, index) => ({
    question: textOf(fieldsOf(asking).question),
    answer: listOf(answers[index]).map(textOf).join(', '),
  }))
  return { words: answersText(asked), refused: false }
}

const REFUSED =
  /^(?:Error: )?The user rejected permission to use this specific tool call(?:\.$| with the following feedback: ([\s\S]*)$)/
