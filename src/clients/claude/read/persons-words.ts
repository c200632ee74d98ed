import { diffLines } from 'diff'
import { type Fields, fieldsOf, isObject, listOf, textOf } from '../../shared/transcript/fields.ts'
import { answersText, NO_WORDS, type PersonsWords } from '../../shared/transcript/persons-words.ts'

/** A tool result, and what else the transcript tells of it. */
interface Answered {
  /** What the model was told. */
  text: string
  /** The record that holds the result. */
  record: Fields
  /** What the call asked for, where it was read. */
  asked: unknown
}

/**
 * What the person said in a tool result: answers to the agent's questions, the words with which they refused a call, and
 * what they changed in a plan. Seen in 2.0.64 to 2.1.330; only the newest have `userFeedback`.
 */
export function personsWords({ text, record, asked }: Answered): PersonsWords {
  const [refusal] = REFUSED.exec(text) ?? []
  if (refusal !== undefined) {
    const said = textOf(record.userFeedback) || (SAID.exec(text)?.[1] ?? '')
    // The client says this in the person's place when they would rather talk about the questions.
    return { words: said.startsWith(TALK_FIRST) ? '' : said, refused: true }
  }
  const copy = fieldsOf(record.toolUseResult)
  if (isObject(copy.answers)) return { words: answersIn(copy), refused: false }
  const plan = EDITED_PLAN.exec(text)?.[1]
  if (plan !== undefined) return { words: editsOf(textOf(fieldsOf(asked).plan), plan), refused: false }
  return NO_WORDS
}

const REFUSED = /^(?:Error: )?The user doesn['’]t want to proceed with this tool use\./
const SAID = /(?:the user said|The user said):\n([\s\S]*)$/
const TALK_FIRST = 'The user wants to clarify these questions.'
const EDITED_PLAN = /^User has approved your plan[\s\S]*?\n## Approved Plan \(edited by user\):\n([\s\S]*)$/

/** `answers` and `annotations` go by the question's words; `response` is what was said beside them. */
function answersIn({ questions, answers, annotations, response }: Fields): string {
  const given = fieldsOf(answers)
  const names = listOf(questions).map((one) => textOf(fieldsOf(one).question))
  const all = [...new Set([...names, ...Object.keys(given)])]
  const asked = all.map((question) => ({
    question,
    answer: [given[question], fieldsOf(fieldsOf(annotations)[question]).notes]
      .map((one) => (Array.isArray(one) ? one.map(textOf).join(', ') : textOf(one)))
      .filter((one) => one !== '')
      .join('\n'),
  }))
  return answersText([...asked, { question: '', answer: textOf(response) }])
}

/** The lines that the person put in or took out, marked as in a patch. */
function editsOf(before: string, after: string): string {
  const changed = diffLines(before.trim(), after.trim()).filter(({ added, removed }) => added || removed)
  const lines = changed.flatMap(({ value, added }) =>
    value
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => `${added ? '+' : '-'} ${line}`),
  )
  return lines.length === 0 ? '' : `Changes to the plan:\n\n${lines.join('\n')}`
}
