import { describe, it } from 'vitest'
import { interruptAgainAndAgain } from './interruption.ts'
import { openWorkspaceLab } from './opencode-workspace.ts'

describe('OpenCode, killed, ended, its window closed', () => {
  it('S1-004h E-22: has lost nothing that was on disk, and goes on natively', async () => {
    await using lab = await openWorkspaceLab({ isNew: true })
    await interruptAgainAndAgain(
      {
        lab,
        begin: () => lab.interactive(),
        resume: () => lab.resume(['-c']),
        async say(terminal, typed, answer) {
          await terminal.submit(typed)
          await terminal.waitFor(answer)
        },
        // It writes what was typed before it asks the model.
        written: () => true,
      },
      [
        ['SIGKILL', 'at rest'],
        ['SIGKILL', 'in a turn'],
        ['hang-up', 'in a turn'],
        ['SIGTERM', 'at rest'],
      ],
    )
  })
})
