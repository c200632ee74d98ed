import { mkdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { putProgram } from '../helpers/stand-ins.ts'
import { workspaceLab } from '../helpers/workspace-lab.ts'

test('S4-P4-13 a client that gives no answer is named, and the list comes without its sessions', async () => {
  const lab = await workspaceLab()
  mkdirSync(join(lab.home, '.local', 'share', 'opencode'), { recursive: true })
  const picked = async (script: string, ...args: string[]) => {
    const bin = putProgram(join(lab.home, 'bin'), 'opencode', script)
    return lab.cortext(args, { env: { PATH: [bin, lab.env.PATH].join(delimiter) } })
  }
  for (const broken of ['exit 1', 'echo no such command']) {
    const { code, stderr } = await picked(broken)
    expect([code, stderr]).toEqual([0, expect.stringContaining('OpenCode did not list its sessions')])
  }
  const none = await picked('exit 0')
  expect([none.code, none.stderr]).toEqual([0, ''])
  const one = { id: 'ses_1', title: 'Endpoints', directory: lab.root, updated: Date.now() }
  const told = `echo '${JSON.stringify([one])}'`
  const { stdout, stderr } = await picked(told)
  expect([stdout, stderr]).toEqual([expect.stringMatching(/^ {2}opencode {2}ses_1 /m), ''])
  const many = JSON.stringify(Array.from({ length: 1002 }, (_, n) => ({ ...one, id: `ses_${n}` })))
  const newest = await picked(`cat <<'MANY'\n${many}\nMANY`, '--json', '--not-saved')
  expect(JSON.parse(newest.stdout).native).toHaveLength(1000)
  expect(newest.stderr).toContain('2 older sessions are left out')
  expect(JSON.parse((await picked(told, '--json')).stdout)).toEqual({
    conversations: [],
    broken: [],
    not_saved: [],
    native: [
      {
        client: 'opencode',
        native_id: 'ses_1',
        title: 'Endpoints',
        last_active: new Date(one.updated).toISOString(),
        bytes: expect.any(Number),
      },
    ],
  })
})
