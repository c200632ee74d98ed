import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { doctorLab } from '../../helpers/doctor-lab.ts'
import { workspaceLab } from '../../helpers/workspace-lab.ts'

test('if git stores *.jsonl as pointers, the record is stored as it is, so that a merge finds its lines', async () => {
  const lab = await workspaceLab()
  const file = join(lab.root, '.gitattributes')
  writeFileSync(file, `*.jsonl filter=pointer text=auto\n${readFileSync(file, 'utf8')}`)
  lab.git('config', 'filter.pointer.clean', 'sha256sum')
  lab.git('config', 'core.autocrlf', 'true')
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.plan', 'Topic')
  await claude.turn('one')
  const { path } = await lab.json<{ path: string }>(['stop', '001', '--json'])
  const messages = `${path}/.session/messages.jsonl`
  expect(lab.git('show', `HEAD:${messages}`).trim()).toBe(
    readFileSync(join(lab.root, messages), 'utf8').trim(),
  )
  expect((await lab.cortext(['doctor'])).stdout).not.toContain("git's attributes")
})

test.each([
  ['*.jsonl merge=binary', 'merge=binary'],
  ['*.jsonl -merge', 'merge=unset'],
  ['*.jsonl filter=lfs', 'filter=lfs'],
  ['*.jsonl text', 'line endings'],
])('doctor reports a later attribute line that overrides ours: %s', async (line, told) => {
  const lab = await workspaceLab()
  const file = join(lab.root, '.gitattributes')
  writeFileSync(file, `${readFileSync(file, 'utf8')}${line}\n`)
  const { stdout } = await lab.cortext(['doctor'])
  expect(stdout).toContain("git's attributes for messages.jsonl say")
  expect(stdout).toContain(told)
})

// promise: A shared workspace has a merge driver in `.git/config`
test('doctor reports a missing merge driver, --fix sets it, and uninstall leaves git’s configuration as it was', async () => {
  const lab = await workspaceLab()
  const config = join(lab.root, '.git/config')
  const driver = () => lab.tryGit('config', '--get', 'merge.cortext.driver')
  expect(driver()).toBe(true)
  lab.git('config', '--remove-section', 'merge.cortext')
  expect((await lab.cortext(['doctor'])).stdout).toContain('Git: not as this version writes it: .git/config')
  await lab.cortext(['doctor', '--fix'])
  expect(driver()).toBe(true)
  await lab.cortext(['uninstall'])
  expect(readFileSync(config, 'utf8')).not.toContain('cortext')
  expect(driver()).toBe(false)
})

test('doctor reports a later attribute line that takes session.json from our merge driver', async () => {
  const lab = await workspaceLab()
  const file = join(lab.root, '.gitattributes')
  writeFileSync(file, `${readFileSync(file, 'utf8')}*.json merge=ours\n`)
  expect((await lab.cortext(['doctor'])).stdout).toContain("git's attributes for session.json say merge=ours")
})

test('doctor looks at the folder of each type, names it in the command, and says so where git has no attribute', async () => {
  const lab = await doctorLab()
  lab.put(join(lab.root, '.workspace/registry.json'), '{"types":{"note":{"folder":"my notes"}}}')
  lab.put(join(lab.root, 'my notes/.gitattributes'), '*.jsonl !merge\n')
  lab.put(join(lab.root, '.gitignore'), 'my notes/**/.session/\n')
  const { problems, notes } = await lab.doctor()
  const path = "'my notes/2000-01-01/001-x/.session/"
  expect(problems.find(({ code }) => code === 'attributes')).toMatchObject({
    message: expect.stringContaining('say nothing about merge: '),
    fix: `git check-attr merge filter text -- ${path}messages.jsonl' ${path}session.json'`,
  })
  expect(notes.find(({ code }) => code === 'session-ignored')?.fix).toBe(
    `git check-ignore --verbose --no-index ${path}session.json'`,
  )
})
