import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ClaudeSession } from '../helpers/claude-session.ts'
import { sessionFile, workspaceLab } from '../helpers/workspace-lab.ts'

/** A conversation in a shared workspace, saved long ago and talked in now. */
async function talkedInNow() {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.plan', 'Zoo')
  await claude.turn('the lion is fed')
  const { path } = await lab.json<{ path: string }>(['save', '1', '--json'])
  const file = sessionFile(lab, path)
  const old = readFileSync(file, 'utf8').replace(/"last_active": "\d{4}/g, '"last_active": "2020')
  writeFileSync(file, old)
  await claude.turn('and the walrus')
  return lab
}

const found = async (options: string[]) => {
  const lab = await talkedInNow()
  const { stdout } = await lab.cortext(['search', 'walrus', ...options])
  return stdout
}

test('what is said now is found since today, also before it is saved', async () => {
  expect(await found(['--since', new Date().toISOString().slice(0, 10)])).toContain('and the walrus')
})

test('what a person says now is found by its author, also before it is saved', async () => {
  expect(await found(['--author', 'Ada'])).toContain('and the walrus')
  expect(await found(['--author', 'Bob'])).not.toContain('and the walrus')
})

test('a fork has what is said now, and counts it', async () => {
  const lab = await talkedInNow()
  const { stdout } = await lab.cortext(['fork', '1'])
  expect(stdout).toMatch(/, (\d+) of \1 messages, in /)
})
