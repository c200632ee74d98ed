import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sha256 } from '../../../src/hash.ts'
import type { Synced } from '../../../src/journeys/syncing/synced.ts'
import { CopyingService } from '../../helpers/copying-service.ts'
import { everything, spoken } from '../../helpers/history-lab.ts'
import {
  bytesInFolder,
  connect,
  openMachines,
  pathWithKey,
  say,
  sync,
  unredacted,
} from '../../helpers/machines.ts'
import { filesBelow, type Lab, shown, talk } from '../../helpers/workspace-lab.ts'

/** Each of these runs dozens of programs. */
const SLOW = 180_000

/** Two machines that share one folder, such as a disk of the network. */
async function sharing(): Promise<{ one: Lab; two: Lab; folder: string }> {
  const { machines, remove } = await openMachines(2)
  onTestFinished(remove)
  const [one, two] = machines as [Lab, Lab]
  return { one, two, folder: join(one.home, 'Shared') }
}

/** Two machines, each with its own copy of a folder, which a service keeps equal. */
async function copying(): Promise<{ one: Lab; two: Lab; service: CopyingService }> {
  const { machines, remove } = await openMachines(2)
  onTestFinished(remove)
  const [one, two] = machines as [Lab, Lab]
  const service = new CopyingService(machines.map((lab) => join(lab.home, 'Dropbox')))
  await say(one, 'loop', 'begun')
  await connect(service.folders[0]!, one)
  service.settle()
  await connect(service.folders[1]!, two)
  service.settle()
  await sync(one)
  return { one, two, service }
}

/** The paths of the bundles, in a folder of one project. */
function bundlesIn(folder: string): string[] {
  return Object.keys(filesBelow(folder)).map((name) => join(folder, name))
}

async function said(lab: Lab, key: string): Promise<string[]> {
  const path = await pathWithKey(lab, key)
  return talk(await shown(lab, path)).filter((line) => line.startsWith('user: '))
}

/** The files of all conversations, without attachments. */
function treeOf(lab: Lab): Record<string, string> {
  const files = Object.entries(filesBelow(join(lab.root, 'conversations')))
  return Object.fromEntries(files.filter(([path]) => !path.includes('/attachments/')))
}

describe('a plain folder', () => {
  // promise: Any other folder is a plain one
  // promise: each sync that has something to send adds one
  // promise: In a plain folder it reads and writes files itself
  test('takes what is begun on one machine to the other, and back; it has bundles and nothing else', async () => {
    const { one, two, folder } = await sharing()
    const { path, stop } = await spoken(one, 'API design', 'REST or GraphQL?')
    writeFileSync(join(one.root, path, 'plan.md'), '# API\n\nREST it is\n')
    await stop()
    await connect(folder, one, two)
    expect(readFileSync(join(two.root, path, 'plan.md'), 'utf8')).toBe('# API\n\nREST it is\n')
    writeFileSync(join(two.root, path, 'plan.md'), '# API\n\nGraphQL\n')
    expect((await sync(two)).sent).toEqual([path])
    expect((await sync(one)).joined).toEqual([path])
    expect(treeOf(one)).toEqual(treeOf(two))
    for (const lab of [one, two]) expect(await sync(lab)).toMatchObject({ sent: [], taken: [], joined: [] })
    const names = bundlesIn(folder)
    expect(names).toHaveLength(2)
    for (const name of names) {
      expect(name).toMatch(/\/thing-[0-9a-f]{8}-[0-9a-f]{8}\/[0-9a-f]{32}\.bundle$/)
      expect(name).toContain(sha256(readFileSync(name)).slice(0, 32))
    }
  })

  // promise: can be opened by git alone
  test('can be opened by git alone', async () => {
    const { one, folder } = await sharing()
    const { path, stop } = await spoken(one, 'API', 'first words')
    await stop()
    await connect(folder, one)
    const [first] = bundlesIn(folder)
    await say(one, 'loop', 'more words')
    await sync(one)
    const clone = join(one.home, 'clone')
    one.git('clone', '--quiet', first!, clone)
    expect(filesBelow(clone)[`${path}/.session/messages.jsonl`]).toContain('first words')
    for (const bundle of bundlesIn(folder).filter((path) => path !== first)) {
      one.git('-C', clone, 'fetch', '--quiet', bundle, 'conversations')
      one.git('-C', clone, 'reset', '--quiet', '--hard', 'FETCH_HEAD')
    }
    expect(Object.values(filesBelow(join(clone, 'conversations'))).join()).toContain('more words')
    expect((await one.cortext(['list', '--all'], { cwd: clone })).stdout).toContain('API')
  })

  // promise: With nothing new, sync only reads the names
  test('with nothing new, is only asked for its names: git reads what was saved here, and nothing else', async () => {
    const { one, folder } = await sharing()
    await say(one, 'loop', 'words')
    await connect(folder, one)
    const before = filesBelow(join(one.root, '.git/cortext/conversations.git'))
    const [real, log] = [execFileSync('which', ['git'], { encoding: 'utf8' }).trim(), join(one.home, 'log')]
    mkdirSync(join(one.home, 'fake'))
    const fake = join(one.home, 'fake/git')
    writeFileSync(fake, `#!/bin/sh\necho "$GIT_DIR $*" >> '${log}'\nexec '${real}' "$@"\n`)
    chmodSync(fake, 0o755)
    writeFileSync(log, '')
    const env = { PATH: `${dirname(fake)}:${one.env.PATH}` }
    expect(await one.json<Synced>(['sync', '--json'], { env })).toMatchObject({ sent: [], taken: [] })
    // This tells whether something was not saved yet.
    const calls = readFileSync(log, 'utf8').split('\n').filter(Boolean)
    expect(calls.filter((call) => !call.includes(' ls-tree -r -l -z refs/heads/main'))).toEqual([])
    expect(filesBelow(join(one.root, '.git/cortext/conversations.git'))).toEqual(before)
  })

  test('holds several projects, each in a folder of its own', async () => {
    const { one, two, folder } = await sharing()
    two.git('remote', 'set-url', 'origin', 'https://forge.example/me/other')
    two.git('commit', '--quiet', '--amend', '--allow-empty', '--message', 'another beginning')
    for (const [index, lab] of [one, two].entries()) await say(lab, 'loop', `of ${index}`)
    await connect(folder, one, two)
    expect(readdirSync(folder)).toHaveLength(2)
    expect(await said(two, 'loop')).toEqual(['user: of 1'])
  })

  // promise: A folder whose name ends in `.git`
  test('is none if its name ends in .git, or it is a git repository', async () => {
    const { one, folder } = await sharing()
    execFileSync('git', ['init', '--quiet', '--bare', folder])
    await say(one, 'loop', 'words')
    for (const place of [folder, join(one.home, 'other.git')]) {
      await connect(place, one)
      expect(execFileSync('git', ['--git-dir', place, 'for-each-ref'], { encoding: 'utf8' })).toContain(
        'thing',
      )
    }
  })

  // promise: A disk that is not connected
  test('on a disk that is not there is said to be missing, and not made anew', async () => {
    const { one, folder } = await sharing()
    await connect(folder, one)
    renameSync(folder, `${folder}-away`)
    await say(one, 'loop', 'words')
    const { code, stderr } = await one.cortext(['sync'])
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('is not there') })
    expect(() => statSync(folder)).toThrow()
    expect((await one.cortext(['doctor'])).stdout).toContain(`${folder} is not there now`)
    renameSync(`${folder}-away`, folder)
    expect((await one.cortext(['doctor'])).stdout).not.toContain('is not there now')
    expect((await sync(one)).sent).toHaveLength(1)
    expect(bytesInFolder(folder)).toContain('words')
    expect((await one.cortext(['sync', '--to', join(one.home, 'no/such/folder')])).code).toBe(1)
  })

  // promise: A disk that is not connected is said to be missing
  test('that is empty where a disk is missing gets nothing, until the person says so', async () => {
    const { one, folder } = await sharing()
    await say(one, 'pears', 'words')
    await connect(folder, one)
    renameSync(folder, `${folder}-away`)
    mkdirSync(folder)
    await say(one, 'apples', 'words')
    const { code, stderr } = await one.cortext(['sync'])
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is empty, and was not when this machine last sent there'),
    })
    expect(readdirSync(folder)).toEqual([])
    expect((await one.cortext(['sync', '--to', folder])).stdout).toContain('2 conversations')
  })

  // promise: What is merely missing at the place
  test(
    'of which one bundle was removed or damaged, whichever, gets all again from a machine that has it',
    async () => {
      const { machines, remove } = await openMachines(3)
      onTestFinished(remove)
      const [one, two, fresh] = machines as [Lab, Lab, Lab]
      const folder = join(one.home, 'Shared')
      await connect(folder, one, two)
      for (const words of ['first', 'second', 'third']) {
        await say(one, 'loop', words)
        for (const lab of [one, two]) await sync(lab)
      }
      const made = bundlesIn(folder)
      expect(made).toHaveLength(4)
      const bytes = made.map((path) => readFileSync(path))
      for (const [at, path] of made.entries())
        for (const harm of [() => rmSync(path), () => writeFileSync(path, bytes[at]!.subarray(0, -1))]) {
          for (const now of bundlesIn(folder)) rmSync(now)
          for (const [index, name] of made.entries()) writeFileSync(name, bytes[index]!)
          await sync(two)
          harm()
          // A file that is damaged is looked at with the next news.
          if (existsSync(path)) await say(two, 'loop', `more ${at}`)
          await sync(two)
          await fresh.cortext(['sync', '--stop'])
          rmSync(join(fresh.root, '.git/cortext'), { recursive: true })
          rmSync(join(fresh.root, 'conversations'), { recursive: true, force: true })
          await connect(folder, fresh)
          expect(await said(fresh, 'loop'), `${at}`).toEqual(await said(two, 'loop'))
        }
    },
    SLOW,
  )

  test('that was emptied, or put back to an earlier state, takes nothing away', async () => {
    const { one, two, folder } = await sharing()
    await say(one, 'early', 'said first')
    await connect(folder, one, two)
    const early = bundlesIn(folder)
    await say(one, 'early', 'said last')
    await say(one, 'late', 'said later')
    for (const lab of [one, two]) await sync(lab)
    for (const kept of [early, []]) {
      for (const path of bundlesIn(folder)) if (!kept.includes(path)) rmSync(path)
      for (const lab of [two, one, two]) await sync(lab)
      for (const lab of [one, two]) {
        expect(await said(lab, 'early')).toEqual(['user: said first', 'user: said last'])
        expect(await said(lab, 'late')).toEqual(['user: said later'])
      }
      expect(bytesInFolder(folder)).toContain('said last')
    }
  })
})

describe('a folder that a service copies', () => {
  // promise: A service may copy the files in its own time and in any order
  // promise: Two machines that have sent at the same moment are joined
  test(
    'brings together what two machines have sent at the same moment, every word once',
    async () => {
      const { one, two, service } = await copying()
      await say(one, 'loop', 'said on one')
      await say(two, 'loop', 'said on two')
      await say(one, 'of-one', 'only on one')
      await say(two, 'of-two', 'only on two')
      const path = await pathWithKey(one, 'loop')
      writeFileSync(join(one.root, path, 'notes.md'), 'of one\n')
      writeFileSync(join(two.root, path, 'more.md'), 'of two\n')
      for (const lab of [one, two]) await sync(lab)
      service.settle()
      // Both join the two heads, at the same moment again.
      for (const lab of [one, two]) expect((await sync(lab)).joined).toContain(path)
      service.settle()
      for (const lab of [one, two]) await sync(lab)
      service.settle()
      const bundles = bundlesIn(service.folders[0]!)
      for (const lab of [one, two]) await sync(lab)
      expect(bundlesIn(service.folders[0]!)).toEqual(bundles)
      expect(treeOf(one)).toEqual(treeOf(two))
      expect((await said(one, 'loop')).toSorted()).toEqual(
        ['begun', 'said on one', 'said on two'].map((word) => `user: ${word}`),
      )
      expect([await said(one, 'of-two'), await said(two, 'of-one')]).toEqual([
        ['user: only on two'],
        ['user: only on one'],
      ])
      for (const name of ['notes.md', 'more.md'])
        expect(Object.keys(treeOf(one)).filter((file) => file.endsWith(name))).toHaveLength(1)
      for (const lab of [one, two]) expect(await sync(lab)).toMatchObject({ sent: [], joined: [], taken: [] })
    },
    SLOW,
  )

  // promise: What is not whole yet is told
  test(
    'late, and the newest first: what is not whole is told and changes nothing, and the rest goes on',
    async () => {
      const { one, two, service } = await copying()
      const known = new Set(bundlesIn(service.folders[1]!).map((path) => path.split('/').at(-1)))
      for (const word of ['second', 'third']) {
        await say(one, 'loop', word)
        await sync(one)
      }
      const [newest] = bundlesIn(service.folders[0]!)
        .filter((path) => !known.has(path.split('/').at(-1)))
        .toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
      service.exchange(0)
      service.exchange(1, (path) => newest!.endsWith(path))
      await say(two, 'of-two', 'said meanwhile')
      const { code, stdout, stderr } = await two.cortext(['sync'])
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('1 file at ') })
      expect(stderr).toContain('is not whole yet')
      expect(stdout).toContain('1 conversation sent')
      expect(await said(two, 'loop')).toEqual(['user: begun'])
      service.settle()
      for (const lab of [two, one]) expect((await lab.cortext(['sync'])).stderr).toBe('')
      service.settle()
      for (const lab of [two, one]) await sync(lab)
      expect(await said(two, 'loop')).toEqual(['user: begun', 'user: second', 'user: third'])
      expect(await said(one, 'of-two')).toEqual(['user: said meanwhile'])
      expect(treeOf(one)).toEqual(treeOf(two))
    },
    SLOW,
  )

  test(
    'half of a file is told, and is taken when it is whole; a conflicted copy does no harm',
    async () => {
      const { one, two, service } = await copying()
      await say(one, 'loop', 'second')
      await sync(one)
      const before = new Set(bundlesIn(service.folders[1]!))
      service.settle()
      const [late] = bundlesIn(service.folders[1]!).filter((path) => !before.has(path))
      copyFileSync(late!, `${late} (conflicted copy)`)
      copyFileSync(late!, late!.replace('.bundle', ' (Conflicted copy).bundle'))
      copyFileSync(late!, join(dirname(late!), '.syncthing.tmp'))
      const whole = readFileSync(late!)
      for (const size of [0, 1, 40, whole.length - 1]) {
        writeFileSync(late!, whole)
        truncateSync(late!, size)
        const { stderr } = await two.cortext(['sync'])
        expect(stderr).toContain('is not whole yet')
        expect(await said(two, 'loop')).toEqual(['user: begun'])
      }
      writeFileSync(late!, whole)
      expect((await two.cortext(['sync'])).stderr).toBe('')
      expect(await said(two, 'loop')).toEqual(['user: begun', 'user: second'])
    },
    SLOW,
  )
})

// promise: what was erased is in no conflicted copy either
test('what was deleted is in no conflicted copy of a bundle either', async () => {
  const { one, two, folder: place } = await sharing()
  await say(one, 'pears', 'xylophone')
  await say(one, 'plums', 'stays')
  await connect(place, one, two)
  for (const path of bundlesIn(place)) {
    copyFileSync(path, path.replace('.bundle', ' (Conflicted copy).bundle'))
    copyFileSync(path, path.replace('.bundle', '.sync-conflict-20261201-040000-ABC.bundle'))
    copyFileSync(path, `${path} 2`)
  }
  const kept = join(dirname(bundlesIn(place)[0]!), 'notes of a person.txt')
  writeFileSync(kept, 'mine')
  await one.json(['delete', await pathWithKey(one, 'pears'), '--yes', '--json'])
  await sync(one)
  const names = Object.keys(filesBelow(dirname(kept))).filter((name) => !/^[0-9a-f]{32}\.bundle$/.test(name))
  expect(names).toEqual(['notes of a person.txt'])
  await sync(two)
  expect(await said(two, 'plums')).toEqual(['user: stays'])
})

// The names of what two machines have sent, and so the order in which it is joined, are by chance.
test.each(['first', 'second', 'third'])(
  'what is said elsewhere of a conversation that is kept here stays said, whoever joins it (%s try)',
  async () => {
    const { one, two, service } = await copying()
    const path = await pathWithKey(one, 'loop')
    await one.json(['edit', path, '--keep-here', '--json'])
    await say(one, 'of-one', 'only on one')
    await say(two, 'loop', 'said on two')
    for (const lab of [one, two]) await sync(lab)
    service.settle()
    // The machine that keeps it joins both.
    for (const lab of [one, two]) {
      await sync(lab)
      service.settle()
    }
    expect(await said(two, 'loop')).toEqual(['user: begun', 'user: said on two'])
    await one.json(['edit', path, '--no-keep-here', '--json'])
    for (const lab of [one, two, one, two]) {
      await sync(lab)
      service.settle()
    }
    for (const lab of [one, two])
      expect(await said(lab, 'loop')).toEqual(['user: begun', 'user: said on two'])
  },
  SLOW,
)

describe('what is deleted or redacted', () => {
  // promise: in a folder it is removed at once
  test('leaves no byte in the folder, nor on the other machine', async () => {
    const { one, two, folder } = await sharing()
    await say(one, 'doomed', 'xylophone')
    await say(one, 'kept', 'guitar')
    await connect(folder, one, two)
    await say(two, 'doomed', 'xylophone again')
    for (const lab of [two, one]) await sync(lab)
    await one.json(['delete', await pathWithKey(one, 'doomed'), '--yes', '--json'])
    await sync(one)
    expect(bytesInFolder(folder)).not.toContain('xylophone')
    expect(bytesInFolder(folder)).not.toContain('not whole')
    expect(bytesInFolder(folder)).toContain('guitar')
    expect((await sync(two)).deleted).toHaveLength(1)
    expect(everything(two)).not.toContain('xylophone')
    for (const lab of [one, two]) expect(await sync(lab)).toMatchObject({ sent: [], taken: [], joined: [] })
    expect(await said(two, 'kept')).toEqual(['user: guitar'])
  })

  test(
    'while another machine sends: nothing of it comes back, and no other word is lost',
    async () => {
      const { one, two, service } = await copying()
      await say(one, 'doomed', 'xylophone')
      await sync(one)
      service.settle()
      await sync(two)
      service.settle()
      await one.json(['delete', await pathWithKey(one, 'doomed'), '--yes', '--json'])
      await say(one, 'loop', 'said on one')
      await say(two, 'loop', 'said on two')
      await say(two, 'of-two', 'only on two')
      for (const lab of [one, two]) await sync(lab)
      for (let round = 0; round < 3; round += 1) {
        service.settle()
        for (const lab of [one, two]) await sync(lab)
      }
      service.settle()
      for (const folder of service.folders) expect(bytesInFolder(folder)).not.toMatch(/xylophone|not whole/)
      for (const lab of [one, two]) {
        expect(everything(lab)).not.toContain('xylophone')
        expect(await said(lab, 'of-two')).toEqual(['user: only on two'])
        expect((await said(lab, 'loop')).toSorted()).toEqual(
          ['begun', 'said on one', 'said on two'].map((word) => `user: ${word}`),
        )
      }
      expect(treeOf(one)).toEqual(treeOf(two))
    },
    SLOW,
  )

  test('and comes back by the service, is removed again', async () => {
    const { one, two, folder } = await sharing()
    await say(one, 'doomed', 'xylophone')
    await say(one, 'kept', 'guitar')
    await connect(folder, one, two)
    const old = bundlesIn(folder).map((path) => [path, readFileSync(path)] as const)
    await one.json(['delete', await pathWithKey(one, 'doomed'), '--yes', '--json'])
    for (const lab of [one, two]) await sync(lab)
    for (const [path, bytes] of old) writeFileSync(path, bytes)
    expect(bytesInFolder(folder)).toContain('xylophone')
    for (const lab of [two, one]) expect(await sync(lab)).toMatchObject({ sent: [], taken: [], joined: [] })
    expect(bytesInFolder(folder)).not.toContain('xylophone')
    expect(everything(two)).not.toContain('xylophone')
  })

  test('a secret that is redacted on one machine is nowhere', async () => {
    const { one, two, folder } = await sharing()
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`
    const { path, stop } = await spoken(one, 'Keys', `the token is ${secret}`)
    await unredacted(one, async () => {
      await stop()
      await connect(folder, one, two)
    })
    expect(bytesInFolder(folder)).toContain(secret)
    await one.json(['redact', path, '--apply', '--json'])
    for (const lab of [one, two]) await sync(lab)
    expect(bytesInFolder(folder)).not.toContain(secret)
    expect(everything(two)).not.toContain(secret)
  })
})

/** What a stranger does to the folder of a project. */
const FORMS: Record<string, (folder: string, bundle: string) => void> = {
  'a bundle that is a link': (folder, bundle) => {
    renameSync(bundle, `${folder}/../../outside.bundle`)
    symlinkSync('../../outside.bundle', bundle)
  },
  'a bundle that is a folder': (_, bundle) => {
    rmSync(bundle)
    mkdirSync(bundle)
  },
  'a bundle that is a named pipe': (folder) => {
    execFileSync('mkfifo', [join(folder, `${'a'.repeat(32)}.bundle`)])
  },
  'a folder of the project that is a link': (folder) => {
    renameSync(folder, `${folder}/../../moved`)
    symlinkSync('../moved', folder)
  },
  'a folder of the project that is a file': (folder) => {
    rmSync(folder, { recursive: true })
    writeFileSync(folder, 'x')
  },
  'random bytes under their right name': (folder) => put(folder, randomBytes(5000)),
  'an empty file under its right name': (folder) => put(folder, Buffer.of()),
  'a head without an end': (folder) => put(folder, Buffer.from(`# v2 git bundle\n${'x'.repeat(100_000)}`)),
  'a head with a strange line': (folder) => put(folder, Buffer.from('# v2 git bundle\n--upload-pack=x\n\n')),
  'a bundle of version 3': (folder) => put(folder, Buffer.from('# v3 git bundle\n@object-format=sha256\n\n')),
  'a bundle without a pack': (folder) => put(folder, headOf('a'.repeat(40))),
  'a bundle whose pack is damaged': (folder, bundle) => {
    const bytes = Buffer.from(readFileSync(bundle))
    bytes[bytes.length - 100]! ^= 1
    put(folder, bytes)
  },
  'a bundle that is cut, under its right name': (folder, bundle) =>
    put(folder, readFileSync(bundle).subarray(0, -50)),
  'a bundle that names a commit that it does not have': (folder, bundle) => {
    const bytes = readFileSync(bundle)
    put(folder, Buffer.concat([headOf('b'.repeat(40)), bytes.subarray(bytes.indexOf('\n\n') + 2)]))
  },
  'a bundle that needs what nobody has': (folder) =>
    put(folder, headOf('a'.repeat(40), `-${'c'.repeat(40)} \n`)),
  'two bundles that need each other': (folder) => {
    put(folder, headOf('a'.repeat(40), `-${'c'.repeat(40)} \n`))
    put(folder, headOf('c'.repeat(40), `-${'a'.repeat(40)} \n`))
  },
  'a bundle whose objects git refuses': (folder) => put(folder, evilBundle(folder)),
  'a bundle with other references': (folder, bundle) => {
    const bytes = readFileSync(bundle)
    const [, commit] = /\n([0-9a-f]{40}) HEAD/.exec(bytes.toString('latin1'))!
    const extra = ['refs/heads/main', 'refs/cortext/joined', '../../x', 'refs/hooks/x'].map(
      (ref) => `${commit} ${ref}\n`,
    )
    put(folder, Buffer.concat([headOf(commit!, extra.join('')), bytes.subarray(bytes.indexOf('\n\n') + 2)]))
  },
  'a bundle that includes all others': (folder, bundle) => {
    const name = bundle.split('/').at(-1)!.replace('.bundle', '')
    put(folder, headOf('a'.repeat(40), `${'a'.repeat(40)} refs/cortext/includes/${name}\n`))
  },
  'names of many kinds': (folder) => {
    for (const name of ['-x.bundle', '$(touch x).bundle', `${'g'.repeat(32)}.bundle`, 'a\nb.bundle', '.git'])
      writeFileSync(join(folder, name), 'x')
  },
  'hooks and settings of git': (folder) => {
    mkdirSync(join(folder, 'hooks'))
    writeFileSync(join(folder, 'config'), '[core]\n\tfsmonitor = touch sprung\n')
    writeFileSync(join(folder, '../config'), '[core]\n\tfsmonitor = touch sprung\n')
    writeFileSync(join(folder, '../HEAD'), 'ref: refs/heads/main\n')
  },
}

function put(folder: string, bytes: Buffer): void {
  writeFileSync(join(folder, `${sha256(bytes).slice(0, 32)}.bundle`), bytes)
}

function headOf(commit: string, more = ''): Buffer {
  const needs = more.startsWith('-') ? more : ''
  const refs = more.startsWith('-') ? '' : more
  return Buffer.from(`# v2 git bundle\n${needs}${commit} HEAD\n${commit} refs/heads/conversations\n${refs}\n`)
}

/** A bundle with a tree that has a `.git`. */
function evilBundle(folder: string): Buffer {
  const repository = join(folder, '../../evil')
  const git = (args: string[], input: string | Buffer = '') =>
    execFileSync('git', ['--git-dir', repository, ...args], { input, maxBuffer: 2 ** 28 })
  execFileSync('git', ['init', '--quiet', '--bare', repository])
  const text = (args: string[], input = '') => git(args, input).toString('utf8').trim()
  const blob = text(['hash-object', '-w', '--stdin'], 'x')
  const inner = text(['mktree'], `100644 blob ${blob}\tconfig\n`)
  const tree = text(['mktree'], `040000 tree ${inner}\t.git\n`)
  const commit = text(['-c', 'user.name=x', '-c', 'user.email=x', 'commit-tree', tree, '-m', 'x'])
  return Buffer.concat([headOf(commit), git(['pack-objects', '--revs', '--stdout'], `${commit}\n`)])
}

// promise: git checks its objects, those of each bundle
test.each(Object.keys(FORMS))(
  '%s in the folder of a project changes nothing outside, runs nothing and takes nothing away',
  async (form) => {
    const { one, folder } = await sharing()
    await say(one, 'mine', 'my words')
    await connect(folder, one)
    const [project] = readdirSync(folder)
    FORMS[form]!(join(folder, project!), bundlesIn(folder)[0]!)
    const before = around(one)
    await say(one, 'mine', 'more words')
    const { code, stderr, stdout } = await one.cortext(['sync'])
    expect([0, 1], stderr).toContain(code)
    expect(stdout + stderr).not.toMatch(/[\u0007\u001b]|\bat .*\.[cm]?js:/)
    expect(around(one)).toEqual(before)
    expect(one.git('status', '--porcelain')).toBe('')
    expect(await said(one, 'mine')).toEqual(['user: my words', 'user: more words'])
    expect((await one.cortext(['sync'])).code).toBe(code)
    const refs = execFileSync(
      'git',
      ['--git-dir', join(one.root, '.git/cortext/conversations.git'), 'for-each-ref'],
      {
        encoding: 'utf8',
      },
    )
    const names = refs.split('\n').map((line) => line.split('\t')[1])
    expect(names.filter((name) => name && !/^refs\/(?:heads\/main|cortext\/\w+)$/.test(name))).toEqual([])
  },
)

/** Everything around the conversations of the workspace and the folder of the project. */
function around(lab: Lab): Record<string, string> {
  const files = Object.entries(filesBelow(dirname(lab.root)))
  const ours =
    /^project\/(?:conversations\/|\.workspace\/|\.git\/cortext\/)|^home\/(?:\.local\/|Shared\/thing-[^/]*\/)/
  return Object.fromEntries(files.filter(([path]) => !ours.test(path)))
}

// promise: the first machine that sees both says so
test('a conversation that is deleted while another machine sends words of it into its copy of the folder comes back on all', async () => {
  const { machines, remove } = await openMachines(3)
  onTestFinished(remove)
  const service = new CopyingService(machines.map((lab) => join(lab.home, 'Dropbox')))
  const [one, two, three] = machines as [Lab, Lab, Lab]
  await say(one, 'pears', 'ripe ones')
  await say(one, 'plums', 'xylophone')
  for (const [at, lab] of machines.entries()) {
    await connect(service.folders[at]!, lab)
    service.settle()
  }
  await say(two, 'pears', 'said on two')
  await sync(two)
  for (const key of ['pears', 'plums'])
    await one.json(['delete', await pathWithKey(one, key), '--yes', '--json'])
  await sync(one)
  // The third one gets both at once, or the one that has sent the words does.
  service.settle()
  const done = await sync(three)
  expect(done).toMatchObject({ back: [await pathWithKey(three, 'pears')] })
  for (const lab of [two, one, three, two, one]) {
    service.settle()
    await sync(lab)
  }
  for (const lab of machines) {
    expect(await said(lab, 'pears')).toEqual(['user: ripe ones', 'user: said on two'])
    expect(everything(lab)).not.toContain('xylophone')
  }
})
