// What one more turn of a long conversation costs, and looking at it, by the size of its transcript.
import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { addConversations, claudeTranscript, claudeTurn, localFolder, makeWorkspace } from './data.mjs'
import { CLI, cortext, inTurns, median, peak, place, run, sane, say } from './timing.mjs'

const MB = 1_000_000
const NATIVE_ID = '22222222-2222-4333-8444-555555555555'

/** Prints a table: for each size, one more turn saved and stopped, shown and resumed, as ratios to `node -e 0`. */
export function sizes(megabytes) {
  say(
    '',
    'a conversation of one transcript; ratios to `node -e 0`; processing: the resume, less that of two messages; memory: most of the process, in MB',
    '',
  )
  row(
    'transcript',
    'record',
    'first save',
    'save',
    'stop',
    'show',
    'resume',
    'processing',
    'memory of save, stop, show, resume',
  )
  const small = resumeOfTwoMessages()
  for (const size of megabytes) measure(size, small)
}

/** What a resume takes before there is anything to process, in milliseconds. */
function resumeOfTwoMessages() {
  const root = makeWorkspace(join(place, 'size-0'))
  const [folder] = addConversations(root, 1, 2)
  return median(11, () => cortext(root, [...RESUME, folder.slice(root.length + 1)])).ms
}

const RESUME = ['resume', '--print', '--in', 'claude']

function measure(megabytes, small) {
  const { root, path, transcript, binding } = recorded(megabytes)
  const first = cortext(root, ['save', path])
  const node = run(place, ['-e', '0']).ms
  let turn = binding.turns
  /** One more turn, as the client's hook leaves it. */
  const oneMore = () => {
    writeFileSync(binding.file, binding.text)
    const records = claudeTurn(NATIVE_ID, turn++).map((record) => `${JSON.stringify(record)}\n`)
    appendFileSync(transcript, records.join(''))
    cortext(root, ['hook', 'claude'], payload(root, transcript))
  }
  const verbs = [
    ['save', path],
    ['stop', path],
    ['show', path],
    [...RESUME, path],
  ]
  const times = verbs.map((args) => {
    const before = args[0] === 'save' || args[0] === 'stop' ? oneMore : () => {}
    return inTurns(
      megabytes > 50 ? 3 : 7,
      () => cortext(root, args),
      () => run(place, ['-e', '0']),
      before,
    )
  })
  const memory = verbs.map((args) => {
    if (args[0] === 'save' || args[0] === 'stop') oneMore()
    return `${Math.round(peak(root, [CLI, ...args]))}`
  })
  const said = readFileSync(join(root, path, '.session/messages.jsonl'), 'utf8')
  for (let one = binding.turns; one < turn; one++)
    sane(said.includes(`"Question ${one}:`), `turn ${one} is not in the record`)
  const record = statSync(join(root, path, '.session/messages.jsonl')).size / MB
  row(
    `${megabytes} MB`,
    `${record.toFixed(0)} MB`,
    (first.ms / node).toFixed(1),
    ...times.map(({ ms, other }) => (ms / other).toFixed(1)),
    `${(Math.max(0, times[3].ms - small) / 1000).toFixed(2)} s`,
    memory.join(', '),
  )
  rmSync(root, { recursive: true, force: true })
  rmSync(transcript)
}

/** A conversation whose transcript and journal have `megabytes`, and of which nothing is published. */
function recorded(megabytes) {
  const root = makeWorkspace(join(place, `size-${megabytes}`))
  const [folder] = addConversations(root, 1, 0)
  const path = folder.slice(root.length + 1)
  const transcript = join(place, '.claude/projects/-project', `${NATIVE_ID}.jsonl`)
  mkdirSync(dirname(transcript), { recursive: true })
  const journal = join(localFolder(root), 'journal/claude', `${NATIVE_ID}.jsonl`)
  mkdirSync(join(localFolder(root), 'journal/claude'), { recursive: true })
  mkdirSync(join(localFolder(root), 'bindings'))
  const said = claudeTranscript(NATIVE_ID, megabytes * MB)
  for (const file of [transcript, journal]) writeFileSync(file, said)
  const started_at = new Date().toISOString()
  const segment = { conversation: path, journal: basename(journal), from: 0, how: 'start', started_at }
  const text = JSON.stringify({
    client: 'claude',
    native_id: NATIVE_ID,
    transcript,
    root,
    segments: [segment],
  })
  const file = join(localFolder(root), 'bindings', `claude-${NATIVE_ID}.json`)
  writeFileSync(file, text)
  return { root, path, transcript, binding: { file, text, turns: said.split('\n').length / 4 - 0.25 } }
}

function payload(root, transcript) {
  return JSON.stringify({
    hook_event_name: 'Stop',
    session_id: NATIVE_ID,
    transcript_path: transcript,
    cwd: root,
    last_assistant_message: 'done',
  })
}

function row(...cells) {
  say(cells.map((cell, at) => (at === cells.length - 1 ? `  ${cell}` : cell.padStart(11))).join(''))
}
