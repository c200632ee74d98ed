import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { conversationPage } from '../../src/extras/page/html/conversation-page.ts'
import { indexPage } from '../../src/extras/page/html/index-page.ts'
import { indexedWords, indexWords } from '../../src/extras/page/html/index-words.ts'
import { example, pageOfMessages } from '../extras/page/example.ts'
import { HOSTILE_TEXTS, hostileTalk } from '../extras/page/hostile.ts'
import { tempBase } from '../helpers/repository.ts'
import { removeFolder } from '../helpers/temporary.ts'
import { openLab } from '../helpers/workspace-lab.ts'
import { said } from '../session/conversations.ts'
import { barriers, type Opened, openBrowser, openPage } from './browser.ts'

/** The pages of `cortext view` in a real browser. */

let browser: Awaited<ReturnType<typeof openBrowser>>
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tempBase(), 'cortext-pages-'))
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  removeFolder(folder)
})

let written = 0
function open(html: string, options: object = {}): Promise<Opened> {
  const file = join(folder, `${written++}.html`)
  writeFileSync(file, html)
  return openPage(browser, file, options)
}

/** Opens everything that is folded, comes to everything that a person can come to, and clicks all links. */
async function useAll({ page }: Opened): Promise<void> {
  await page.evaluate(`
    for (const each of document.querySelectorAll('details')) each.open = true
    for (const each of document.querySelectorAll('.part')) each.style?.setProperty('content-visibility', 'visible')
    addEventListener('click', (event) => { if (event.target.closest('a')) event.preventDefault() })
    for (const each of document.querySelectorAll('main *, aside *, .head *')) {
      for (const name of ['mouseover', 'pointerover', 'focusin', 'click']) each.dispatchEvent(new MouseEvent(name, { bubbles: true, cancelable: true }))
    }
    new Promise((resolve) => setTimeout(resolve, 30))`)
}

describe('what stands in a conversation does nothing in its page', () => {
  test.each(Object.entries(HOSTILE_TEXTS))('%s', async (_name, hostile) => {
    const opened = await open(
      pageOfMessages(hostileTalk(hostile), { documents: [{ name: 'plan.md', text: hostile }] }),
    )
    const { page, asked, complaints } = opened
    await useAll(opened)
    expect(asked).toEqual([])
    expect(complaints).toEqual([])
    expect(await page.evaluate('globalThis.owned')).toBe(undefined)
    expect(
      await page.evaluate(
        "document.querySelectorAll('script, style, iframe, object, svg, form, base').length",
      ),
    ).toBe(2)
    // The page itself still works.
    expect(await page.evaluate("document.querySelectorAll('article').length")).toBe(3)
    await page.close()
  })

  // promise: Nothing that a conversation contains can run or load anything in it
  // promise: The tests try it
  // promise: Its policy names the hashes
  test('even markup that got past the escaping would do nothing', async () => {
    const harm = `<script>globalThis.owned = 1</script><img src=x onerror="globalThis.owned = 1"><a id="a" href="javascript:globalThis.owned = 1">x</a><link rel="stylesheet" href="https://evil.example/a.css"><form id="f" action="https://evil.example"></form>`
    const html = conversationPage(example()).replace('<main id="talk" tabindex="-1">', (main) => main + harm)
    const { page, loaded, complaints } = await open(html)
    await page.evaluate(
      "document.getElementById('a').click(); document.getElementById('f').submit(); new Promise((resolve) => setTimeout(resolve, 100))",
    )
    expect(await page.evaluate('globalThis.owned')).toBe(undefined)
    // The policy complains of each, so this test would see it if a page of ours did any of it.
    expect(complaints.length).toBeGreaterThan(2)
    expect(loaded.filter((url) => !/^file:.*\.html$/.test(url))).toEqual([])
    await page.close()
  })
})

describe('everybody can read it', () => {
  test.each(['light', 'dark'].flatMap((colorScheme) => [1280, 390].map((width) => ({ colorScheme, width }))))(
    '$colorScheme, $width pixels wide: no barrier that axe calls serious, and nothing is cut off',
    async ({ colorScheme, width }) => {
      const opened = await open(conversationPage(example()), {
        colorScheme,
        viewport: { width, height: 900 },
      })
      await useAll(opened)
      expect(await barriers(opened.page)).toEqual([])
      expect(await opened.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      expect(opened.complaints).toEqual([])
      await opened.page.close()
    },
  )

  test('390 pixels wide: the name of a client stays on one line, however long that of the model is', async () => {
    const messages = example().messages.map((one) => ({ ...one, model: 'claude-sonnet-4-5-20250929-v1:0' }))
    const { page } = await open(pageOfMessages(messages), { viewport: { width: 390, height: 900 } })
    const heights =
      "[...document.querySelectorAll('.agent .who')].map((one) => one.offsetHeight).filter((one) => one > 0)"
    const [height, ...others] = (await page.evaluate(heights)) as number[]
    expect(height).toBeLessThan(30)
    expect(new Set(others)).toEqual(new Set([height]))
    await page.close()
  })

  test('a keyboard alone: the talk, the search, its matches, and back', async () => {
    const { page } = await open(conversationPage(example()))
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the talk')
    await page.keyboard.press('/')
    expect(await page.evaluate('document.activeElement.id')).toBe('search')
    await page.keyboard.type('readRevoked')
    await page.keyboard.press('Enter')
    await until(page, "document.getElementById('count').textContent.includes('/')")
    expect(await page.textContent('#count')).toBe('1 / 4')
    expect(await page.evaluate("document.querySelector('.hit').id")).toBe('m-2')
    // What was found lies in a result, which is unfolded for it.
    expect(await page.evaluate("document.querySelector('.hit details[open] .tool').textContent")).toBe('Read')
    await page.keyboard.press('Enter')
    expect(await page.evaluate("document.querySelector('.hit').id")).toBe('m-3')
    await page.keyboard.press('Escape')
    expect(await page.evaluate("document.querySelectorAll('.hit').length")).toBe(0)
    await page.close()
  })
})

test('a link to a message leads there', async () => {
  const messages = Array.from({ length: 300 }, (_, n) =>
    said(`${n}`, { content: `line\n\n`.repeat((n * 7) % 40) }),
  )
  const file = join(folder, 'links.html')
  writeFileSync(file, pageOfMessages(messages))
  const { page } = await openPage(browser, file)
  await page.evaluate("location.hash = '#m-212'; new Promise((resolve) => setTimeout(resolve, 300))")
  const top = await page.evaluate<number>("document.getElementById('m-212').getBoundingClientRect().top")
  expect(top).toBeGreaterThanOrEqual(0)
  expect(top).toBeLessThan(300)
  await page.close()
})

test('a message and a block of code can be copied', async () => {
  const { page } = await open(conversationPage(example()), {
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await page.click('#m-1 .copy')
  await until(page, "document.querySelector('#m-1 .copy').textContent === 'Copied'")
  expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(
    /^The token check is slow .* tell me why\?$/,
  )
  await page.evaluate("document.querySelector('#m-3 pre').focus()")
  await page.click('#m-3 .holds-code > .copy')
  await until(page, "document.querySelector('#m-3 .holds-code > .copy').textContent === 'Copied'")
  expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^import \{ readRevoked \}[\s\S]*\}$/)
  await page.close()
})

test('a printed page has the talk and none of the tools', async () => {
  const { page } = await open(conversationPage(example()), {})
  await (page as unknown as { emulateMedia(media: object): Promise<void> }).emulateMedia({ media: 'print' })
  expect(await page.evaluate("getComputedStyle(document.querySelector('.bar')).display")).toBe('none')
  expect(await page.evaluate("getComputedStyle(document.querySelector('.part')).contentVisibility")).toBe(
    'visible',
  )
  await page.close()
})

test('what the clients recorded: by the program itself, without a complaint or a barrier', async () => {
  const lab = await openLab()
  try {
    const fixtures = { claude: 'claude/2.1.330', gemini: 'gemini/0.61.0', opencode: 'opencode/1.18.33' }
    for (const [client, place] of Object.entries(fixtures)) {
      const file = join(import.meta.dirname, '../fixtures', place, 'recorded.jsonl')
      const imported = await lab.json<{ path: string }>(['import', client, '--file', file, '--json'])
      const path = String(JSON.stringify(imported).match(/conversations\/[^"]+/)![0])
      const made = await lab.json<{ path: string }>(['view', path.split('/').at(-1)!, '--json'])
      const opened = await openPage(browser, made.path)
      expect(await opened.page.evaluate("document.querySelectorAll('article').length")).toBeGreaterThan(1)
      await useAll(opened)
      expect({ client, asked: opened.asked, complaints: opened.complaints }).toEqual({
        client,
        asked: [],
        complaints: [],
      })
      expect(await barriers(opened.page)).toEqual([])
      await opened.page.close()
    }
  } finally {
    lab.remove()
  }
})

describe('the index of a workspace', () => {
  const cards = Object.entries(HOSTILE_TEXTS).map(([name, text], number) => ({
    page: `pages/${number}.html`,
    title: `${name} ${text.slice(0, 300)}`,
    summary: text.slice(0, 600),
    type: number % 2 === 0 ? 'plan' : 'debug',
    status: 'paused',
    tags: [text.slice(0, 60), `tag ${number % 3}`],
    clients: number % 2 === 0 ? ['Claude Code'] : ['Gemini CLI', 'OpenCode'],
    people: ['Ann', text.slice(0, 40)],
    lastActive: new Date(Date.UTC(2026, 10, 21 - (number % 9))).toISOString(),
    messages: number,
  }))
  const days = new Map(cards.map(({ lastActive, messages }) => [lastActive.slice(0, 10), messages]))
  const words = indexWords(
    Object.values(HOSTILE_TEXTS).map((text, number) =>
      indexedWords([said('1', { content: `${text} Word${number}x` })], [text]),
    ),
  )
  const html = indexPage({ cards, words, days, name: 'project', zone: 'UTC' })

  test.each(['light', 'dark'].flatMap((colorScheme) => [1280, 390].map((width) => ({ colorScheme, width }))))(
    '$colorScheme, $width pixels wide: hostile conversations do nothing, and there is no barrier',
    async ({ colorScheme, width }) => {
      const opened = await open(html, { colorScheme, viewport: { width, height: 900 } })
      const { page, asked, complaints } = opened
      await useAll(opened)
      expect({ asked, complaints, owned: await page.evaluate('globalThis.owned') }).toEqual({
        asked: [],
        complaints: [],
      })
      expect(await barriers(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      await page.close()
    },
  )

  test('its search finds a word that was only said, and its filters leave out the rest', async () => {
    const { page } = await open(html)
    const left = "document.querySelectorAll('.card:not([hidden])').length"
    expect(await page.evaluate(left)).toBe(cards.length)
    await page.fill('#search', 'word7')
    await until(page, `${left} === 1`)
    expect(await page.evaluate("document.querySelector('.card:not([hidden])').dataset.number")).toBe('7')
    await page.fill('#search', '')
    await until(page, `${left} === ${cards.length}`)
    await page.evaluate(
      "document.getElementById('type').value = 'plan'; document.getElementById('type').dispatchEvent(new Event('change'))",
    )
    expect(await page.evaluate(left)).toBe(Math.ceil(cards.length / 2))
    await page.close()
  })
})

test('20,000 messages: how long it takes until they are seen, and to go through them', async () => {
  const file = join(folder, 'long.html')
  const began = performance.now()
  const html = pageOfMessages(longTalk(20_000))
  const made = performance.now() - began
  writeFileSync(file, html)
  const { page, complaints } = await openPage(browser, file)
  const measured = await page.evaluate<Record<string, number>>(`(async () => {
    const paint = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1
    const load = performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const height = document.documentElement.scrollHeight
    const step = async (to) => {
      const began = performance.now()
      scrollTo(0, to)
      await frame()
      await frame()
      return performance.now() - began
    }
    const jumps = []
    for (let at = 1; at <= 20; at++) jumps.push(await step((height / 20) * at))
    const screens = []
    for (let at = 0; at < 60; at++) screens.push(await step(height / 2 + at * 700))
    const sorted = screens.sort((a, b) => a - b)
    return { paint, load, jump: Math.max(...jumps), screen: sorted[30], worst: sorted[59] }
  })()`)
  await page.fill('#search', 'step 19998 ')
  await until(page, "document.getElementById('count').textContent.includes('/')")
  const found = await page.evaluate("document.querySelector('.hit').id")
  process.stdout.write(
    `20,000 messages, ${(html.length / 1e6).toFixed(1)} MB: made in ${Math.round(made)} ms, first paint after ${Math.round(measured.paint!)} ms, all read after ${Math.round(measured.load!)} ms, a screen further takes ${Math.round(measured.screen!)} ms (two frames; at most ${Math.round(measured.worst!)}), the longest jump ${Math.round(measured.jump!)} ms\n`,
  )
  expect(complaints).toEqual([])
  expect(found).toBe('m-19999')
  await page.close()
})

/** Asks from outside: the page's own policy forbids to evaluate a text in it. */
async function until(page: Opened['page'], what: string): Promise<void> {
  await expect.poll(() => page.evaluate(what)).toBe(true)
}

/** Turns with prose, code and calls, as people and agents have them. */
function longTalk(count: number) {
  return Array.from({ length: count }, (_, n) => {
    const talk = { timestamp: new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString(), client: 'claude' }
    if (n % 4 === 0)
      return said(`${n}`, { content: `Please do step ${n} of the plan, and tell me what changes.`, ...talk })
    const code = n % 12 === 1 ? '\n\n```ts\nexport const step = (n: number) => n + 1\n```\n' : ''
    return said(`${n}`, {
      role: 'assistant',
      content: `Now step ${n} of it. ${'It reads the list, and **keeps** what it has read. '.repeat(1 + (n % 9))}${code}`,
      ...(n % 3 === 0
        ? { tool_calls: [{ id: `c${n}`, name: 'Bash', arguments: { command: `npm test -- ${n}` } }] }
        : {}),
      ...talk,
    })
  })
}
