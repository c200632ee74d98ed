import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { type Lab, openLab } from './workspace-lab.ts'

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

/** The bytes of all objects of the place, and of its references. */
export function bytesAt(place: string): string {
  const git = (...args: string[]) =>
    execFileSync('git', ['--git-dir', place, ...args], { encoding: 'latin1', maxBuffer: 2 ** 30 })
  return git('cat-file', '--batch-all-objects', '--batch', '--unordered') + git('for-each-ref')
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
