import { bodyOf, partsOf } from '../../shared/genai/parts.ts'
import type { Body } from '../../shared/transcript/body.ts'
import { fieldsOf, jsonIn, listOf, textOf } from '../../shared/transcript/fields.ts'
import { answersText, NO_WORDS, type PersonsWords } from '../../shared/transcript/persons-words.ts'

/** Returns the whole text of a tool output that the client has cut. `name` is the name of the file with that text. */
export type ReadMoved = (name: string) => Uint8Array | undefined

/** The answer of a tool, as the record of its call contains it. */
export interface Answered {
  result: unknown
  /** The text on the screen: `resultDisplay`. */
  shown?: unknown
}

export interface ToolResult extends Body {
  failed: boolean
}

/**
 * Makes the result of a tool's answer (`toolCalls[].result`): `response.output` or `response.error` of its
 * `functionResponse`, and any other parts after it.
 */
export function resultOf(
  { result, shown }: Answered,
  blobs: Map<string, Uint8Array>,
  readMoved: ReadMoved,
): ToolResult {
  let failed = false
  const parts = partsOf(result).map((part) => {
    if (part.functionResponse === undefined) return part
    const response = fieldsOf(fieldsOf(part.functionResponse).response)
    if (typeof response.error === 'string') failed = true
    const output = [response.output, response.error].find((value) => typeof value === 'string')
    return {
      text: wholeOutput(withoutHookContext(output ?? JSON.stringify(response)), readMoved, textOf(shown)),
    }
  })
  return { ...bodyOf(parts, blobs), failed }
}

/**
 * Returns the whole text of an output that the client has cut. The first line of the cut output names the file with the
 * whole text. If that file is gone, the text on the screen may contain the omitted middle. Otherwise the output stays
 * as the model saw it.
 */
function wholeOutput(text: string, readMoved: ReadMoved, shown: string): string {
  const [line, name] = CUT_OUTPUT.exec(text) ?? []
  if (line === undefined || name === undefined) return text
  const whole = readMoved(name)
  return whole === undefined
    ? (withMiddle(text.slice(line.length), shown) ?? text)
    : Buffer.from(whole).toString('utf8')
}

/**
 * The number of characters before and after the omitted middle that must match the text on the screen. `withMiddle`
 * tries at most `MAX_TRIES` places in that text.
 */
const SEAM_LENGTH = 100
const MAX_TRIES = 1000

function withMiddle(cut: string, shown: string): string | undefined {
  const [gap, omitted] = OMITTED.exec(cut) ?? []
  if (gap === undefined || omitted === undefined) return undefined
  const [head, tail] = [cut.slice(0, cut.indexOf(gap)), cut.slice(cut.indexOf(gap) + gap.length)]
  const length = Number(omitted.replace(/\D/g, ''))
  const [before, after] = [head.slice(-SEAM_LENGTH), tail.slice(0, SEAM_LENGTH)]
  if (before === '' || after === '') return undefined
  for (let [index, tries] = [shown.indexOf(before), 0]; index !== -1 && tries < MAX_TRIES; tries++) {
    const from = index + before.length
    if (shown.startsWith(after, from + length)) return `${head}${shown.slice(from, from + length)}${tail}`
    index = shown.indexOf(before, index + 1)
  }
  return undefined
}

const OMITTED = /\n\n\.\.\. \[([\d.,\s\u00a0\u202f]+) characters omitted\] \.\.\.\n\n/

const CUT_OUTPUT =
  /^Output too large\. Showing first [^\n]* characters\. For full output see: [^\n]*[\\/]tool-outputs[\\/][^\n]*?([A-Za-z0-9_-]+\.txt)\n/

/**
 * Removes the context that hooks add to a prompt. The context is a part of its own. The context of a SessionStart hook
 * in a headless run is directly before the prompt. The client escapes `<` in a context, so its end is certain.
 */
export function withoutHookContext(text: string): string {
  return text
    .replace(/^<hook_context>[^<]*<\/hook_context>(\n\n)?/, '')
    .replace(/(\n\n)?<hook_context>[^<]*<\/hook_context>$/, '')
}

/** The texts of a list of thoughts; each thought has a subject and a description. */
export function thoughtsIn(thoughts: unknown): string {
  return listOf(thoughts)
    .map((thought) => {
      const { subject, description } = fieldsOf(thought)
      return [textOf(subject), textOf(description)].filter((text) => text !== '').join(': ')
    })
    .filter((text) => text !== '')
    .join('\n')
}

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
