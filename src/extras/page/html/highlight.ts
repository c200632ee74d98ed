import hljs from 'highlight.js/lib/common'
import { asSeen } from '../../../text/line.ts'
import { type Budget, MAX } from './bounds.ts'
import { escaped, Html } from './html.ts'

/**
 * Code with its words coloured, where the language is known and the text is no longer than words are coloured in. The
 * library escapes what it puts in; its classes are all that it adds.
 */
export function highlighted(code: string, language: string | undefined, budget: Budget): Html {
  const seen = asSeen(code)
  if (language === undefined || !isColoured(seen, language, budget)) return new Html(escaped(code))
  budget.coloured -= seen.length
  return new Html(hljs.highlight(seen, { language, ignoreIllegals: true }).value)
}

function isColoured(code: string, language: string, budget: Budget): boolean {
  return (
    code.length <= Math.min(MAX.coloured, budget.coloured) &&
    hljs.getLanguage(language) !== undefined &&
    // A line that no person reads, where patterns may take long.
    !/[^\n]{2000}/.test(code)
  )
}

/** The language of a file by the ending of its name: these are names or aliases of the library's languages. */
export function languageOfFile(path: string): string | undefined {
  const ending = /\.([A-Za-z0-9]{1,10})$/.exec(path)?.[1]?.toLowerCase()
  return ending !== undefined && hljs.getLanguage(ending) !== undefined ? ending : undefined
}
