import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ClaudeSession } from '../helpers/claude-session.ts'
import { shown, talk, workspaceLab } from '../helpers/workspace-lab.ts'

/** A client that runs a program as its shell does: only the program is given the session's variables. */
function client({ id }: ClaudeSession): string[] {
  return ['sh', '-c', `CLAUDECODE=1 CLAUDE_CODE_SESSION_ID=${id} "$@"; exit $?`, 'sh']
}

// promise: Claude Code finds the commands in a sub-folder too, and runs no hooks there
// promise: There the turns are not recorded one by one: `cortext save` and `cortext stop` take them
test('a client that was started in a sub-folder runs no hooks: start says so, and its turns are taken in', async () => {
  const lab = await workspaceLab()
  const cwd = join(lab.root, 'src', 'below')
  mkdirSync(cwd, { recursive: true })
  const claude = new ClaudeSession(lab, cwd)
  claude.say('before')
  const started = await lab.cortext(['agent', 'start', 'plan'], { cwd, wrap: client(claude) })
  expect(started.stdout).toMatch(/^Document: \.\.\/\.\.\/conversations\//m)
  expect(started.stderr).toContain(`Claude Code was started in ${cwd} and runs no hooks`)
  claude.say('in a sub-folder')

  // That process has ended, and no hook has told it.
  const { stdout, stderr } = await lab.cortext(['list'])
  expect(stdout).toContain('paused')
  expect(stderr).toContain('Saved and paused, because its client is gone')
  expect(talk(await shown(lab, '001'))).toContain('user: in a sub-folder')

  const resumed = await lab.cortext(['agent', 'resume', '001'], { cwd, wrap: client(claude) })
  expect(resumed.stdout).toContain(`The paths above are relative to ${lab.root}`)
  const { stdout: found } = await lab.cortext(['doctor'], { cwd })
  expect(found).toContain(`cd ${lab.root}`)
  expect((await lab.cortext(['doctor'])).stdout).not.toContain(`cd ${lab.root}`)
})

test('a client that was started in the root gets no such note', async () => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  claude.say('before')
  const started = await lab.cortext(['agent', 'start', 'plan'], { wrap: client(claude) })
  expect(started).toMatchObject({ code: 0, stderr: '' })
  expect(started.stdout).toMatch(/^Document: conversations\//m)
})
