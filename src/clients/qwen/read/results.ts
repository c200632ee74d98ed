import { bodyOf } from '../../shared/genai/parts.ts'
import type { Body } from '../../shared/transcript/body.ts'
import { type Fields, fieldsOf, textOf } from '../../shared/transcript/fields.ts'

/**
 * Makes the result of a tool: `response.output` or `response.error` of its `functionResponse`, and the parts after it.
 * `shown` is the client's own copy of the result for the screen (`toolCallResult.resultDisplay`).
 */
export function resultOf(
  part: Fields,
  others: readonly Fields[],
  shown: unknown,
  blobs: Map<string, Uint8Array>,
): Body & { failed: boolean } {
  const response = fieldsOf(fieldsOf(part.functionResponse).response)
  const output = [response.output, response.error].find((value) => typeof value === 'string')
  const text = wholeOutput(textOf(output) || JSON.stringify(response), textOf(fieldsOf(shown).output))
  return { ...bodyOf([{ text }, ...others], blobs), failed: typeof response.error === 'string' }
}

/**
 * Puts the middle of an output back that the client has cut for the model. The text on the screen has it, up to 32,000
 * characters (0.24.4). Otherwise the output stays as the model saw it.
 */
function wholeOutput(text: string, shown: string): string {
  const [preface] = CUT_OUTPUT.exec(text) ?? []
  if (preface === undefined) return text
  const cut = text.slice(preface.length)
  const gap = GAP.exec(cut)
  if (gap === null) return text
  const [head, tail] = [cut.slice(0, gap.index), cut.slice(gap.index + gap[0].length)]
  const [before, after] = [head.slice(-SEAM_LENGTH), tail.slice(0, SEAM_LENGTH)]
  if (before === '' || after === '') return text
  const from = shown.indexOf(before)
  const to = shown.lastIndexOf(after)
  if (from === -1 || to < from + before.length) return text
  return `${head}${shown.slice(from + before.length, to)}${tail}`
}

/** The number of characters before and after the omitted middle that must match the text on the screen. */
const SEAM_LENGTH = 40

const CUT_OUTPUT =
  /^Tool output was too large and has been truncated\.\n[\s\S]*?\n\nTruncated part of the output:\n/
const GAP = /\n?\.\.\. \[CONTENT TRUNCATED\] \.\.\.\n?/
