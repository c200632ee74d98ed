import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { bytesAt, connect, labAt, pathWithKey, say, sync, twoMachines } from '../../helpers/machines.ts'
import { shown, talk } from '../../helpers/workspace-lab.ts'

const DYING = fileURLToPath(new URL('../../helpers/dying.cjs', import.meta.url))

describe('worktrees', () => {
  test('an earlier version in one of them takes no word from what another has saved, here or at the place', async () => {
    const { one, two, place } = await twoMachines()
    one.git('worktree', 'add', '--quiet', '../project-worktree')
    const there = labAt(one, join(one.root, '../project-worktree'))
    await say(one, 'loop', 'in the main one')
    await say(there, 'loop', 'in the worktree')
    await say(one, 'loop', 'in the main one again')
    const { path } = (await one.json<{ conversations: [{ path: string }] }>(['list', '--all', '--json']))
      .conversations[0]
    await connect(place, there, two)
    expect(talk(await shown(two, path))).toContain('user: in the main one again')
    await say(two, 'loop', 'on the other machine')
    for (const lab of [two, there, one, two, there]) await sync(lab)
    await say(there, 'loop', 'in the worktree at last')
    for (const lab of [there, two, one]) await sync(lab)
    const words = [
      'in the main one',
      'in the worktree',
      'in the main one again',
      'on the other machine',
      'in the worktree at last',
    ]
    for (const lab of [one, there, two]) {
      const said = talk(await shown(lab, path)).filter((line) => line.startsWith('user: '))
      expect(said.toSorted()).toEqual(words.map((word) => `user: ${word}`).toSorted())
    }
    expect(bytesAt(place).match(/"on the other machine"/g)!.length).toBeGreaterThan(0)
  })

  test('turns of a loop in one go along with a sync in another', async () => {
    const { one, two, place } = await twoMachines()
    await connect(place, one, two)
    one.git('worktree', 'add', '--quiet', '../project-worktree')
    const there = labAt(one, join(one.root, '../project-worktree'))
    await say(there, 'loop', 'in the worktree')
    for (const lab of [one, two]) await sync(lab)
    const { conversations } = await two.json<{ conversations: { path: string }[] }>(['list', '--json'])
    expect(talk(await shown(two, conversations[0]!.path))).toContain('user: in the worktree')
  })

  test('one without a setting does not remove it', async () => {
    const { one, two, place } = await twoMachines()
    mkdirSync(join(one.root, '.workspace/memory'), { recursive: true })
    writeFileSync(join(one.root, '.workspace/memory/team.md'), 'ours\n')
    await connect(place, one, two)
    one.git('worktree', 'add', '--quiet', '../project-worktree')
    const there = labAt(one, join(one.root, '../project-worktree'))
    await there.cortext(['list'])
    rmSync(join(there.root, '.workspace/memory'), { recursive: true, force: true })
    for (const lab of [there, two, one]) await sync(lab)
    for (const lab of [one, two]) expect(existsSync(join(lab.root, '.workspace/memory/team.md'))).toBe(true)
  })

  test('the title that one has given is not taken back where another one still has the first', async () => {
    const { one, two, place } = await twoMachines()
    await connect(place, one, two)
    one.git('worktree', 'add', '--quiet', '../project-worktree')
    const there = labAt(one, join(one.root, '../project-worktree'))
    await say(one, 'pears', 'ripe ones')
    await say(there, 'pears', 'green ones')
    await there.json(['edit', '--key', 'pears', '--title', 'Pears', '--tag', 'fruit', '--json'])
    for (const lab of [there, two]) await sync(lab)
    await say(two, 'pears', 'none')
    for (const lab of [two, there, two, one]) await sync(lab)
    for (const lab of [one, there, two]) {
      const { conversations } = await lab.json<{ conversations: object[] }>(['list', '--all', '--json'])
      expect(conversations).toMatchObject([{ title: 'Pears', tags: ['fruit'] }])
    }
  })

  test('none takes the state that a killed edit has left for an older one', async () => {
    const { one, two, place } = await twoMachines()
    one.git('worktree', 'add', '--quiet', '../project-worktree')
    await connect(place, one, two)
    await say(one, 'pears', 'ripe ones')
    const env = { NODE_OPTIONS: `--require ${DYING}`, DIE_BEHIND: '/metadata/[^/~]+$' }
    const { code } = await one.cortext(['edit', '--key', 'pears', '--title', 'Pears'], { env })
    expect(code).toBe(null)
    expect((await sync(one)).sent).toHaveLength(1)
    await sync(two)
    expect((await two.cortext(['list'])).stdout).toContain('Pears')
  })
})

test('a conversation that another machine has renamed keeps the newest state where a work tree has an earlier one', async () => {
  const { one, two, place } = await twoMachines()
  one.git('worktree', 'add', '--quiet', '../second')
  const second = labAt(one, join(one.root, '../second'))
  await say(one, 'pears', 'on Monday')
  await connect(place, one, two)
  await sync(two)
  const path = await pathWithKey(one, 'pears')
  await say(second, 'pears', 'on Tuesday')
  await second.json(['edit', path, '--title', 'By train', '--json'])
  await sync(second)
  await sync(two)
  renameSync(join(two.root, path), join(two.root, `${path}-then`))
  for (const lab of [two, one, two, one]) await sync(lab)
  for (const lab of [one, second, two]) {
    const { conversations } = await lab.json<{ conversations: object[] }>(['list', '--all', '--json'])
    expect(conversations).toEqual([expect.objectContaining({ path: `${path}-then`, title: 'By train' })])
    expect(talk(await shown(lab, `${path}-then`)).join()).toMatch(/on Monday.*on Tuesday/)
  }
  expect((await sync(one)).sent).toEqual([])
})
