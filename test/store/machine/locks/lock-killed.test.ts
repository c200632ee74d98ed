import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { withLockSync } from '../../../../src/store/machine/locks/lock.ts'
import { program, tempFolder } from '../../sandbox.ts'

const DYING = fileURLToPath(new URL('../../../helpers/dying.cjs', import.meta.url))

/** Takes the lock a few times. Whoever finds the name of another living process inside says so and fails. */
const TAKER = `
  import { readFileSync, writeFileSync } from 'node:fs'
  import { withLockSync } from './store/machine/locks/lock.ts'
  const [local, times] = process.argv.slice(2)
  const inside = local + '/inside'
  const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.random() * 3)
  const lives = (pid) => { try { return process.kill(pid, 0) } catch { return false } }
  const other = () => { try { return Number(/^(\\d+);$/.exec(readFileSync(inside, 'utf8'))?.[1] ?? 0) } catch { return 0 } }
  // The name of one that was killed inside stays there, or half of it.
  const enter = () => {
    const found = other()
    if (found > 0 && found !== process.pid && lives(found)) throw new Error(found + ' is inside, and ' + process.pid)
    writeFileSync(inside, process.pid + ';')
    pause()
    if (other() !== process.pid) throw new Error(other() + ' came in beside ' + process.pid)
    writeFileSync(inside, '0;')
  }
  for (let i = 0; i < Number(times); i++) withLockSync(local, 'n', enter, 10000)
`

/** Is killed while it has the lock. */
const DIER = `
  import { withLockSync } from './store/machine/locks/lock.ts'
  withLockSync(process.argv[2], 'n', () => { process.kill(process.pid, 'SIGKILL'); for (;;); })
`

test('E-17 when pairs of processes are killed at every step of taking, breaking and releasing, the next process gets the lock at once', async () => {
  const folder = tempFolder()
  const taker = program(folder, TAKER)
  const dead = await deadLock(folder)
  const steps = await stepsOf(taker, dead, folder)
  expect(steps).toBeGreaterThan(10)
  const same = (step: number) => step
  const another = (step: number) => 1 + ((step * 5) % steps)
  let killed = 0
  for (const [left, other] of [
    ['nothing', same],
    ['a dead lock', same],
    ['a dead lock', another],
  ] as const)
    for (let step = 1; step <= steps; step++) {
      const local = join(folder, `${left}-${step}-${other.name}`)
      leave(dead, local, left)
      const pair = [step, other(step)].map((at) => ended(taker, [local, '2'], { DIE_AT: at }))
      for (const { signal, stderr } of await Promise.all(pair)) {
        expect(stderr).toBe('')
        if (signal === 'SIGKILL') killed += 1
      }
      const where = `${left}, killed at ${step} and ${other(step)}`
      expect(
        withLockSync(local, 'n', () => 'mine', AT_ONCE),
        where,
      ).toBe('mine')
      expect(readdirSync(join(local, 'locks')), where).toEqual([])
    }
  expect(killed).toBeGreaterThan(75)
}, 240_000)

test('E-17 a process that sleeps at any step, while another breaks the dead lock and works, does not run at the same time', async () => {
  const folder = tempFolder()
  const taker = program(folder, TAKER)
  const dead = await deadLock(folder)
  const steps = await stepsOf(taker, dead, folder)
  let worked = 0
  for (let step = 1; step <= steps; step++) {
    const local = join(folder, `slept-${step}`)
    leave(dead, local, 'a dead lock')
    const sleeper = spawnTaker(taker, [local, '1'], { STOP_AT: step })
    const end = endOf(sleeper)
    await stopped(sleeper)
    try {
      // It may sleep while it has the lock: then nobody else gets it.
      withLockSync(
        local,
        'n',
        () => {
          worked += 1
          writeFileSync(join(local, 'inside'), `${process.pid};`)
          sleeper.kill('SIGCONT')
          // Long enough to go through all of its steps, and to come in if anything lets it.
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150)
          writeFileSync(join(local, 'inside'), '0;')
        },
        AT_ONCE,
      )
    } catch (error) {
      expect(error).toMatchObject({ code: 'locked', message: expect.stringContaining(`${sleeper.pid}`) })
    }
    // Again and again: on a busy machine it may fall asleep only after it was woken.
    const waking = setInterval(() => sleeper.kill('SIGCONT'), 20)
    const ending = await end.finally(() => clearInterval(waking))
    expect(ending, `slept at step ${step}`).toEqual({ code: 0, signal: null, stderr: 'stopped\n' })
    expect(readdirSync(join(local, 'locks'))).toEqual([])
  }
  expect(worked).toBeGreaterThan(5)
}, 120_000)

test('E-17 with six processes at once and sixty of them killed, two never run at once, and none waits for a dead one', async () => {
  const folder = tempFolder()
  const local = join(folder, 'local')
  const taker = program(folder, TAKER)
  let killed = 0
  const slots = Array.from({ length: 6 }, async () => {
    while (killed < 60) {
      const { code, signal, stderr } = await ended(taker, [local, '20'], {
        DIE_AT: 1 + Math.floor(Math.random() * 100),
      })
      expect(stderr).toBe('')
      if (signal === 'SIGKILL') killed += 1
      else expect(code).toBe(0)
    }
  })
  await Promise.all(slots)
  expect(withLockSync(local, 'n', () => 'mine', AT_ONCE)).toBe('mine')
  expect(readdirSync(join(local, 'locks'))).toEqual([])
}, 240_000)

/** No wait at all: whoever is alone gets the lock at the first attempt, however slow the machine is. */
const AT_ONCE = 0

type Left = 'nothing' | 'a dead lock'

interface Dead {
  /** A folder `locks`, in which a process was killed while it had the lock. */
  locks: string
  pid: number
}

async function deadLock(folder: string): Promise<Dead> {
  const local = join(folder, 'dead')
  const killed = spawnTaker(program(folder, DIER), [local], {})
  expect(await endOf(killed)).toMatchObject({ signal: 'SIGKILL' })
  return { locks: join(local, 'locks'), pid: killed.pid! }
}

/** Makes what earlier processes may have left. */
function leave(dead: Dead, local: string, left: Left): void {
  const locks = join(local, 'locks')
  mkdirSync(locks, { recursive: true })
  if (left === 'a dead lock') cpSync(dead.locks, locks, { recursive: true })
}

/** How many steps on the disk it is to take over a dead lock and to release it. */
async function stepsOf(taker: string, dead: Dead, folder: string): Promise<number> {
  const local = join(folder, 'counted')
  leave(dead, local, 'a dead lock')
  const { code, stderr } = await ended(taker, [local, '1'], { COUNT: 1 })
  expect(code, stderr).toBe(0)
  return Number(stderr)
}

function spawnTaker(taker: string, args: string[], env: Record<string, number>) {
  const texts = Object.entries(env).map(([name, value]) => [name, String(value)])
  const preload =
    texts.length === 0 ? {} : { NODE_OPTIONS: `--require ${DYING}`, ...Object.fromEntries(texts) }
  return spawn(process.execPath, [taker, ...args], {
    env: { ...process.env, ...preload },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

async function endOf(child: ReturnType<typeof spawnTaker>) {
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const [code, signal] = await once(child, 'close')
  return { code, signal, stderr }
}

function ended(taker: string, args: string[], env: Record<string, number>) {
  return endOf(spawnTaker(taker, args, env))
}

/** Waits until it sleeps. */
async function stopped(child: ReturnType<typeof spawnTaker>): Promise<void> {
  await once(child.stderr, 'data')
  await new Promise((resolve) => setTimeout(resolve, 20))
}
