import { appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Chance } from '../../faults/chance.ts'
import { CopyingService } from '../../helpers/copying-service.ts'
import { everything } from '../../helpers/history-lab.ts'
import { runs, TIME_FOR_RUNS } from '../../helpers/long.ts'
import { bytesInFolder, openMachines, say } from '../../helpers/machines.ts'
import { filesBelow, type Lab, shown, talk } from '../../helpers/workspace-lab.ts'

/** What was said, in which conversation, and which conversations were deleted. */
interface Told {
  key: string
  words: string[]
  lines: string[]
  deleted: boolean
}

// promise: may go on with one conversation, rename, complete or tag it
test.each(['a git repository', 'one folder', 'folders that a service copies'] as const)(
  'machines that talk, edit, rename, delete and sync by %s in any order have the same in the end, every word once',
  async (kind) => {
    const { numRuns, seed } = runs(2, 200)
    for (let run = 0; run < numRuns; run += 1) {
      const chance = new Chance(seed + run)
      const steps: string[] = []
      try {
        await play(kind, chance, steps)
      } catch (cause) {
        throw new Error([`CORTEXT_SEED=${seed + run}`, (cause as Error).message, ...steps].join('\n'), {
          cause,
        })
      }
    }
  },
  4 * TIME_FOR_RUNS,
)

type Kind = 'a git repository' | 'one folder' | 'folders that a service copies'

async function play(kind: Kind, chance: Chance, steps: string[]): Promise<void> {
  const { machines, place, remove } = await openMachines(2 + chance.number(3))
  const shared = join(machines[0]!.home, 'Shared')
  const service =
    kind === 'folders that a service copies'
      ? new CopyingService(machines.map((lab) => join(lab.home, 'Dropbox')))
      : undefined
  const syncAll = async (rounds: number) => {
    for (let round = 0; round < rounds; round += 1)
      for (const lab of machines) {
        service?.settle()
        await lab.json(['sync', '--json'])
      }
    service?.settle()
  }
  try {
    for (const [index, lab] of machines.entries()) {
      const to = kind === 'a git repository' ? place : (service?.folders[index] ?? shared)
      await lab.json(['sync', '--to', to, '--json'])
      service?.settle()
    }
    const told: Told[] = []
    for (let step = 0; step < 10 + chance.number(15); step += 1) {
      const at = chance.number(machines.length)
      const lab = machines[at]!
      const what = chance.of([
        'say',
        'say',
        'say',
        'begin',
        'sync',
        'sync',
        'write',
        'title',
        'tag',
        'delete',
        ...(service === undefined ? [] : (['copy', 'copy', 'copy'] as const)),
      ])
      const one = told.length === 0 ? undefined : chance.of(told)
      const path = one && (await pathOf(lab, one))
      if (what === 'sync') await lab.json(['sync', '--json'])
      else if (what === 'copy') service!.exchange(at, () => chance.percent(60))
      else if (what === 'begin' || one === undefined) {
        const key = `k${told.length}`
        told.push({ key, words: [`begun in ${key} of ${at}`], lines: [], deleted: false })
        await say(lab, key, `begun in ${key} of ${at}`)
      } else if (path !== undefined && !one.deleted) {
        const text = `${what}${step} on ${at} in ${one.key}`
        if (what === 'say') {
          one.words.push(text)
          await say(lab, one.key, text)
        } else if (what === 'write') {
          one.lines.push(text)
          appendFileSync(join(lab.root, path, 'notes.md'), `${text}\n\n`)
        } else if (what === 'title') await lab.json(['edit', path, '--title', text, '--json'])
        else if (what === 'tag') await lab.json(['edit', path, '--tag', `t${step}`, '--json'])
        else {
          // What nobody has sent yet is asked about; here, everybody has sent before.
          await syncAll(2)
          const now = await pathOf(lab, one)
          if (now === undefined) throw new Error(`${one.key} is not on ${at}`)
          one.deleted = true
          await lab.json(['delete', now, '--yes', '--json'])
        }
      }
      steps.push(`${at}: ${what} ${one?.key ?? ''}`)
    }
    await syncAll(2)
    for (const lab of machines) await check(lab, told)
    const trees = machines.map((lab) => treeOf(lab))
    for (const tree of trees) expect(tree).toEqual(trees[0])
    for (const lab of machines)
      expect((await lab.json<{ sent: string[] }>(['sync', '--json'])).sent).toEqual([])
    const gone = told.filter((one) => one.deleted).flatMap(({ words }) => words)
    for (const folder of service?.folders ?? (kind === 'one folder' ? [shared] : []))
      expect(gone.filter((word) => bytesInFolder(folder).includes(word))).toEqual([])
  } finally {
    remove()
  }
}

async function check(lab: Lab, told: readonly Told[]): Promise<void> {
  const all = everything(lab)
  for (const one of told) {
    const path = await pathOf(lab, one)
    if (one.deleted) {
      expect(path).toBeUndefined()
      for (const word of one.words)
        expect(all.includes(word), `${word} of a deleted conversation`).toBe(false)
      continue
    }
    if (path === undefined) throw new Error(`${one.key} is missing on ${lab.root}`)
    const users = talk(await shown(lab, path)).filter((line) => line.startsWith('user: '))
    expect(users.toSorted()).toEqual(one.words.map((word) => `user: ${word}`).toSorted())
    const notes = filesBelow(join(lab.root, path))
    const text = Object.entries(notes).flatMap(([name, bytes]) => (name.startsWith('notes') ? [bytes] : []))
    for (const line of one.lines) expect(text.join('\n')).toContain(line)
  }
}

async function pathOf(lab: Lab, { key }: Told): Promise<string | undefined> {
  const { conversations } = await lab.json<{ conversations: { path: string; key?: string }[] }>([
    'list',
    '--all',
    '--json',
  ])
  return conversations.find((one) => one.key === key)?.path
}

/** The files of all conversations, without attachments. */
function treeOf(lab: Lab): Record<string, string> {
  const files = existsSync(join(lab.root, 'conversations')) ? filesBelow(join(lab.root, 'conversations')) : {}
  return Object.fromEntries(Object.entries(files).filter(([path]) => !path.includes('/attachments/')))
}
