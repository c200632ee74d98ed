import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ClaudeSession } from '../helpers/claude-session.ts'
import { type Lab, workspaceLab } from '../helpers/workspace-lab.ts'

/** A workspace without a conversation, and sessions of its client that are not saved. */
async function withUnsaved(...prompts: string[]): Promise<{ lab: Lab; sessions: ClaudeSession[] }> {
  const lab = await workspaceLab()
  const sessions = prompts.map((prompt) => {
    const session = new ClaudeSession(lab)
    session.say(prompt)
    return session
  })
  return { lab, sessions }
}

// promise: When nothing fits well,
test('S1-004e search that finds nothing counts the sessions that are not saved, and names those whose title fits', async () => {
  const { lab, sessions } = await withUnsaved('Why an outbox?', 'Retry the OUTBOX twice', 'Something else')
  const command = `cortext import claude ${sessions[1]!.id}`
  const { stdout, stderr } = await lab.cortext(['search', 'outbox retry'])
  expect(stdout).toBe('Nothing was found for "outbox retry".\n')
  expect(stderr.replace(/\d+ minutes? ago|just now/g, 'a while ago').split('\n')).toEqual([
    '3 sessions of this folder are not saved, so only the titles were searched.',
    '2 titles fit:',
    '  Retry the OUTBOX twice  (Claude Code, a while ago)',
    `    → ${command}`,
    '  Why an outbox?  (Claude Code, a while ago)',
    `    → cortext import claude ${sessions[0]!.id}`,
    'To save all of Claude Code: cortext import claude --all',
    '',
  ])
  const { not_saved } = await lab.json<{ not_saved: object[] }>(['search', 'outbox retry', '--json'])
  expect(not_saved).toMatchObject([{ client: 'claude', native_id: sessions[1]!.id, command }, {}])
  await lab.cortext(command.split(' ').slice(1))
  const found = await lab.cortext(['search', 'retry'])
  expect(found.stdout).toContain('Retry the OUTBOX twice')
  expect(found.stderr).not.toContain('not saved')
})

test('S1-004e resume that finds nothing names the session that is not saved, and the command that saves it', async () => {
  const { lab, sessions } = await withUnsaved('Why an outbox?', 'Something else')
  const none = await lab.cortext(['resume', 'outbox'])
  expect(none).toMatchObject({ code: 1, stdout: '' })
  expect(none.stderr).toContain('2 sessions of this folder are not saved')
  expect(none.stderr).toContain('Why an outbox?  (Claude Code, ')
  expect(none.stderr).toMatch(new RegExp(`^fix: cortext import claude ${sessions[0]!.id}$`, 'm'))
  const last = await lab.cortext(['resume', '--last'])
  expect(last.stderr).toMatch(/2 sessions of this folder are not saved\.\nfix: cortext import claude --all$/m)
})

test('uninstall says before it removes anything which sessions are in no conversation, and how to save them', async () => {
  const { lab } = await withUnsaved('Why an outbox?')
  const { stderr, stdout } = await lab.cortext(['uninstall'])
  expect(stderr).toBe(
    '1 session of Claude Code is in no conversation here. To save it first: cortext import claude --all\n',
  )
  expect(stdout).toContain('To save it later: cortext init, then cortext import claude --all\n')
})

test('a session that is not saved has the time of its last line, not that of its file', async () => {
  const { lab, sessions } = await withUnsaved('Why an outbox?')
  const { transcript } = sessions[0]!
  utimesSync(transcript, new Date('2020-01-01'), new Date('2020-01-01'))
  const told = await lab.json<{ native: { last_active: string }[] }>(['--json'])
  expect(told.native[0]!.last_active > '2026').toBe(true)
})

test('what is said and in no record yet is counted in the tokens of show and list, and show names the tools that were used', async () => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'Live', async () => ({ code: 0, stdout: 'ran', stderr: '' }))
  const live = (await lab.cortext(['show', '1'])).stdout
  expect(live).toMatch(/Tokens: about [1-9]\d* \| Record: not saved yet$/m)
  expect(live).toMatch(/^ {2}Tools used: Bash$/m)
  await lab.cortext(['save', '1'])
  expect((await lab.cortext(['show', '1'])).stdout).toMatch(/Record: \d+ (?:bytes|KB)$/m)
})

test('init in a folder without git proposes git init', async () => {
  const lab = await workspaceLab({ git: 'none', init: 'none' })
  writeFileSync(join(lab.root, 'note.txt'), '')
  expect((await lab.cortext(['init', '--in', 'claude'])).stdout).toContain(
    'Not in git: conversations are saved as files, and committed to no repository of yours. To have each stop commit them: git init && cortext init\n',
  )
})

test('a list of no conversation names the sessions that are not saved', async () => {
  const { lab } = await withUnsaved('Why an outbox?')
  expect((await lab.cortext(['list'])).stderr).toContain('1 session of this folder is not saved.')
})
