import type { AskAnswer } from '../../contract/questions.ts'
import { type Fields, fieldsOf, jsonIn } from '../transcript/fields.ts'

/** Shared by the clients' `ask` functions. */

/**
 * Returns the answer in the form of AskAnswer; undefined when the text is empty. A count that is not a number counts as
 * zero. The counts are left out when no tokens were read.
 */
export function answerOf(
  text: string,
  { model, read, wrote }: { model?: string | undefined; read: unknown[]; wrote: unknown[] },
): AskAnswer | undefined {
  if (text.trim() === '') return undefined
  const [inTokens, outTokens] = [sum(read), sum(wrote)]
  return {
    text: text.trim(),
    ...(model === undefined ? {} : { model }),
    ...(inTokens === 0 ? {} : { tokens: { read: inTokens, wrote: outTokens } }),
  }
}

function sum(numbers: unknown[]): number {
  return numbers.reduce<number>((total, count) => total + (typeof count === 'number' ? count : 0), 0)
}

/** Returns the object, or the object that a JSON text contains; {} for anything else, such as words around the JSON. */
export function objectIn(value: unknown): Fields {
  return fieldsOf(typeof value === 'string' ? jsonIn(value) : value)
}

/** Keeps clients from reading files that a prompt mentions (`@path`), by writing `@` in its full-width form. */
export function withoutMentions(text: string): string {
  return text.replaceAll('@', '＠')
}

export function withMentions(text: string): string {
  return text.replaceAll('＠', '@')
}
