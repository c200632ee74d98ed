import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openBrowser, openPage } from './browser.ts'
import { openLab as openClaudeLab } from './claude.ts'
import { openLab } from './lab.ts'
import { svgOf } from './pictures/svg.ts'
import { writeTalks } from './pictures/workspace.ts'

/** The pictures in the README are of real runs. `npm run pictures` takes them anew; else they have to be as they are. */
const FOLDER = join(import.meta.dirname, '../../docs/pictures')
const TAKES = process.env.CORTEXT_PICTURES === 'take'

async function openPictured(now?: Date) {
  const lab = await openLab(() => ({ TZ: 'UTC' }))
  expect((await lab.run(['cortext', 'init', '--in', 'claude'])).code).toBe(0)
  writeTalks(lab.project, now)
  return lab
}

function check(name: string, content: string): void {
  mkdirSync(FOLDER, { recursive: true })
  if (TAKES) writeFileSync(join(FOLDER, name), content)
  expect(content, `${name} is out of date: npm run pictures`).toBe(readFileSync(join(FOLDER, name), 'utf8'))
}

// promise: The picker in a terminal of 80 columns
it('the picture of the picker is what a person sees', async () => {
  await using lab = await openPictured(new Date())
  const terminal = lab.terminal(['cortext'], { cols: 80, rows: 20 })
  await terminal.waitFor(/You said last: .*fields\?"[\s\S]*1 of 4\n/)
  check('picker.svg', svgOf('The picker of cortext', terminal.coloured(), 80))
})

// promise: The list in a terminal of 80 columns: number, type, time, client and title; where not all are
it('the picture of the list is what a person sees', async () => {
  await using lab = await openPictured(new Date())
  const terminal = lab.terminal(['cortext', 'list'], { cols: 80, rows: 12 })
  await terminal.waitForExit()
  check('list.svg', svgOf('cortext list', terminal.coloured().replace(/\nPane is dead.*/s, ''), 80))
})

// promise: What Claude Code shows when it has started
it('the picture of the recap is what a person sees when the client has started', async () => {
  await using lab = await openClaudeLab()
  expect((await lab.run(['cortext', 'init', '--in', 'claude'])).code).toBe(0)
  writeTalks(lab.project, new Date())
  const terminal = lab.terminal(['cortext', 'resume', 'api'], { cols: 80, rows: 40 })
  await terminal.waitFor(/The answer: [\s\S]*\n❯/)
  // What stands above is the client's own, with its version and the folder.
  const recap = /^❯ \/workspace\.brainstorm API design\n[\s\S]*?(?=\n[─\s]+\n❯)/m.exec(terminal.screen())![0]
  check('recap.svg', svgOf('cortext resume api, as Claude Code begins', recap, 80))
})

it('the picture of the page is of the page as it is made', async () => {
  await using lab = await openPictured()
  const file = join(lab.folder, 'page.html')
  const made = await lab.run(['cortext', 'view', 'api', '--no-open', '-o', file])
  expect(made.code).toBe(0)
  // A picture is drawn a little differently by every browser, so the page itself is compared.
  const hash = createHash('sha256').update(readFileSync(file)).digest('hex')
  if (TAKES) {
    const browser = await openBrowser()
    const { page } = await openPage(browser, file, {
      viewport: { width: 1280, height: 800 },
      deviceScaleFactor: 1,
    })
    writeFileSync(join(FOLDER, 'page.png'), await page.screenshot())
    await browser.close()
  }
  check('page.sha256', `${hash}\n`)
})
