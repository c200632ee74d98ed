import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { leave, openGeminiWorkspaceLab, say } from './gemini-workspace.ts'
import { allText } from './model-request.ts'
import { saidIn } from './workspace-lab.ts'

const ID = '5b1c2d3e-0000-4000-8000-00000000abcd'
const SAID = [
  ['user', '7c1f0a10-0000-4000-8000-000000000001', 'What is in a.txt?'],
  ['gemini', '7c1f0a10-0000-4000-8000-000000000002', 'Forty-two.'],
] as const

describe('Gemini CLI: a session of an older version, one JSON object', () => {
  it('S2-14: is found, imported, and goes on natively in the present format', async () => {
    await using lab = await openGeminiWorkspaceLab()
    const at = new Date().toISOString()
    const own = join(lab.home, '.gemini', 'tmp', 'project')
    mkdirSync(join(own, 'chats'), { recursive: true })
    writeFileSync(join(own, '.project_root'), lab.project)
    const messages = SAID.map(([type, id, content]) => ({ id, timestamp: at, type, content }))
    const session = { sessionId: ID, projectHash: 'x', startTime: at, lastUpdated: at, messages }
    const file = join(own, 'chats', `session-2026-01-01T10-00-${ID.slice(0, 8)}.json`)
    writeFileSync(file, JSON.stringify(session, undefined, 2))

    const imported = await lab.cortext(['import', 'gemini', ID, '--title', 'Old'])
    expect(imported).toMatchObject({ code: 0, stderr: expect.stringMatching(/^(?:Not committed\. .*\n)?$/) })
    const before = ['user: What is in a.txt?', 'assistant: Forty-two.']
    expect(saidIn(lab.messages())).toEqual(before)
    const terminal = await lab.resume(['-c'])
    await say(terminal, 'and now', 'Scripted answer 1.')
    expect(allText(lab.model.requests[0]!).split('Forty-two.')).toHaveLength(2)
    expect(await leave(terminal)).toBe(0)
    expect(saidIn(lab.messages())).toEqual([...before, 'user: and now', 'assistant: Scripted answer 1.'])
    expect(new Set(lab.messages().map(({ id }) => id)).size).toBe(lab.messages().length)
    expect((await lab.cortext(['resume', '-c', '--dry-run'])).stdout).toContain('Gemini CLI, native')
  })
})
