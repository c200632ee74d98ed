import hljs from 'highlight.js/lib/common'
import { asPrinted } from '../../../text/line.ts'
import { MAX, type PageAllowance } from './bounds.ts'
import { escapeHtml, Html } from './html.ts'

/**
 * Colours the words of code if the language is known and the limits allow it. The library escapes the code, and adds
 * only elements with classes.
 */
export function highlightCode(code: string, language: string | undefined, budget: PageAllowance): Html {
  const seen = asPrinted(code)
  if (language === undefined || !isColoured(seen, language, budget)) return new Html(escapeHtml(code))
  budget.coloured -= seen.length
  return new Html(hljs.highlight(seen, { language, ignoreIllegals: true }).value)
}

function isColoured(code: string, language: string, budget: PageAllowance): boolean {
  return (
    code.length <= Math.min(MAX.coloured, budget.coloured) &&
    hljs.getLanguage(language) !== undefined &&
    // A line of this length is not for people to read, and the library's patterns may take long on it.
    !/[^\n]{2000}/.test(code)
  )
}

/** The language of a file: the ending of its name, if the library knows this ending as a language. */
export function languageOfFile(path: string): string | undefined {
  const ending = /\.([A-Za-z0-9]{1,10})$/.exec(path)?.[1]?.toLowerCase()
  return ending !== undefined && hljs.getLanguage(ending) !== undefined ? ending : undefined
}
