import { describe, expect, it } from 'vitest'
import { livePath } from '../../src/session/live-path.ts'
import { inLongRun } from '../helpers/in-long-run.ts'
import { leaveByKeys } from './claude.ts'
import { leave, openGeminiWorkspaceLab, say } from './gemini-workspace.ts'
import { CLAUDE_VERSIONS } from './install.ts'
import { allText } from './model-request.ts'
import { openWorkspaceLab as openOpenCodeLab } from './opencode-workspace.ts'
import { CLAUDE_REWIND, GEMINI_REWIND, promptAgain, rewindTurn } from './take-back.ts'
import { type LabWorkspace, openWorkspaceLab, saidIn } from './workspace-lab.ts'

const TYPED = '/workspace.brainstorm API design'
const BEGUN = [`user: ${TYPED}`, 'assistant: Let us begin.']
const TAKEN_BACK = ['user: to be taken back', 'assistant: Not for long.']
const INSTEAD = ['user: said instead', 'assistant: Better.']

/** What was taken back is in the record, once, and nobody is told of it any more. */
async function expectTakenBack(
  lab: LabWorkspace & { model: { requests: readonly unknown[] } },
): Promise<void> {
  expect(lab.conversations()).toHaveLength(1)
  expect(saidIn(lab.messages())).toEqual([...BEGUN, ...TAKEN_BACK, ...INSTEAD])
  expect(lab.messages().filter(({ event }) => event === 'rewound')).toHaveLength(1)
  expect(saidIn(livePath(lab.messages()))).toEqual([...BEGUN, ...INSTEAD])
  const { stdout } = await lab.cortext(['context', '001'])
  expect(stdout).toContain('Better.')
  expect(stdout).not.toContain('Not for long.')
}

function script({ model }: { model: Awaited<ReturnType<typeof openWorkspaceLab>>['model'] }): void {
  model.script(() => 'Let us begin.')
  model.when('to be taken back', 'Not for long.')
  model.when('said instead', 'Better.')
}

describe('what is taken back directly after a native resume', () => {
  inLongRun('is off the live path and kept: /undo of OpenCode', async () => {
    await using lab = await openOpenCodeLab()
    script(lab)
    await lab.headless('API design', ['--command', 'workspace.brainstorm'])
    await lab.headless('to be taken back', ['--continue'])
    await lab.settled()
    const terminal = await lab.resume(['-c'])
    await terminal.waitFor('Not for long.')
    await terminal.submit('/undo')
    await promptAgain(terminal, ['Not for long.'])
    await terminal.submit('said instead')
    await terminal.waitFor('Better.')
    await lab.leave(terminal)
    expect(allText(lab.model.requests.at(-1)!)).not.toContain('to be taken back')
    await expectTakenBack(lab)
  })

  inLongRun('is off the live path and kept: /rewind of Gemini CLI', async () => {
    await using lab = await openGeminiWorkspaceLab()
    script(lab)
    const first = await lab.interactive()
    await say(first, TYPED, 'Let us begin.')
    await say(first, 'to be taken back', 'Not for long.')
    await leave(first)
    await lab.settled()
    const terminal = await lab.resume(['-c'])
    await say(terminal, '/rewind', GEMINI_REWIND.now)
    await rewindTurn(terminal, GEMINI_REWIND, 'to be taken back', 'Not for long.')
    await terminal.waitFor('Type your message')
    await say(terminal, 'said instead', 'Better.')
    await leave(terminal)
    await lab.settled()
    expect(allText(lab.model.requests.at(-1)!)).not.toContain('to be taken back')
    await expectTakenBack(lab)
  })

  it.each(CLAUDE_VERSIONS)('is off the live path and kept: /rewind of Claude Code %s', async (version) => {
    await using lab = await openWorkspaceLab({ version })
    script(lab)
    const first = await lab.interactive([TYPED])
    await first.waitFor('Let us begin.')
    await first.submit('to be taken back')
    // The turn has ended, with its hooks.
    await first.waitFor(/Not for long\.\s+✻/)
    // The menu would offer an `/exit` too.
    await leaveByKeys(first)
    await lab.settled()
    const terminal = await lab.resume(['-c'])
    await terminal.submit('/rewind')
    await rewindTurn(terminal, CLAUDE_REWIND, 'to be taken back', 'Not for long.')
    await terminal.submit('said instead')
    await terminal.waitFor('Better.')
    await lab.leave(terminal)
    expect(allText(lab.model.requests.at(-1)!)).not.toContain('to be taken back')
    await expectTakenBack(lab)
  })
})
