import { readFileSync } from 'node:fs'
import { describe, it } from 'vitest'
import { type CodexWorkspaceLab, openCodexWorkspaceLab } from './codex-workspace.ts'
import { interruptAgainAndAgain } from './interruption.ts'
import { say } from './say.ts'

const written = (lab: CodexWorkspaceLab) => (said: string) =>
  lab.transcripts().some((path) => readFileSync(path, 'utf8').includes(said))

describe('Codex CLI, killed, ended, its window closed', () => {
  it('S1-004h E-22: has lost nothing that was on disk, and goes on natively', async () => {
    await using lab = await openCodexWorkspaceLab()
    await interruptAgainAndAgain(
      {
        lab,
        begin: () => lab.interactive(),
        resume: () => lab.resume(['-c']),
        say,
        written: written(lab),
        command: '$workspace-brainstorm',
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
