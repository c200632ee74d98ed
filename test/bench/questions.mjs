// `npm run questions -- <coding|realtalk|locomo> <folder>`: how often `cortext search` finds what a question asks for.
// Takes the conversations in by the built program, as a person does: `import` for sessions of Claude Code, `append` for
// chats, each session a conversation. Then questions.ts measures. The data sets are not part of this project:
//   coding    entireio/cli on GitHub, cloned with its branch entire/checkpoints/v1; questions/coding.jsonl asks
//   realtalk  danny911kr/REALTALK on GitHub (Lee and others, 2025): chats 1 to 5 of data/
//   locomo    the same repository's data/locomo (Maharana and others, 2024; CC BY-NC 4.0): chats 1 to 5
// Every third session by sorted path, and chats 6 to 10, are for acceptance, and nothing here reads them.
// `--keep <folder>` keeps the workspaces and uses those that are there.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runBundled } from './bundled.mjs'
import { openSessions } from './sessions.mjs'

const PROGRAM = resolve(import.meta.dirname, '../../dist/bin.cjs')
/** Questions of LoCoMo that have no answer. */
const ADVERSARIAL = 5

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { keep: { type: 'string' }, kinds: { type: 'boolean' }, misses: { type: 'boolean' } },
})
const [set, folder] = positionals
if (folder === undefined || !['coding', 'realtalk', 'locomo'].includes(set)) {
  process.stderr.write('usage: npm run questions -- <coding|realtalk|locomo> <folder> [--keep <folder>]\n')
  process.exitCode = 2
} else await run(values.keep ?? mkdtempSync(join(tmpdir(), 'cortext-questions-')))

async function run(place) {
  try {
    mkdirSync(place, { recursive: true })
    const asked = set === 'coding' ? codingQuestions(place) : chatQuestions(place)
    const list = join(place, 'questions.json')
    writeFileSync(list, JSON.stringify(asked))
    const flags = ['kinds', 'misses'].filter((flag) => values[flag])
    // The package is found from where the sources lie.
    const define = { 'import.meta.url': JSON.stringify(import.meta.url) }
    const never = join(import.meta.dirname, 'questions/never-said.txt')
    await runBundled('questions.ts', { args: [list, never, ...flags], define })
  } finally {
    if (values.keep === undefined) rmSync(place, { recursive: true, force: true })
  }
}

function codingQuestions(place) {
  const root = workspaceIn(place, (ws) => {
    const files = openSessions(folder, join(place, 'sessions'))
    cortext(ws, ['import', 'claude', ...files.flatMap((file) => ['--file', file])])
  })
  return readFileSync(join(import.meta.dirname, 'questions/coding.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => ({ root, ...JSON.parse(line) }))
}

function chatQuestions(place) {
  return [1, 2, 3, 4, 5].flatMap((number) => {
    const name = readdirSync(folder).find((file) => file.startsWith(`Chat_${number}_`))
    const sample = JSON.parse(readFileSync(join(folder, name), 'utf8'))
    const chat = sample.conversation ?? sample
    const root = workspaceIn(join(place, String(number)), (ws) => {
      for (const [key, turns] of Object.entries(chat))
        if (/^session_\d+$/.test(key)) append(ws, key, turns, chat[`${key}_date_time`])
    })
    return sample.qa.flatMap(({ question, evidence, category }) => {
      const ids = evidence.flatMap((one) => [...one.matchAll(/D\d+:\d+/g)].map(([id]) => id))
      if (ids.length === 0 || (set === 'locomo' && category === ADVERSARIAL)) return []
      return [{ root, q: question, ids, kind: String(category) }]
    })
  })
}

function append(ws, key, turns, day) {
  const lines = turns.map((turn) => ({
    id: turn.dia_id,
    role: turn.speaker === turns[0].speaker ? 'user' : 'assistant',
    content: `${turn.speaker}: ${turn.clean_text ?? turn.text}${turn.blip_caption === undefined ? '' : ` [shared ${turn.blip_caption}]`}`,
    timestamp: timeOf(turn.date_time ?? day),
  }))
  cortext(ws, ['append', '--key', key], lines.map((line) => JSON.stringify(line)).join('\n'))
}

/** `1:56 pm on 8 May, 2023` or `29.12.2023, 22:42:04` */
function timeOf(date) {
  const [, day, month, year, clock] = /^(\d+)\.(\d+)\.(\d+), (.*)$/.exec(date) ?? []
  if (day !== undefined) return new Date(`${year}-${month}-${day}T${clock}Z`).toISOString()
  const [, time, of] = /^(.*) on (.*)$/.exec(date)
  return new Date(`${of.replace(',', '')} ${time} UTC`).toISOString()
}

/** Makes the workspace of a place, unless it is there already, and returns its root. */
function workspaceIn(place, fill) {
  const root = join(place, 'ws')
  if (existsSync(root)) return root
  mkdirSync(root, { recursive: true })
  execFileSync('git', ['init', '--quiet', root])
  cortext(root, ['init', '--shared', '--in', 'claude'])
  fill(root)
  return root
}

function cortext(cwd, args, input = '') {
  // The person's own settings and workspaces stay out of it.
  const env = { PATH: process.env.PATH, HOME: resolve(cwd, '../home'), TZ: 'UTC' }
  return execFileSync(process.execPath, [PROGRAM, ...args], {
    cwd,
    env,
    input,
    stdio: ['pipe', 'pipe', 'inherit'],
    maxBuffer: 2 ** 28,
  })
}
