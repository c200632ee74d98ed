import { readFileSync } from 'node:fs'
import { describe, it } from 'vitest'
import { AS_SHIPPED } from './gemini.ts'
import { openGeminiWorkspaceLab, say } from './gemini-workspace.ts'
import { interruptAgainAndAgain } from './interruption.ts'

describe('Gemini CLI, killed, ended, its window closed', () => {
  it('S1-004h E-22: has lost nothing that was on disk, and goes on natively', async () => {
    await using lab = await openGeminiWorkspaceLab({ env: AS_SHIPPED })
    await interruptAgainAndAgain(
      {
        lab,
        begin: () => lab.interactive(),
        resume: () => lab.resume(['-c']),
        say,
        written: (said) => lab.transcripts().some((path) => readFileSync(path, 'utf8').includes(said)),
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
