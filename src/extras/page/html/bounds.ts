import { wholeCharacters } from '../../../text/whole-characters.ts'

/**
 * Limits of a page, in bytes where that is said, otherwise in UTF-16 units. A page shows the size of most parts that it
 * leaves out.
 */
export const MAX = {
  /**
   * The talk of a page; each message counts as its text and `message` more. A browser takes seconds for a longer page.
   */
  page: 40_000_000,
  message: 500,
  /** One message of a person or an agent. */
  talk: 400_000,
  /** A longer text is shown as it was typed, because rendering it as markdown would take too long. */
  markdown: 100_000,
  /** One result of a tool, or one argument of a call. */
  result: 20_000,
  /** One result or argument that comes after `results` units of other results and arguments. */
  lateResult: 600,
  results: 24_000_000,
  /** One block of code with coloured words; `allColoured` is for all such blocks of a page. */
  coloured: 20_000,
  allColoured: 1_500_000,
  document: 400_000,
  /** Bytes of one image; `images` is for all images of a page. */
  image: 3 * 1024 * 1024,
  images: 24 * 1024 * 1024,
}

/** The units that are left for a page. Each page begins with a new budget. */
export interface PageAllowance {
  results: number
  coloured: number
}

export function newBudget(): PageAllowance {
  return { results: MAX.results, coloured: MAX.allColoured }
}

/**
 * Returns a tool's text as `head`. If the text is too long, returns its beginning as `head`, its end as `tail`, and the
 * number of characters between them as `left`.
 */
export function cutResult(text: string, budget: PageAllowance): { head: string; left: number; tail: string } {
  const max = budget.results > 0 ? MAX.result : MAX.lateResult
  budget.results -= Math.min(text.length, max)
  if (text.length <= max) return { head: text, left: 0, tail: '' }
  const ends = Math.floor(max / 5)
  const head = wholeCharacters(text.slice(0, max - ends))
  const tail = wholeCharacters(text.slice(-ends))
  return { head, left: text.length - head.length - tail.length, tail }
}
