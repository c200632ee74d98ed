import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { everything, historyOf, inHistory, spoken } from '../../helpers/history-lab.ts'
import {
  bytesAt,
  connect,
  labAt,
  pathWithKey,
  SECRET,
  say,
  sync,
  twoMachines,
  unredacted,
} from '../../helpers/machines.ts'
import { type Lab, shown, talk } from '../../helpers/workspace-lab.ts'

/** Renames the folder of a conversation, as a person does. Returns its path. */
function rename(lab: Lab, path: string): string {
  renameSync(join(lab.root, path), join(lab.root, `${path}-train`))
  return `${path}-train`
}

const paths = async (lab: Lab): Promise<string[]> => {
  const { conversations } = await lab.json<{ conversations: { path: string }[] }>(['list', '--all', '--json'])
  return conversations.map(({ path }) => path)
}

/** Two machines that have one conversation, with these words. */
async function both(text: string) {
  const machines = await twoMachines()
  const { one, two, place } = machines
  await unredacted(one, () => say(one, 'pears', text))
  await connect(place, one, two)
  return { ...machines, path: await pathWithKey(one, 'pears') }
}

// promise: A folder that you rename has
describe('a conversation whose folder a person has renamed', () => {
  test('has the new name on the other machine too', async () => {
    const { one, two, path } = await both('we take the train')
    const renamed = rename(one, path)
    expect(
      (await one.json<{ conversations: object[] }>(['sync', '--dry-run', '--json'])).conversations,
    ).toEqual([expect.objectContaining({ path: renamed })])
    expect((await sync(one)).sent).toEqual([renamed])
    for (const lab of [two, one, two]) await sync(lab)
    for (const lab of [one, two]) expect(await paths(lab)).toEqual([renamed])
    expect((await sync(one)).sent).toEqual([])
  })

  test.each(['by a list', 'by nothing'])(
    'and renamed once more, seen in between %s, has the last name everywhere, and no other',
    async (seen) => {
      const { one, two, path } = await both('we take the train')
      one.git('worktree', 'add', '--quiet', '../second')
      const second = labAt(one, join(one.root, '../second'))
      await say(second, 'pears', 'on Monday')
      for (const lab of [one, two]) await sync(lab)
      const between = rename(one, path)
      renameSync(join(second.root, path), join(second.root, between))
      if (seen === 'by a list') await paths(one)
      const renamed = rename(one, between)
      for (const lab of [one, two, one]) await sync(lab)
      expect(await paths(two)).toEqual([renamed])
      for (const lab of [one, second])
        expect(readdirSync(dirname(join(lab.root, path)))).toEqual([basename(renamed)])
      for (const lab of [one, two])
        expect(inHistory(lab, 'ls-tree', '--name-only', 'main', `${dirname(path)}/`)).toBe(`${renamed}\n`)
    },
  )

  test('before it was ever saved is one conversation in the lists of all work trees', async () => {
    const { one, two } = await both('we take the train')
    one.git('worktree', 'add', '--quiet', '../second')
    const second = labAt(one, join(one.root, '../second'))
    await second.json(['list', '--json'])
    await say(second, 'plums', 'on Friday')
    const renamed = rename(second, await pathWithKey(second, 'plums'))
    for (const lab of [second, two, second]) await sync(lab)
    // The first work tree does not have the folder, and only knows of it.
    for (const lab of [one, second, two])
      expect((await paths(lab)).filter((path) => path.includes('plums'))).toEqual([renamed])
  })

  test.each([
    ['the work tree', (one: Lab) => one],
    ['both work trees', (_: Lab, second: Lab) => second],
  ])(
    'in %s, and saved before the next sync, keeps the document of the other one, and its new name',
    async (_, other) => {
      const { one, two, path } = await both('we take the train')
      one.git('worktree', 'add', '--quiet', '../second')
      const second = labAt(one, join(one.root, '../second'))
      await say(second, 'pears', 'on Monday')
      writeFileSync(join(second.root, path, 'notes.md'), 'Mind the gap\n')
      for (const lab of [second, two]) await sync(lab)
      const renamed = rename(one, path)
      if (other(one, second) === second) renameSync(join(second.root, path), join(second.root, renamed))
      await paths(one)
      await one.json(['edit', renamed, '--title', 'Trains', '--json'])
      await say(second, 'pears', 'on Tuesday')
      for (const lab of [one, two, one, two]) await sync(lab)
      for (const lab of [one, second, two]) expect(await paths(lab)).toEqual([renamed])
      expect(talk(await shown(two, renamed)).join()).toMatch(/train.*on Monday.*on Tuesday/)
      for (const lab of [one, two]) {
        const saved = inHistory(lab, 'ls-tree', '-r', '--name-only', 'main', `${dirname(path)}/`).split('\n')
        expect(saved.filter((name) => !name.includes('/.session/'))).toEqual([`${renamed}/notes.md`, ''])
      }
      expect(readFileSync(join(two.root, renamed, 'notes.md'), 'utf8')).toBe('Mind the gap\n')
    },
  )

  test('in one work tree, and that goes on in the other one under the first name, has the new name', async () => {
    const { one, two, path } = await both('we take the train')
    one.git('worktree', 'add', '--quiet', '../second')
    const second = labAt(one, join(one.root, '../second'))
    await say(second, 'pears', 'on Monday')
    await sync(one)
    const renamed = rename(one, path)
    await paths(one)
    await say(second, 'pears', 'on Tuesday')
    for (const lab of [one, two, one, two]) await sync(lab)
    for (const lab of [one, second, two]) expect(await paths(lab)).toEqual([renamed])
    expect(talk(await shown(two, renamed)).join()).toMatch(/on Monday.*on Tuesday/)
    expect((await sync(one)).sent).toEqual([])
  })

  test('takes what the other machine has said meanwhile', async () => {
    const { one, two, path } = await both('we take the train')
    await say(two, 'pears', 'on Monday')
    await sync(two)
    const renamed = rename(one, path)
    for (const lab of [one, two, one]) await sync(lab)
    for (const lab of [one, two]) {
      expect(await paths(lab)).toEqual([renamed])
      expect(talk(await shown(lab, renamed)).join()).toMatch(/we take the train.*on Monday/)
    }
  })

  test('has no secret any more that the other machine has redacted', async () => {
    const { one, two, place, path } = await both(`the key is ${SECRET}`)
    await two.json(['redact', path, '--apply', '--json'])
    await sync(two)
    rename(one, path)
    for (const lab of [one, two, one]) await sync(lab)
    for (const lab of [one, two]) expect(everything(lab)).not.toContain(SECRET)
    expect(bytesAt(place)).not.toContain(SECRET)
  })

  test('is deleted under all its names', async () => {
    const { one, two, place, path } = await both('we take the xylophone')
    const renamed = rename(one, path)
    await one.json(['delete', renamed, '--yes', '--json'])
    for (const lab of [one, two]) await sync(lab)
    for (const lab of [one, two]) {
      expect(await paths(lab)).toEqual([])
      expect(everything(lab)).not.toContain('xylophone')
    }
    expect(bytesAt(place)).not.toContain('xylophone')
  })

  // promise: What is being talked about goes at the next sync after its stop
  test('and that a client has open, has its new name there, and its words after the stop', async () => {
    const { one, two, place } = await twoMachines()
    const { claude, path, stop } = await spoken(one, 'Pears', 'on Monday')
    await connect(place, one)
    await claude.turn('on Tuesday')
    const renamed = rename(one, path)
    await sync(one)
    expect(bytesAt(place)).not.toContain('on Tuesday')
    await stop()
    for (const lab of [one, two]) await lab.json(['sync', '--to', place, '--json'])
    expect(await paths(two)).toEqual([renamed])
    expect(talk(await shown(two, renamed)).join()).toMatch(/on Monday.*on Tuesday/)
  })

  test('keeps the name where another work tree still has the first one', async () => {
    const { one, two, path } = await both('we take the train')
    one.git('worktree', 'add', '--quiet', '../second')
    const second = labAt(one, join(one.root, '../second'))
    await say(second, 'pears', 'on Monday')
    for (const lab of [one, two]) await sync(lab)
    const renamed = rename(one, path)
    await sync(one)
    await say(two, 'pears', 'on Tuesday')
    for (const lab of [two, second, two, one]) await sync(lab)
    expect(await paths(two)).toEqual([renamed])
    expect((await sync(second)).sent).toEqual([])
    for (const lab of [one, second])
      expect(readdirSync(dirname(join(lab.root, path)))).toEqual([basename(renamed)])
    // Whichever of them goes on.
    for (const [lab, day] of [
      [second, 'Wednesday'],
      [one, 'Thursday'],
      [second, 'Friday'],
    ] as const) {
      await say(lab, 'pears', `on ${day}`)
      await sync(lab)
    }
    await sync(two)
    expect(await paths(two)).toEqual([renamed])
    expect(talk(await shown(two, renamed)).join()).toMatch(/Monday.*Tuesday.*Wednesday.*Thursday.*Friday/)
  })

  test('has one folder at the place also where its history is not whole yet', async () => {
    const { one, two, path } = await both('we take the train')
    await sync(two)
    const renamed = rename(two, path)
    rmSync(join(historyOf(two), 'cortext-took-over'), { force: true })
    for (const lab of [two, one]) await sync(lab)
    for (const lab of [one, two]) {
      const saved = inHistory(lab, 'ls-tree', '-r', '--name-only', 'main', 'conversations')
      expect(saved.split('\n').filter((file) => !file.startsWith(`${renamed}/`))).toEqual([''])
    }
  })

  test('is not removed with the conversation that had its name before', async () => {
    const { one, two, place } = await twoMachines()
    for (const key of ['pears', 'plums']) await say(one, key, `words of ${key}`)
    await connect(place, one, two)
    const [pears, plums] = [await pathWithKey(one, 'pears'), await pathWithKey(one, 'plums')]
    renameSync(join(one.root, plums), join(one.root, `${plums}-then`))
    renameSync(join(one.root, pears), join(one.root, plums))
    await two.json(['delete', plums, '--yes', '--json'])
    for (const lab of [two, one]) await sync(lab)
    expect(readFileSync(join(one.root, plums, '.session/messages.jsonl'), 'utf8')).toContain('words of pears')
  })
})

test('of two that began under one name, the older one has it on all machines, also where the younger was there first', async () => {
  const { one, two, place } = await twoMachines()
  await say(one, 'pears', 'words of the older')
  await say(two, 'pears', 'words of the younger')
  const path = await pathWithKey(one, 'pears')
  await connect(place, two)
  await connect(place, one)
  for (const lab of [two, one]) await sync(lab)
  for (const lab of [one, two]) {
    expect(await paths(lab)).toContain(path)
    expect(talk(await shown(lab, path)).join()).toContain('words of the older')
    expect(await paths(lab)).toHaveLength(2)
  }
  expect((await sync(one)).sent).toEqual([])
})

test('of two that began under one name, what is deleted is the one, and the other keeps its history', async () => {
  const { one, two, place } = await twoMachines()
  for (const lab of [one, two]) await say(lab, 'pears', `words of ${lab === one ? 'one' : 'two'}`)
  await connect(place, one, two)
  for (const lab of [one, two, one]) await sync(lab)
  const [moved, first] = (await paths(two)).toSorted((a, b) => b.length - a.length) as [string, string]
  const before = inHistory(two, 'log', '--format=%s', 'main', '--', first)
  expect(before).not.toBe('')
  for (const [path, words] of [
    [moved, 'words of two'],
    [first, 'words of one'],
  ] as const) {
    await two.json(['delete', path, '--yes', '--json'])
    const others = inHistory(two, 'ls-tree', '-r', '--name-only', 'main', 'conversations')
    if (path === moved) expect(others).toContain(`${first}/.session/messages.jsonl`)
    for (const lab of [two, one, two]) await sync(lab)
    for (const lab of [one, two]) expect(everything(lab), path).not.toContain(words)
    expect(bytesAt(place), path).not.toContain(words)
  }
})

// promise: is left alone, and sync says so
test('a folder with a name that is too long stays as it is on both, once, until it has a shorter one', async () => {
  const { one, two, path } = await both('we take the train')
  const long = `${path}-${'x'.repeat(230 - basename(path).length)}`
  renameSync(join(one.root, path), join(one.root, long))
  await say(one, 'pears', 'and then a ship')
  await say(two, 'pears', 'by night')
  for (const lab of [one, two, one]) {
    const { keys, unread } = await sync(lab)
    expect(keys).toEqual([])
    if (lab === one) expect(unread.map(({ problem }) => problem)).toContain('its name is too long')
  }
  expect(await paths(one)).toEqual([long])
  expect(await paths(two)).toEqual([path])
  renameSync(join(one.root, long), join(one.root, `${path}-ship`))
  for (const lab of [one, two, one]) await sync(lab)
  const lines = await Promise.all([one, two].map(async (lab) => talk(await shown(lab, 'pears')).sort()))
  expect(lines[0]).toEqual(lines[1])
  for (const said of ['we take the train', 'and then a ship', 'by night'])
    expect(lines[0]!.filter((line) => line.endsWith(`user: ${said}`))).toHaveLength(1)
  for (const lab of [one, two]) expect(await paths(lab)).toHaveLength(1)
})
