import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
// @ts-expect-error: the benchmark's data has no types
import { addConversations } from '../bench/data.mjs'
import { putProgram } from '../helpers/stand-ins.ts'
import { openWorkspaceLab, type WorkspaceLab } from './workspace-lab.ts'

/** Three kept conversations, the newest one first: a Chinese title, a long one, one with an emoji. */
async function threeKept(): Promise<WorkspaceLab> {
  const lab = await openWorkspaceLab()
  await lab.headless(['/workspace.debug Why is the 🚀 release slow in Zürich?'])
  await lab.headless(['-c', 'It is the kumquat cache'])
  await lab.headless([
    '/workspace.plan Which of the fields are theirs, and how do we tell the three teams that call us?',
  ])
  await lab.headless(['/workspace.brainstorm 数据库设计讨论：是否使用发件箱表来保证顺序'])
  await lab.cortext(['save'])
  return lab
}

describe('with three conversations', () => {
  let open: WorkspaceLab | undefined
  /** The tests share a lab, and the last one archives a conversation in it. */
  const sharedLab = async () => {
    open ??= await threeKept()
    return open
  }
  afterAll(() => open?.close())

  // promise: `TERM=dumb` or `ACCESSIBLE=1` asks by numbers
  it('S4-P4-13 numbers and words do where the terminal is a plain one', async () => {
    const lab = await sharedLab()
    const terminal = lab.terminal(['env', 'TERM=dumb', 'cortext'], { cols: 100, rows: 30 })
    await terminal.waitFor(/^3\. 数据库.*; brainstorm, just now, Claude Code$/m)
    await terminal.waitFor('A number, words to find one, n for a new one, or just Enter to quit:')
    terminal.type('kumquat')
    terminal.press('Enter')
    await terminal.waitFor(/^Go on with:\n1\. Why is the/m)
    terminal.press('Enter')
    expect(await terminal.waitForExit()).toBe(0)
  })

  it.each(['C-c', 'C-d'])('%s in a plain terminal cancels, and is no bug', async (key) => {
    const lab = await sharedLab()
    const terminal = lab.terminal(['env', 'TERM=dumb', 'cortext'], { cols: 100, rows: 30 })
    await terminal.waitFor('or just Enter to quit:')
    terminal.press(key)
    expect(await terminal.waitForExit()).toBe(130)
    expect(terminal.history()).not.toMatch(/this is a bug|Abort/)
  })

  it('S4-P4-13 the picker is read in a terminal of any width, and says what each key does', async () => {
    const lab = await sharedLab()
    for (const [cols, rows] of [
      [60, 20],
      [80, 24],
      [120, 30],
      [200, 50],
    ] as const) {
      const terminal = lab.terminal(['cortext'], { cols, rows })
      await terminal.waitFor(/brainstorm, \d+ messages?/)
      terminal.press('Down')
      // A screen may be read while it is drawn, so all of it is waited for.
      await terminal.waitFor(
        (screen) =>
          screen.startsWith('Go on with\n') &&
          screen.includes('数据库设计讨论') &&
          screen.includes('Why is the 🚀') &&
          [/^❯ Which of/m, /plan, \d+ messages?/, /You said last:/, /2 of 3\n.*↵ go on .* Esc quit/].every(
            (one) => one.test(screen),
          ),
      )
      terminal.press('Escape')
      expect(await terminal.waitForExit()).toBe(0)
      expect(terminal.history()).not.toMatch(/Go on with|Which of/)
    }
  })

  // promise: are marked `not saved`, and appear as soon as their client has listed them
  it('S4-P4-13 a client that takes its time to tell its sessions holds nothing up', async () => {
    const lab = await sharedLab()
    mkdirSync(join(lab.home, '.local/share/opencode'), { recursive: true })
    putProgram(lab.bin, 'opencode', 'sleep 60')
    const temporary = join(lab.folder, 'temporary')
    mkdirSync(temporary)
    const terminal = lab.terminal(['env', `TMPDIR=${temporary}`, 'cortext'], { cols: 100, rows: 24 })
    await terminal.waitFor(/^❯ 数据库[\s\S]*asking the clients for their own sessions/m, { timeout: 5000 })
    terminal.press('Escape')
    expect(await terminal.waitForExit({ timeout: 5000 })).toBe(0)
    // The client was stopped in the middle, and what it was given to write to is gone with it.
    expect(readdirSync(temporary)).toEqual([])
    rmSync(join(lab.bin, 'opencode'))
  })

  it('S4-P4-13 another client can be chosen on the way, and what is begun anew has a key', async () => {
    const lab = await sharedLab()
    putProgram(lab.bin, 'gemini', 'echo "gemini was started"')
    const terminal = lab.terminal(['cortext'], { cols: 80, rows: 24 })
    await terminal.waitFor(/^❯ 数据库/m)
    terminal.press('Right')
    await terminal.waitFor('client: Gemini CLI')
    terminal.press('Enter')
    await terminal.waitFor('gemini was started')
    await terminal.waitForExit()
    rmSync(join(lab.bin, 'gemini'))
  })

  // promise: Type to find by title,
  // promise: `/words` is that search alone.
  it('S4-P4-13 titles are found without accents, words that were said by them, and nothing is typed twice', async () => {
    const lab = await sharedLab()
    const terminal = lab.terminal(['cortext'], { cols: 80, rows: 24 })
    await terminal.waitFor('1 of 3')
    terminal.type('zur')
    await terminal.waitFor(/^❯ Why is the[\s\S]*1 of 1 \(3\)/m)
    terminal.press('Escape')
    await terminal.waitFor(/^Go on with\n[\s\S]*1 of 3/m)
    terminal.type('/kumquat')
    await terminal.waitFor(/^❯ Why is the[\s\S]*1 of 1 \(3\)/m)
    terminal.press('Escape')
    await terminal.waitFor(/^Go on with\n[\s\S]*1 of 3/m)
    terminal.type('?')
    await terminal.waitFor('Ctrl-X    archive it')
    terminal.press('BSpace')
    await terminal.waitFor(/^Go on with\n❯ 数据库/m)

    terminal.press('C-x')
    await terminal.waitFor(/1 of 2 · archived; undo: cortext edit 3 --unarchive/)
    expect(await terminal.waitFor(/^❯ Which of/m)).not.toContain('数据库')
    terminal.press('Escape')
    expect(await terminal.waitForExit()).toBe(0)
    const { conversations } = JSON.parse((await lab.cortext(['list', '--all', '--json'])).stdout)
    expect(conversations.filter(({ archived }: { archived: boolean }) => archived)).toHaveLength(1)
  })
})

it('S4-P4-13 in a workspace of several people a wide terminal tells who typed last, and the preview who began', async () => {
  await using lab = await openWorkspaceLab()
  lab.git('config', 'user.name', 'Ann Lee')
  await lab.headless(['/workspace.plan Fields'])
  await lab.headless(['/workspace.plan Of one alone'])
  // Who typed is noted when it is saved.
  for (const number of ['1', '2']) await lab.cortext(['save', number])
  const seen = async (cols: number, pattern: RegExp) => {
    const terminal = lab.terminal(['cortext'], { cols, rows: 30 })
    await terminal.waitFor((screen) => /^❯ .*plan/m.test(screen) && pattern.test(screen))
    const screen = terminal.screen()
    terminal.press('Escape')
    await terminal.waitForExit()
    return screen
  }
  expect(await seen(200, /plan, \d+ messages?/)).not.toMatch(/^❯ .* Ann Lee +│/m)
  lab.git('config', 'user.name', 'Bob 李')
  await lab.headless(['-c', 'I go on, says Bob'])
  await lab.cortext(['save', '2'])
  expect(await seen(200, /Begun by Ann Lee; last said by Bob 李/)).toMatch(
    /^❯ Of one alone .* Bob 李 +│[\s\S]*^ {2}Fields .* Ann Lee +│/m,
  )
  expect(await seen(80, /Begun by Ann Lee; last said by Bob 李/)).not.toMatch(/^❯ .*Bob/m)
})

it('S4-P4-13 five thousand conversations: sessions that are not saved come all the same, and what was archived meanwhile stays away', async () => {
  await using lab = await openWorkspaceLab()
  writeFileSync(
    join(lab.project, '.workspace/config.json'),
    JSON.stringify({ list: { archiveAfterDays: 0, maxOpen: 0 } }),
  )
  addConversations(lab.project, 5000, 2)
  mkdirSync(join(lab.home, '.local/share/opencode'), { recursive: true })
  const session = { id: 'ses_1', title: 'Endpoints', directory: lab.project, updated: Date.now() }
  const gate = join(lab.folder, 'gate')
  putProgram(
    lab.bin,
    'opencode',
    `i=0; while [ ! -e '${gate}' ] && [ $i -lt 80 ]; do sleep 0.1; i=$((i+1)); done; echo '${JSON.stringify([session])}'`,
  )
  const terminal = lab.terminal(['cortext'], { cols: 100, rows: 24 })
  await terminal.waitFor('1 of 5000 · asking the clients')
  terminal.press('C-x')
  await terminal.waitFor('1 of 4999 · archived')
  writeFileSync(gate, '')
  await terminal.waitFor('1 of 5000')
  expect(terminal.screen()).not.toContain('Question 4999:')
  terminal.type('endpoints')
  await terminal.waitFor(/^❯ Endpoints +not saved/m)
  terminal.press('C-x')
  await terminal.waitFor('cannot be archived')
  expect(terminal.screen()).toMatch(/^❯ Endpoints +not saved/m)
  terminal.press('Escape')
  await terminal.waitFor(/^Go on with\n/m)
  terminal.press('Escape')
  expect(await terminal.waitForExit()).toBe(0)
})
