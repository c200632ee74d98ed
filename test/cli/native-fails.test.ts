import { mkdirSync, readFileSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { ClaudeSession } from '../helpers/claude-session.ts'
import { putProgram } from '../helpers/stand-ins.ts'
import { type Lab, shown, talk, workspaceLab } from '../helpers/workspace-lab.ts'

/** As Claude Code 2.1.330 does it: it ends with 1 where it has no session of that name, and 0 otherwise. */
const CLAUDE = `printf '%s\\n' "$*" >> "$HOME/started"
case $* in *--fork-session*) exit 0;; esac
echo "No conversation found with session ID: $2" >&2
exit 1`

async function stopped(lab: Lab): Promise<ClaudeSession> {
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.plan', 'Here')
  await claude.turn('before')
  await lab.json(['stop', '--json'], { env: claude.env })
  return claude
}

const path = (lab: Lab) => ({ PATH: `${putProgram(join(lab.home, 'bin'), 'claude', CLAUDE)}:/usr/bin:/bin` })

test('a repository that was renamed: what Claude Code looks for under the old name is handed over', async () => {
  const lab = await workspaceLab()
  const claude = await stopped(lab)
  const cwd = join(dirname(lab.root), 'renamed')
  renameSync(lab.root, cwd)
  const { stdout } = await lab.cortext(['resume', '001', '--dry-run'], { cwd })
  expect(stdout).toContain(`finds its session only from ${lab.root}`)
  expect(stdout).toContain('--fork-session')
  expect(talk(await shown(lab, '001', { cwd })).at(-1)).toBe('assistant: answer to before')

  // A folder of the same repository is the same to the client.
  mkdirSync(join(cwd, 'below'))
  renameSync(cwd, lab.root)
  const below = await lab.cortext(['resume', '001', '--dry-run'], { cwd: join(lab.root, 'below') })
  expect(below.stdout).toContain(`Would run: claude --resume ${claude.id}\n`)
})

test('a client that does not take up its own session is handed the conversation at once', async () => {
  const lab = await workspaceLab()
  const claude = await stopped(lab)
  const run = await lab.cortext(['resume', '001'], { env: path(lab) })
  expect(run).toMatchObject({ code: 0 })
  expect(run.stderr).toContain('Claude Code could not resume its own session (exit code 1)')
  const [first, second] = readFileSync(join(lab.home, 'started'), 'utf8').trim().split('\n')
  expect(first).toBe(`--resume ${claude.id}`)
  expect(second).toContain('--fork-session')
  expect(await lab.json(['list', '--json'])).toMatchObject({ conversations: [{ status: 'paused' }] })
})

test('a failed resume with --mode native names the handoff', async () => {
  const lab = await workspaceLab()
  await stopped(lab)
  const run = await lab.cortext(['resume', '001', '--mode', 'native'], { env: path(lab) })
  expect(run).toMatchObject({ code: 1 })
  expect(run.stderr).toContain('cortext resume 1 --mode handoff')
})
