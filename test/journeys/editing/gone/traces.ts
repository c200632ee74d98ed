import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { constants, inflateSync } from 'node:zlib'
import { historyOf, inHistory } from '../../../helpers/history-lab.ts'
import { filesBelow, type Lab } from '../../../helpers/workspace-lab.ts'

/**
 * Where a word is found on this machine, in names and in contents: in all files of the project, its worktrees and the
 * home, but for the clients' own transcripts; and in every object of every history, whether a commit needs it or not.
 */
export function traces(lab: Lab, words: readonly string[]): string[] {
  const folder = dirname(lab.root)
  const files = Object.entries(filesBelow(folder)).filter(([path]) => !path.startsWith('home/.claude/'))
  const objects = historiesIn(lab).map((root): [string, string] => [root, objectsOf(lab, root)])
  const torn = files
    .filter(([path]) => path.includes('/tmp_'))
    .map(([path, bytes]): [string, string] => [`${path} (inflated)`, inflated(bytes)])
  return [...files, ...objects, ...torn].flatMap(([path, bytes]) => {
    const text = `${path}\n${bytes}`.toLowerCase()
    return words.filter((word) => text.includes(word.toLowerCase())).map((word) => `${word} in ${path}`)
  })
}

/** What can be read in a pack that a killed git has left. */
function inflated(pack: string): string {
  const bytes = Buffer.from(pack, 'latin1')
  let text = ''
  for (let at = bytes.indexOf(0x78); at !== -1; at = bytes.indexOf(0x78, at + 1))
    try {
      text += inflateSync(bytes.subarray(at), { finishFlush: constants.Z_SYNC_FLUSH }).toString('latin1')
    } catch {
      // No object begins here.
    }
  return text
}

/** What has no place in a history that nobody is changing. */
export function leftovers(lab: Lab): string[] {
  const local = join(lab.root, '.git/cortext')
  const beside = readdirSync(local).filter((name) => /^conversations\.git./.test(name))
  const inside = Object.keys(filesBelow(historyOf(lab))).filter(
    (path) =>
      !/^(?:HEAD|config|packed-refs|refs\/heads\/main|objects\/pack\/(?:pack-\w+\.\w+|tmp_\w+)|objects\/info\/(?:packs|commit-graph)|info\/refs|cortext-ready|cortext-took-over)$/.test(
        path,
      ),
  )
  return [...beside, ...inside]
}

/** Every version of every file, in their order, as `path id`; none of them below the folders that `isLeftOut` names. */
export function versions(lab: Lab, isLeftOut: (path: string) => boolean): string[] {
  if (!hasCommit(lab)) return []
  return inHistory(
    lab,
    '-c',
    'core.quotePath=false',
    'log',
    '--reverse',
    '--raw',
    '--no-abbrev',
    '--no-renames',
    '--format=',
    'main',
  )
    .split('\n')
    .filter(Boolean)
    .map((line) => `${line.split('\t')[1]} ${line.split(' ')[3]}`)
    .filter((version) => version.startsWith('conversations/') && !isLeftOut(version))
}

export function hasCommit(lab: Lab): boolean {
  return (
    existsSync(join(historyOf(lab), 'refs/heads/main')) || existsSync(join(historyOf(lab), 'packed-refs'))
  )
}

function historiesIn(lab: Lab): string[] {
  const local = join(lab.root, '.git/cortext')
  return readdirSync(local)
    .filter((name) => name.startsWith('conversations.git'))
    .map((name) => join(local, name))
    .filter((root) => existsSync(join(root, 'HEAD')) && existsSync(join(root, 'objects')))
}

function objectsOf(lab: Lab, root: string): string {
  return execFileSync(
    'git',
    ['--git-dir', root, 'cat-file', '--batch-all-objects', '--batch', '--unordered'],
    {
      env: lab.env,
      encoding: 'latin1',
      maxBuffer: 2 ** 30,
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
}
