import { describe, it } from 'vitest'
import { interruptAgainAndAgain } from './interruption.ts'
import { openWorkspaceLab } from './workspace-lab.ts'

describe('Claude Code, killed, ended, its window closed', () => {
  it('S1-004h E-22: has lost nothing that was on disk, and goes on natively', async () => {
    await using lab = await openWorkspaceLab()
    await interruptAgainAndAgain(
      {
        lab,
        begin: () => lab.interactive(),
        resume: () => lab.resume(['-c']),
        async say(terminal, typed, answer) {
          await terminal.submit(typed)
          await terminal.waitFor(answer)
        },
        written: (said) => lab.talk().includes(said),
      },
      [
        ['SIGKILL', 'at rest'],
        ['SIGKILL', 'in a turn'],
        ['SIGTERM', 'in a turn'],
        ['hang-up', 'in a turn'],
        ['SIGTERM', 'at rest'],
        ['hang-up', 'at rest'],
      ],
    )
  })
})
