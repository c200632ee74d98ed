import { fieldsOf, jsonIn, listOf, textOf } from '../../shared/transcript/fields.ts'
import { answersText, NO_WORDS, type PersonsWords } from '../../shared/transcript/persons-words.ts'

/**
 * The person's words in the result of a call: their answers to `ask_user`, or their feedback on a plan that they
 * refused. The key of an answer is the index of its question. Seen in 0.61.0.
 */
export function personsWords(name: string, given: () => unknown, answer: string): PersonsWords {
  if (name === 'ask_user') return { words: answersIn(given(), answer), refused: false }
  if (name !== 'exit_plan_mode') return NO_WORDS
  const [refusal, words = ''] = REFUSED_PLAN.exec(answer) ?? []
  return refusal === undefined ? NO_WORDS : { words, refused: true }
}

const REFUSED_PLAN = /^Plan rejected\. (?:User feedback: ([\s\S]*?)\n\nThe plan is stored at: )?/

function answersIn(given: unknown, answer: string): string {
  const questions = listOf(fieldsOf(given).questions)
  return answersText(
    Object.entries(fieldsOf(fieldsOf(jsonIn(answer)).answers)).map(([index, reply]) => ({
      question: textOf(fieldsOf(questions[Number(index)]).question),
      answer: textOf(reply),
    })),
  )
}
