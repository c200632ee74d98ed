import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { opencode } from '../../../src/clients/opencode/index.ts'
import type { Environment } from '../../../src/io/environment.ts'

let home: string
let environment: Environment
const state = () => join(home, '.local', 'state', 'opencode', 'locks')

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cortext-prepare-'))
  const env = { PATH: [join(home, 'bin'), process.env.PATH].join(delimiter) }
  environment = { cwd: home, home, env, now: () => new Date(), interactive: false }
})

/** An `opencode` that says this, and notes what it was asked. */
function putOpenCode(said: string, code = 0): void {
  mkdirSync(join(home, 'bin'))
  const script = `#!/bin/sh\necho "$@ offline=$npm_config_offline pure=$OPENCODE_PURE" >> '${home}/asked'\necho '${said}'\nexit ${code}\n`
  writeFileSync(join(home, 'bin', 'opencode'), script)
  chmodSync(join(home, 'bin', 'opencode'), 0o755)
}

function putLock(name: string, meta: object | string): void {
  mkdirSync(join(state(), name), { recursive: true })
  writeFileSync(join(state(), name, 'meta.json'), typeof meta === 'string' ? meta : JSON.stringify(meta))
}

const place = () =>
  opencode.launch.place!(environment, { nativeId: 'ses_1', cwd: home, path: '/c/seed.json', content: '{}' })

describe('the preparation of an OpenCode start', () => {
  // promise: `cortext` starts it so that it does not wait for npm when you are offline
  it('imports the seed, without plugins and without asking npm', () => {
    putOpenCode('Imported session: ses_1')
    place()
    expect(readFileSync(join(home, 'asked'), 'utf8')).toBe('import /c/seed.json offline=true pure=1\n')
  })

  it('runs no OpenCode command for a native resume', () => {
    putOpenCode('')
    opencode.launch.prepare!(environment)
    expect(existsSync(join(home, 'asked'))).toBe(false)
  })

  it.each([
    ['fails', '', 1],
    ['says that it works and imports nothing', 'Failed to read session data', 0],
    ['is cut short', 'Imported session: ses_', 0],
  ])('reports an import that %s as a failure', (_, said, code) => {
    putOpenCode(said, code)
    expect(place).toThrow(
      expect.objectContaining({ code: 'client-failed', message: expect.stringContaining('opencode import') }),
    )
  })

  it('removes the locks of processes that have ended, and no others', () => {
    const { pid: dead } = spawnSync('true')
    const here = { hostname: hostname() }
    putLock('dead.lock', { ...here, pid: dead })
    putLock('alive.lock', { ...here, pid: process.pid })
    putLock('elsewhere.lock', { hostname: 'another-machine', pid: dead })
    putLock('torn.lock', '{"pid":')
    putLock('odd.lock', { ...here, pid: -1 })
    mkdirSync(join(state(), 'being-made.lock'))
    mkdirSync(join(state(), 'never-made.lock'))
    utimesSync(join(state(), 'never-made.lock'), 0, 0)
    opencode.launch.prepare!(environment)
    expect(readdirSync(state()).sort()).toEqual([
      'alive.lock',
      'being-made.lock',
      'elsewhere.lock',
      'odd.lock',
      'torn.lock',
    ])
  })

  it.runIf(existsSync('/proc'))(
    'removes the lock of a process that has ended and that no parent has waited for',
    async () => {
      // A shell would wait for it; the program that takes the shell's place does not.
      const child = 'until grep -q sleep /proc/$$/comm; do :; done'
      const parent = spawn('sh', ['-c', `( ${child} ) & echo $!; exec sleep 60`])
      const [line] = await once(parent.stdout, 'data')
      putLock('zombie.lock', { hostname: hostname(), pid: Number(line) })
      await expect.poll(() => readFileSync(`/proc/${Number(line)}/stat`, 'utf8')).toContain(') Z ')
      opencode.launch.prepare!(environment)
      parent.kill()
      expect(readdirSync(state())).toEqual([])
    },
  )
})
