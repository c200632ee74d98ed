import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { askProgram, askProgramSync, runInTerminal } from '../../src/io/run.ts'

const env = { PATH: process.env.PATH }
const cwd = tmpdir()

test('a program that is to stop before it begins is not started', async () => {
  const asked = { env, cwd, timeoutMs: 60_000, stop: AbortSignal.abort() }
  expect(await askProgram(process.execPath, ['-e', ''], asked)).toBe('hangs')
})

test.runIf(process.platform !== 'win32')(
  'the exit code of a program that a signal ended says which',
  async () => {
    const args = ['-e', "process.kill(process.pid, 'SIGUSR2')"]
    expect(await runInTerminal({ command: process.execPath, args, env: {}, cwd }, env)).toBe(128 + 12)
  },
)

test('a program that cannot be started leaves no handler of a signal', async () => {
  const before = process.listenerCount('SIGINT')
  const started = runInTerminal({ command: process.execPath, args: ['a\0b'], env: {}, cwd }, env)
  await expect(started).rejects.toThrow('null bytes')
  expect(process.listenerCount('SIGINT')).toBe(before)
})

test('a program that prints more than is read is ended, and this is said', async () => {
  const args = ['-e', "process.stdout.write('x'.repeat(3_000_000))"]
  const asked = { env, cwd, timeoutMs: 60_000, maxBytes: 1_000_000 }
  expect(await askProgram(process.execPath, args, asked)).toBe('prints too much')
  expect(askProgramSync(process.execPath, args, asked)).toBe('prints too much')
})
