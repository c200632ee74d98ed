import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { TEMP_SUFFIX } from '../../../src/io/atomic-write.ts'
import { everything } from '../../helpers/history-lab.ts'
import { LONG, TIME_FOR_RUNS } from '../../helpers/long.ts'
import { bytesAt, bytesInFolder, openMachines, pathWithKey, say } from '../../helpers/machines.ts'
import { carryKey, openedBytes } from '../../helpers/sealed.ts'
import { filesBelow, type Lab, shown, talk } from '../../helpers/workspace-lab.ts'
import { type Kill, killed } from '../editing/gone/life.ts'

/** So many steps lie between two kills. The first one is random. */
const STRIDE = LONG ? { disk: 3, git: 1 } : { disk: 120, git: 16 }
const HOW = ['before', 'during', 'after'] as const

// promise: After a kill or a lost connection
test.each([
  ['that sends', 'a git repository'],
  ['that receives', 'a git repository'],
  ['that sends', 'a plain folder'],
  ['that receives', 'a plain folder'],
  ['that sends', 'a sealed repository'],
  ['that receives', 'a sealed repository'],
] as const)(
  'a sync %s, with %s, may be killed at any step: the next one does the rest, and nothing is lost, doubled or comes back',
  async (kind, where) => {
    const { machines, place: repository, remove } = await openMachines(2)
    const [one, two] = machines as [Lab, Lab]
    const place = where === 'a plain folder' ? join(one.home, 'Shared') : repository
    const folders = machines.map((lab) => dirname(lab.root))
    const kept = (folder: string) => `${folder}-kept`
    try {
      await prepare(one, two, place, where === 'a sealed repository')
      const [doomed, other] = kind === 'that sends' ? [one, two] : [two, one]
      if (kind === 'that receives') await one.json(['sync', '--json'])
      for (const folder of folders) execFileSync('cp', ['-a', folder, kept(folder)])
      // Only the way to the place is another one.
      const times = where === 'a sealed repository' && !LONG ? 2 : 1
      const stride = { disk: STRIDE.disk * times, git: STRIDE.git * times }
      let kills = 0
      for (const by of ['disk', 'git'] as const)
        for (let step = randomInt(stride[by]), lives = false; !lives; step += stride[by]) {
          const kill = killAt(by, step)
          const { code, stderr } = await killed(doomed, ['sync'], kill)
          lives = code === 0
          if (!lives) expect(code, `${JSON.stringify(kill)} ${stderr}`).toBe(null)
          kills += Number(!lives)
          for (const lab of [doomed, other, doomed]) await lab.json(['sync', '--json'])
          await check(machines, place, { what: JSON.stringify(kill), where })
          for (const folder of folders) {
            rmSync(folder, { recursive: true, force: true })
            execFileSync('cp', ['-a', kept(folder), folder])
          }
        }
      expect(kills).toBeGreaterThan(1)
    } finally {
      for (const folder of folders) rmSync(kept(folder), { recursive: true, force: true })
      remove()
    }
  },
  4 * TIME_FOR_RUNS,
)

/** Both have talked, in one conversation and in others, and one has deleted one that both have. */
async function prepare(one: Lab, two: Lab, place: string, isSealed: boolean): Promise<void> {
  await say(one, 'both', 'begun')
  await say(one, 'doomed', 'xylophone')
  const to = ['sync', '--to', place, ...(isSealed ? ['--seal'] : []), '--json']
  await one.json(to)
  if (isSealed) carryKey(one, two)
  await two.json(to)
  await say(one, 'both', 'said on one')
  await say(two, 'both', 'said on two')
  await say(one, 'of-one', 'only on one')
  await say(two, 'of-two', 'only on two')
  await one.json(['delete', await pathWithKey(one, 'doomed'), '--yes', '--json'])
}

interface Checked {
  /** The kill. */
  what: string
  where: 'a git repository' | 'a plain folder' | 'a sealed repository'
}

async function check(machines: readonly Lab[], place: string, { what, where }: Checked): Promise<void> {
  const trees: unknown[] = []
  for (const lab of machines) {
    const said = async (key: string) =>
      talk(await shown(lab, await pathWithKey(lab, key))).filter((line) => line.startsWith('user: '))
    expect((await said('both')).toSorted(), what).toEqual([
      'user: begun',
      'user: said on one',
      'user: said on two',
    ])
    expect(await said('of-one'), what).toEqual(['user: only on one'])
    expect(await said('of-two'), what).toEqual(['user: only on two'])
    expect(everything(lab).includes('xylophone'), what).toBe(false)
    const files = Object.entries(filesBelow(join(lab.root, 'conversations')))
    // A kill may leave a temporary file, which goes when it is old.
    trees.push(files.filter(([path]) => !path.includes('/attachments/') && !path.endsWith(TEMP_SUFFIX)))
  }
  expect(trees[0], what).toEqual(trees[1])
  const bytes =
    where === 'a sealed repository'
      ? await openedBytes(place, machines[0]!)
      : where === 'a plain folder'
        ? bytesInFolder(place)
        : bytesAt(place)
  expect(bytes.includes('xylophone'), what).toBe(false)
}

function killAt(by: 'disk' | 'git', step: number): Kill {
  if (by === 'disk') return { disk: 1 + step }
  return { git: 1 + Math.floor(step / 3), how: HOW[step % 3]!, ms: step % 8 }
}

// promise: words of the conversation that were never sent
test('after a kill in a deletion, what has been said since is asked about, and nothing else stays', async () => {
  const { machines, place, remove } = await openMachines(2)
  const [one, two] = machines as [Lab, Lab]
  const before = `${dirname(two.root)}-before`
  const isBegun = () => {
    const { deleting } = JSON.parse(readFileSync(join(two.root, '.git/cortext/place.json'), 'utf8'))
    return Object.keys(deleting).length > 0
  }
  const restore = () => {
    rmSync(dirname(two.root), { recursive: true, force: true })
    execFileSync('cp', ['-a', before, dirname(two.root)])
  }
  try {
    await say(one, 'pears', 'begun')
    for (const lab of machines) await lab.json(['sync', '--to', place, '--json'])
    const path = await pathWithKey(one, 'pears')
    await one.json(['delete', path, '--yes', '--json'])
    await one.json(['sync', '--json'])
    execFileSync('cp', ['-a', dirname(two.root), before])
    let begun = 0
    for (let git = 1, lives = false; !lives; git += 1) {
      lives = (await killed(two, ['sync'], { git, how: 'after', ms: 0 })).code === 0
      const isWhole = existsSync(join(two.root, path, '.session/session.json'))
      if (!lives && isBegun() && isWhole) {
        begun += 1
        if (begun % 2 === 0) await say(two, 'pears', 'said since')
        const { asked } = await two.json<{ asked: string[] }>(['sync', '--json'])
        expect(asked, `killed at ${git}`).toEqual(begun % 2 === 0 ? [path] : [])
        expect(existsSync(join(two.root, path))).toBe(begun % 2 === 0)
        expect(everything(two).includes('begun')).toBe(begun % 2 === 0)
      }
      restore()
    }
    expect(begun).toBeGreaterThan(3)
  } finally {
    rmSync(before, { recursive: true, force: true })
    remove()
  }
})
