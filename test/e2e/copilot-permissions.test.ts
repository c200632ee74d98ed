import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openWorkspaceLab } from './copilot.ts'
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

describe('Copilot CLI, without a terminal, where it refuses what it would ask about', () => {
  // promise: as the whole call, by our hook before a tool; nothing by a workspace's own hook in folders
  it('runs the calls of `cortext agent`, and none of their neighbours', async () => {
    await using lab = await openWorkspaceLab()
    lab.put('.env', 'TOKEN=x')
    writeFileSync(join(lab.project, 'cortext'), '#!/bin/sh\ntouch y\n', { mode: 0o755 })
    const none = mapped(
      {
        ...NEIGHBOURS,
        'redirection of a file': 'cortext agent save < .env',
        'program of the project': './cortext agent list',
        'own function': 'cortext() { touch y; }; cortext agent list',
        'own PATH': 'export PATH=.:$PATH && cortext agent list',
        variable: 'cortext agent search $HOME',
        wildcard: 'cortext agent search *',
        comment: 'cortext agent list #\ntouch y',
      },
      shell,
    )
    const done = await callInTurn(lab, { ...none, ...mapped(FORMS, shell) }, (said) =>
      lab.headless(said, [], { timeout: 180_000 }),
    )
    ranNot(done, namesOf(none))
    ranWell(done, namesOf(FORMS))
    expect(lab.session()).toMatchObject({ status: 'paused', context_summary: "a > b; it's c" })
  })

  // promise: `--deny-tool` does not hold for these calls: the client asks our hook first
  it('asks our hook before it looks at what the person denies', async () => {
    await using lab = await openWorkspaceLab()
    const calls = mapped({ list: FORMS.list, other: 'touch y' }, shell)
    const denied = ['--allow-all-tools', '--deny-tool', 'shell']
    const done = await callInTurn(lab, calls, (said) => lab.headless(said, denied))
    ranWell(done, ['list'])
    ranNot(done, ['other'])
  })

  it('keeps what the verbs refuse, also where the person has allowed every tool', async () => {
    await using lab = await openWorkspaceLab()
    const calls = mapped({ list: FORMS.list, ...REFUSED }, shell)
    const done = await callInTurn(lab, calls, (said) => lab.headless(said, ['--allow-all-tools']))
    ranWell(done, ['list'])
    wereRefused(done, namesOf(REFUSED))
  })
})
