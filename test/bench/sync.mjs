// `npm run bench -- sync`: what a sync by a git repository on this disk takes, beside the same files by hand: `git add`,
// `commit`, `fetch` and `push` in one repository of them. Each conversation has 20 messages.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addConversations } from './data.mjs'
import { CLI, cortext, environment, inTurns, place, sane, say, time } from './timing.mjs'

const MESSAGES = 20
const RUNS = 5

export function syncs(counts) {
  say('| conversations | sync | by git | ratio | git processes | bytes at the place |')
  say('| ---: | --- | ---: | ---: | ---: | ---: |')
  for (const count of counts) {
    const folder = join(place, `sync-${count}`)
    for (const row of measured(folder, count)) say(`| ${count} | ${row.join(' | ')} |`)
    rmSync(folder, { recursive: true, force: true })
  }
}

function measured(folder, count) {
  const [one, two, there] = ['one', 'two', 'place.git'].map((name) => join(folder, name))
  const [hand, other, byHand] = ['hand', 'other', 'hand.git'].map((name) => join(folder, name))
  mkdirSync(folder)
  for (const root of [one, two]) {
    mkdirSync(root)
    git(root, 'init', '--quiet')
    git(root, 'remote', 'add', 'origin', 'https://forge.example/me/thing.git')
    cortext(root, ['init', '--private', '--in', 'claude'])
  }
  addConversations(one, count, MESSAGES)
  cpSync(join(one, 'conversations'), join(hand, 'conversations'), { recursive: true })
  for (const root of [there, byHand]) git(folder, 'init', '--quiet', '--bare', root)
  git(hand, 'init', '--quiet', '--initial-branch=main')
  git(hand, 'remote', 'add', 'origin', byHand)
  const sent = cortext(one, ['sync', '--to', there]).ms
  const pushed = handed(hand)
  const first = sizeOf(there)
  const received = cortext(two, ['sync', '--to', there]).ms
  const cloned = time('git', folder, ['clone', '--quiet', `file://${byHand}`, other]).ms
  const nothing = inTurns(
    RUNS,
    () => cortext(one, ['sync']),
    () => ({ ms: exchanged(hand) }),
  )
  const said = (at) => `${JSON.stringify({ role: 'user', content: `said ${at}` })}\n`
  const inHand = join(hand, 'conversations/said.jsonl')
  let at = 0
  const stop = inTurns(
    RUNS,
    () => cortext(one, ['sync']),
    () => ({ ms: handed(hand) }),
    () => {
      at += 1
      cortext(one, ['append', '--key', 'loop'], said(at))
      writeFileSync(inHand, said(at), { flag: 'a' })
    },
  )
  const before = sizeOf(there)
  cortext(one, ['append', '--key', 'loop'], said(0))
  const ofStop = processes(one, folder)
  sane(sizeOf(there) > before, 'the place got nothing')
  const row = (what, ms, by, started, bytes) => [
    what,
    `${Math.round(by)} ms`,
    (ms / by).toFixed(1),
    started,
    bytes,
  ]
  return [
    row('first, of what was never saved', sent, pushed, '', first),
    row('first of the second machine', received, cloned, '', ''),
    row('of one turn', stop.ms, stop.other, ofStop, sizeOf(there) - before),
    row('with nothing new', nothing.ms, nothing.other, processes(one, folder), 0),
  ]
}

function handed(root) {
  return (
    time('git', root, ['add', '--all']).ms +
    time('git', root, ['-c', 'user.name=b', '-c', 'user.email=b@localhost', 'commit', '-qm', 'all']).ms +
    exchanged(root)
  )
}

function exchanged(root) {
  return (
    time('git', root, ['fetch', '--quiet']).ms + time('git', root, ['push', '--quiet', 'origin', 'main']).ms
  )
}

function git(cwd, ...args) {
  return execFileSync('git', args, { cwd, encoding: 'utf8', env: environment })
}

/** The bytes of the objects of a repository. */
function sizeOf(repository) {
  const counted = git(repository, 'count-objects', '-v')
  const kilobytes = [...counted.matchAll(/^size(?:-pack)?: (\d+)$/gm)].map(([, size]) => Number(size))
  return kilobytes.reduce((sum, size) => sum + size * 1024, 0)
}

/** How often a sync starts git. */
function processes(root, folder) {
  const [bin, log] = [join(folder, 'bin'), join(folder, 'started')]
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'git'), `#!/bin/sh\necho >> '${log}'\nexec '${real}' "$@"\n`)
  chmodSync(join(bin, 'git'), 0o755)
  writeFileSync(log, '')
  const { status } = spawnSync(process.execPath, [CLI, 'sync'], {
    cwd: root,
    env: { ...environment, PATH: `${bin}:${environment.PATH}` },
  })
  sane(status === 0, 'the sync failed')
  return readFileSync(log, 'utf8').length
}
