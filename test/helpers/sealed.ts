import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unseal } from '../../src/workspace/places/age.ts'
import { bytesAt, bytesInFolder } from './machines.ts'
import type { Lab } from './workspace-lab.ts'

/** Brings the key of one machine to others. */
export function carryKey(from: Lab, ...to: Lab[]): void {
  for (const lab of to) cpSync(configOf(from), configOf(lab), { recursive: true })
}

export function configOf(lab: Lab): string {
  return join(lab.home, '.config/cortext')
}

/** The files of a sealed place by their paths, of all projects. */
export function sealedFilesAt(place: string): Record<string, Buffer> {
  if (!existsSync(join(place, 'HEAD')))
    return Object.fromEntries(
      readdirSync(place, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\/[^/.][^/]*\.\w+$/.test(name))
        .map((name) => [name, readFileSync(join(place, name))]),
    )
  const git = (...args: string[]) =>
    execFileSync('git', ['--git-dir', place, ...args], { maxBuffer: 2 ** 30 })
  const branches = git('for-each-ref', '--format=%(refname:short)').toString().split('\n').filter(Boolean)
  return Object.fromEntries(
    branches.flatMap((branch) =>
      git('ls-tree', '--name-only', branch)
        .toString()
        .split('\n')
        .filter(Boolean)
        .map((name) => [`${branch}/${name}`, git('show', `${branch}:${name}`)]),
    ),
  )
}

/** All that lies at the place, as it lies there. */
export function closedBytes(place: string): string {
  const names = readdirSync(place, { recursive: true, encoding: 'utf8' }).join('\n')
  const files = Object.values(sealedFilesAt(place)).map((bytes) => bytes.toString('latin1'))
  return [names, ...files, existsSync(join(place, 'HEAD')) ? bytesAt(place) : ''].join('\n')
}

/** All that the key of a machine finds in the sealed files. */
export async function openedBytes(place: string, lab: Lab): Promise<string> {
  const identity = /AGE-SECRET-KEY-1\w+/.exec(readFileSync(join(configOf(lab), 'key.txt'), 'utf8'))![0]
  const folder = mkdtempSync(join(tmpdir(), 'cortext-opened-'))
  try {
    for (const [name, bytes] of Object.entries(sealedFilesAt(place)))
      if (/\/[0-9a-f]{32}\.age$/.test(name)) {
        const path = join(folder, name.replace(/age$/, 'bundle'))
        mkdirSync(join(path, '..'), { recursive: true })
        const opened = await unseal(bytes, [identity]).catch(() => undefined)
        writeFileSync(path, opened ?? 'closed')
      }
    return bytesInFolder(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
