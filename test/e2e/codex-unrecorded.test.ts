import { describe, expect, it } from 'vitest'
import { asTyped } from './as-typed.ts'
import { codexShell, leaveCodex } from './codex.ts'
import { answerTrust, openCodexWorkspaceLab } from './codex-workspace.ts'
import { allText, toolResults } from './model-request.ts'
import { say } from './say.ts'
import { saidIn, stopped, stopWith } from './workspace-lab.ts'

const STOP = /^\$workspace-stop-conversation/

describe('a thread of Codex CLI whose hooks nobody has trusted', () => {
  // promise: what was said meanwhile is taken in whole by `$workspace-stop-conversation`, `cortext import
  it('S1-002a S2-14 S4-P4-13 S0-D6a: is listed and gone on with without a trace, adopted whole by its stop, and imported once', async () => {
    await using lab = await openCodexWorkspaceLab({ trustsHooks: false })
    await lab.headless('How do we name endpoints?')
    await lab.headless('Which database?')
    asTyped(lab.home)
    const clean = lab.status()
    const head = lab.git('rev-parse', 'HEAD')
    expect((await lab.cortext([])).stdout).toMatch(
      /Sessions of this folder that are not saved:[\s\S]*^ {2}codex {2}/m,
    )
    const picker = lab.terminal(['cortext'], { cols: 140, rows: 42 })
    await picker.waitFor(/not saved .*Which database/)
    picker.type('endpoints')
    await picker.waitFor((shown) => !/not saved .*Which database/.test(shown))
    picker.press('Enter')
    await answerTrust(picker, 3)
    await say(picker, 'and versions?', 'Scripted answer 3.')
    expect(allText(lab.model.requests.at(-1)!)).toContain('How do we name endpoints?')
    expect([lab.status(), lab.conversations(), lab.git('rev-parse', 'HEAD')]).toEqual([clean, [], head])

    const stop = codexShell(stopWith('In plural.'))
    for (const said of ['Saved.', 'Not again.']) {
      lab.model.when(STOP, stop, said)
      await say(picker, '$workspace-stop-conversation ', said)
    }
    const [first, again] = lab.model.requests.slice(-4).filter((one) => toolResults(one).length > 0)
    // Codex CLI puts lines of its own before what a command prints.
    expect(toolResults(first!).join().split('\nOutput:\n').at(-1)).toBe(
      stopped('How do we name endpoints?', 'In plural.'),
    )
    expect(toolResults(again!).join()).toContain(
      '"How do we name endpoints?" is saved already; nothing was said here since',
    )
    await leaveCodex(picker)
    expect(saidIn(lab.messages())).toEqual([
      'user: How do we name endpoints?',
      'assistant: Scripted answer 1.',
      'user: and versions?',
      'assistant: Scripted answer 3.',
    ])
    expect(lab.session()).toMatchObject({ status: 'paused', context_summary: 'In plural.', message_count: 4 })
    expect(lab.git('rev-list', '--count', `${head}..HEAD`)).toBe('1')
    expect(lab.status()).toEqual(clean)

    const all = ['import', 'codex', '--all', '--type', 'plan']
    expect((await lab.cortext(all)).stderr).toMatch(/^Not committed\. /)
    expect((await lab.cortext(all)).stderr).toBe('')
    const [, other] = lab.conversations()
    expect(lab.conversations()).toHaveLength(2)
    expect(saidIn(lab.messages(other))).toEqual(['user: Which database?', 'assistant: Scripted answer 2.'])
    expect(JSON.parse((await lab.cortext(['--json'])).stdout).native).toEqual([])
  })
})
