import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { codexShell } from './codex.ts'
import { openCodexWorkspaceLab } from './codex-workspace.ts'
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

const { stop, ...FIRST } = FORMS

/** With what else is a plain call for this client. */
const QUOTED = {
  ...FIRST,
  'nothing looked into': "cortext agent search 'one $(touch .git/y) `two` it'\"'\"'s'",
  'the same word in quotes': NEIGHBOURS['quoted word'],
  stop,
}

/** What is run in the sandbox, as anything else is: it cannot write `.git`, which is what they are after here. */
const { 'quoted word': _, ...OTHERS } = {
  ...mapped(NEIGHBOURS, (command) => command.replace(/\by\b(?!\.cjs)/g, '.git/y')),
  'here-document': "cortext agent stop <<'X'\nx\nX",
  'backslash before an apostrophe': "cortext agent search 'it'\\''s'",
  'here-document that is a pipe': 'echo x | cortext agent save',
  'a file for its text': 'cortext agent save < .env',
  'program of the project': './cortext agent list',
  'path of a program of the project': '$PWD/cortext agent list',
  'own function': 'cortext() { touch .git/y; }; cortext agent list',
  'own PATH': 'export PATH=.:$PATH && cortext agent list',
  wildcard: 'cortext agent search *',
  'what else it may do': 'touch .git/y',
}

describe('Codex CLI, without a terminal, where nobody is asked', () => {
  // promise: outside of its sandbox; only the `cortext` that PATH finds
  // promise: what its rules do not allow runs in its sandbox, unasked, and can write the project but
  // promise: None of it leaves the sandbox, nor does a program `cortext` that the agent has written itself.
  // promise: two such calls in a row do: they are the same verbs
  it('runs the calls of `cortext agent` outside of its sandbox, and none of their neighbours', async () => {
    await using lab = await openCodexWorkspaceLab({ trustsHooks: false })
    lab.put('.env', 'TOKEN=x')
    writeFileSync(join(lab.project, 'cortext'), '#!/bin/sh\ntouch .git/y\n', { mode: 0o755 })
    mkdirSync(join(lab.project, 'shells'))
    for (const name of ['sh', 'bash'])
      writeFileSync(join(lab.project, 'shells', name), '#!/bin/sh\ntouch .git/y\nexec /bin/sh "$@"\n', {
        mode: 0o755,
      })
    const none = {
      ...mapped(OTHERS, codexShell),
      'absolute path of one': codexShell(`${lab.project}/cortext agent list`),
      // Nobody is there to say yes.
      'asked for by the agent': tool('exec_command', {
        cmd: 'touch .git/y',
        sandbox_permissions: 'require_escalated',
        justification: 'please',
        prefix_rule: ['cortext', 'agent'],
      }),
    }
    const forms = {
      ...mapped(QUOTED, codexShell),
      'with a shell of the project': tool('exec_command', {
        cmd: 'cortext agent list',
        shell: join(lab.project, 'shells', 'bash'),
      }),
    }
    const calls = { ...none, ...forms, ...mapped(REFUSED, codexShell) }
    // What is run in the sandbox can take no note, so that only what left it is told of.
    const done = await callInTurn(lab, calls, (said) => lab.headless(said, [], { timeout: 120_000 }))
    ranNot(done, namesOf(none))
    ranWell(done, namesOf(forms))
    wereRefused(done, namesOf(REFUSED))
    expect(existsSync(join(lab.project, '.git/y'))).toBe(false)
    expect(lab.conversations()).toHaveLength(1)
    expect(lab.session()).toMatchObject({ status: 'paused' })
  })

  // promise: outside of its sandbox; only
  it('lets none of them out where the person says so: their rules go before ours', async () => {
    await using lab = await openCodexWorkspaceLab({ trustsHooks: false })
    mkdirSync(join(lab.home, '.codex/rules'), { recursive: true })
    writeFileSync(
      join(lab.home, '.codex/rules/mine.rules'),
      'prefix_rule(pattern = ["cortext", "agent", "save"], decision = "forbidden")\n',
    )
    const calls = mapped({ save: 'cortext agent save', list: 'cortext agent list' }, codexShell)
    const done = await callInTurn(lab, calls, (said) => lab.headless(said))
    ranNot(done, ['save'])
    ranWell(done, ['list'])
  })
})
