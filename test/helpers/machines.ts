import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Synced } from '../../src/journeys/syncing/synced.ts'
import { filesBelow, type Lab, openLab } from './workspace-lab.ts'

/** Machines with a clone of one project each, and a place for its conversations. */
export interface Machines {
  machines: Lab[]
  place: string
  remove: () => void
}

const REMOTES = [
  'https://forge.example/me/thing.git',
  'git@forge.example:me/thing.git',
  'ssh://git@forge.example/me/thing',
]

/** The machines have clones of one project, by different addresses. The caller removes them. */
export async function openMachines(count: number): Promise<Machines> {
  const machines: Lab[] = []
  for (let index = 0; index < count; index += 1) {
    const lab = await openLab({ init: 'private' })
    lab.git('remote', 'add', 'origin', REMOTES[index % REMOTES.length]!)
    machines.push(lab)
  }
  const place = join(machines[0]!.home, 'place.git')
  const remove = () => {
    for (const lab of machines) lab.remove()
  }
  return { machines, place, remove }
}

/** What the rules take for a secret, and a program without them does not. */
export const SECRET = `ghp_${'Ab1xQ9Zk'.repeat(4)}wZ3q`

/** Two machines with a clone of one project each, and a place that neither has named. They go after the test. */
export async function twoMachines(): Promise<{ one: Lab; two: Lab; place: string }> {
  const { machines, place, remove } = await openMachines(2)
  onTestFinished(remove)
  const [one, two] = machines as [Lab, Lab]
  return { one, two, place }
}

/** Names the place on these machines, one after the other. */
export async function connect(place: string, ...labs: Lab[]): Promise<void> {
  for (const lab of labs) await lab.json(['sync', '--to', place, '--json'])
}

export const sync = (lab: Lab) => lab.json<Omit<Synced, 'place'>>(['sync', '--json'])

/** The bytes of all objects of the place, and of its references. */
export function bytesAt(place: string): string {
  const git = (...args: string[]) =>
    execFileSync('git', ['--git-dir', place, ...args], { encoding: 'latin1', maxBuffer: 2 ** 30 })
  return git('cat-file', '--batch-all-objects', '--batch', '--unordered') + git('for-each-ref')
}

/** The bytes of all objects in the bundles of a plain folder, and the names of its files. */
export function bytesInFolder(folder: string): string {
  const files = Object.keys(filesBelow(folder))
  const repository = mkdtempSync(join(tmpdir(), 'cortext-bundles-'))
  const git = (...args: string[]) =>
    execFileSync('git', ['--git-dir', repository, ...args], {
      encoding: 'latin1',
      maxBuffer: 2 ** 30,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  git('init', '--quiet', '--bare')
  const waiting = new Set(files.filter((name) => name.endsWith('.bundle')))
  for (let before = 0; before !== waiting.size; ) {
    before = waiting.size
    for (const name of waiting)
      try {
        git('fetch', '--quiet', join(folder, name), `+refs/heads/*:refs/${basename(name)}/*`)
        waiting.delete(name)
      } catch {
        // It needs one that comes later, or that is not there.
      }
  }
  const bytes = git('cat-file', '--batch-all-objects', '--batch', '--unordered')
  rmSync(repository, { recursive: true })
  return `${bytes}\n${files.join('\n')}\n${[...waiting].map((name) => `not whole: ${name}`).join('\n')}`
}

/** Saves a turn in the conversation of an agent loop with this key. */
export async function say(lab: Lab, key: string, text: string): Promise<void> {
  const input = [
    { role: 'user', content: text },
    { role: 'assistant', content: `answer to ${text}` },
  ]
  await lab.json(['append', '--key', key, '--json'], {
    input: input.map((message) => `${JSON.stringify(message)}\n`).join(''),
  })
}

/** Does something while the workspace saves secrets as they are, as an older program may have done. */
export async function unredacted(lab: Lab, work: () => Promise<unknown>): Promise<void> {
  const config = join(lab.root, '.workspace/config.json')
  const before = readFileSync(config, 'utf8')
  writeFileSync(config, JSON.stringify({ ...JSON.parse(before), redact: false }))
  await work()
  writeFileSync(config, before)
}

/** The path of the conversation with a key. */
export async function pathWithKey(lab: Lab, key: string): Promise<string> {
  const { conversations } = await lab.json<{ conversations: { path: string; key?: string }[] }>([
    'list',
    '--all',
    '--json',
  ])
  return conversations.find((one) => one.key === key)!.path
}

/** The same machine in another folder. */
export function labAt(lab: Lab, root: string): Lab {
  const at = <T extends { cwd?: string }>(more?: T) => ({ cwd: root, ...more })
  return {
    ...lab,
    root,
    cortext: (args, more) => lab.cortext(args, at(more)),
    json: (args, more) => lab.json(args, at(more)),
  }
}
