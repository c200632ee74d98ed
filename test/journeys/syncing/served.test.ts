import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { serveGit } from '../../helpers/git-server.ts'
import { spoken } from '../../helpers/history-lab.ts'
import { bytesAt, twoMachines } from '../../helpers/machines.ts'
import { filesBelow, shown, talk } from '../../helpers/workspace-lab.ts'

const PASSWORD = 'correct-horse-battery'

// promise: **Credentials** are git's own
test('by http, with the credential helper of git, which alone knows the password', async () => {
  const { one, two } = await twoMachines()
  const place = join(one.home, 'served.git')
  execFileSync('git', ['init', '--quiet', '--bare', place])
  execFileSync('git', ['-C', place, 'config', 'http.receivepack', 'true'])
  const { address, close } = await serveGit(place, `me:${PASSWORD}`)
  onTestFinished(close)
  const { path, stop } = await spoken(one, 'Pears', 'by http')
  await stop()
  const refused = await one.cortext(['sync', '--to', address])
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`fix: git ls-remote ${address}\n`),
  })
  for (const lab of [one, two])
    lab.git(
      'config',
      '--global',
      'credential.helper',
      `!f() { echo username=me; echo password=${PASSWORD}; }; f`,
    )
  for (const lab of [one, two]) await lab.json(['sync', '--to', address, '--json'])
  expect(talk(await shown(two, path))).toContain('user: by http')
  await two.json(['delete', path, '--yes', '--json'])
  for (const lab of [two, one]) await lab.json(['sync', '--json'])
  expect((await one.json<{ conversations: unknown[] }>(['list', '--all', '--json'])).conversations).toEqual(
    [],
  )
  for (const lab of [one, two])
    expect(JSON.stringify(filesBelow(join(lab.root, '.git/cortext')))).not.toContain(PASSWORD)
  expect(bytesAt(place)).not.toContain(PASSWORD)
})
