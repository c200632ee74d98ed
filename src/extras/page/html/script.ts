/**
 * What a page of a conversation can do besides being read: search, links that open what they lead into, copying, light
 * or dark. It reads and marks what stands in the page, makes no markup of any text (the policy forbids it), keeps
 * nothing, and asks for nothing outside. Without it the page reads the same.
 */
export const SCRIPT = String.raw`'use strict';
(() => {
  const one = (id) => document.getElementById(id)
  const [input, count, previous, next, status] = ['search', 'count', 'previous', 'next', 'status'].map(one)
  const root = document.documentElement

  one('theme').addEventListener('click', () => {
    const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
    root.dataset.theme = dark ? 'light' : 'dark'
  })

  const unfold = one('unfold')
  unfold.addEventListener('click', () => {
    const open = unfold.getAttribute('aria-pressed') !== 'true'
    unfold.setAttribute('aria-pressed', String(open))
    unfold.textContent = open ? 'Fold' : 'Unfold'
    unfold.title = open ? 'Fold all' : 'Unfold all'
    unfold.setAttribute('aria-label', unfold.title)
    for (const each of document.querySelectorAll('main details')) each.open = open
  })

  // What is lower-cased once is searched at every key. It is read in steps, so that typing never waits.
  let texts
  async function readAll() {
    const blocks = document.querySelectorAll('article, main .mark, .part > .calls, .document .said')
    const read = []
    let began = performance.now()
    for (const block of blocks) {
      const body = block.tagName === 'ARTICLE' ? articleText(block) : block.textContent
      read.push({ block, text: body.toLowerCase() })
      if (performance.now() - began > 12) {
        await new Promise((go) => setTimeout(go))
        began = performance.now()
      }
    }
    texts = read
  }

  function articleText(article) {
    let text = ''
    for (const child of article.children) if (child.tagName !== 'HEADER') text += child.textContent + '\n'
    return text
  }

  let hits = []
  let at = -1
  let asked = ''
  let reading
  async function search() {
    const words = input.value.trim().toLowerCase()
    if (words === asked) return
    asked = words
    if (words !== '' && texts === undefined) {
      count.textContent = '…'
      await (reading ??= readAll())
    }
    // The person has typed on meanwhile.
    if (asked !== words) return
    hits = words === '' ? [] : texts.filter(({ text }) => text.includes(words))
    at = -1
    mark(words)
    for (const button of [previous, next]) button.hidden = hits.length === 0
    if (words === '') {
      count.textContent = ''
      show(undefined)
    } else if (hits.length === 0) {
      count.textContent = 'None'
      show(undefined)
    } else go(1)
  }

  let shown
  function show(block) {
    shown?.classList.remove('hit')
    shown = block
    shown?.classList.add('hit')
  }

  function go(step) {
    if (hits.length === 0) return
    at = (at + step + hits.length) % hits.length
    const { block } = hits[at]
    count.textContent = at + 1 + ' / ' + hits.length.toLocaleString('en')
    show(block)
    if (block.tagName === 'DETAILS') block.open = true
    for (const each of block.querySelectorAll('details'))
      if (each.textContent.toLowerCase().includes(asked)) each.open = true
    block.scrollIntoView({ block: 'start' })
    mark(asked)
  }

  const MOST_MARKED = 200
  function mark(words) {
    if (!globalThis.CSS?.highlights) return
    CSS.highlights.delete('found')
    if (words === '' || hits.length === 0) return
    const ranges = []
    const marked = hits.slice(Math.max(0, at - 20), Math.max(0, at - 20) + MOST_MARKED)
    for (const { block } of marked) {
      const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const text = node.data.toLowerCase()
        if (text.length !== node.data.length) continue
        for (let from = text.indexOf(words); from !== -1 && ranges.length < 5000; from = text.indexOf(words, from + words.length)) {
          const range = new Range()
          range.setStart(node, from)
          range.setEnd(node, from + words.length)
          ranges.push(range)
        }
      }
    }
    CSS.highlights.set('found', new Highlight(...ranges))
  }

  let soon
  input.addEventListener('input', () => {
    clearTimeout(soon)
    soon = setTimeout(search, 90)
  })
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') {
      event.preventDefault()
      if (input.value.trim().toLowerCase() === asked) go(event.shiftKey ? -1 : 1)
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
  addEventListener('keydown', (event) => {
    const typing = event.target instanceof HTMLElement && event.target.closest('input, textarea')
    if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.focus()
    input.select()
  })

  function say(button, words) {
    const before = button.textContent
    button.textContent = words
    status.textContent = words
    setTimeout(() => {
      button.textContent = before
      status.textContent = ''
    }, 1500)
  }

  async function copy(button, text) {
    try {
      await navigator.clipboard.writeText(text)
      say(button, 'Copied')
    } catch {
      say(button, 'Not allowed')
    }
  }

  addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest('.copy') : null
    if (button === null) return
    const code = button.parentElement.classList.contains('holds-code') ? button.parentElement.querySelector('pre') : null
    const said = code ?? button.closest('article').querySelector(':scope > .said') ?? button.closest('article').querySelector('.calls')
    copy(button, (code === null ? (said?.innerText ?? '') : code.textContent).trim())
  })

  // A block of code gets its button when somebody comes to it: a page can have thousands.
  function offer(event) {
    const pre = event.target instanceof Element ? event.target.closest('pre') : null
    if (pre === null || pre.parentElement.classList.contains('holds-code')) return
    const holder = document.createElement('div')
    holder.className = 'holds-code'
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    button.setAttribute('aria-label', 'Copy this block')
    const focused = document.activeElement === pre
    pre.replaceWith(holder)
    holder.append(pre, button)
    if (focused) pre.focus()
  }
  addEventListener('pointerover', offer, { passive: true })
  addEventListener('focusin', offer)

  // A printed page says all that it can: what is folded stays folded, as it was on the screen.
  function land() {
    const target = /^#m-\d{1,9}$/.test(location.hash) ? one(location.hash.slice(1)) : null
    // Its place is known for certain only once what stands around it has been laid out.
    if (target !== null) requestAnimationFrame(() => target.scrollIntoView({ block: 'start' }))
  }
  addEventListener('hashchange', land)
  land()
})()
`
