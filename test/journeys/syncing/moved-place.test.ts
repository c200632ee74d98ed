import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { pathWithKey, say, sync, twoMachines } from '../../helpers/machines.ts'
import { carryKey } from '../../helpers/sealed.ts'
import { type Lab, shown, talk } from '../../helpers/workspace-lab.ts'

const to = (lab: Lab, place: string, seals: boolean) =>
  lab.json<{ asked: string[]; deleted: string[]; putBack?: true }>([
    ...['sync', '--to', place, ...(seals ? ['--seal'] : [])],
    '--json',
  ])

// promise: A place that has moved goes on as it was
describe.each([
  ['a git repository', 'place.git', false],
  ['a plain folder', 'Shared', false],
  ['a sealed repository', 'place.git', true],
  ['a sealed folder', 'Shared', true],
] as const)('%s with a new address', (_, name, seals) => {
  test('goes on as it was: what another machine has deleted goes, and documents are joined', async () => {
    const { one, two } = await twoMachines()
    const [place, moved] = [join(one.home, name), join(one.home, `moved-${name}`)]
    await say(one, 'pears', 'words')
    await say(one, 'plums', 'first')
    await to(one, place, seals)
    if (seals) carryKey(one, two)
    await to(two, place, seals)
    const path = await pathWithKey(one, 'pears')
    await one.json(['delete', path, '--yes', '--json'])
    await one.json(['prune', '--key', 'plums', '--keep', '1', '--yes', '--json'])
    await sync(one)
    await say(two, 'plums', 'second')
    renameSync(place, moved)
    const done = await to(two, moved, seals)
    expect(done).toMatchObject({ asked: [], deleted: [path] })
    expect(done.putBack).toBeUndefined()
    expect(existsSync(join(two.root, path))).toBe(false)
    expect(await to(one, moved, seals)).toMatchObject({ asked: [], deleted: [] })
    for (const lab of [one, two])
      expect(
        talk(await shown(lab, await pathWithKey(lab, 'plums')))
          .join()
          .match(/second/g),
      ).toHaveLength(2)
  })

  test('that is an earlier copy gets what it lacks, and gives nothing back that was removed', async () => {
    const { one } = await twoMachines()
    const [place, copy] = [join(one.home, name), join(one.home, `copy-${name}`)]
    await say(one, 'pears', 'words')
    const path = await pathWithKey(one, 'pears')
    const at = (file: string) => join(one.root, path, file)
    for (const file of ['notes.md', 'gone.md']) writeFileSync(at(file), 'first\n')
    await to(one, place, seals)
    cpSync(place, copy, { recursive: true })
    writeFileSync(at('notes.md'), 'second\n')
    rmSync(at('gone.md'))
    await sync(one)
    expect(await to(one, copy, seals)).toMatchObject({ conflicts: [], sent: [path] })
    expect(readFileSync(at('notes.md'), 'utf8')).toBe('second\n')
    expect(existsSync(at('gone.md'))).toBe(false)
  })

  test('that is another place, from before some words were said, deletes none of them', async () => {
    const { one, two } = await twoMachines()
    const [place, other] = [join(one.home, name), join(one.home, `other-${name}`)]
    await say(one, 'pears', 'begun')
    await to(one, place, seals)
    if (seals) carryKey(one, two)
    await to(two, place, seals)
    const path = await pathWithKey(one, 'pears')
    cpSync(place, other, { recursive: true })
    await say(one, 'pears', 'that nobody there has seen')
    await sync(one)
    await to(two, other, seals)
    await two.json(['delete', path, '--yes', '--json'])
    await sync(two)
    expect(await to(one, other, seals)).toMatchObject({ asked: [path], deleted: [] })
    expect(talk(await shown(one, path)).join()).toContain('that nobody there has seen')
  })
})
