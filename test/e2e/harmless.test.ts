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

/** What a wrong cortext prints, and what a client would say if it did not go on. */
const NOISE = /unknown command|Usage: cortext|TypeError|blocked/i

const WRONG = ['an old version that does not know the verb', 'one that crashes']

function putWrong(lab: Lab, what: string): void {
  putProgram(lab.bin, 'cortext', WRONG_CORTEXTS[what] ?? 'exec sleep 60')
}

/** Hooks are given up after so long, which is tested as it is set, but shorter. */
function shorten(lab: Lab, path: string, from: RegExp, to: string): void {
  const file = join(lab.project, path)
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(from, to))
}

describe.each(CLAUDE_VERSIONS)('Claude Code %s', (version) => {
  // promise: Your client works as before if cortext is missing or broken.
  it('works as before with one that crashes, and says itself what is wrong', async () => {
    await using lab = await openWorkspaceLab({ version })
    const terminal = await lab.interactive()
    putWrong(lab, 'one that crashes')
    await sayTo(terminal, TYPED, 'Scripted answer 1.')
    await sayTo(terminal, 'more', 'Scripted answer 2.')
    expect(terminal.history()).toMatch(/hook (error|failed)\s+.*TypeError: x/)
    expect(lab.model.requests.map(allText).join()).not.toMatch(NOISE)
    await terminal.submit('/exit')
    expect(await terminal.waitForExit()).toBe(0)
  })

  // promise: It runs the `cortext`
  it('is held up by another program of that name that does not know the verb, and says so', async () => {
    await using lab = await openWorkspaceLab({ version })
    const terminal = await lab.interactive()
    putWrong(lab, 'an old version that does not know the verb')
    await terminal.submit('hello')
    await terminal.waitFor("unknown command 'hook'")
    expect(lab.model.requests).toEqual([])
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
  // promise: Your client works as before
  // promise: the client goes on;
  it.each(WRONG)('works as before with %s, and shows once what is wrong', async (what) => {
    await using lab = await openGeminiWorkspaceLab()
    putWrong(lab, what)
    const terminal = await lab.interactive()
    await say(terminal, TYPED, 'Scripted answer 1.')
    await say(terminal, 'more', 'Scripted answer 2.')
    expect(terminal.history().match(/\[cortext\]$/gm)).toHaveLength(1)
    expect(JSON.stringify(lab.model.requests)).not.toMatch(NOISE)
    expect(await leave(terminal)).toBe(0)
  })

  // promise: Your client works as before
  it('works as before without it, and shows so once', async () => {
    await using lab = await openGeminiWorkspaceLab()
    rmSync(join(lab.bin, 'cortext'))
    const terminal = await lab.interactive()
    await say(terminal, 'hello', 'Scripted answer 1.')
    await say(terminal, 'more', 'Scripted answer 2.')
    expect(terminal.history().match(/cortext: command not found/g)).toHaveLength(1)
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
      if (what === 'one that hangs') expect(terminal.history()).toContain('Hook failed')
      else expect(terminal.history(), what).not.toMatch(NOISE)
      expect(await leaveCodex(terminal), what).toBe(0)
    }
    // Its own prompt has some of these words.
    const told = lab.model.requests.map((one) => allText({ ...one, system: '' })).join()
    expect(told).not.toMatch(/unknown command|Usage: cortext|TypeError/i)
    expect(lab.conversations()).toEqual([])
    // And where there is none at all.
    rmSync(join(lab.bin, 'cortext'))
    const done = await lab.headless('$workspace-brainstorm API design')
    expect(done).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Scripted answer/) })
    expect(done.stderr).not.toMatch(/hook: \w+ (Failed|Blocked)/)
    const [thread] = [...done.stderr.matchAll(/session id: (\S+)/g)].map(([, id]) => id!)
    // A resume says so once.
    const resumed = await lab.headless('go on', ['resume', thread!])
    expect(resumed).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Scripted answer/) })
    expect(resumed.stderr.match(/hook: \w+ Failed/g)).toEqual(['hook: SessionStart Failed'])
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
      // It is said once, and goes away by itself, perhaps before the prompt has been sent on a busy machine.
      const told = answers === 0 ? terminal.waitFor('cortext does not') : undefined
      await Promise.all([told, terminal.submit(TYPED, { after: 300 })])
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
