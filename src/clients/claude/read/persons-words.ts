import { diffLines } from 'diff'
import { type Fields, fieldsOf, isObject, listOf, textOf } from '../../shared/transcript/fields.ts'
import { answersText, NO_WORDS, type PersonsWords } from '../../shared/transcript/persons-words.ts'

/** A tool result, and what else the transcript contains about it. */
interface Answered {
  /** The text that the model got. */
  text: string
  /** The record that contains the result. */
  record: Fields
  /** The arguments of the call. Undefined if the call was not read. */
  given: unknown
}

/**
 * Returns the person's words in a tool result: answers to the agent's questions, what the person wrote when refusing a
 * call, or the person's changes to a plan. Seen in 2.0.64 to 2.1.330; only the newest versions have `userFeedback`.
 */
export function personsWords({ text, record, given }: Answered): PersonsWords {
  const [refusal] = REFUSED.exec(text) ?? []
  if (refusal !== undefined) {
    const words = textOf(record.userFeedback) || (FEEDBACK.exec(text)?.[1] ?? '')
    // The client writes this text in the person's name when the person chooses to talk about the questions first.
    return { words: words.startsWith(TALK_FIRST) ? '' : words, refused: true }
  }
  const copy = fieldsOf(record.toolUseResult)
  if (isObject(copy.answers)) return { words: answersIn(copy), refused: false }
  const plan = EDITED_PLAN.exec(text)?.[1]
  if (plan !== undefined) return { words: editsOf(textOf(fieldsOf(given).plan), plan), refused: false }
  return NO_WORDS
}

/** The second form is that of a call of a subagent. */
const REFUSED =
  /^(?:Error: )?(?:The user doesn['’]t want to proceed with this tool use\.|Permission for this tool use was denied\.(?=[\s\S]*The user said:\n))/
/** Where the client keeps memories by itself, it adds a note below the person's words. */
const FEEDBACK = /[Tt]he user said:\n([\s\S]*?)(?:\n\nNote: The user's next message may contain [\s\S]*)?$/
const TALK_FIRST = 'The user wants to clarify these questions.'
const EDITED_PLAN = /^User has approved your plan[\s\S]*?\n## Approved Plan \(edited by user\):\n([\s\S]*)$/

/** The keys of `answers` and `annotations` are the questions; `response` is what the person said in addition. */
function answersIn({ questions, answers, annotations, response }: Fields): string {
  const given = fieldsOf(answers)
  const names = listOf(questions).map((asking) => textOf(fieldsOf(asking).question))
  const all = [...new Set([...names, ...Object.keys(given)])]
  const asked = all.map((question) => ({
    question,
    answer: [given[question], fieldsOf(fieldsOf(annotations)[question]).notes]
      .map((words) => (Array.isArray(words) ? words.map(textOf).join(', ') : textOf(words)))
      .filter((words) => words !== '')
      .join('\n'),
  }))
  return answersText([...asked, { question: '', answer: textOf(response) }])
}

/** The lines that the person added or removed, marked as in a patch. */
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
