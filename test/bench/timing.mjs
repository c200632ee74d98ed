// What the benchmarks share: runs of the built program, in an empty home, and their medians.
import { spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const CLI = join(import.meta.dirname, '../../dist/bin.cjs')
/** Of one benchmark, which has to remove it. */
export const place = mkdtempSync(join(tmpdir(), 'cortext-bench-'))
export const environment = {
  ...process.env,
  HOME: place,
  NODE_EXTRA_CA_CERTS: undefined,
  CLAUDE_CONFIG_DIR: undefined,
}

export function cortext(cwd, args, input) {
  return run(cwd, [CLI, ...args], input)
}

export function run(cwd, args, input) {
  return time(process.execPath, cwd, args, input)
}

export function time(program, cwd, args, input = '') {
  const began = performance.now()
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    env: environment,
    input,
    encoding: 'utf8',
    maxBuffer: 1e9,
  })
  const ms = performance.now() - began
  sane(status === 0, `${args.join(' ')} ended with ${status}: ${stderr}`)
  return { ms, stdout, stderr }
}

/** The median of some runs in milliseconds, and that of `node -e 0`. The first run does not count; `before` each of them is not measured. */
export function median(runs, once, before = () => {}) {
  const { ms, other: node } = inTurns(runs, once, () => run(place, ['-e', '0']), before)
  return { ms, node }
}

/** The medians of two runs that take turns, so that both see the machine in the same mood. */
export function inTurns(runs, one, another, before = () => {}) {
  const times = []
  const others = []
  for (let at = 0; at <= runs; at++) {
    before()
    times.push(one().ms)
    others.push(another().ms)
  }
  const middle = (list) => list.slice(1).sort((a, b) => a - b)[Math.floor(runs / 2)]
  return { ms: middle(times), other: middle(others) }
}

/** The most megabytes that a run of the built program held, which is not timed. */
export function peak(cwd, args) {
  const { stderr } = run(cwd, ['--require', join(import.meta.dirname, 'peak-memory.cjs'), ...args])
  return Number(/^peak (\d+)$/m.exec(stderr)[1]) / 1024
}

/** A number about something that did not happen is worse than none. */
export function sane(holds, otherwise) {
  if (!holds) throw new Error(`the benchmark does not measure what it says: ${otherwise}`)
}

export function verdict(good) {
  return good ? 'ok' : 'over'
}

export function say(...lines) {
  for (const one of lines) process.stdout.write(`${one}\n`)
}
