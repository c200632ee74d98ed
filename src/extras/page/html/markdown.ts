import MarkdownIt from 'markdown-it'
import { largeCountOf } from '../../../text/count-of.ts'
import { asPrinted } from '../../../text/line.ts'
import { MAX, type PageAllowance } from './bounds.ts'
import { highlightCode } from './highlight.ts'
import { escapeHtml, Html, html } from './html.ts'

/**
 * Renders the markdown of a conversation. HTML in it is shown as text. Only links to web pages and mail addresses
 * become links. An image becomes a link, so that nothing is loaded. A text that is too long to render, or nested deeper
 * than the renderer goes, is shown as it was typed.
 */
export function markdown(text: string, budget: PageAllowance): Html {
  if (text.length > MAX.markdown || DEEP.test(text)) return asTyped(text)
  const fitting = LONG_WORD.test(text) ? withoutLinkify : renderer
  return new Html(fitting.render(asPrinted(text), { budget }))
}

/** What is nested deeper, the renderer leaves out. */
const MAX_NESTING = 100
/** An item of a list that is far in, or 40 marks of lists and quotations in one line: a level has two of the renderer's. */
const DEEP = /^(?:[ \t]{80,}(?:[-*+]|\d{1,9}[.)])[ \t]|(?:[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])){40})/m

/** Shows a text as it was typed, or its beginning. */
function asTyped(text: string): Html {
  const left = text.length - MAX.talk
  return html`<div class="typed" dir="auto">${text.slice(0, MAX.talk)}</div>${
    left > 0 &&
    html`<p class="left">${largeCountOf(left, 'more character')} ${left === 1 ? 'is' : 'are'} in the record.</p>`
  }`
}

function newRenderer({ linkify }: { linkify: boolean }) {
  const renderer = new MarkdownIt({ html: false, linkify, breaks: true, maxNesting: MAX_NESTING })
  // Finds only addresses with a protocol, because words such as `index.ts` are usually names of files.
  renderer.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
  renderer.validateLink = (link) => /^(https?:\/\/|mailto:)[^\s]/i.test(link) && link.length <= 2000

  // Shows a box for `- [x] done`, because documents of conversations have such lists.
  renderer.core.ruler.after('inline', 'tasks', ({ tokens }) => {
    for (const [index, { type, children }] of tokens.entries()) {
      const [text] = children ?? []
      if (type !== 'inline' || text?.type !== 'text' || tokens[index - 2]?.type !== 'list_item_open') continue
      const mark = /^\[([ xX])\] /.exec(text.content)?.[1]
      if (mark === undefined) continue
      text.content = `${mark === ' ' ? '☐' : '☑'}${text.content.slice(3)}`
      tokens[index - 2]!.attrSet('class', 'task')
    }
  })

  const { rules } = renderer.renderer
  const asToken: NonNullable<typeof rules.text> = (tokens, index, options, _env, self) =>
    self.renderToken(tokens, index, options)

  rules.link_open = (tokens, index, options, env, self) => {
    const token = tokens[index]!
    const target = String(token.attrGet('href'))
    // The text of a link can differ from its target, so the title shows the target.
    token.attrSet('title', asPrinted(target))
    token.attrSet('rel', 'noopener noreferrer nofollow')
    token.attrSet('target', '_blank')
    return asToken(tokens, index, options, env, self)
  }

  rules.image = (tokens, index) => {
    const { content, attrs } = tokens[index]!
    const target = String(attrs?.find(([name]) => name === 'src')?.[1] ?? '')
    const words = `image: ${content || target}`
    return html`<a href="${target}" title="${target}" rel="noopener noreferrer nofollow" target="_blank">${words}</a>`
      .text
  }

  rules.fence = (tokens, index, _options, env) => {
    const { content, info } = tokens[index]!
    return codeBlock(content, /^[\w+#-]{1,30}/.exec(info.trim())?.[0], budgetIn(env)).text
  }
  rules.code_block = (tokens, index, _options, env) =>
    codeBlock(tokens[index]!.content, undefined, budgetIn(env)).text
  rules.code_inline = (tokens, index) => `<code dir="auto">${escapeHtml(tokens[index]!.content)}</code>`
  rules.table_open = () => '<div class="wide" tabindex="0" role="group" aria-label="Table"><table>'
  rules.table_close = () => '</table></div>'
  // markdown-it aligns columns by a style attribute, which the page's policy forbids, so classes align them.
  for (const cell of ['th_open', 'td_open'])
    rules[cell] = (tokens, index) => {
      const align = /right|center/.exec(String(tokens[index]!.attrGet('style') ?? ''))?.[0]
      return `<${tokens[index]!.tag}${align === undefined ? '' : ` class="${align}"`} dir="auto">`
    }

  // Each block gets its own writing direction, and headings are ranked below the page's own headings.
  for (const block of ['paragraph', 'list_item', 'blockquote'])
    rules[`${block}_open`] = (tokens, index, options, env, self) => {
      if (!tokens[index]!.hidden) tokens[index]!.attrSet('dir', 'auto')
      return asToken(tokens, index, options, env, self)
    }
  rules.heading_open = (tokens, index) => `<${lowerRank(tokens[index]!.tag)} dir="auto">`
  rules.heading_close = (tokens, index) => `</${lowerRank(tokens[index]!.tag)}>\n`

  return renderer
}

const renderer = newRenderer({ linkify: true })
const withoutLinkify = newRenderer({ linkify: false })

/**
 * The time for finding addresses grows with the square of a word's length, so a text with a long word gets no automatic
 * links.
 */
const LONG_WORD = /\S{2000}/

function budgetIn(env: unknown): PageAllowance {
  return (env as { budget: PageAllowance }).budget
}

function lowerRank(tag: string): string {
  return `h${Math.min(6, Number(tag.slice(1)) + 2)}`
}

function codeBlock(code: string, language: string | undefined, budget: PageAllowance): Html {
  return html`<pre class="code" tabindex="0"${
    language !== undefined && html` data-language="${language}"`
  }><code>${highlightCode(code.replace(/\n$/, ''), language?.toLowerCase(), budget)}</code></pre>`
}
