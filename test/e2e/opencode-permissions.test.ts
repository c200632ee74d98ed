import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inLongRun } from '../helpers/in-long-run.ts'
import { openWorkspaceLab } from './opencode-workspace.ts'
import { tool } from './reply.ts'
import {
  callInTurn,
  FORMS,
  mapped,
  NEIGHBOURS,
  namesOf,
  REFUSED,
  ranNot,
  ranWell,
  wereRefused,
} from './unasked.ts'

const shell = (command: string) => tool('bash', { command, description: 'a scripted command' })
/** Without a terminal OpenCode answers each question with a no, and would end the turn with it. */
const experimental = { continue_loop_on_deny: true }

describe('OpenCode, where the person is asked about shell commands', () => {
  // promise: as the whole line, where you are asked about shell commands
  it('runs the calls of `cortext agent` unasked, and none of their neighbours', async () => {
    await using lab = await openWorkspaceLab({ config: { permission: { bash: 'ask' }, experimental } })
    writeFileSync(join(lab.project, '.env'), 'TOKEN=x')
    const none = {
      ...NEIGHBOURS,
      'redirection of a file': 'cortext agent save < .env',
      'two calls': 'cortext agent list; cortext agent list',
    }
    const calls = mapped({ ...none, ...REFUSED, ...FORMS }, shell)
    const done = await callInTurn(lab, calls, (said) => lab.headless(said, [], { timeout: 120_000 }))
    ranNot(done, namesOf(none))
    ranWell(done, namesOf(FORMS))
    expect(lab.session()).toMatchObject({ status: 'paused', context_summary: "a > b; it's c" })
    wereRefused(done, namesOf(REFUSED))
  })

  inLongRun('runs them where the person is asked about everything', async () => {
    await using lab = await openWorkspaceLab({ config: { permission: { '*': 'ask' }, experimental } })
    const calls = mapped({ start: FORMS.start, other: 'touch y', stop: FORMS.stop }, shell)
    const done = await callInTurn(lab, calls, (said) => lab.headless(said))
    ranWell(done, ['start', 'stop'])
    ranNot(done, ['other'])
    expect(lab.session()).toMatchObject({ status: 'paused' })
  })

  inLongRun('runs in a terminal what the person says yes to', async () => {
    await using lab = await openWorkspaceLab({ config: { permission: { bash: 'ask' } } })
    lab.model.when('hello', shell('cortext agent list > y'), 'It ran.')
    const terminal = await lab.interactive()
    await terminal.submit('hello')
    const screen = await terminal.waitFor('Permission required')
    expect(screen).toContain('cortext agent list > y')
    expect(existsSync(join(lab.project, 'y'))).toBe(false)
    await terminal.pressUntil('Enter', 'It ran.')
    expect(existsSync(join(lab.project, 'y'))).toBe(true)
  })
})
