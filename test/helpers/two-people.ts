import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { BIN, type Lab, workspaceLab } from './workspace-lab.ts'

/** Two people, each with a home, a clone and a name. A bare repository connects the clones. */
export interface TwoPeople {
  ann: Lab
  bob: Lab
}

/** Both have cortext on their PATH, because git runs it in merges. */
export async function twoPeople(): Promise<TwoPeople> {
  const ann = await workspaceLab()
  const bob = await workspaceLab({ git: 'none', init: 'none' })
  name(ann, 'Ann')
  name(bob, 'Bob')
  for (const lab of [ann, bob]) withCortext(lab)
  const remote = join(ann.home, 'remote.git')
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=trunk', remote], { env: ann.env })
  ann.git('add', '--all')
  ann.git('commit', '--quiet', '--message=workspace')
  ann.git('remote', 'add', 'origin', remote)
  ann.git('push', '--quiet', '--set-upstream', 'origin', 'trunk')
  bob.git('clone', '--quiet', remote, '.')
  await bob.json(['init', '--shared', '--json'])
  for (const lab of [ann, bob]) lab.git('config', 'pull.rebase', 'false')
  return { ann, bob }
}

/** Two people in a team, with a clone of its project each. */
export interface Team extends TwoPeople {
  /** The place that the settings in the project name. Nothing is there yet. */
  place: string
  /** Lets the settings in a clone name another place, as after a pull. */
  suggest: (lab: Lab, place: string) => void
}

/** The project's git tracks the settings, which name a place. Nobody has confirmed it, and Bob has not run `init`. */
export async function team(): Promise<Team> {
  const ann = await workspaceLab({ init: 'private' })
  const bob = await workspaceLab({ git: 'none', init: 'none' })
  name(ann, 'Ann')
  name(bob, 'Bob')
  const suggest = (lab: Lab, place: string) =>
    writeFileSync(
      join(lab.root, '.workspace/config.json'),
      JSON.stringify({ visibility: 'private', sync: { place } }),
    )
  const place = join(ann.home, 'team.git')
  suggest(ann, place)
  ann.git('add', '--force', '.workspace/config.json')
  ann.git('commit', '--quiet', '--message=the place of the team')
  bob.git('clone', '--quiet', ann.root, '.')
  return { ann, bob, place, suggest }
}

function name(lab: Lab, name: string): void {
  for (const who of ['AUTHOR', 'COMMITTER']) lab.env[`GIT_${who}_NAME`] = name
}

/** Puts the built program on a lab's PATH under its name. */
function withCortext(lab: Lab): void {
  const bin = join(lab.home, 'bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'cortext'), `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`)
  chmodSync(join(bin, 'cortext'), 0o755)
  lab.env.PATH = [bin, lab.env.PATH].join(delimiter)
}

/** The tree of the last commit. Equal names mean equal contents of all files. */
export function treeOf(lab: Lab): string {
  return lab.git('rev-parse', 'HEAD^{tree}').trim()
}
