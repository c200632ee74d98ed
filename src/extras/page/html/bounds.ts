import { wholeCharacters } from '../../../text/whole-characters.ts'

/** The most of each kind of text in a page, in UTF-16 units. The page names the size of an omitted rest. */
export const MAX = {
  /** One message of a person or an agent. */
  talk: 400_000,
  /** A longer text is shown as it was typed: reading it as markdown would take too long. */
  markdown: 100_000,
  /** One result of a tool, or one argument of a call. */
  result: 20_000,
  /** The same once a page holds `results` of them. */
  lateResult: 600,
  results: 24_000_000,
  /** One block of code, and all of a page, in which words are coloured. */
  coloured: 20_000,
  allColoured: 1_500_000,
  document: 400_000,
  /** Bytes of one image and of all images of a page. */
  image: 3 * 1024 * 1024,
  images: 24 * 1024 * 1024,
}

/** The room that is left in a page. Each page begins with a new one. */
export interface Budget {
  results: number
  coloured: number
}

export function newBudget(): Budget {
  return { results: MAX.results, coloured: MAX.allColoured }
}

/** The beginning and the end of a text of a tool that is too long, and how many characters are missing between them. */
export function boundedResult(text: string, budget: Budget): { head: string; left: number; tail: string } {
  const most = budget.results > 0 ? MAX.result : MAX.lateResult
  budget.results -= Math.min(text.length, most)
  if (text.length <= most) return { head: text, left: 0, tail: '' }
  const ends = Math.floor(most / 5)
  const head = wholeCharacters(text.slice(0, most - ends))
  const tail = wholeCharacters(text.slice(-ends))
  return { head, left: text.length - head.length - tail.length, tail }
}
