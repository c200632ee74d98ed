import type { AskAnswer } from '../contract/questions.ts'

/** What the clients' `ask` functions share. */

/** The answer; undefined where the text is empty. Token counts are left out where they are no numbers, or zero. */
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
  return numbers.reduce<number>((all, one) => all + (typeof one === 'number' ? one : 0), 0)
}

/** An object, or the JSON of one; {} where it is something else. */
export function objectIn(value: unknown): Record<string, unknown> {
  if (typeof value === 'string') return parsed(value)
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function parsed(text: string): Record<string, unknown> {
  try {
    return objectIn(JSON.parse(text) as object)
  } catch {
    // Words around the JSON, or another format: the caller finds nothing in it.
    return {}
  }
}

/** Keeps clients from reading files that a prompt mentions (`@path`): the sign is written in its wide form. */
export function withoutMentions(text: string): string {
  return text.replaceAll('@', '＠')
}

export function withMentions(text: string): string {
  return text.replaceAll('＠', '@')
}
