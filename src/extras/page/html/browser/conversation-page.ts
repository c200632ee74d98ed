/**
 * The script of a conversation's page: search, links to messages, copying, light or dark. It makes no markup from text
 * (the policy forbids that), and stores and loads nothing. Without the script the page shows the same content.
 */
import { byId, focusOnSlash, switchTheme } from './theme-and-slash.ts'

/** A part of the page that search can find, with its text in lower case. */
interface Block {
  block: Element
  text: string
}

const input = byId<HTMLInputElement>('search')
const [count, previous, next, status] = [byId('count'), byId('previous'), byId('next'), byId('status')]

switchTheme()
focusOnSlash(input)

const unfold = byId('unfold')
unfold.addEventListener('click', () => {
  const open = unfold.getAttribute('aria-pressed') !== 'true'
  unfold.setAttribute('aria-pressed', String(open))
  unfold.textContent = open ? 'Fold' : 'Unfold'
  unfold.title = open ? 'Fold all' : 'Unfold all'
  unfold.setAttribute('aria-label', unfold.title)
  for (const each of document.querySelectorAll<HTMLDetailsElement>('main details')) each.open = open
})

let blocks: Block[] | undefined
let reading: Promise<void> | undefined

/** Reads all texts once, in short steps, so that typing does not wait. */
async function readAll(): Promise<void> {
  const found: Block[] = []
  let began = performance.now()
  for (const block of document.querySelectorAll('article, main .mark, .part > .calls, .document .said')) {
    const text = block.tagName === 'ARTICLE' ? textOf(block) : block.textContent
    found.push({ block, text: text.toLowerCase() })
    if (performance.now() - began > 12) {
      await new Promise((go) => setTimeout(go))
      began = performance.now()
    }
  }
  blocks = found
}

function textOf(article: Element): string {
  let text = ''
  for (const child of article.children) if (child.tagName !== 'HEADER') text += `${child.textContent}\n`
  return text
}

let hits: Block[] = []
let current = -1
let searched = ''

async function search(): Promise<void> {
  const words = input.value.trim().toLowerCase()
  if (words === searched) return
  searched = words
  if (words !== '' && blocks === undefined) {
    count.textContent = '…'
    reading ??= readAll()
    await reading
  }
  // The person may have typed more while the texts were read.
  if (searched !== words) return
  hits = words === '' ? [] : (blocks ?? []).filter(({ text }) => text.includes(words))
  current = -1
  mark(words)
  for (const button of [previous, next]) button.hidden = hits.length === 0
  if (hits.length > 0) return go(1)
  count.textContent = words === '' ? '' : 'None'
  show(undefined)
}

let shown: Element | undefined
function show(block: Element | undefined): void {
  shown?.classList.remove('hit')
  shown = block
  shown?.classList.add('hit')
}

function go(step: 1 | -1): void {
  if (hits.length === 0) return
  current = (current + step + hits.length) % hits.length
  const { block } = hits[current]!
  count.textContent = `${current + 1} / ${hits.length.toLocaleString('en')}`
  show(block)
  if (block instanceof HTMLDetailsElement) block.open = true
  for (const each of block.querySelectorAll('details'))
    if (each.textContent.toLowerCase().includes(searched)) each.open = true
  block.scrollIntoView({ block: 'start' })
  mark(searched)
}

const MAX_MARKED = 200
const MAX_RANGES = 5000

/** Highlights the words in the hits around the current hit. */
function mark(words: string): void {
  if (!globalThis.CSS?.highlights) return
  CSS.highlights.delete('found')
  if (words === '' || hits.length === 0) return
  const ranges: Range[] = []
  const first = Math.max(0, current - 20)
  for (const { block } of hits.slice(first, first + MAX_MARKED)) {
    const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT)
    for (
      let node = walker.nextNode() as Text | null;
      node !== null;
      node = walker.nextNode() as Text | null
    ) {
      const text = node.data.toLowerCase()
      if (text.length !== node.data.length) continue
      let from = text.indexOf(words)
      for (; from !== -1 && ranges.length < MAX_RANGES; from = text.indexOf(words, from + words.length)) {
        const range = new Range()
        range.setStart(node, from)
        range.setEnd(node, from + words.length)
        ranges.push(range)
      }
    }
  }
  CSS.highlights.set('found', new Highlight(...ranges))
}

let soon: number | undefined
input.addEventListener('input', () => {
  clearTimeout(soon)
  soon = setTimeout(search, 90)
})
input.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') {
    event.preventDefault()
    if (input.value.trim().toLowerCase() === searched) go(event.shiftKey ? -1 : 1)
    else search()
  }
  if (event.key === 'Escape') {
    input.value = ''
    search()
    input.blur()
  }
})
previous.addEventListener('click', () => go(-1))
next.addEventListener('click', () => go(1))

const labels = new Map<Element, string | null>()

function sayOn(button: Element, words: string): void {
  // A second click must not take the first one's words for the label.
  const label = labels.get(button) ?? button.textContent
  labels.set(button, label)
  button.textContent = words
  status.textContent = words
  setTimeout(() => {
    button.textContent = label
    status.textContent = ''
  }, 1500)
}

async function copy(button: Element, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    sayOn(button, 'Copied')
  } catch {
    sayOn(button, 'Not allowed')
  }
}

addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('.copy') : null
  if (button === null) return
  const code = button.closest('.holds-code')?.querySelector('pre')
  const article = button.closest('article')
  const said =
    article?.querySelector<HTMLElement>(':scope > .said') ?? article?.querySelector<HTMLElement>('.calls')
  // biome-ignore lint/performance/useDomNodeTextContent: innerText keeps the breaks between paragraphs
  copy(button, (code?.textContent ?? said?.innerText ?? '').trim())
})

/**
 * Adds a copy button to a block of code when the pointer or focus reaches the block. A page can have thousands of
 * blocks, so buttons are made only then.
 */
function offerCopy(event: Event): void {
  const pre = event.target instanceof Element ? event.target.closest('pre') : null
  if (pre === null || pre.parentElement?.classList.contains('holds-code')) return
  const holder = document.createElement('div')
  holder.className = 'holds-code'
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.setAttribute('aria-label', 'Copy this block')
  const isFocused = document.activeElement === pre
  pre.replaceWith(holder)
  holder.append(pre, button)
  if (isFocused) pre.focus()
}
addEventListener('pointerover', offerCopy, { passive: true })
addEventListener('focusin', offerCopy)

/** Scrolls to the message that the address names, when the page around it is laid out. */
function land(): void {
  const target = /^#m-\d{1,9}$/.test(location.hash) ? document.getElementById(location.hash.slice(1)) : null
  if (target !== null) requestAnimationFrame(() => target.scrollIntoView({ block: 'start' }))
}
addEventListener('hashchange', land)
land()
