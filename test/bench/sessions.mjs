import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const BRANCH = 'entire/checkpoints/v1'
/** Every third transcript by sorted path is for acceptance. */
const KEPT_ASIDE = 3

/**
 * Writes the transcripts of real coding sessions from a clone of entireio/cli, and returns their files. A session is in
 * several checkpoints: the longest transcript of each is written, and none if a checkpoint of it is kept aside.
 */
export function openSessions(clone, into) {
  const git = (...args) => execFileSync('git', ['-C', clone, ...args], { maxBuffer: 2 ** 30 })
  const files = git('ls-tree', '-r', '-l', BRANCH).toString().trim().split('\n').map(entryOf)
  const infos = new Map(files.map(({ path, id }) => [path, id]))
  const transcripts = files
    .filter(({ path }) => path.endsWith('/full.jsonl'))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map((file, index) => ({ ...file, aside: index % KEPT_ASIDE === KEPT_ASIDE - 1 }))
  const session = ({ path }) => {
    const info = infos.get(path.replace('full.jsonl', 'metadata.json'))
    return info === undefined ? undefined : JSON.parse(git('cat-file', 'blob', info).toString()).session_id
  }
  const aside = new Set()
  const longest = new Map()
  for (const one of transcripts) {
    const id = session(one)
    if (one.aside) aside.add(id)
    else if (id !== undefined && one.bytes > (longest.get(id)?.bytes ?? 0)) longest.set(id, one)
  }
  mkdirSync(into, { recursive: true })
  return [...longest].flatMap(([id, { id: blob }]) => {
    if (aside.has(id)) return []
    const file = join(into, `${id}.jsonl`)
    writeFileSync(file, git('cat-file', 'blob', blob))
    return [file]
  })
}

function entryOf(line) {
  const [facts, path] = line.split('\t')
  const [, , id, size] = facts.split(/ +/)
  // An object that the clone lacks has no size.
  return { path, id, bytes: Number(size) || 0 }
}
