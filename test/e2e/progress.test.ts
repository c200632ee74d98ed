import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openWorkspaceLab } from './workspace-lab.ts'

/** Some 60 MB, which no machine takes in within half a second. */
const TURNS = 3000
const WORDS = 'words of an answer that goes on '.repeat(600)

it('long work says how far it is, in a terminal only, and nothing of that stays', async () => {
  await using lab = await openWorkspaceLab()
  const file = join(lab.folder, 'long.jsonl')
  const lines = Array.from({ length: 2 * TURNS }, (_, at) => {
    const isAsked = at % 2 === 0
    const content = isAsked ? `question ${at}` : [{ type: 'text', text: `${at} ${WORDS}` }]
    return JSON.stringify({
      ...{
        parentUuid: at === 0 ? null : idOf(at - 1),
        uuid: idOf(at),
        sessionId: idOf(0),
        isSidechain: false,
      },
      ...{ cwd: lab.project, version: '2.1.330', timestamp: new Date(Date.now() - 1e6 + at).toISOString() },
      type: isAsked ? 'user' : 'assistant',
      message: { id: `msg_${at}`, role: isAsked ? 'user' : 'assistant', model: 'claude-x', content },
    })
  })
  writeFileSync(file, `${lines.join('\n')}\n`)
  const slow = `NODE_OPTIONS=--require ${join(import.meta.dirname, '../helpers/slow-clear.cjs')}`
  const command = ['env', slow, 'cortext', 'import', 'claude', '--file', file]
  const terminal = lab.terminal(command, { cols: 60, rows: 20 })
  await terminal.waitFor(/^. Importing: \d+\.\d MB$/m, { timeout: 60_000 })
  expect(await terminal.waitForExit({ timeout: 120_000 })).toBe(0)
  expect(terminal.history()).not.toContain('Importing')
  const { stdout, stderr } = await lab.cortext(['doctor'])
  expect(stdout + stderr).not.toContain('Looking at')
})

function idOf(at: number): string {
  return `${at.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`
}
