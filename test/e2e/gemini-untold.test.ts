import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inLongRun } from '../helpers/in-long-run.ts'
import { promptOf } from './gemini.ts'
import { leave, openGeminiWorkspaceLab, say, shell } from './gemini-workspace.ts'
import { keepFromClaude } from './kept.ts'
import { saidIn } from './workspace-lab.ts'

describe('Gemini CLI: what its hooks do not tell', () => {
  // promise: works in a trusted folder only; the client
  it('S2-3 S2-8: in a folder that it does not trust, a handoff is recorded, and goes on natively', async () => {
    await using lab = await openGeminiWorkspaceLab()
    await keepFromClaude(lab, 'API design', [['Topic is API', 'I see the API.']])
    rmSync(join(lab.home, '.gemini', 'trustedFolders.json'))
    const terminal = lab.terminal(['cortext', 'resume', '-c', '--in', 'gemini'])
    await terminal.waitFor('Do you trust')
    for (const choice of ['● 2.', '● 3.']) await terminal.pressUntil('Down', choice)
    await terminal.pressUntil('Enter', (screen) => !screen.includes('Do you trust'))
    await promptOf(terminal)
    await say(terminal, 'please go on', 'Scripted answer 1.')
    await leave(terminal)
    await lab.settled()
    expect(saidIn(lab.messages())).toEqual([
      'user: Topic is API',
      'assistant: I see the API.',
      'user: please go on',
      'assistant: Scripted answer 1.',
    ])
    expect(lab.session()).toMatchObject({ status: 'paused', agent_config: { client: 'gemini' } })
  })

  inLongRun(
    'a session that is chosen inside goes on with its conversation, the one before is paused; a long output is whole',
    async () => {
      await using lab = await openGeminiWorkspaceLab()
      lab.model.when('count far', shell('seq 1 20000'), 'Counted.')
      const first = await lab.interactive(['--yolo'])
      await say(first, '/workspace.brainstorm Garden', 'Scripted answer 1.')
      await say(first, 'count far', 'Counted.')
      await leave(first)
      await lab.settled()
      const second = await lab.interactive()
      await say(second, '/workspace.plan Holidays', /Scripted answer \d+\./)
      await say(second, '/resume', 'Chat Sessions')
      second.press('Down')
      await second.waitFor('❯ #2')
      second.press('Enter')
      await second.waitFor('Counted.')
      await promptOf(second)
      lab.model.when('back to the garden', 'Back we are.')
      await say(second, 'back to the garden', 'Back we are.')
      const listed = JSON.parse((await lab.cortext(['list', '--json'])).stdout).conversations
      expect(listed).toMatchObject([
        { title: 'Garden', status: 'active' },
        { title: 'Holidays', status: 'paused' },
      ])
      await leave(second)
      await lab.settled()
      const [garden, holidays] = lab.conversations()
      await expect.poll(() => lab.session(garden).status).toBe('paused')
      expect(saidIn(lab.messages(garden)).slice(-2)).toEqual([
        'user: back to the garden',
        'assistant: Back we are.',
      ])
      expect(saidIn(lab.messages(holidays))).toHaveLength(2)
      expect(lab.session(holidays).status).toBe('paused')
      const counted = lab.messages(garden).find(({ role }) => role === 'tool')!
      // Cut by the client for the model; in the record it is whole.
      await lab.cortext(['save', garden!])
      const whole = join(lab.project, garden!, '.session', 'attachments', counted.truncated!.sha256)
      expect(readFileSync(whole, 'utf8')).toContain(
        Array.from({ length: 20_000 }, (_, n) => n + 1).join('\n'),
      )
    },
  )
})
