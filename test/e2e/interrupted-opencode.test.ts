import { describe, it } from 'vitest'
import { LONG } from '../helpers/long.ts'
import { type Interruption, interruptAgainAndAgain } from './interruption.ts'
import { openWorkspaceLab } from './opencode-workspace.ts'

const IN_A_TURN: (readonly [Interruption, 'in a turn'])[] = [
  ['SIGKILL', 'in a turn'],
  ['hang-up', 'in a turn'],
]

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
      LONG
        ? [['SIGKILL', 'at rest'], ...IN_A_TURN, ['SIGTERM', 'at rest']]
        : // With OpenCode each takes half a minute.
          IN_A_TURN,
    )
  })
})
