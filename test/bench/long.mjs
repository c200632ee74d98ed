// `npm run bench:long`: what long transcripts of Claude Code cost when they are imported, first saved, stopped and pruned.
import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { addConversations, claudeTurn, localFolder, makeWorkspace } from './data.mjs'
import { CLI, place, run, sane, say } from './timing.mjs'

const MB = 1_000_000
const NATIVE_ID = '33333333-2222-4333-8444-555555555555'

/** Each writes one transcript: `write` takes a record. */
const SHAPES = {
  1: (write) => turns(write, 1),
  10: (write) => turns(write, 10),
  100: (write) => turns(write, 100),
  200: (write) => turns(write, 200),
  // One prompt, and then only calls, results and answers.
  'one-turn': (write) => oneTurn(write, 100),
  small: (write) => talk(write, 200_000, 130),
  tiny: (write) => talk(write, 645_000, 1),
  line: (write) => {
    talk(write, 2, 10)
    write(record(2, 'user', { role: 'user', content: 'x y. '.repeat((95 * MB) / 5) }))
    write(record(3, 'assistant', answer(3, 'Done.')))
  },
  first: (write) => {
    write(record(0, 'user', { role: 'user', content: 'x y. '.repeat((95 * MB) / 5) }))
    write(record(1, 'assistant', answer(1, 'Done.')))
  },
  result: (write) => {
    talk(write, 2, 10)
    const [, call, result, last] = claudeTurn(NATIVE_ID, 1)
    result.message.content[0].content = 'x = 1.\n'.repeat((95 * MB) / 7)
    for (const one of [record(2, 'user', { role: 'user', content: 'Read it' }), call, result, last])
      write(one)
  },
}

const VERBS = {
  import: (_, transcript) => [['import', 'claude', '--file', transcript]],
  save: (_, __, path) => [['save', path]],
  stop: (_, __, path) => [['stop', path]],
  prune: (_, __, path) => [
    ['save', path],
    ['prune', path, '--yes'],
  ],
}

const { shapes, verbs, programs } = asked(process.argv.slice(2))
try {
  say('| transcript | bytes | verb | program | seconds | of the processor | to `node -e 0` | memory |')
  say('| --- | --- | --- | --- | ---: | ---: | ---: | ---: |')
  for (const shape of shapes) {
    const transcript = written(shape)
    const megabytes = `${(statSync(transcript).size / MB).toFixed(0)} MB`
    for (const verb of verbs)
      for (const program of programs) {
        const { root, path } = workspace(transcript, verb)
        const runs = VERBS[verb](root, transcript, path)
        for (const args of runs.slice(0, -1)) measured(program, root, args)
        const node = run(place, ['-e', '0']).ms
        const { ms, cpu, peak } = measured(program, root, runs.at(-1))
        const name = program === CLI ? 'this' : 'other'
        say(
          `| ${shape} | ${megabytes} | ${verb} | ${name} | ${(ms / 1000).toFixed(1)} | ${cpu.toFixed(1)} | ${(ms / node).toFixed(0)} | ${peak} MB |`,
        )
        rmSync(root, { recursive: true, force: true })
      }
    rmSync(transcript)
  }
} finally {
  rmSync(place, { recursive: true, force: true })
}

/** `[shape…] [--verbs=import,save] [--against=<dist/bin.cjs of another build>]` */
function asked(args) {
  const option = (name) => args.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1]
  const named = args.filter((arg) => !arg.startsWith('--'))
  const other = option('against')
  return {
    shapes: named.length === 0 ? Object.keys(SHAPES) : named,
    verbs: option('verbs')?.split(',') ?? Object.keys(VERBS),
    programs: [CLI, ...(other === undefined ? [] : [resolve(other)])],
  }
}

/** One run under `time`: the most memory that the process held is the kernel's own count. */
function measured(program, cwd, args) {
  const env = { PATH: process.env.PATH, HOME: place }
  const began = performance.now()
  const given = ['-f', 'peak %M %U %S', process.execPath, program, ...args]
  const { status, stderr } = spawnSync('/usr/bin/time', given, { cwd, env, encoding: 'utf8', maxBuffer: 1e9 })
  const ms = performance.now() - began
  sane(status === 0, `${args.join(' ')} ended with ${status}: ${stderr}`)
  const [, kilobytes, user, system] = /^peak (\d+) (\S+) (\S+)$/m.exec(stderr)
  return { ms, cpu: Number(user) + Number(system), peak: Math.round(kilobytes / 1024) }
}

function written(shape) {
  const transcript = join(place, '.claude/projects/-project', `${NATIVE_ID}.jsonl`)
  mkdirSync(dirname(transcript), { recursive: true })
  const fd = openSync(transcript, 'w')
  let waiting = []
  let size = 0
  const flush = () => {
    writeSync(fd, waiting.join(''))
    waiting = []
    size = 0
  }
  SHAPES[shape]((one) => {
    waiting.push(`${JSON.stringify(one)}\n`)
    size += waiting.at(-1).length
    if (size > MB) flush()
    return waiting.at(-1)?.length ?? 0
  })
  flush()
  closeSync(fd)
  return transcript
}

/** A workspace with a conversation that records the transcript; for an import, an empty one. */
function workspace(transcript, verb) {
  const root = makeWorkspace(join(place, 'workspace'))
  if (verb === 'import') return { root }
  const [folder] = addConversations(root, 1, 0)
  const path = folder.slice(root.length + 1)
  rmSync(join(folder, '.session/messages.jsonl'))
  mkdirSync(join(localFolder(root), 'bindings'), { recursive: true })
  const segment = {
    ...{ conversation: path, journal: basename(transcript), from: 0, how: 'start' },
    started_at: new Date().toISOString(),
  }
  writeFileSync(
    join(localFolder(root), 'bindings', `claude-${NATIVE_ID}.json`),
    JSON.stringify({ client: 'claude', native_id: NATIVE_ID, transcript, root, segments: [segment] }),
  )
  return { root, path }
}

function turns(write, megabytes) {
  let size = 0
  for (let turn = 0; size < megabytes * MB; turn++)
    for (const one of claudeTurn(NATIVE_ID, turn)) {
      write(one)
      size += JSON.stringify(one).length + 1
    }
}

function oneTurn(write, megabytes) {
  let size = 0
  for (let turn = 0; size < megabytes * MB; turn++)
    for (const one of claudeTurn(NATIVE_ID, turn)) {
      if (turn > 0 && one.message.role === 'user' && typeof one.message.content === 'string') continue
      // Without a final answer, all calls are in one turn.
      if (one.message.stop_reason !== undefined) continue
      const { parentUuid } = one
      const linked = turn > 0 && parentUuid?.endsWith('-0') ? { ...one, parentUuid: lastResult(turn) } : one
      write(linked)
      size += JSON.stringify(linked).length + 1
    }
}

function lastResult(turn) {
  return claudeTurn(NATIVE_ID, turn - 1)[2].uuid
}

/** `count` messages, prompts and answers in turns, of `length` characters each. */
function talk(write, count, length) {
  for (let at = 0; at < count; at++) {
    const said = `${at} ${'word '.repeat(length)}`.slice(0, length + 6)
    write(
      at % 2 === 0
        ? record(at, 'user', { role: 'user', content: said })
        : record(at, 'assistant', answer(at, said)),
    )
  }
}

function answer(at, text) {
  return {
    ...{ id: `msg_${at}`, role: 'assistant', model: 'claude-sonnet-4-5', stop_reason: 'end_turn' },
    content: [{ type: 'text', text }],
  }
}

function record(at, type, message) {
  return {
    ...{
      parentUuid: at === 0 ? null : uuidOf(at - 1),
      sessionId: NATIVE_ID,
      version: '2.1.197',
      type,
      message,
    },
    ...{ uuid: uuidOf(at), timestamp: new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString() },
  }
}

function uuidOf(at) {
  return `00000000-0000-4000-8000-${at.toString(16).padStart(12, '0')}`
}
