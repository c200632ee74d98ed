import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say, twoMachines } from '../../helpers/machines.ts'

// promise: The repository of your project gets nothing of it
test.each([
  ['as it is', (origin: string) => origin],
  ['as a URL', (origin: string) => `file://${origin}`],
  ['by a link', (origin: string) => origin.replace('/real/', '/link/')],
])('a remote of the project is no place for its conversations, %s', async (_, form) => {
  const { one } = await twoMachines()
  mkdirSync(join(one.home, 'real'))
  const origin = join(one.home, 'real', 'proj.git')
  one.git('init', '--quiet', '--bare', origin)
  one.git('remote', 'add', 'local', origin)
  if (form('/real/') === '/link/') {
    symlinkSync(join(one.home, 'real'), join(one.home, 'link'))
  }
  await say(one, 'pears', 'words')
  const { code, stderr } = await one.cortext(['sync', '--to', form(origin)])
  expect({ code, stderr }).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is a remote of this project'),
  })
  expect(one.git('--git-dir', origin, 'for-each-ref')).toBe('')
})

test('a remote on a server is known in each of its forms, and as the settings of git rewrite it', async () => {
  const { one } = await twoMachines()
  one.git('config', 'url.https://forge.example/.insteadOf', 'forge:')
  for (const address of [
    'git@forge.example:me/thing',
    'ssh://git@forge.example/me/thing.git',
    'forge:me/thing.git',
  ])
    expect((await one.cortext(['sync', '--to', address])).stderr).toContain('is a remote of this project')
})

// promise: nothing is sent until you have said which branch it is
test('a fork by a path is asked about, and a clone by the same path is not', async () => {
  const { one, two, place } = await twoMachines()
  for (const lab of [one, two]) lab.git('remote', 'remove', 'origin')
  // Both have the same first commit.
  two.git('fetch', '--quiet', one.root)
  two.git('reset', '--quiet', '--hard', 'FETCH_HEAD')
  one.git('remote', 'add', 'origin', 'file:///srv/git/thing.git')
  two.git('remote', 'add', 'origin', '/srv/git/fork.git')
  await say(one, 'pears', 'words')
  await one.json(['sync', '--to', place, '--json'])
  const { code, stderr } = await two.cortext(['sync', '--to', place])
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('--branch') })
  two.git('remote', 'set-url', 'origin', '/srv/git/thing.git')
  expect((await two.cortext(['sync', '--to', place])).stdout).toContain('1 conversation')
})
