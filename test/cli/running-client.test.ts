import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ClaudeSession } from '../helpers/claude-session.ts'
import { putProgram } from '../helpers/stand-ins.ts'
import { workspaceLab } from '../helpers/workspace-lab.ts'

test.runIf(existsSync('/proc/self/cwd'))(
  'init says which clients run here and must be started again, and only when it wrote something',
  async () => {
    const lab = await workspaceLab({ init: 'none' })
    const bin = putProgram(join(lab.home, 'bin'), 'claude', 'echo up; read -r end')
    const client = spawn(join(bin, 'claude'), { cwd: lab.root, stdio: ['pipe', 'pipe', 'ignore'] })
    onTestFinished(() => void client.kill())
    await once(client.stdout, 'data')
    const init = async () => (await lab.cortext(['init', '--in', 'claude', '--shared'])).stdout
    const said = await init()
    expect(said).toContain(`Claude Code already runs here (process ${client.pid})`)
    expect(said).toContain('cortext import claude --all')
    expect(await init()).not.toContain('already runs here')
  },
)

test('stop and save name what was said in a client without hooks, with the command that keeps it', async () => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  claude.say('/workspace.brainstorm as plain text')
  for (const verb of ['save', 'stop']) {
    const { stderr } = await lab.cortext([verb])
    expect(stderr).toContain('is not saved: "/workspace.brainstorm as plain text"')
    expect(stderr).toContain(`fix: cortext import claude ${claude.id}\n`)
  }
  await lab.json(['import', 'claude', claude.id, '--json'])
  expect((await lab.cortext(['stop'])).stderr).toContain('fix: cortext resume --list')
})
