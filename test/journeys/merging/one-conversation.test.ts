import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ANN, BOB, type Branches, branches, PATH } from './branches.ts'

const SESSION = `${PATH}/.session/session.json`

/** Ann has begun; then she renamed it and said one thing, and Bob said two. Ann's branch is checked out. */
function bothWentOn(options?: Parameters<typeof branches>[0]): Branches {
  const world = branches(options)
  world.say(ANN!, ['begin'])
  for (const [who, texts, more] of [
    [ANN!, ['ann 1'], { title: 'Renamed', tags: ['ours'] }],
    [BOB!, ['bob 1', 'bob 2'], { status: 'completed', context_summary: 'by bob' }],
  ] as const) {
    world.git('checkout', '--quiet', '-b', who, 'trunk')
    world.say(who, texts, more)
  }
  world.git('checkout', '--quiet', ANN!)
  return world
}

const JOINED = {
  title: 'Renamed',
  tags: ['ours'],
  status: 'completed',
  context_summary: 'by bob',
  message_count: 4,
}
const staged = (world: Branches) => world.git('diff', '--cached', '--name-only').split('\n').filter(Boolean)

describe('one conversation that continued in two clones', () => {
  test.each([
    ['a merge', ['merge', '--no-edit', BOB!]],
    ['a merge that prefers one side', ['merge', '--no-edit', '-X', 'theirs', BOB!]],
    ['a rebase', ['rebase', BOB!]],
    ['a cherry-pick', ['cherry-pick', BOB!]],
    ['a squash', ['merge', '--squash', BOB!]],
  ])('is right after %s by git alone, and nothing is left to do', async (_, command) => {
    const world = bothWentOn()
    world.git(...command)
    expect(world.session(PATH)).toMatchObject(JOINED)
    expect(await world.settle()).toEqual({ apart: [], joined: [], counted: [] })
    expect(world.said(PATH)).toEqual(['begin', 'ann 1', 'bob 1', 'bob 2'])
  })

  test.each([
    ['without our driver in a clone', undefined],
    ['where cortext is gone', '#!/bin/sh\nexit 127\n'],
    ['where the driver is killed', '#!/bin/sh\nkill -9 $$\n'],
    ['where the driver dies in the middle of writing', '#!/bin/sh\nprintf half >"$3.half"; kill -9 $$\n'],
  ])(
    '%s git leaves a conflict; the next verb joins and stages it, and does nothing else',
    async (_, driver) => {
      const world = bothWentOn(driver === undefined ? {} : { driver })
      if (driver === undefined) world.git('config', '--remove-section', 'merge.cortext')
      world.write('other.txt', 'mine\n')
      world.git('add', '--all')
      world.git('commit', '--quiet', '--message=other')
      world.git('checkout', '--quiet', BOB!)
      world.write('other.txt', 'theirs\n')
      world.git('add', '--all')
      world.git('commit', '--quiet', '--message=other')
      world.tryGit('merge', ANN!)
      expect(readFileSync(join(world.root, SESSION), 'utf8')).toContain('<<<<<<<')
      expect(await world.settle()).toMatchObject({ joined: [{ path: PATH, kept: 'staged' }] })
      expect(world.session(PATH)).toMatchObject(JOINED)
      expect(staged(world)).toContain(SESSION)
      expect(world.git('ls-files', '--unmerged')).toMatch(/^(?:.*\tother\.txt\n){2}$/)
      expect(world.git('rev-parse', '--verify', 'MERGE_HEAD').trim()).toMatch(/^[0-9a-f]{40}$/)
      expect((await world.settle()).joined).toEqual([])
    },
  )

  test('if the shell of the driver is killed, git keeps our side, and the next verb joins both all the same', async () => {
    const world = bothWentOn({ driver: '#!/bin/sh\nkill -9 $PPID\n' })
    world.tryGit('merge', BOB!)
    expect(readFileSync(join(world.root, SESSION), 'utf8')).not.toContain('<<<<<<<')
    expect(await world.settle()).toMatchObject({ joined: [{ path: PATH, kept: 'staged' }] })
    expect(world.session(PATH)).toMatchObject(JOINED)
  })

  test('a conflict that a person has resolved stays as they did, and is not staged for them', async () => {
    const world = bothWentOn()
    world.git('config', '--remove-section', 'merge.cortext')
    world.tryGit('merge', BOB!)
    const text = JSON.stringify({ ...JSON.parse(world.git('show', `HEAD:${SESSION}`)), title: 'By hand' })
    writeFileSync(join(world.root, SESSION), text)
    await world.settle()
    expect(readFileSync(join(world.root, SESSION), 'utf8')).toBe(text)
    expect(world.git('ls-files', '--unmerged')).toContain(SESSION)
  })

  test('a side that was kept without the other, as by merge=ours or by hand, is counted again, and committed', async () => {
    const world = bothWentOn()
    await world.settle()
    writeFileSync(join(world.root, '.git/info/attributes'), '**/session.json merge=ours\n')
    world.git('config', 'merge.ours.driver', 'true')
    world.git('merge', '--no-edit', BOB!)
    expect(world.session(PATH).message_count).toBe(2)
    expect(await world.settle()).toMatchObject({ counted: [{ path: PATH, kept: 'committed' }] })
    expect(world.session(PATH)).toMatchObject({ message_count: 4, title: 'Renamed' })
    expect(world.git('status', '--porcelain')).toBe('')
  })

  test('numbers that another program has written its own way are left alone', async () => {
    const world = branches()
    world.say(ANN!, ['one'], { message_count: 17 })
    expect((await world.settle()).counted).toEqual([])
    expect(world.session(PATH).message_count).toBe(17)
  })

  test('a conflict that a person is resolving stays as it is', async () => {
    const world = bothWentOn()
    world.git('config', '--remove-section', 'merge.cortext')
    world.tryGit('merge', BOB!)
    const file = join(world.root, SESSION)
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^=======$/m, '=======\nhalf a thought'))
    const text = readFileSync(file, 'utf8')
    expect(await world.settle()).toEqual({ apart: [], joined: [], counted: [] })
    expect(readFileSync(file, 'utf8')).toBe(text)
    expect(world.git('ls-files', '--unmerged')).toContain(SESSION)
  })

  test('an octopus merge is refused by git, and what it leaves is read', async () => {
    const world = bothWentOn()
    world.git('checkout', '--quiet', '-b', 'third', 'trunk')
    world.say('third', ['third 1'])
    world.tryGit('merge', ANN!, BOB!)
    await world.settle()
    expect(world.said(PATH)).toEqual(expect.arrayContaining(['begin', 'third 1']))
  })

  test('both clones get the same file, whichever of them merges', () => {
    const trees = [ANN!, BOB!].map((who, at, all) => {
      const world = bothWentOn()
      world.git('branch', 'other', all[1 - at]!)
      world.git('checkout', '--quiet', who)
      world.git('merge', '--no-edit', 'other')
      return readFileSync(join(world.root, SESSION), 'utf8').replace(/\d{4}-\d\d-\d\dT[\d:.]*Z/g, 'time')
    })
    expect(trees[0]).toBe(trees[1])
  })
})
