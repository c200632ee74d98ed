import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openGeminiWorkspaceLab } from './gemini-workspace.ts'
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

const shell = (command: string, more = {}) =>
  tool('run_shell_command', { command, description: 'a scripted command', ...more })

describe('Gemini CLI, without a terminal, where it refuses what it would ask about', () => {
  // promise: as the whole call; nothing in folders that it does not trust
  // promise: Each row is a test
  // promise: Besides these calls, our rules
  it('runs the calls of `cortext agent`, and none of their neighbours', async () => {
    await using lab = await openGeminiWorkspaceLab()
    writeFileSync(join(lab.project, '.env'), 'TOKEN=x')
    const none = {
      ...mapped(NEIGHBOURS, (command) => shell(command)),
      'redirection of a file': shell('cortext agent save < .env'),
      'argument within an argument': shell('touch y', { zz: { command: 'cortext agent list' } }),
      'argument behind it': shell('touch y', { zz: '","command":"cortext agent list"' }),
      'another folder': shell('cortext agent list', { dir_path: 'conversations' }),
    }
    const calls = { ...none, ...mapped(FORMS, (command) => shell(command, { wait_for_previous: true })) }
    const done = await callInTurn(lab, calls, (said) => lab.headless(said, [], { timeout: 120_000 }))
    ranNot(done, namesOf(none))
    ranWell(done, namesOf(FORMS))
    expect(lab.session()).toMatchObject({ status: 'paused', context_summary: "a > b; it's c" })
  })

  // promise: as the whole call; nothing
  it('keeps the rules of the person, which go before ours, and what the verbs refuse', async () => {
    await using lab = await openGeminiWorkspaceLab()
    mkdirSync(join(lab.home, '.gemini', 'policies'))
    const deny = (prefix: string) =>
      `[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "${prefix}"\ndecision = "deny"\npriority = 0\n`
    writeFileSync(
      join(lab.home, '.gemini', 'policies', 'mine.toml'),
      `${deny('touch')}\n${deny('cortext agent save')}`,
    )
    const commands = { denied: 'touch y', ours: 'cortext agent save', list: FORMS.list, ...REFUSED }
    const calls = mapped(commands, (command) => shell(command))
    const done = await callInTurn(lab, calls, (said) => lab.headless(said, ['--yolo']))
    ranNot(done, ['denied', 'ours'])
    ranWell(done, ['list'])
    wereRefused(done, namesOf(REFUSED))
  })
})
