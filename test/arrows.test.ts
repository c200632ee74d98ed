import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const SRC = join(import.meta.dirname, '..', 'src')

/**
 * Which rooms each room may import, beside itself. Arrows run down only: a room names nothing that stands above it in
 * this table. `clients/client` is the contract and `clients/list` the list of clients; `clients/hooks` is how clients'
 * hooks speak, which is all that the hook bundle may hold of them.
 */
const ROOMS: Record<string, string> = {
  'bin.ts': 'compiled.ts',
  'compiled.ts': 'io',
  cli: 'extras journeys conversation workspace context search session clients/contract clients/hooks clients/list io text errors.ts',
  'old-node.ts': 'clients/hooks store workspace io',
  'hook.ts': 'journeys clients/contract clients/hooks store workspace io errors.ts',
  library: 'journeys conversation workspace context session store io text errors.ts',
  extras:
    'journeys conversation clients/contract clients/list store workspace context search redact session io text errors.ts hash.ts',
  journeys:
    'conversation clients/hooks clients/contract clients/list store workspace context search redact session io text errors.ts zod.ts hash.ts',
  conversation:
    'clients/hooks clients/contract clients/list store workspace context redact session io text errors.ts zod.ts hash.ts',
  workspace: 'clients/contract io text errors.ts zod.ts hash.ts',
  clients: 'session io text errors.ts zod.ts hash.ts',
  store: 'session io text errors.ts zod.ts hash.ts',
  context: 'search session text errors.ts',
  search: 'text',
  redact: 'session text hash.ts',
  session: 'text errors.ts zod.ts hash.ts',
  io: 'text errors.ts hash.ts',
  text: '',
  'errors.ts': '',
  'zod.ts': '',
  'hash.ts': '',
}

/** Rooms that compute and touch nothing: no disk, no programs, no system. */
const PURE = ['context', 'extras/page/html', 'redact', 'search', 'session', 'text']

/** What the one folder of `src/clients/` that is no client's holds; a client imports these, never another client. */
const SHARED = ['contract', 'hooks', 'list', 'shared']

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))

test('every room is in the table, and imports only what the table says', () => {
  const there = new Set(files.map((path) => path.split('/')[0]))
  expect(there, 'a new room: add it to ROOMS, below all that import it').toEqual(new Set(Object.keys(ROOMS)))
  const wrong = files.flatMap((path) =>
    importsOf(path)
      .filter((target) => !mayImport(path, target))
      .map((target) => `${path} -> ${target}`),
  )
  expect(
    wrong,
    'imports that ROOMS does not allow: move the function into a lower room, or pass its result down as a value',
  ).toEqual([])
})

test('the table itself runs down only: nobody names a room above', () => {
  const order = Object.keys(ROOMS)
  for (const [room, allowed] of Object.entries(ROOMS))
    for (const name of allowed.split(' ').filter(Boolean)) {
      const below = name.split('/')[0]!
      expect({ room, below, down: order.indexOf(below) > order.indexOf(room) }).toMatchObject({ down: true })
    }
})

test('a client imports no other client', () => {
  const wrong = files.flatMap((path) => {
    const [room, client] = path.split('/')
    if (room !== 'clients' || !path.includes('/', 8) || SHARED.includes(client!)) return []
    return importsOf(path)
      .filter((target) => target.startsWith('clients/') && !target.startsWith(`clients/${client}/`))
      .filter((target) => !SHARED.includes(partOfClients(target)))
      .concat(importsOf(path).filter((target) => partOfClients(target) === 'list'))
      .map((target) => `${path} -> ${target}`)
  })
  expect(wrong, 'put what several clients use into src/clients/shared/').toEqual([])
})

test('S4-0-4, S3-A1, S3-L1: pure rooms know neither disk nor system; what a resume is given is built from messages alone', () => {
  const wrong = files
    .filter((path) => PURE.some((room) => path.startsWith(`${room}/`)))
    .flatMap((path) => outsideOf(path).map((target) => `${path} -> ${target}`))
    .filter(
      (line) =>
        !/-> (gpt-tokenizer|stemmer|unbash|chrono-node|fuse\.js|fast-string-width|markdown-it|highlight\.js|diff)/.test(
          line,
        ),
    )
  expect(wrong, 'a pure room imports no node module: let the caller read, and pass the value').toEqual([])
})

test('no folder holds more than twenty files', () => {
  const counts = new Map<string, number>()
  for (const path of files) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  expect(
    [...counts].filter(([, count]) => count > 20),
    'merge files that are read together, or make a folder for some of them',
  ).toEqual([])
})

test('only the CLI prints, beside the doors', () => {
  const printing = files.filter((path) => /\bstd(out|err)\.write\(|\bconsole\./.test(code(path)))
  expect(printing).toContain('cli/print.ts')
  expect(
    printing.filter(
      (path) => !/^(cli\/|bin\.ts$|hook\.ts$|old-node\.ts$|extras\/completion\/entry\.ts$)/.test(path),
    ),
    'return the words, and print them in src/cli/ (src/cli/print.ts)',
  ).toEqual([])
})

test('nothing ends the process: every verb returns, and the door sets the exit code', () => {
  expect(
    files.filter((path) => /\bprocess\.exit\(/.test(code(path))),
    'throw a CortextError, or return the exit code',
  ).toEqual([])
})

// promise: in a session that has
test('the hook loads journeys only when it needs them', () => {
  const statics = [...code('hook.ts').matchAll(/^import (?!type ).*'\.\/(\w+)/gm)].map(([, room]) => room)
  expect(statics).toContain('store')
  expect(statics).not.toContain('journeys')
})

test('journeys write no file themselves: what lies on disk is known to the rooms below', () => {
  const journeys = files.filter((path) => path.startsWith('journeys/'))
  const writing = journeys.filter(
    (path) =>
      fromDisk(path).some((name) => !READING.includes(name)) ||
      [...importsOf(path), ...outsideOf(path)].some((target) => WRITING.includes(target)),
  )
  expect(journeys.length).toBeGreaterThan(40)
  expect(writing, 'let a function of src/store/ or src/workspace/ write').toEqual([])
})

/** Of node:fs. */
const READING = ['existsSync', 'realpathSync', 'readFileSync', 'statSync']

const WRITING = [
  'node:fs/promises',
  'fs',
  'fs-extra',
  'io/atomic-write.ts',
  'io/ensure-folder.ts',
  'io/remove.ts',
  'store/record/append-lines.ts',
]

// promise: Every file passes one check (`src/io/inside.ts`)
test('what a clone can bring is opened by io/inside.ts alone', () => {
  const own = ['cli/', 'clients/', 'context/', 'io/', 'redact/', 'session/', 'store/machine/', 'text/']
  const opening = files
    .filter((path) => !own.some((room) => path.startsWith(room)))
    .filter(
      (path) =>
        fromDisk(path).some((name) => !OPENED.includes(name)) ||
        importsOf(path).some((target) => /^io\/(?:list-names|regular-file)\.ts$/.test(target)) ||
        /\bwriteFileAtomic\b/.test(code(path)),
    )
  expect(
    opening.sort(),
    'open it by src/io/inside.ts; if no clone can bring that path, add the file to OPENING with the reason',
  ).toEqual(Object.keys(OPENING).sort())
})

/** Of node:fs: what takes no path. */
const OPENED = ['closeSync', 'fstatSync', 'fsyncSync', 'ftruncateSync', 'readSync', 'writeSync']

/** Who else goes to the disk by a path, and what that path means. */
const OPENING: Record<string, string> = {
  'bin.ts': 'the bundles beside it',
  'compiled.ts': 'files of dist/, and what V8 compiled of them, in the person’s home',
  'hook.ts': 'standard input',
  'conversation/catch-up.ts': "a client's transcript",
  'conversation/keeping/history-files.ts': 'names below a folder that io/inside.ts has checked',
  'conversation/keeping/history.ts': 'the repository of the conversations, and copies in the local folder',
  'conversation/keeping/open-history.ts': 'whether there is a repository of the conversations',
  'conversation/publishing/read-to-write.ts': 'whether the root of the workspace is there',
  'conversation/worktrees.ts': 'whether a folder lies in another worktree',
  'conversation/transcript-bytes.ts': "a client's transcript",
  'journeys/doctor/foreign-state.ts': 'the names in the folder of local state',
  'journeys/doctor/recording.ts': "this machine's journal",
  'journeys/doctor/sync.ts': 'whether the place is there that the person has named',
  'journeys/finding/list.ts': "a client's transcript",
  'journeys/resuming/elsewhere.ts': 'whether a file of the project that the talk names is there',
  'journeys/importing/earlier-places.ts': "whether a folder of this machine's notes is there",
  'journeys/importing/named-file.ts': 'a transcript that the person names',
  'journeys/recording/auto-pause.ts': "a client's transcript",
  'journeys/recording/other-writers.ts': "a client's transcript",
  'journeys/recording/tidy.ts': "this machine's journal",
  'journeys/resuming/native-way.ts': "a client's transcript",
  'journeys/setup/install.ts': 'the folder that the person names',
  'old-node.ts': "standard input, and this machine's log",
  'store/record/merge-files.ts': 'files that git has made for a merge',
  'store/scan.ts': 'folders, of which links are not entered',
  'workspace/git/own-repository.ts': 'the repository of the conversations, which only this program writes',
  'workspace/keys.ts': "the person's keys in their home",
  'workspace/git/place.ts': 'the place that the person has named, and a folder in the local folder',
  'workspace/places/in-folder.ts': 'the place that the person has named, and temporary files of ours in it',
  'workspace/places/open-place.ts': 'the place that the person has named',
  'workspace/everywhere.ts': "a list in the person's home, and whether what it names is there",
  'workspace/folder.ts': 'a folder that was made this moment, and what was reserved for such',
  'workspace/git/commit.ts': 'a path that git tells, and whether it is there',
  'workspace/git/index-lock.ts': "the stats of git's index, of its lock and of its branches",
  'workspace/git/programs-it-runs.ts': 'files that git names, and whether they are there',
  'workspace/local-folder.ts': "this machine's own state",
  'workspace/home-list.ts': "lists in the person's home",
  'workspace/merge-driver.ts': 'whether the program that runs is there',
  'workspace/personal-place.ts': "a file in the person's home",
  'workspace/pack/personal.ts': "whether the person's own folders are there",
  'workspace/pack/shipped.ts': 'the package',
  'workspace/repository.ts': 'where git keeps its own',
  'workspace/root.ts': 'the folders above',
  'workspace/sparse.ts': 'where git keeps its own',
}

test('CARD-1, CARD-2: the binary is cortext, and the libraries that were chosen do the work that they are for', () => {
  const { bin, devDependencies } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'),
  )
  expect(Object.keys(bin)).toEqual(['cortext'])
  for (const [name, use] of Object.entries(LIBRARIES)) {
    expect(devDependencies).toHaveProperty([name])
    const imports = (path: string) =>
      outsideOf(path).some((target) => target === name || target.startsWith(`${name}/`)) ||
      // zod is taken from the one file that chooses its smaller half.
      (name === 'zod' && importsOf(path).includes('zod.ts'))
    const users = files.filter((path) => imports(path) && use.test(code(path)))
    expect({ name, used: users.length > 0 }).toEqual({ name, used: true })
  }
})

/** The libraries that the owner chose, and a call without which each would be there in name only. */
const LIBRARIES: Record<string, RegExp> = {
  commander: /\.command\(/,
  zod: /\bz\.(looseObject|object)\(/,
  'fs-extra': /\b(outputFile|copy|remove|move|ensureDir|readJson|pathExists)\w*\(/,
  'fast-glob': /\b(fg|glob)\w*(\.\w+)?\(/,
  'fuse.js': /new Fuse\(/,
  execa: /\bexeca\w*\(/,
  'simple-git': /\.(raw|add|commit|status|log|revparse|checkIgnore|getRemotes)\(/,
  '@inquirer/prompts': /\b(confirm|search|select|input)\b/,
}

/** Each import of a file of ours, types and dynamic ones too, as a path below `src/`. */
function importsOf(path: string): string[] {
  return specifiers(path)
    .filter((target) => target.startsWith('.'))
    .map((target) => join(dirname(path), target))
}

/** The names that a file imports from node:fs. */
function fromDisk(path: string): string[] {
  return [...code(path).matchAll(/import ([^;']*?) from 'node:fs'/g)]
    .flatMap(([, what]) => what!.split(',').map((name) => name.replace(/[{}]/g, '').trim()))
    .filter((name) => name !== '' && !name.startsWith('type '))
}

function outsideOf(path: string): string[] {
  return specifiers(path).filter((target) => !target.startsWith('.'))
}

function specifiers(path: string): string[] {
  return [...code(path).matchAll(/(?:\bfrom |\bimport\(|^import )'([^']+)'/gm)].map(([, target]) => target!)
}

function mayImport(path: string, target: string): boolean {
  const [from, to] = [roomOf(path), roomOf(target)]
  if (from === to) return true
  const allowed = ROOMS[from]!.split(' ')
  return allowed.includes(to) || (to === 'clients' && allowed.includes(`clients/${partOfClients(target)}`))
}

function roomOf(path: string): string {
  return path.split('/')[0]!
}

function partOfClients(target: string): string {
  const name = target.split('/')[1]!
  const list = { 'index.ts': 'list', 'import-only.ts': 'list', 'all-tools.ts': 'list' }
  return { ...list, 'hook-languages.ts': 'hooks', 'own-hooks.ts': 'hooks' }[name] ?? name
}

/** A file without its comments. */
function code(path: string): string {
  return readFileSync(join(SRC, path), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
}
