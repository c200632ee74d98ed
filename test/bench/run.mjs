// `npm run bench`: the measures that the project holds itself to, each the median of some runs of the built program, as a ratio to
// the median of `node -e 0` in the same run. Asserts nothing: machines differ, and a busy one lies.
import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { contexts } from './contexts.mjs'
import { addConversations, claudeTranscript, claudeTurn, localFolder, makeWorkspace } from './data.mjs'
import { sizes } from './sizes.mjs'
import { syncs } from './sync.mjs'
import { CLI, cortext, median, peak, place, sane, say, time, verdict } from './timing.mjs'

const MB = 1_000_000
const rows = []

const PARTS = {
  ...{ starts, lists, imports, search: searched, contexts },
  ...{ sizes: () => sizes([1, 10, 100, 200]), sync: () => syncs([10, 1000]), long },
  // Ten minutes.
  'sync-many': () => syncs([5000]),
}

try {
  say(`node ${process.version}; a ratio of 1 is \`node -e 0\``, '')
  for (const part of wanted(process.argv.slice(2))) {
    PARTS[part]()
    table(rows.splice(0))
  }
} finally {
  rmSync(place, { recursive: true, force: true })
}

/** All parts, or those that were named. */
function wanted(names) {
  for (const name of names)
    if (!Object.hasOwn(PARTS, name)) throw new Error(`no part ${name}: ${Object.keys(PARTS).join(', ')}`)
  return names.length === 0 ? Object.keys(PARTS) : names
}

function starts() {
  ratio(
    '--version',
    median(15, () => cortext(place, ['--version'])),
    1.5,
  )
  ratio('turn-end hook, transcript of 100 MB', hook(), 1.8)
}

function lists() {
  const thousand = listed(1000)
  ratio('list 1,000 conversations, warm', thousand.warm, 3)
  ratio('Tab behind `cortext show`, 1,000 conversations', thousand.tab, 3)
  ratio('bare cortext, 1,000 conversations', thousand.bare, 4)
  ratio('list 1,000 conversations, first look after a clone', thousand.cold, 10)
  const tenThousand = listed(10_000)
  ratio('list 10,000 conversations, warm', tenThousand.warm, 8)
  ratio('bare cortext, 10,000 conversations', tenThousand.bare, 8)
}

function imports() {
  seconds('first import of 10 MB, redacted', firstImport(), 1)
}

/** A hook at the end of a turn; the journal has everything but that turn. */
function hook() {
  const root = makeWorkspace(join(place, 'hook'))
  const nativeId = '11111111-2222-4333-8444-555555555555'
  const transcript = join(place, `${nativeId}.jsonl`)
  const journal = join(localFolder(root), 'journal/claude', `${nativeId}.jsonl`)
  const [folder] = addConversations(root, 1, 2)
  mkdirSync(join(localFolder(root), 'journal/claude'), { recursive: true })
  mkdirSync(join(localFolder(root), 'bindings'))
  const said = claudeTranscript(nativeId, 100 * MB)
  for (const file of [transcript, journal]) writeFileSync(file, said)
  const turn = claudeTurn(nativeId, 1_000_000).map((record) => `${JSON.stringify(record)}\n`)
  appendFileSync(transcript, turn.join(''))
  const binding = {
    client: 'claude',
    native_id: nativeId,
    transcript,
    root,
    segments: [
      {
        conversation: folder.slice(root.length + 1),
        journal: basename(journal),
        from: 0,
        how: 'start',
        started_at: new Date().toISOString(),
      },
    ],
  }
  writeFileSync(join(localFolder(root), 'bindings', `claude-${nativeId}.json`), JSON.stringify(binding))
  const payload = JSON.stringify({
    hook_event_name: 'Stop',
    session_id: nativeId,
    transcript_path: transcript,
    cwd: root,
    last_assistant_message: 'done',
  })
  const before = () => truncateSync(journal, Buffer.byteLength(said))
  const ms = median(15, () => cortext(root, ['hook', 'claude'], payload), before)
  sane(statSync(journal).size === statSync(transcript).size, 'the hook did not bring the journal up to date')
  for (const file of [transcript, journal]) rmSync(file)
  return ms
}

function listed(count) {
  const root = makeWorkspace(join(place, `list-${count}`))
  addConversations(root, count, 2)
  const shared = '{ "list": { "archiveAfterDays": 0 }, "visibility": "shared" }\n'
  writeFileSync(join(root, '.workspace/config.json'), shared)
  const git = (...args) =>
    time('git', root, ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost', ...args])
  git('add', '--all')
  git('commit', '--quiet', '--message', 'All')
  const list = (options) => cortext(root, ['list', ...options])
  // What was written less than two seconds ago is not trusted to the index.
  spawnSync('sleep', ['2.2'])
  const cold = median(
    5,
    () => list([]),
    () => rmSync(localFolder(root), { recursive: true, force: true }),
  )
  // Each list looks for the sessions of some more conversations, until it has looked for all of them.
  for (let looked = 0; looked <= count; looked += 200) list([])
  const warm = median(9, () => list([]))
  const bare = median(9, () => cortext(root, []))
  const tab = median(15, () => cortext(root, ['__complete', 'bash', 'show', '']))
  sane(
    list(['--all', '--json']).stdout.split('"title"').length === count + 1,
    `list does not show ${count} conversations`,
  )
  return { warm, bare, cold, tab }
}

/** What reads all of a conversation of 200,000 messages: the time, and the memory of a run that is not timed. */
function long() {
  const root = makeWorkspace(join(place, 'long'))
  const [folder] = addConversations(root, 1, 200_000)
  const bytes = statSync(join(folder, '.session/messages.jsonl')).size
  const output = join(place, 'long.out')
  for (const [target, ...args] of [
    [300, 'show', '1', '--messages'],
    [300, 'show', '1', '--messages', '--json'],
    [300, 'show', '1', '--at', '100000'],
    [500, 'export', '1', '--format', 'html', '--output', output],
    [700, 'export', '1', '--format', 'markdown', '--output', output],
    [700, 'export', '1', '--format', 'json', '--output', output],
  ]) {
    const { ms } = median(3, () => cortext(root, args))
    const megabytes = peak(root, [CLI, ...args])
    const name = `${args.slice(0, 4).join(' ')}, of 200,000 messages (${(bytes / MB).toFixed(0)} MB)`
    add(name, ms, `${megabytes.toFixed(0)} MB`, `${target} MB`, verdict(megabytes <= target))
  }
}

function firstImport() {
  const file = join(place, '99999999-2222-4333-8444-555555555555.jsonl')
  writeFileSync(file, claudeTranscript('99999999-2222-4333-8444-555555555555', 10 * MB))
  let root
  let times = 0
  return median(
    5,
    () => cortext(root, ['import', 'claude', '--file', file]),
    () => {
      root = makeWorkspace(join(place, `import-${times++}`))
    },
  )
}

/** Against ripgrep on the same files, and a node start, which ripgrep does not need. */
function searched() {
  const root = makeWorkspace(join(place, 'search'))
  addConversations(root, 50, 1000)
  const word = 'Answer 977'
  const isThere = spawnSync('rg', ['--version']).error === undefined
  const rg = () => time('rg', root, ['--hidden', '-i', '-F', word, 'conversations'])
  const { ms: most } = isThere ? median(7, rg) : { ms: 0 }
  for (const [asked, query] of [
    ['a word', '977'],
    ['two words', word],
    ['a question of four words', 'Which outbox question was 977 about, and whose table?'],
  ]) {
    const name = `search of 50,000 messages for ${asked}, to ripgrep + node`
    const { ms, node } = median(7, () => cortext(root, ['search', query]))
    const ratio = ms / (most + node)
    if (isThere) add(name, ms, ratio.toFixed(2), '3', verdict(ratio <= 3))
    else add(name, ms, '?', '3', 'no ripgrep here')
  }
}

function ratio(name, { ms, node }, target) {
  add(name, ms, (ms / node).toFixed(2), `${target}`, verdict(ms / node <= target))
}

function seconds(name, { ms }, target) {
  add(name, ms, `${(ms / 1000).toFixed(2)} s`, `${target} s`, verdict(ms / 1000 <= target))
}

function add(name, ms, value, target, said) {
  rows.push([name, `${ms.toFixed(0)} ms`, value, `≤ ${target}`, said])
}

function table(some) {
  if (some.length === 0) return
  for (const [name, ms, value, target, said] of [
    ['measure', 'median', 'ratio', 'target', 'verdict'],
    ...some,
  ])
    say(`${name.padEnd(70)} ${ms.padStart(9)} ${value.padStart(8)} ${target.padStart(8)}  ${said}`)
}
