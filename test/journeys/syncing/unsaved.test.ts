import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { historyOf } from '../../helpers/history-lab.ts'
import { connect, pathWithKey, say, sync, twoMachines } from '../../helpers/machines.ts'
import { filesBelow, type Lab, shown, talk } from '../../helpers/workspace-lab.ts'

const words = async (lab: Lab, path: string) => talk(await shown(lab, path)).join('\n')

// promise: all that a stop, a save or the end of a session has saved
// promise: Hidden files beside a conversation
test.each([
  ['a link', (file: string) => symlinkSync('/etc/hostname', file)],
  ['a folder', (file: string) => mkdirSync(file)],
  ['a document of 17 MB', (file: string) => writeFileSync(file, 'words\n'.repeat(3_000_000))],
])('what is said goes although %s has the name of a document', async (kind, make) => {
  const { one, two, place } = await twoMachines()
  await say(one, 'pears', 'begun')
  await connect(place, one, two)
  const path = await pathWithKey(one, 'pears')
  make(join(one.root, path, 'odd.md'))
  for (const name of ['notes.md', '.hidden.md']) writeFileSync(join(one.root, path, name), 'beside it\n')
  await say(one, 'pears', 'said later')
  expect(await sync(one)).toMatchObject({ sent: [path], unsaved: [] })
  expect(await sync(one)).toMatchObject({ sent: [], unsaved: [] })
  await sync(two)
  expect(await words(two, path)).toContain('said later')
  const names = Object.keys(filesBelow(join(two.root, path)))
  expect(names).toContain('notes.md')
  expect(names).not.toContain('.hidden.md')
  expect(names.includes('odd.md')).toBe(kind === 'a document of 17 MB')
})

test('what is said goes although a killed git has left a lock in the history', async () => {
  const { one, two, place } = await twoMachines()
  await say(one, 'pears', 'begun')
  await connect(place, one, two)
  const lock = join(historyOf(one), 'HEAD.lock')
  writeFileSync(lock, '')
  utimesSync(lock, 1, 1)
  await say(one, 'pears', 'said later')
  await sync(one)
  await sync(two)
  expect(await words(two, await pathWithKey(two, 'pears'))).toContain('said later')
})

test('what cannot be written into the history is told, and goes when it can', async () => {
  const { one, place } = await twoMachines()
  await say(one, 'pears', 'begun')
  await connect(place, one)
  const path = await pathWithKey(one, 'pears')
  const programs = join(one.home, 'failing')
  mkdirSync(programs)
  const git = `#!/bin/sh\ncase " $* " in *" fast-import "*) exit 128;; esac\nPATH="\${PATH#*${delimiter}}" exec git "$@"\n`
  writeFileSync(join(programs, 'git'), git)
  chmodSync(join(programs, 'git'), 0o755)
  await say(one, 'pears', 'said later')
  const env = { PATH: `${programs}${delimiter}${one.env.PATH}` }
  for (const _ of [1, 2]) {
    const { stdout, stderr } = await one.cortext(['sync'], { env })
    expect(stdout).toContain('Nothing was sent.')
    expect(stderr).toContain(`${path} could not be saved, so only its last save was sent`)
    expect(stderr).toContain('cortext doctor')
  }
  const found = (await one.cortext(['doctor'], { env })).stdout
  expect(found).not.toContain('has what was saved')
  expect((await sync(one)).sent).toEqual([path])
})

test('a link with the name of a document that comes stays, and only its conversation is not joined', async () => {
  const { one, two, place } = await twoMachines()
  await say(one, 'pears', 'begun')
  const path = await pathWithKey(one, 'pears')
  writeFileSync(join(one.root, path, 'notes.md'), 'first\n')
  await connect(place, one, two)
  const file = join(two.root, path, 'notes.md')
  rmSync(file)
  symlinkSync('/etc/hostname', file)
  for (const name of ['a.md', 'notes.md']) writeFileSync(join(one.root, path, name), 'second\n')
  for (const key of ['pears', 'plums']) await say(one, key, 'said later')
  await sync(one)
  await say(two, 'medlars', 'of two')
  const { unread, sent } = await sync(two)
  expect(unread).toEqual([{ file: path, problem: expect.stringContaining('is a symbolic link') }])
  expect(sent).toEqual([await pathWithKey(two, 'medlars')])
  expect(Object.keys(filesBelow(join(two.root, path)))).not.toContain('a.md')
  expect(await words(two, await pathWithKey(two, 'plums'))).toContain('said later')
  rmSync(file)
  writeFileSync(file, 'first\n')
  await sync(two)
  expect(await words(two, path)).toContain('said later')
  expect(readFileSync(file, 'utf8')).toBe('second\n')
  expect(readFileSync(join(one.root, path, 'notes.md'), 'utf8')).toBe('second\n')
})
