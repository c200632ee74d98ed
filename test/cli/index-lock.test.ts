import { spawn } from 'node:child_process'
import { readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { ClaudeSession } from '../helpers/claude-session.ts'
import { type Lab, workspaceLab } from '../helpers/workspace-lab.ts'

test("a stop says that git's index is locked, for how long, that no git holds it, and what to type; doctor names it; what was said is saved", async () => {
  const { lab, claude } = await talking()
  const lock = locked(lab, 3 * 3_600_000)
  const doctor = await lab.cortext(['doctor'])
  expect(doctor.code).toBe(1)
  expect(doctor.stdout).toContain(`PROBLEM  git's index is locked by ${lock}, made 3 hours ago`)
  expect(doctor.stdout).toContain(`→ rm ${lock}`)
  const { code, stderr } = await lab.cortext(['stop'], { env: claude.env })
  expect(code).toBe(0)
  expect(stderr).toContain(
    `Not committed: git's index is locked by ${lock}, made 3 hours ago, and no git works here: a git that was killed has left it`,
  )
  const command = /^To commit it: (rm .*); then (cortext save .* --commit)$/m.exec(stderr)!
  rmSync(lock)
  const [, ...args] = command[2]!.split(' ')
  expect(command[1]).toBe(`rm ${lock}`)
  expect((await lab.cortext(args)).stderr).not.toContain('Not committed')
  expect(lab.git('status', '--porcelain', '--', 'conversations')).toBe('')
  expect(lab.git('show', '--stat', 'HEAD')).toContain('messages.jsonl')
}, 120_000)

test('while a git process may hold the lock, no message advises to remove it', async () => {
  const { lab } = await talking()
  const lock = locked(lab, 3 * 3_600_000)
  // Waits for its input.
  const git = spawn('git', ['hash-object', '--stdin'], { cwd: lab.root, env: lab.env, stdio: 'pipe' })
  onTestFinished(() => void git.stdin.end())
  while (git.pid === undefined || !commandOf(git.pid).startsWith('git')) await sleep(20)
  const { stdout } = await lab.cortext(['doctor'])
  expect(stdout).toContain(`a git that works here may hold it (process ${git.pid})`)
  expect(stdout).not.toContain(`rm ${lock}`)
})

async function talking() {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'API')
  await claude.turn('A word')
  return { lab, claude }
}

/** As a git leaves it that was killed so many milliseconds ago. */
function locked(lab: Lab, age: number): string {
  const lock = join(lab.root, '.git/index.lock')
  writeFileSync(lock, '')
  const then = new Date(Date.now() - age)
  utimesSync(lock, then, then)
  return lock
}

function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
}
