import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tempFolder } from './helpers/repository.ts'
import { BIN } from './helpers/workspace-lab.ts'

/** Later versions of node write the files themselves. */
const OURS = !('enableCompileCache' in module)
const ENTRY = join(BIN, '../cli/index.cjs')

/** What makes a folder not the person's alone. */
const SPOILT: Record<string, (folder: string) => void> = {
  'others may write to it': (folder) => chmodSync(folder, 0o777),
  'a group may write to it': (folder) => chmodSync(folder, 0o720),
  'it is a link': (folder) => {
    renameSync(folder, `${folder}-elsewhere`)
    symlinkSync(`${folder}-elsewhere`, folder)
  },
  // Only root can give a file away.
  ...(process.getuid?.() === 0 && { 'it is another user’s': (folder) => chownSync(folder, 4711, 4711) }),
}

describe('what V8 has compiled is kept from one start to the next', () => {
  // promise: the list of your workspaces,
  // promise: `everywhere`: the paths of your
  // promise: is kept in `~/.local/state/cortext/compiled/`, and is run at the next start.
  // promise: It is not in `/tmp` or `~/.cache`
  test('in a folder of the person alone, and a second start writes nothing', () => {
    const person = somebody()
    expect(person.kept()).toEqual({})
    const first = person.help()
    const kept = person.kept()
    expect(person.help()).toEqual(first)
    if (OURS) expect(Object.keys(kept)).toContain('index.cjs')
    expect(Object.keys(kept).length).toBeGreaterThan(0)
    expect(person.kept()).toEqual(kept)
    expect(lstatSync(person.folder()).mode & 0o077).toBe(0)
  })

  // promise: `compiled/` may be deleted at any time.
  // promise: What is damaged there is noticed and made anew.
  test('and what is damaged, torn or of other code is not run but made anew', () => {
    const person = somebody()
    const help = person.help()
    const file = keptFile(person)
    const whole = readFileSync(file)
    fc.assert(
      fc.property(damage(whole), (damaged) => {
        writeFileSync(file, damaged)
        expect(person.help()).toEqual(help)
        if (OURS) expect(readFileSync(file).length).toBe(whole.length)
      }),
      { numRuns: 40 },
    )
  })

  test.runIf(OURS)('which damaged code is not safe from: node crashes on it, or runs something else', () => {
    const person = somebody()
    person.help()
    plant(person)
    expect(person.help().stdout).toBe('planted')
  })

  // promise: It is not kept, nor run, where that folder or one above it, up to your home, is a link,
  test.each(Object.keys(SPOILT))('so nothing is run from the folder when %s', (name) => {
    const person = somebody()
    const help = person.help()
    if (OURS) plant(person)
    SPOILT[name]!(person.folder())
    const before = person.kept()
    expect(person.help()).toEqual(help)
    expect(person.kept()).toEqual(before)
  })

  const spoiltAbove = Object.keys(SPOILT).filter(
    (name) => process.getuid?.() === 0 || !name.startsWith('a group'),
  )
  // promise: It is not kept, nor
  test.each(spoiltAbove.flatMap((name) => ['compiled', 'cortext'].map((above) => [name, above] as const)))(
    'nor when %s, of the folder %s above it',
    (name, above) => {
      const person = somebody()
      const help = person.help()
      if (OURS) plant(person)
      const folder = join(person.folder(), above === 'compiled' ? '..' : '../..')
      // The group of root has root's number.
      if (name === 'a group may write to it') chownSync(folder, process.getuid!(), 4711)
      SPOILT[name]!(folder)
      const before = person.kept()
      expect(person.help()).toEqual(help)
      expect(person.kept()).toEqual(before)
    },
  )

  // promise: It is not kept, nor
  test('not where one stands, when there is no home or its name is no whole path', () => {
    const person = somebody()
    const help = person.help()
    for (const env of [{}, { HOME: '' }, { HOME: 'home' }, { XDG_STATE_HOME: 'state', HOME: person.home }]) {
      const cwd = tempFolder()
      const run = spawnSync(process.execPath, [BIN, '--help'], { cwd, env, encoding: 'utf8' })
      expect(run.stdout).toBe(help.stdout)
      expect(readdirSync(cwd)).toEqual([])
    }
  })

  test.runIf(process.getuid?.() === 0)(
    'nor in the home of another user, where root would leave a folder of root’s',
    () => {
      const [own, other] = [somebody(), somebody()]
      chownSync(other.home, 4711, 4711)
      expect(other.help()).toEqual(own.help())
      expect(readdirSync(other.home)).toEqual([])
    },
  )

  test('nor where nothing can be written: a home that is a file, a full disk', () => {
    const person = somebody()
    const help = person.help()
    const file = join(tempFolder(), 'file')
    writeFileSync(file, '')
    for (const home of [file, '/dev/full']) expect(somebody(home).help()).toEqual(help)
  })

  test.each(['doctor', 'demo'])('nor by %s, which leaves everything as it was', (verb) => {
    const person = somebody()
    const run = spawnSync(process.execPath, [BIN, verb], {
      cwd: tempFolder(),
      env: { HOME: person.home, PATH: process.env.PATH },
      encoding: 'utf8',
    })
    // `doctor` may find that no client is installed.
    expect(verb === 'doctor' ? [0, 1] : [0]).toContain(run.status)
    expect(readdirSync(person.home)).toEqual([])
  })

  test('and what other versions have left goes after thirty days', () => {
    const person = somebody()
    const compiled = join(person.home, '.local/state/cortext/compiled')
    for (const [name, days] of [
      ['0.0.1-node-18.0.0', 31],
      ['0.0.2-node-20.0.0', 29],
    ] as const) {
      mkdirSync(join(compiled, name), { recursive: true })
      writeFileSync(join(compiled, name, 'index.cjs'), 'x')
      const then = new Date(Date.now() - days * 86_400_000)
      utimesSync(join(compiled, name), then, then)
    }
    person.help()
    expect(readdirSync(compiled)).toHaveLength(2)
    expect(readdirSync(compiled)).toContain('0.0.2-node-20.0.0')
  })
})

interface Person {
  home: string
  /** Where what is compiled lies, after the first start. */
  folder: () => string
  /** Every file in it, with what tells whether it was written again. */
  kept: () => Record<string, string>
  help: () => { status: number | null; stdout: string; stderr: string }
}

function somebody(home = tempFolder()): Person {
  const compiled = join(home, '.local/state/cortext/compiled')
  const folder = () => {
    const [name] = readdirSync(compiled).filter((one) => !one.endsWith('-elsewhere'))
    return join(compiled, name!)
  }
  return {
    home,
    folder,
    kept: () => (readdirSync(home).length === 0 ? {} : stamps(folder())),
    help: () => {
      const env = { HOME: home, PATH: process.env.PATH }
      const run = spawnSync(process.execPath, [BIN, '--help'], { cwd: tempFolder(), env, encoding: 'utf8' })
      return { status: run.status, stdout: run.stdout, stderr: run.stderr }
    },
  }
}

function stamps(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return Object.fromEntries(
    names.map((name) => {
      const { ino, mtimeMs, size } = lstatSync(join(folder, name))
      return [name, `${ino} ${mtimeMs} ${size}`]
    }),
  )
}

/** Puts other compiled code in the place of the entry's. */
function plant(person: Person): void {
  const source = readFileSync(ENTRY)
  const planted = compiledElsewhere(source)
  writeFileSync(keptFile(person), Buffer.concat([source, planted, planted]))
}

/** The kept file of the entry; of later versions of node the largest. */
function keptFile(person: Person): string {
  const files = readdirSync(person.folder(), { recursive: true, encoding: 'utf8' }).map((name) =>
    join(person.folder(), name),
  )
  const size = (path: string) => (path.endsWith('/index.cjs') ? Number.MAX_VALUE : lstatSync(path).size)
  return files.filter((path) => lstatSync(path).isFile()).sort((one, other) => size(other) - size(one))[0]!
}

/** Bytes that changed anywhere, an end that was not written, or written as zeros. */
function damage(whole: Buffer): fc.Arbitrary<Buffer> {
  const place = fc.nat(whole.length - 1)
  return fc.oneof(
    fc.tuple(place, fc.integer({ min: 1, max: 255 })).map(([at, bits]) => {
      const damaged = Buffer.from(whole)
      damaged[at]! ^= bits
      return damaged
    }),
    place.map((at) => whole.subarray(0, at)),
    place.map((at) => Buffer.concat([whole.subarray(0, at), Buffer.alloc(whole.length - at)])),
    fc.constant(Buffer.concat([whole, whole])),
  )
}

/** What V8 makes of other code that is as long as this source, which is all that it asks for. */
function compiledElsewhere(source: Buffer): Buffer {
  const make = `
    const { readFileSync } = require('node:fs')
    const { Script } = require('node:vm')
    const head = '(function (exports, require, module, __filename, __dirname) {'
    const { length } = head + readFileSync(0, 'utf8') + '\\n})'
    const code = head + "process.stdout.write('planted')})//"
    process.stdout.write(new Script(code.padEnd(length, 'x')).createCachedData())`
  return execFileSync(process.execPath, ['-e', make], { input: source, maxBuffer: 1 << 24 })
}
