import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, it } from 'vitest'
import { openLab } from './claude.ts'
import { openNetwork } from './network.ts'

it('gives programs an environment of its own, and no network but loopback', async () => {
  await using lab = await openLab()
  process.env.LEAKED = 'a secret of the machine'
  const { stdout } = await lab.run(['sh', '-c', 'env; cat /proc/net/dev'])
  delete process.env.LEAKED
  expect(stdout).not.toContain('LEAKED')
  expect(stdout).toContain(`HOME=${lab.home}`)
  const interfaces = [...stdout.matchAll(/^\s*(\w+): /gm)].map(([, name]) => name)
  const probe = await openNetwork('/unused')
  await probe.close()
  if (probe.isolated) expect(interfaces).toEqual(['lo'])
})

it('shows a terminal with its scrollback, takes keys, and tells how the program ended', async () => {
  await using lab = await openLab()
  const terminal = lab.terminal(['sh', '-c', 'seq 100; read line; echo "got $line"; exit 3'], { rows: 10 })
  await terminal.waitFor('100')
  expect(terminal.screen()).not.toContain('42')
  expect(terminal.history()).toContain('42')
  await terminal.submit('$(id) "x"')
  expect(await terminal.waitForExit()).toBe(3)
  expect(terminal.screen()).toContain('got $(id) "x"')
})

it('fails a wait with the last screen', async () => {
  await using lab = await openLab()
  const terminal = lab.terminal(['sh', '-c', 'echo here; sleep 60'])
  await terminal.waitFor('here')
  await expect(terminal.waitFor('there', { timeout: 100 })).rejects.toThrow(/waited 100 ms for there.*here/s)
})

it('leaves nothing behind', async () => {
  const lab = await openLab()
  const terminal = lab.terminal(['sleep', '600'])
  const pid = terminal.pid()
  await lab.close()
  expect(existsSync(lab.folder)).toBe(false)
  await expect.poll(() => isAlive(pid), { timeout: 5000 }).toBe(false)
  expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain(basename(lab.folder))
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
