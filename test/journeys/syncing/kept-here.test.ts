import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { spoken } from '../../helpers/history-lab.ts'
import { bytesAt, connect, labAt, say, twoMachines } from '../../helpers/machines.ts'
import { type Lab, shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'

/** Two machines that have named a place. */
async function connected(): Promise<{ one: Lab; two: Lab; place: string }> {
  const { one, two, place } = await twoMachines()
  await connect(place, one, two)
  return { one, two, place }
}

interface Listed {
  path: string
  title: string
  keep_here?: true
}

const listed = async (lab: Lab) =>
  (await lab.json<{ conversations: Listed[] }>(['list', '--all', '--json'])).conversations

const sync = (lab: Lab) => lab.json<{ sent: string[]; joined: string[] }>(['sync', '--json'])

// promise: A conversation that is kept here
test('what is begun as kept here is sent nowhere, nor is a fork of it, and lists say so', async () => {
  const { one, two, place } = await connected()
  const { path } = await one.json<{ path: string }>(['start', 'plan', 'Salary talk', '--keep-here', '--json'])
  writeFileSync(join(one.root, path, 'plan.md'), 'xylophone\n')
  await one.json(['stop', path, '--json'])
  await one.json(['fork', path, '--json'])
  expect(await sync(one)).toMatchObject({ sent: [] })
  await sync(two)
  expect(bytesAt(place)).not.toMatch(/xylophone|salary/i)
  expect(await listed(two)).toEqual([])
  expect((await listed(one)).map(({ keep_here }) => keep_here)).toEqual([true, true])
  expect((await one.cortext(['list'])).stdout).toContain('paused, kept here')
})

test('a start in a session whose conversation is open already keeps it here', async () => {
  const { one, place } = await connected()
  const { claude, stop } = await spoken(one, 'Salary talk', 'xylophone')
  await claude.command('workspace.plan', 'Rises')
  await one.json(['start', 'plan', 'Rises', '--keep-here', '--json'], { env: claude.env })
  await claude.turn('ocelot')
  await stop()
  await sync(one)
  expect(bytesAt(place)).toContain('xylophone')
  expect(bytesAt(place)).not.toContain('ocelot')
})

// promise: after `--no-keep-here` the next sync joins both
test('of one that was sent, nothing more goes or comes until it is no longer kept here; then each word is on both, once', async () => {
  const { one, two, place } = await connected()
  await say(one, 'pears', 'sent')
  for (const lab of [one, two]) await sync(lab)
  const { stdout } = await one.cortext(['edit', '--key', 'pears', '--keep-here'])
  expect(stdout).toContain('What was sent before stays at the place')
  await say(one, 'pears', 'xylophone')
  await say(two, 'pears', 'of two')
  for (const lab of [one, two, one]) await sync(lab)
  expect(bytesAt(place)).not.toContain('xylophone')
  const words = async (lab: Lab) => {
    const [{ path }] = (await listed(lab)) as [Listed]
    return talk(await shown(lab, path)).filter((line) => line.startsWith('user: '))
  }
  expect(await words(one)).toEqual(['user: sent', 'user: xylophone'])
  expect(await words(two)).toEqual(['user: sent', 'user: of two'])
  await one.json(['edit', '--key', 'pears', '--no-keep-here', '--json'])
  for (const lab of [one, two, one]) await sync(lab)
  for (const lab of [one, two])
    expect((await words(lab)).toSorted()).toEqual(['user: of two', 'user: sent', 'user: xylophone'])
})

test('one that has the name of another machine’s conversation makes room for it', async () => {
  const { one, two, place } = await connected()
  const { path } = await one.json<{ path: string }>(['start', 'plan', 'Pears', '--keep-here', '--json'])
  await one.json(['stop', path, '--json'])
  const there = await two.json<{ path: string }>(['start', 'plan', 'Pears', '--json'])
  expect(there.path).toBe(path)
  await two.json(['stop', path, '--json'])
  for (const lab of [two, one, two]) await sync(lab)
  expect((await listed(two)).map((one) => one.path)).toEqual([path])
  const here = await listed(one)
  expect(here).toHaveLength(2)
  expect(here.find(({ keep_here }) => keep_here === undefined)!.path).toBe(path)
  expect(bytesAt(place)).not.toContain('keep_here')
})

// promise: `"keep_here": true` of a type
test('a type can say that its conversations are kept here', async () => {
  const { one, place } = await connected()
  await one.json(['init', '--add-type', 'diary', '--json'])
  const registry = join(one.root, '.workspace/registry.json')
  const types = JSON.parse(readFileSync(registry, 'utf8'))
  types.types.diary.keep_here = true
  writeFileSync(registry, JSON.stringify(types))
  const { path } = await one.json<{ path: string }>(['start', 'diary', 'Xylophone', '--json'])
  await one.json(['stop', path, '--json'])
  await sync(one)
  expect(bytesAt(place)).not.toMatch(/xylophone/i)
  expect((await listed(one))[0]).toMatchObject({ keep_here: true })
})

// promise: Where git tracks the conversations, none can be kept here
test('where git tracks the conversations, none can be kept here', async () => {
  const lab = await workspaceLab({ init: 'shared' })
  const start = await lab.cortext(['start', 'plan', 'Pears', '--keep-here'])
  expect({ code: start.code, stderr: start.stderr }).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('cortext init --private'),
  })
  await lab.json(['start', 'plan', 'Pears', '--json'])
  const edit = await lab.cortext(['edit', '1', '--keep-here'])
  expect({ code: edit.code, stderr: edit.stderr }).toMatchObject({ code: 1 })
})

test('what was said here since the last save is sent after another worktree has released it', async () => {
  const { one, place } = await connected()
  const second = labAt(one, join(one.home, 'second'))
  one.git('worktree', 'add', '--quiet', second.root)
  await say(one, 'pears', 'sent')
  await one.json(['edit', '--key', 'pears', '--keep-here', '--json'])
  await say(one, 'pears', 'xylophone')
  await second.json(['edit', '--key', 'pears', '--no-keep-here', '--json'])
  expect((await sync(second)).sent).toHaveLength(1)
  expect(bytesAt(place)).toContain('xylophone')
})
