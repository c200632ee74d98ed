import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** What the tests use of Playwright, which lies apart from the program's own dependencies. */
export interface Page {
  goto(url: string): Promise<unknown>
  evaluate<T, A = undefined>(what: string | ((given: A) => T), given?: A): Promise<Awaited<T>>
  click(selector: string): Promise<void>
  fill(selector: string, text: string): Promise<void>
  textContent(selector: string): Promise<string | null>
  setViewportSize(size: { width: number; height: number }): Promise<void>
  keyboard: { press(key: string): Promise<void>; type(text: string): Promise<void> }
  on(event: string, hear: (what: never) => void): void
  screenshot(): Promise<Buffer>
  close(): Promise<void>
}

interface Browser {
  newPage(options?: object): Promise<Page>
  close(): Promise<void>
}

const FOLDER = join(import.meta.dirname, 'browser')
const require = createRequire(join(FOLDER, 'package.json'))

/** A browser without a window. Whoever opens it closes it. */
export async function openBrowser(): Promise<Browser> {
  const { systemBrowser } = (await import(pathToFileURL(join(FOLDER, 'install.mjs')).href)) as {
    systemBrowser: () => string | undefined
  }
  const { chromium } = require('playwright-core') as {
    chromium: { launch(options: object): Promise<Browser> }
  }
  const executablePath = systemBrowser()
  // A container's root has no sandbox, and only pages of ours are opened.
  return chromium.launch({
    args: ['--no-sandbox'],
    ...(executablePath === undefined ? {} : { executablePath }),
  })
}

/** A page that was opened, with all that it asked for beside itself and all that it complained of. */
export interface Opened {
  page: Page
  asked: string[]
  /** What of that came. */
  loaded: string[]
  complaints: string[]
}

/** Opens a file as a person would, and waits until it is there. */
export async function openPage(browser: Browser, file: string, options: object = {}): Promise<Opened> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options })
  const url = pathToFileURL(file).href
  const asked: string[] = []
  const loaded: string[] = []
  const complaints: string[] = []
  page.on('requestfinished', (request: { url(): string }) => loaded.push(request.url()))
  page.on('request', (request: { url(): string }) => {
    if (request.url().split('#')[0] !== url && !request.url().startsWith('data:')) asked.push(request.url())
  })
  page.on('console', (message: { type(): string; text(): string }) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error: Error) => complaints.push(String(error)))
  page.on('dialog', (dialog: { message(): string; dismiss(): Promise<void> }) => {
    complaints.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('popup', () => complaints.push('a new window'))
  await page.goto(url)
  return { page, asked, loaded, complaints }
}

interface Violation {
  id: string
  impact: string
  nodes: { target: string[]; failureSummary: string }[]
}

/** What axe finds wrong for people who read with a screen reader, a keyboard, or need contrast: serious or worse. */
export async function barriers(page: Page): Promise<string[]> {
  const { source } = require('axe-core') as { source: string }
  await page.evaluate(source)
  const violations = await page.evaluate<Violation[]>('axe.run().then(({ violations }) => violations)')
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.slice(0, 5).map((one) => `${id}: ${one.target} ${one.failureSummary}`))
}
