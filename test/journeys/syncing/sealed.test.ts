import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Synced } from '../../../src/journeys/syncing/synced.ts'
import { readPlace, updatePlace } from '../../../src/store/machine/place.ts'
import { readKeys } from '../../../src/workspace/keys.ts'
import { seal } from '../../../src/workspace/places/age.ts'
import { openPlace } from '../../../src/workspace/places/open-place.ts'
import { Chance } from '../../faults/chance.ts'
import { atTerminal, HAS_TERMINAL } from '../../helpers/at-terminal.ts'
import { everything } from '../../helpers/history-lab.ts'
import { LONG, runs } from '../../helpers/long.ts'
import { bytesInFolder, openMachines, pathWithKey, say, sync } from '../../helpers/machines.ts'
import { carryKey, closedBytes, configOf, openedBytes, sealedFilesAt } from '../../helpers/sealed.ts'
import { filesBelow, type Lab, shown, talk } from '../../helpers/workspace-lab.ts'

/** Each of these runs dozens of programs. */
const SLOW = 240_000

const PASSPHRASE = 'five words that nobody guesses'
const withPassphrase = { env: { CORTEXT_PASSPHRASE: PASSPHRASE } }

const KINDS = ['a git repository', 'a plain folder'] as const
/** What does not depend on how files come to the place. */
const oneKind = (kind: (typeof KINDS)[number]) => !LONG && kind === 'a git repository'

async function machines(kind: (typeof KINDS)[number], count = 2): Promise<{ labs: Lab[]; place: string }> {
  const { machines: labs, place, remove } = await openMachines(count)
  onTestFinished(remove)
  return { labs, place: kind === 'a plain folder' ? join(labs[0]!.home, 'Shared') : place }
}

async function said(lab: Lab, key: string): Promise<string[]> {
  const { conversations } = await lab.json<{ conversations: { path: string; key?: string }[] }>([
    'list',
    '--all',
    '--json',
  ])
  const found = conversations.find((one) => one.key === key)
  if (found === undefined) return []
  return talk(await shown(lab, found.path)).filter((line) => line.startsWith('user: '))
}

const to = (place: string, ...more: string[]) => ['sync', '--to', place, ...more, '--json']

function publicKey(lab: Lab): string {
  return /age1\w+/.exec(readFileSync(join(configOf(lab), 'key.txt'), 'utf8'))![0]
}

test('a new sealed place is told with how another machine gets the key; one that has lost it can begin anew', async () => {
  const { labs, place } = await machines('a plain folder', 1)
  const [one] = labs as [Lab]
  await say(one, 'loop', 'the words')
  const { stderr } = await one.cortext(['sync', '--to', place, '--seal', '--personal'])
  expect(stderr).toContain(`Another machine needs the key first. How to bring it there: cortext sync --key
On another machine, in a clone of this project or a copy of this folder:
  cortext sync --to ${place} --personal
`)
  rmSync(configOf(one), { recursive: true })
  const lost = await one.cortext(['sync', '--key'])
  const [, steps] = /let in: (.*)/.exec(lost.stderr)!
  expect(steps).toBe('cortext sync --stop; cortext sync --stop --personal; cortext sync --key')
  for (const step of steps!.split('; ')) {
    const { code, stderr } = await one.cortext(step.split(' ').slice(1))
    expect(code, stderr).toBe(0)
  }
  expect(publicKey(one)).toMatch(/^age1/)
})

test.runIf(HAS_TERMINAL)('what sync --key says fits a terminal, but for what is to be copied', async () => {
  const { labs } = await machines('a plain folder', 1)
  const never = { question: '\0', answer: '', columns: 80 }
  const { code, screen } = await atTerminal(labs[0]!, ['sync', '--key'], never)
  expect(code, screen).toBe(0)
  const long = screen.split(/\r?\n/).filter((line) => line.length > 80)
  expect(long.filter((line) => !/key\.txt|age1/.test(line))).toEqual([])
})

describe.each(KINDS)('%s that is sealed', (kind) => {
  // promise: encrypts all that leaves this machine
  // promise: The place holds no title, name, path, date or word
  // promise: Sealed is a whole place
  test(
    'shows nothing of 200 passages, titles, names and paths, and who has the key finds all of them',
    async () => {
      const { labs, place } = await machines(kind)
      const [one] = labs as [Lab]
      const passages = Array.from({ length: 196 }, (_, index) => `passage ${index} of the xylophone player`)
      const lines = passages.map((content) => JSON.stringify({ role: 'user', content }))
      const path = (
        await one.json<{ path: string }>(['append', '--key', 'orchestra', '--json'], {
          input: `${lines.join('\n')}\n`,
        })
      ).path
      await one.json(['edit', path, '--title', 'Bassoon and oboe', '--tag', 'tuba', '--json'])
      writeFileSync(join(one.root, path, 'timpani.md'), '# Contrabass\n')
      await one.json(to(place, '--seal'))
      await say(one, 'orchestra', 'later: the piccolo')
      await sync(one)
      const closed = closedBytes(place)
      const known = ['orchestra', 'Bassoon', 'tuba', 'timpani', 'Contrabass', 'piccolo', ...passages]
      const names = ['thing', 'conversations/', 'session.json', 'Person', 'example.org', 'PACK', 'git bundle']
      // The page for those who find it names the format.
      const page = Object.entries(sealedFilesAt(place)).find(([name]) => name.endsWith('/README.txt'))![1]
      const rest = closed.replaceAll(page.toString('latin1'), '')
      for (const word of [...known, ...names]) expect(rest, word).not.toContain(word)
      for (const [name, bytes] of Object.entries(sealedFilesAt(place)))
        if (!name.endsWith('README.txt')) {
          expect(name).toMatch(/^[0-9a-f]{32}\/(?:[0-9a-f]{32}|project)\.age$/)
          expect(bytes.toString('latin1')).toMatch(/^age-encryption\.org\/v1\n/)
        }
      const opened = await openedBytes(place, one)
      for (const word of known) expect(opened, word).toContain(word)
    },
    SLOW,
  )

  test(
    'of a machine with a key of its own beside the one that was brought can be opened where that one is from',
    async () => {
      const { labs, place } = await machines(kind)
      const [one, two] = labs as [Lab, Lab]
      await one.json(['sync', '--key', '--json'])
      await two.json(['sync', '--key', '--json'])
      const file = join(configOf(two), 'key.txt')
      writeFileSync(
        file,
        `${readFileSync(file, 'utf8')}${readFileSync(join(configOf(one), 'key.txt'), 'utf8')}`,
      )
      await say(two, 'loop', 'the first words')
      await two.json(to(place, '--seal'))
      await one.json(to(place, '--seal'))
      expect(await said(one, 'loop')).toEqual(['user: the first words'])
    },
    SLOW,
  )

  // promise: With the key, `age` and `git` alone open all of it
  test.skipIf(!has('age'))(
    'is opened by age and git alone, with the commands that lie beside it',
    async () => {
      const { labs, place } = await machines(kind)
      const [one] = labs as [Lab]
      await say(one, 'loop', 'the first words')
      await one.json(to(place, '--seal'))
      await say(one, 'loop', 'the second words')
      await sync(one)
      await one.cortext(['sync', '--passphrase'], withPassphrase)
      const found = join(one.home, 'found')
      const [name] = Object.keys(sealedFilesAt(place))[0]!.split('/')
      if (kind === 'a plain folder') cpSync(join(place, name!), found, { recursive: true })
      else one.git('clone', '--quiet', '--branch', name!, place, found)
      cpSync(join(configOf(one), 'key.txt'), join(found, 'key.txt'))
      const page = readFileSync(join(found, 'README.txt'), 'utf8')
      const commands = page.split('\n\n')[1]!
      execFileSync('sh', ['-e', '-c', commands], {
        cwd: found,
        env: { PATH: process.env.PATH },
        stdio: 'pipe',
      })
      const files = filesBelow(join(found, 'conversations'))
      const records = Object.entries(files).filter(([path]) => path.endsWith('/messages.jsonl'))
      expect(records).toHaveLength(1)
      for (const words of ['the first words', 'the second words']) expect(records[0]![1]).toContain(words)
      expect(page).toContain('age --decrypt --output key.txt key.age')
      expect(existsSync(join(found, 'key.age'))).toBe(true)
    },
    SLOW,
  )

  // promise: Another machine needs the key
  // promise: asks for it (or takes it from
  // promise: Nobody opens the place without it
  // promise: no command prints it
  // promise: the key of your sealed places
  test.skipIf(oneKind(kind))(
    'is opened by another machine that has the key, or the passphrase, and by no other',
    async () => {
      const { labs, place } = await machines(kind, 3)
      const [one, two, three] = labs as [Lab, Lab, Lab]
      await say(one, 'loop', 'begun')
      // Larger than what is fetched to see which project it is.
      await say(one, 'large', randomBytes(60_000).toString('base64'))
      await one.json(to(place, '--seal'))
      expect(statSync(join(configOf(one), 'key.txt')).mode & 0o777).toBe(0o600)
      const refused = await two.cortext(to(place))
      expect(refused.code).toBe(1)
      expect(refused.stderr + refused.stdout).toContain('sealed for keys that this machine does not have')
      expect(existsSync(join(configOf(two), 'key.txt'))).toBe(false)
      carryKey(one, two)
      await two.json(to(place))
      await say(two, 'loop', 'went on')
      expect((await sync(two)).sent).toHaveLength(1)
      await sync(one)
      expect(await said(one, 'loop')).toEqual(['user: begun', 'user: went on'])
      const short = await one.cortext(['sync', '--passphrase'], { env: { CORTEXT_PASSPHRASE: 'short' } })
      expect(short.stderr).toContain('needs 16 characters')
      const laid = await one.cortext(['sync', '--passphrase'], withPassphrase)
      expect(laid.stdout).toContain('The key is at the place now, sealed with the passphrase.')
      const wrong = await three.cortext(to(place), {
        env: { CORTEXT_PASSPHRASE: 'another one that is wrong' },
      })
      expect(wrong.stdout + wrong.stderr).toContain('not the passphrase')
      await three.json(to(place), withPassphrase)
      expect(await said(three, 'loop')).toEqual(['user: begun', 'user: went on'])
      await say(three, 'loop', 'and on')
      await sync(three)
      for (const lab of [one, two]) {
        await sync(lab)
        expect(await said(lab, 'loop')).toEqual(['user: begun', 'user: went on', 'user: and on'])
        expect((await sync(lab)).sent).toEqual([])
      }
      const told = await one.cortext(['sync', '--key'])
      const scp = `scp ${join(configOf(one), 'key.txt')} <machine>:.config/cortext/\n`
      expect(told.stdout).toContain(`    ssh <machine> mkdir -p -m 700 .config/cortext\n    ${scp}`)
      expect(told.stdout + told.stderr).not.toContain('AGE-SECRET-KEY')
      for (const lab of labs) expect(everything(lab)).not.toContain('AGE-SECRET-KEY')
    },
    SLOW,
  )

  test(
    'of what was deleted, no sealed byte is left at the place and on the other machine',
    async () => {
      const { labs, place } = await machines(kind)
      const [one, two] = labs as [Lab, Lab]
      await say(one, 'loop', 'begun')
      await say(one, 'doomed', 'xylophone')
      // Larger than what is fetched to see which project it is.
      await say(one, 'large', randomBytes(60_000).toString('base64'))
      await one.json(to(place, '--seal'))
      carryKey(one, two)
      await two.json(to(place))
      const before = Object.entries(sealedFilesAt(place)).filter(([name]) => !name.endsWith('.txt'))
      const { conversations } = await one.json<{ conversations: { path: string; key: string }[] }>([
        'list',
        '--json',
      ])
      await one.json(['delete', conversations.find(({ key }) => key === 'doomed')!.path, '--yes', '--json'])
      for (const lab of [one, two, one]) await sync(lab)
      expect(await said(two, 'loop')).toEqual(['user: begun'])
      const mirrors =
        kind === 'a plain folder' ? [] : labs.map((lab) => join(lab.root, '.git/cortext/sealed.git'))
      for (const at of [place, ...mirrors]) {
        const all = closedBytes(at)
        for (const [name, bytes] of before) expect(all.includes(bytes.toString('latin1')), name).toBe(false)
      }
      // Without the key nothing is sent, and no other key takes its place.
      rmSync(configOf(two), { recursive: true })
      await say(two, 'loop', 'went on')
      expect((await two.cortext(['sync'])).stderr).toContain(
        'sealed for keys that this machine does not have',
      )
      for (const args of [['--key'], ['--passphrase']]) {
        const refused = await two.cortext(['sync', ...args], withPassphrase)
        expect(refused.code).toBe(1)
        expect(refused.stderr).toContain('this machine has no key for')
        expect(refused.stderr).toContain(
          'fix: copy ~/.config/cortext/key.txt of a machine that has the key to ~/.config/cortext/key.txt here; its folder: mkdir -p -m 700 ~/.config/cortext\n',
        )
        expect(refused.stderr).toContain('let in: cortext sync --stop; cortext sync --key\n')
      }
      expect(existsSync(configOf(two))).toBe(false)
      carryKey(one, two)
      await sync(two)
    },
    SLOW,
  )

  // promise: all of the project is sealed anew
  // promise: keeps a key of its own, as a teammate does
  // promise: can add words to it, but read none
  test(
    'can get another reader with a key of their own, and lose them: all is sealed anew',
    async () => {
      const { labs, place } = await machines(kind)
      const [one, two] = labs as [Lab, Lab]
      await say(one, 'loop', 'begun')
      await one.json(to(place, '--seal'))
      const made = await two.cortext(['sync', '--key'])
      expect(made.stdout).toContain('a new one was made')
      const { reader, new: isNew } = await two.json<{ reader: string; new: boolean }>([
        'sync',
        '--key',
        '--json',
      ])
      expect([reader, isNew]).toEqual([publicKey(two), false])
      expect((await two.cortext(['sync', '--key'])).stdout).not.toContain('a new one was made')
      const before = Object.keys(sealedFilesAt(place))
      expect((await two.cortext(to(place))).code).toBe(1)
      const added = await one.cortext(['sync', '--reader', reader])
      expect(added.stdout).toContain(`${reader} can open this project at the place from now on.`)
      const first = await two.json<Synced>(to(place))
      expect(first.readers).toEqual([{ reader: publicKey(one), trusted: true }])
      await say(two, 'loop', 'from two')
      await sync(two)
      await sync(one)
      expect(await said(one, 'loop')).toEqual(['user: begun', 'user: from two'])
      const [page] = before.filter((name) => name.endsWith('README.txt'))
      expect(
        Object.keys(sealedFilesAt(place))
          .filter((name) => before.includes(name))
          .toSorted(),
      ).toEqual([page!, page!.replace('README.txt', 'project.age')].toSorted())
      const own = await one.cortext(['sync', '--remove-reader', publicKey(one)])
      expect(own.stderr).toContain('the key of this machine')
      const removed = await one.cortext(['sync', '--remove-reader', reader, '--no-auto'])
      expect(removed.stdout).toContain(`${reader} can no longer open this project at the place`)
      await say(one, 'loop', 'without two')
      await sync(one)
      const shut = await two.cortext(['sync'])
      expect(shut.stderr).toContain('sealed for keys that this machine does not have')
      expect(await said(two, 'loop')).toEqual(['user: begun', 'user: from two'])
      expect(await openedBytes(place, two)).not.toContain('begun')
      expect(await openedBytes(place, one)).toContain('without two')
      for (const wrong of ['age1foo', publicKey(one).slice(0, -1), `${publicKey(one)} `])
        expect((await one.cortext(['sync', '--reader', wrong])).stderr).toContain('no public key of age')
    },
    SLOW,
  )

  // promise: A machine seals for a key of others only if it was let in there
  // promise: sync names it, and the machine seals for it after `--reader` there
  test(
    'is sealed for no key that only the place names, and always for the own one',
    async () => {
      const { labs, place } = await machines(kind, 3)
      const [one, two, stranger] = labs as [Lab, Lab, Lab]
      await say(one, 'loop', 'begun')
      await one.json(to(place, '--seal'))
      carryKey(one, two)
      await two.json(to(place))
      const { reader } = await stranger.json<{ reader: string }>(['sync', '--key', '--json'])
      // Whoever has the public key and may write there could have sent this.
      updatePlace(join(one.root, '.git/cortext'), (note) => ({
        ...note!,
        readers: { [publicKey(one)]: 2, [reader]: 1 },
      }))
      await say(one, 'loop', 'second')
      await sync(one)
      const told = await two.cortext(['sync'])
      expect(told.stderr).toContain(`cortext sync --reader ${reader}`)
      await say(two, 'loop', 'third')
      expect((await sync(two)).readers).toEqual([{ reader, trusted: false }])
      await sync(one)
      expect(await openedBytes(place, stranger)).not.toMatch(/begun|second|third/)
      // Nor after the place has got another address.
      const moved = place.replace(/(\.git)?$/, '-moved$1')
      renameSync(place, moved)
      expect((await two.json<Synced>(to(moved))).readers).toEqual([{ reader, trusted: false }])
      renameSync(moved, place)
      await two.json(to(place))
      expect(await openedBytes(place, one)).toMatch(/third/)
      expect(await said(one, 'loop')).toEqual(['user: begun', 'user: second', 'user: third'])
      await two.cortext(['sync', '--reader', reader])
      for (const words of ['begun', 'second', 'third'])
        expect(await openedBytes(place, stranger)).toContain(words)
      expect((await sync(two)).readers).toEqual([])
    },
    SLOW,
  )

  test.skipIf(oneKind(kind))(
    'is never sent to in the open, and one that can be read is never taken for a sealed one',
    async () => {
      const { labs, place } = await machines(kind)
      const [one, two] = labs as [Lab, Lab]
      await say(one, 'loop', 'the words')
      await one.json(to(place))
      const mixed = await one.cortext(to(place, '--seal'))
      expect(mixed.stdout + mixed.stderr).toContain('is not sealed, so it can be read there')
      const other = kind === 'a plain folder' ? join(one.home, 'Other') : join(one.home, 'other.git')
      await one.json(to(other, '--seal', '--personal'))
      expect(closedBytes(other)).not.toContain('the words')
      // Somebody has emptied it: it stays a sealed one for this machine, and for its other workspaces.
      rmSync(other, { recursive: true })
      mkdirSync(other)
      if (kind === 'a git repository') one.git('init', '--quiet', '--bare', other)
      // An empty folder may be one on which a disk is missing.
      if (kind === 'a git repository') await sync(one)
      await one.json(to(other))
      for (const name of Object.keys(sealedFilesAt(other))) expect(name).toMatch(/^[0-9a-f]{32}\//)
      cpSync(join(one.home, '.local'), join(two.home, '.local'), { recursive: true })
      carryKey(one, two)
      rmSync(other, { recursive: true })
      mkdirSync(other)
      if (kind === 'a git repository') one.git('init', '--quiet', '--bare', other)
      await say(two, 'loop', 'the other words')
      // Its state says that this place was used.
      if (kind === 'a git repository') await sync(two)
      else await two.json(to(other))
      expect(Object.keys(sealedFilesAt(other)).length).toBeGreaterThan(1)
      for (const name of Object.keys(sealedFilesAt(other))) expect(name).toMatch(/^[0-9a-f]{32}\//)
    },
    SLOW,
  )
})

/** Puts the files of a place back as they were. */
function restore(place: string, files: Record<string, Buffer>): void {
  rmSync(place, { recursive: true })
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(join(place, name, '..'), { recursive: true })
    writeFileSync(join(place, name), bytes)
  }
}

test.each([
  ['cut', (bytes: Buffer) => bytes.subarray(0, 100)],
  ['changed', (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -1), Buffer.of(7)])],
  ['empty', () => Buffer.of()],
])(
  'a sealed name of the project that somebody has %s is written anew with the next words',
  async (_, damage) => {
    const { labs, place } = await machines('a plain folder', 2)
    const [one, two] = labs as [Lab, Lab]
    await say(one, 'loop', 'begun')
    await one.json(to(place, '--seal'))
    carryKey(one, two)
    const [name, bytes] = Object.entries(sealedFilesAt(place)).find(([file]) =>
      file.endsWith('/project.age'),
    )!
    writeFileSync(join(place, name), damage(bytes))
    await say(one, 'loop', 'later')
    await sync(one)
    await two.json(to(place))
    expect(talk(await shown(two, await pathWithKey(two, 'loop'))).join()).toContain('later')
  },
)

// promise: A file that is damaged, cut, swapped or foreign is told, and changes nothing
test(
  '100 kinds of damage are told, and change nothing',
  async () => {
    const { labs, place } = await machines('a plain folder', 3)
    const [one, two, three] = labs as [Lab, Lab, Lab]
    await say(one, 'loop', 'begun')
    await one.json(to(place, '--seal'))
    carryKey(one, two)
    await two.json(to(place))
    const early = Object.entries(sealedFilesAt(place))
    for (const words of ['second', 'third', 'fourth']) {
      await say(one, 'loop', words)
      await sync(one)
      if (words === 'second') await sync(two)
    }
    const files = Object.fromEntries(
      Object.entries(sealedFilesAt(place)).map(([name, bytes]) => [name, Buffer.from(bytes)]),
    )
    const bundles = Object.keys(files).filter((name) => /\/[0-9a-f]{32}\.age$/.test(name))
    expect(bundles).toHaveLength(4)
    const folder = bundles[0]!.split('/')[0]!
    const stranger = (await three.json<{ reader: string }>(['sync', '--key', '--json'])).reader
    // Another project of the same person, at the same place.
    carryKey(one, three)
    three.git('remote', 'set-url', 'origin', 'https://forge.example/me/another.git')
    await say(three, 'loop', 'of another project')
    await three.json(to(place, '--branch', 'another'))
    const others = Object.entries(sealedFilesAt(place)).filter(([name]) => !name.startsWith(folder))
    const foreign = others.find(([name]) => /\/[0-9a-f]{32}\.age$/.test(name))!
    const write = (name: string, bytes: Buffer) => writeFileSync(join(place, name), bytes)
    const damages = [...damagesOf(bundles, files)]
    damages.push(
      ['of another project', () => write(`${folder}/${foreign[0].split('/')[1]!}`, foreign[1])],
      ['an earlier state of the place', () => restore(place, Object.fromEntries(early))],
    )
    for (const [index, name] of bundles.entries()) {
      const bytes = await seal(Buffer.from(`# v2 git bundle\n${index}`), [publicKey(one)])
      const shut = await seal(Buffer.from('words'), [stranger])
      damages.push([`other bytes in ${index}`, () => write(name, bytes)])
      damages.push([`sealed for a stranger ${index}`, () => write(name, shut)])
    }
    expect(damages.length).toBeGreaterThanOrEqual(100)
    const note = readPlace(join(two.root, '.git/cortext'))!
    const repository = {
      root: join(two.root, '.git/cortext/conversations.git'),
      environment: { env: two.env },
      isBare: true,
    } as const
    const keys = readKeys({ home: two.home, env: {} })
    const kept = `${two.root}-kept`
    cpSync(two.root, kept, { recursive: true })
    const all = ['user: begun', 'user: second', 'user: third', 'user: fourth']
    const chance = new Chance(runs(1, 1).seed)
    const some = LONG ? damages : Array.from({ length: 24 }, () => chance.of(damages))
    for (const [index, [what, damage]] of some.entries()) {
      restore(place, files)
      damage(place)
      const seen = openPlace(repository, note, keys)
      await seen.state()
      const heads = await seen.heads()
      const isTold = seen.unread.length > 0 || heads.some((head) => !seen.includesJoined(head, []))
      expect(isTold, what).toBe(true)
      for (const { name } of heads) expect(bundles, what).toContain(`${folder}/${name}.age`)
      // The whole way for some of them: what is whole still comes, and no word of what is not.
      if (index % 10 !== 7) continue
      const { code, stdout, stderr } = await two.cortext(['sync'])
      expect(`${code} ${stderr}`, what).toMatch(/left alone|not whole yet|an earlier state|does not have/)
      const after = await said(two, 'loop')
      expect(all.slice(0, after.length), `${what}: ${stdout}`).toEqual(after)
      rmSync(two.root, { recursive: true })
      cpSync(kept, two.root, { recursive: true })
    }
    restore(place, files)
    await sync(two)
    expect(await said(two, 'loop')).toEqual(all)
  },
  2 * SLOW,
)

function* damagesOf(
  bundles: readonly string[],
  files: Record<string, Buffer>,
): Generator<[what: string, damage: (place: string) => void]> {
  for (const [index, name] of bundles.entries()) {
    const bytes = files[name]!
    const { length } = bytes
    const header = bytes.indexOf('\n--- ')
    const put = (changed: Buffer) => (place: string) => writeFileSync(join(place, name), changed)
    const flipped = (at: number) => {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1
      return changed
    }
    for (const at of [0, 30, header - 5, header + 10, header + 60, Math.floor(length / 2), length - 1])
      yield [`bit ${at} of ${index}`, put(flipped(at))]
    for (const size of [0, 1, 21, header, header + 49, header + 66, Math.floor(length / 2), length - 1])
      yield [`cut ${index} to ${size}`, put(bytes.subarray(0, size))]
    yield [`longer ${index}`, put(Buffer.concat([bytes, Buffer.from('x')]))]
    yield [`twice ${index}`, put(Buffer.concat([bytes, bytes]))]
    yield [`zeros in ${index}`, put(Buffer.concat([bytes.subarray(0, -16), Buffer.alloc(16)]))]
    yield [`all zeros ${index}`, put(Buffer.alloc(length))]
    yield [`text in ${index}`, put(Buffer.from('-----BEGIN AGE ENCRYPTED FILE-----\n'))]
    const other = files[bundles[(index + 1) % bundles.length]!]!
    yield [`swapped ${index}`, put(other)]
    yield [
      `head of another ${index}`,
      put(Buffer.concat([other.subarray(0, header), bytes.subarray(header)])),
    ]
    yield [`end of another ${index}`, put(Buffer.concat([bytes.subarray(0, header), other.subarray(header)]))]
  }
}

function has(program: string): boolean {
  return (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, program)))
}

test.runIf(HAS_TERMINAL)('a passphrase that is too short is asked for again', async () => {
  const { labs, place } = await machines('a plain folder', 1)
  const [one] = labs as [Lab]
  await one.json(to(place, '--seal'))
  const typed = (question: string, text: string) => ({ question, answer: `${text}\r` })
  const { code, screen } = await atTerminal(one, ['sync', '--passphrase'], {
    ...typed('A passphrase of 16 characters', 'too short'),
    // What is typed between two questions is shown by the terminal itself: the second question is waited for.
    later: [
      { question: 'needs 16 characters or more', answer: '' },
      typed('A passphrase of 16 characters', PASSPHRASE),
      typed('The same again', PASSPHRASE),
    ],
  })
  expect(code, screen).toBe(0)
  expect(screen).not.toContain(PASSPHRASE)
  expect(Object.keys(filesBelow(place)).filter((name) => name.endsWith('key.age'))).toHaveLength(1)
})

// promise: kept 0600
test('a key that others can read is told', async () => {
  const { labs, place } = await machines('a plain folder', 1)
  const [one] = labs as [Lab]
  await one.json(to(place, '--seal'))
  chmodSync(join(configOf(one), 'key.txt'), 0o644)
  const { stdout } = await one.cortext(['doctor'])
  expect(stdout).toContain('key.txt')
})

// promise: A place that can be read, after a sealed one, takes `--no-seal`.
test('what was sealed is not sent to a place that can be read, unless somebody says so', async () => {
  const { labs, place } = await machines('a plain folder', 1)
  const [lab] = labs as [Lab]
  await say(lab, 'pears', 'xylophone')
  await lab.json(to(place, '--seal'))
  const plain = join(lab.home, 'Plain')
  const refused = await lab.cortext(['sync', '--to', plain])
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain(`fix: cortext sync --to ${plain} --seal\n`)
  expect(existsSync(plain) ? bytesInFolder(plain) : '').not.toContain('xylophone')
  expect((await lab.json(['sync', '--json'])).place).toBe(place)
  await lab.json(to(plain, '--no-seal'))
  expect(bytesInFolder(plain)).toContain('xylophone')
})
