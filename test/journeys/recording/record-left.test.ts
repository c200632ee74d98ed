import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { filesBelow, shown, talk } from '../../helpers/workspace-lab.ts'
import { held, stop } from './held.ts'

describe('a record', () => {
  // promise: Delete a `.session/` folder and its document is still there.
  // promise: Conversations without `.session/` remain what they are: a folder with a document.
  test('S0-RB1, S0-RB2, S2-14: may be missing: without .session/ the conversation is a folder with a document, and every verb works', async () => {
    const { lab, claude, folder, id } = await held()
    await stop(lab, claude)
    rmSync(join(folder, '.session'), { recursive: true })
    rmSync(join(lab.root, '.git/cortext'), { recursive: true })
    expect(existsSync(join(folder, 'brainstorm.md'))).toBe(true)
    for (const args of [['list'], ['resume', '--list'], ['search', 'REST'], ['init']])
      expect((await lab.cortext(args)).code).toBe(0)
    const gone = await lab.cortext(['show', id])
    expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining('fix: ')])
  })

  test('S3-P1, S4-0-1, S4-P5-1, S4-P5-2, S4-P5-11, S3-C2, S3-C3, S2-8: has what was said after the machine stopped, without any save', async () => {
    const { lab, id } = await held()
    expect(talk(await shown(lab, id))).toEqual([
      'user: /workspace.brainstorm API Design Discussion',
      'assistant: answer to /workspace.brainstorm API Design Discussion',
      'user: we need to be simple',
      'assistant: Then REST.',
      'user: look at the file',
      'assistant: ',
      'assistant: Seen.',
    ])
  })

  test('S3-P2: is never shared by two sessions at once', async () => {
    const { lab, claude, id } = await held()
    const other = new ClaudeSession(lab)
    await other.command('workspace.debug', 'Token expiry')
    await Promise.all([claude.turn('for the first'), other.turn('for the second')])
    expect(talk(await shown(lab, id)).join()).not.toContain('for the second')
    expect(talk(await shown(lab, '002')).join()).not.toContain('for the first')
  })

  test('S0-C2, X-22, X-27, S0-NG4: is made by reading the client’s own files, never by writing them or running anything again', async () => {
    const { lab, id } = await held()
    const before = filesBelow(join(lab.home, '.claude'))
    for (const args of [
      ['save', id],
      ['show', id, '--messages'],
      ['resume', id, '--print'],
      ['resume', id, '--dry-run'],
      ['export', id],
    ])
      await lab.cortext(args)
    expect(filesBelow(join(lab.home, '.claude'))).toEqual(before)
  })
})
