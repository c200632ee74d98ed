import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { putProgram, WRONG_CORTEXTS } from '../helpers/stand-ins.ts'
import { leaveCodex } from './codex.ts'
import { openCodexWorkspaceLab } from './codex-workspace.ts'
import { leave, openGeminiWorkspaceLab, say } from './gemini-workspace.ts'
import { CLAUDE_VERSIONS } from './install.ts'
import type { Lab } from './lab.ts'
import { allText } from './model-request.ts'
import { openWorkspaceLab as openOpenCodeLab } from './opencode-workspace.ts'
import { say as sayTo } from './say.ts'
import { openWorkspaceLab } from './workspace-lab.ts'

/** A workspace was set up, and then `cortext` became something else: the clients work as if it were not there. */

const TYPED = '/workspace.brainstorm API design'

/** What a wrong cortext prints, and what clients say of a hook that fails. */
const NOISE =
  /unknown command|Usage: cortext|Welcome to cortext|TypeError|hook (error|failed)|blocked|half an answ/i

const WRONG = ['an old version that does not know the verb', 'one that crashes', 'one that prints words']

function putWrong(lab: Lab, what: string): void {
  putProgram(lab.bin, 'cortext', WRONG_CORTEXTS[what] ?? 'exec sleep 60')
}

/** Hooks are given up after so long, which is tested as it is set, but shorter. */
function shorten(lab: Lab, path: string, from: RegExp, to: string): void {
  const file = join(lab.project, path)
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(from, to))
}

describe.each(CLAUDE_VERSIONS)('Claude Code %s', (version) => {
  it('works as before with each of them', async () => {
    await using lab = await openWorkspaceLab({ version })
    const terminal = await lab.interactive()
    const warnings = () => terminal.history().match(/this conversation is not being recorded/g)?.length ?? 0
    let answers = 0
    for (const what of WRONG) {
      putWrong(lab, what)
      const before = warnings()
      await sayTo(terminal, TYPED, `Scripted answer ${++answers}.`)
      await sayTo(terminal, 'more', `Scripted answer ${++answers}.`)
      // Words alone look as if it had nothing to say.
      expect(warnings() - before, what).toBe(what === 'one that prints words' ? 0 : 1)
    }
    expect(terminal.history()).not.toMatch(NOISE)
    expect(lab.model.requests.map(allText).join()).not.toMatch(NOISE)
    await terminal.submit('/exit')
    expect(await terminal.waitForExit()).toBe(0)
  })

  it('gives up a hook that hangs, and goes on', async () => {
    await using lab = await openWorkspaceLab({ version })
    shorten(lab, '.claude/settings.local.json', /"timeout": 20/g, '"timeout": 1')
    putWrong(lab, 'one that hangs')
    const terminal = await lab.interactive([TYPED])
    await terminal.waitFor('Scripted answer 1.')
    await terminal.submit('more')
    await terminal.waitFor('Scripted answer 2.')
    expect(lab.model.requests.map(allText).join()).not.toMatch(NOISE)
    await terminal.submit('/exit')
    expect(await terminal.waitForExit()).toBe(0)
  })
})

describe('Gemini CLI', () => {
  it.each(WRONG)('works as before with %s', async (what) => {
    await using lab = await openGeminiWorkspaceLab()
    putWrong(lab, what)
    const terminal = await lab.interactive()
    await say(terminal, TYPED, 'Scripted answer 1.')
    await say(terminal, 'more', 'Scripted answer 2.')
    const told = terminal.history().match(/not being recorded/g) ?? []
    expect(told).toHaveLength(what === 'one that prints words' ? 0 : 1)
    expect(terminal.history()).not.toMatch(NOISE)
    expect(JSON.stringify(lab.model.requests)).not.toMatch(NOISE)
    expect(await leave(terminal)).toBe(0)
  })

  it('gives up a hook that hangs, and goes on', async () => {
    await using lab = await openGeminiWorkspaceLab()
    shorten(lab, '.gemini/settings.json', /"timeout": (20|5)000/g, '"timeout": 1000')
    putWrong(lab, 'one that hangs')
    const terminal = await lab.interactive()
    await say(terminal, TYPED, 'Scripted answer 1.')
    await say(terminal, 'more', 'Scripted answer 2.')
    expect(JSON.stringify(lab.model.requests)).not.toMatch(NOISE)
    expect(await leave(terminal)).toBe(0)
  })
})

describe('Codex CLI', () => {
  it('works as before with each of them, and gives up one that hangs', async () => {
    await using lab = await openCodexWorkspaceLab({ trustsHooks: false })
    shorten(lab, '.codex/hooks.json', /"timeout": (20|3)/g, '"timeout": 1')
    await lab.trustHooks()
    for (const what of [...WRONG, 'one that hangs']) {
      putWrong(lab, what)
      const terminal = await lab.interactive()
      await sayTo(terminal, '$workspace-brainstorm API design', /Scripted answer \d+\./)
      const told = terminal.history().match(/not being recorded/g) ?? []
      expect(told, what).toHaveLength(/words|hangs/.test(what) ? 0 : 1)
      if (what === 'one that hangs') expect(terminal.history()).toContain('Hook failed')
      else expect(terminal.history(), what).not.toMatch(NOISE)
      expect(await leaveCodex(terminal), what).toBe(0)
    }
    // Its own prompt has some of these words.
    const told = lab.model.requests.map((one) => allText({ ...one, system: '' })).join()
    expect(told).not.toMatch(/unknown command|Usage: cortext|Welcome to cortext|TypeError|half an answ/i)
    expect(lab.conversations()).toEqual([])
    // And where there is none at all.
    rmSync(join(lab.bin, 'cortext'))
    const done = await lab.headless('$workspace-brainstorm API design')
    expect(done).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Scripted answer/) })
    expect(done.stderr).not.toMatch(/hook: \w+ (Failed|Blocked)/)
  })
})

describe('OpenCode', () => {
  it('works as before with each of them, and gives up one that hangs', async () => {
    await using lab = await openOpenCodeLab()
    shorten(lab, '.opencode/plugins/cortext.js', /HOOK_TIMEOUT_MS = 15e3/g, 'HOOK_TIMEOUT_MS = 1_000')
    const terminal = await lab.interactive()
    let answers = 0
    for (const what of [...WRONG, 'one that hangs']) {
      putWrong(lab, what)
      await terminal.submit(TYPED, { after: 300 })
      // It goes away by itself.
      await terminal.waitFor('cortext does not')
      await terminal.waitFor(`Scripted answer ${++answers}.`)
      await sayTo(terminal, 'more', `Scripted answer ${++answers}.`)
      expect(terminal.screen(), what).not.toMatch(NOISE)
    }
    const received = lab.model.requests.map(allText)
    expect(received[0]).toContain('Topic: API design')
    expect(received.join()).not.toMatch(NOISE)
    expect(lab.conversations()).toEqual([])
    await terminal.submit('/exit')
    expect(await terminal.waitForExit()).toBe(0)
  })
})
