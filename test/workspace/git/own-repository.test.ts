import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  blobOf,
  commitOwn,
  contentsOf,
  eraseOwn,
  filesOf,
  hasBlob,
  type OwnRepository,
  openOwn,
} from '../../../src/workspace/git/own-repository.ts'
import { removeUnused } from '../../../src/workspace/git/place.ts'
import { withoutConversation } from '../../../src/workspace/git/rewrite-history.ts'
import { tempFolder } from '../../helpers/repository.ts'

const WHO = 'Person <p@example.org> 1800000000 +0000'

function repository(): OwnRepository {
  const own = {
    root: join(tempFolder(), 'own.git'),
    environment: { env: process.env },
    isBare: true,
  } as const
  return openOwn(own, { make: true })!
}

function commit(own: OwnRepository, message: string, files: Record<string, string | undefined>): void {
  const changes = Object.entries(files).map(([path, text]) => ({
    path,
    bytes: text === undefined ? undefined : Buffer.from(text),
  }))
  commitOwn(own, [{ changes, message, who: WHO }])
}

const at = (path: string) => ({
  paths: [path],
  trailerOf: (folder: string) => `Conversation: ${folder}`,
  othersAmong: () => new Set<string>(),
})

const git = (own: OwnRepository, ...args: string[]) =>
  execFileSync('git', ['--git-dir', own.root, ...args], { encoding: 'utf8' })

const all = (own: OwnRepository) => git(own, 'cat-file', '--batch-all-objects', '--batch')

const NAMES = [
  'a/b c.md',
  'a/"q".md',
  'a/back\\slash.md',
  'a/line\nbreak.md',
  'a/ünï 日本.md',
  'a/- x',
  'a/*.md',
]

test('files of any name and content come back byte for byte', () => {
  const own = repository()
  expect(filesOf(own, ['a'])).toBeUndefined()
  commit(own, 'one', Object.fromEntries(NAMES.map((name, at) => [name, `${name}\0${'x'.repeat(at)}\r\n`])))
  const files = filesOf(own, ['a'])!
  expect(files.map(({ path }) => path).sort()).toEqual([...NAMES].sort())
  expect(contentsOf(own, files).map(String)).toEqual(
    files.map(({ path }) => `${path}\0${'x'.repeat(NAMES.indexOf(path))}\r\n`),
  )
  commit(own, 'two', Object.fromEntries(NAMES.slice(1).map((name) => [name, undefined])))
  expect(filesOf(own, ['a'])!.map(({ path }) => path)).toEqual([NAMES[0]])
  expect(git(own, 'fsck', '--strict')).toBe('')
})

test('an erased conversation is in no commit, and each other commit is there with its message', () => {
  const own = repository()
  const session = (folder: string) => `${folder}/.session/session.json`
  commit(own, 'first zebra', { [session('c/zebra')]: 'zebra 1', '.workspace/config.json': '{}' })
  commit(own, 'pears', { [session('c/pears')]: 'pears 1', 'c/pears/zebra.md': 'pears and others' })
  commit(own, 'zebra moves', { [session('c/zebra')]: undefined, [session('c/okapi')]: 'okapi 2' })
  commit(own, 'unlike okapi', { 'c/okapi-2/a.md': 'another one' })
  commit(own, 'about okapi\n\nConversation: c/okapi', { '.workspace/config.json': '{ }' })
  commit(own, 'okapi again', { 'c/okapi/ünï "x".md': 'okapi 3' })
  eraseOwn(own, at('c/okapi'))
  expect(git(own, 'log', '--format=%s', 'main').trim().split('\n')).toEqual([
    'Settings',
    'unlike okapi',
    'pears',
    'Settings',
  ])
  expect(filesOf(own, ['.workspace', 'c'])!.map(({ path }) => path)).toEqual([
    '.workspace/config.json',
    'c/okapi-2/a.md',
    session('c/pears'),
    'c/pears/zebra.md',
  ])
  expect(all(own)).not.toMatch(/zebra [0-9m]|okapi [0-9a]|first|about okapi/)
  commit(own, 'and on', { 'c/pears/b.md': 'b' })
  eraseOwn(own, at('c/pears'))
  eraseOwn(own, at('c/okapi-2'))
  expect(all(own)).not.toMatch(/pears|another/)
  expect(git(own, 'fsck', '--strict')).toBe('')
})

const session = (folder: string) => `${folder}/.session/session.json`

/** Of the contents of session.json, those that begin with `others` are of other conversations. */
const among = (own: OwnRepository, others: string, ...paths: string[]) => ({
  ...at(''),
  paths,
  othersAmong: (blobs: readonly string[]) =>
    new Set(blobs.filter((blob) => git(own, 'cat-file', 'blob', blob).startsWith(others))),
})

test('of conversations that were in one folder one after the other, only one is erased', () => {
  const lives = () => {
    const own = repository()
    commit(own, 'zebra', { [session('c/a')]: 'zebra 1', 'c/a/x.md': 'zebra' })
    commit(own, 'zebra moves', {
      [session('c/a')]: undefined,
      'c/a/x.md': undefined,
      [session('c/b')]: 'zebra 2',
    })
    commit(own, 'pears come', { 'c/a/y.md': 'pears' })
    commit(own, 'pears', { [session('c/a')]: 'pears 1' })
    commit(own, 'and on', { 'c/a/y.md': 'pears again' })
    return own
  }
  const [first, second] = [lives(), lives()]
  eraseOwn(first, among(first, 'pears', 'c/b'))
  expect(filesOf(first, ['c'])!.map(({ path }) => path)).toEqual([session('c/a'), 'c/a/y.md'])
  expect(all(first)).not.toContain('zebra')
  expect(git(first, 'log', '--format=%s', 'main').trim().split('\n')).toEqual([
    'and on',
    'pears',
    'pears come',
  ])
  eraseOwn(second, among(second, 'zebra', 'c/a'))
  expect(filesOf(second, ['c'])!.map(({ path }) => path)).toEqual([session('c/b')])
  expect(all(second)).not.toContain('pears')
  expect(git(second, 'log', '--format=%s', 'main').trim().split('\n')).toEqual(['zebra moves', 'zebra'])
})

test('a conversation is erased also from a folder that it gave to another one in the commit that moved it', () => {
  const own = repository()
  commit(own, 'zebra', { [session('c/a')]: 'zebra 1', 'c/a/x.md': 'zebra' })
  commit(own, 'figs', { [session('c/c')]: 'figs 1' })
  commit(own, 'pears take the name', {
    [session('c/a')]: 'pears 1',
    [session('c/b')]: 'zebra 2',
    [session('c/c')]: 'figs 2',
    'c/a/x.md': undefined,
  })
  const concerned = among(own, 'pears', 'c/b')
  const figs = among(own, 'figs')
  const othersAmong = (blobs: readonly string[]) =>
    new Set([...concerned.othersAmong(blobs), ...figs.othersAmong(blobs)])
  eraseOwn(own, { ...concerned, othersAmong })
  expect(all(own)).not.toContain('zebra')
  expect(filesOf(own, ['c'])!.map(({ path }) => path)).toEqual([session('c/a'), session('c/c')])
})

test('a history of one conversation is empty without it, and can go on', () => {
  const own = repository()
  commit(own, 'zebra', { 'c/zebra/a.md': 'zebra' })
  eraseOwn(own, at('c/zebra'))
  expect(all(own)).toBe('')
  expect(filesOf(own, ['c'])).toBeUndefined()
  commit(own, 'pears', { 'c/pears/a.md': 'pears' })
  expect(git(own, 'log', '--format=%s', 'main')).toBe('pears\n')
})

test('of a history that a person has merged in a clone, what is in the end is there after an erasing', () => {
  const own = repository()
  commit(own, 'pears', { 'c/pears/a.md': 'pears', 'c/zebra/a.md': 'zebra' })
  git(own, 'branch', 'side')
  commitOwn(
    own,
    [{ changes: [{ path: 'c/pears/a.md', bytes: undefined }], message: 'moved', who: WHO }],
    'refs/heads/side',
  )
  commit(own, 'figs', { 'c/figs/a.md': 'figs' })
  // The person has kept the pears.
  const who = ['-c', 'user.name=P', '-c', 'user.email=p@example.org']
  const merged = git(own, ...who, 'commit-tree', 'main^{tree}', '-p', 'main', '-p', 'side', '-m', 'merged')
  git(own, 'update-ref', 'refs/heads/main', merged.trim())
  git(own, 'update-ref', '-d', 'refs/heads/side')
  eraseOwn(own, at('c/zebra'))
  expect(filesOf(own, 'all')!.map(({ path }) => path)).toEqual(['c/figs/a.md', 'c/pears/a.md'])
  expect(all(own)).not.toContain('zebra')
})

test('what a killed commit has left goes too, also where no commit has the conversation', () => {
  for (const hasCommit of [true, false]) {
    const own = repository()
    if (hasCommit) commit(own, 'pears', { 'c/pears/a.md': 'pears' })
    execFileSync('git', ['--git-dir', own.root, 'hash-object', '-w', '--stdin'], { input: 'zebra' })
    writeFileSync(join(own.root, 'objects/pack/tmp_pack_zebra'), 'zebra')
    eraseOwn(own, at('c/zebra'))
    expect(all(own)).not.toContain('zebra')
    expect(readdirSync(join(own.root, 'objects/pack')).join()).not.toContain('tmp_pack')
    expect(filesOf(own, ['c'])?.map(({ path }) => path)).toEqual(hasCommit ? ['c/pears/a.md'] : undefined)
    commit(own, 'and on', { 'c/pears/b.md': 'b' })
  }
})

test('what a killed commit has left is in no commit, so the history does not have it', () => {
  const own = repository()
  commit(own, 'pears', { 'c/pears/a.md': 'pears' })
  commit(own, 'apples', { 'c/pears/a.md': 'apples' })
  execFileSync('git', ['--git-dir', own.root, 'hash-object', '-w', '--stdin'], { input: 'zebra' })
  const has = (text: string) => hasBlob(own, blobOf(Buffer.from(text)))
  expect(['pears', 'apples', 'zebra', 'ocelot'].filter(has)).toEqual(['pears', 'apples'])
})

test('locks that a killed git has left stop no later commit and no cleaning', () => {
  const own = repository()
  commit(own, 'pears', { 'c/pears/a.md': 'pears' })
  const names = ['packed-refs.lock', 'refs/heads/main.lock', 'objects/info/commit-graph.lock']
  const locks = names.map((name) => join(own.root, name))
  for (const path of locks) {
    writeFileSync(path, '')
    // Some seconds old.
    utimesSync(path, Date.now() / 1000, Date.now() / 1000 - 4)
  }
  openOwn(own)
  commit(own, 'apples', { 'c/pears/a.md': 'apples' })
  removeUnused(own)
  expect(git(own, 'show', 'main:c/pears/a.md')).toBe('apples')
})

test('after a kill in the middle of an erasing, the repository is the old one or the new one, and nothing lies beside it', () => {
  for (const killed of ['before the new one is whole', 'when it is whole', 'between', 'at the end']) {
    const own = repository()
    commit(own, 'pears', { 'c/pears/a.md': 'pears' })
    const [next, before] = [`${own.root}~next`, `${own.root}~before`]
    mkdirSync(next)
    if (killed !== 'before the new one is whole') {
      execFileSync('git', ['clone', '--quiet', '--bare', own.root, next])
      writeFileSync(join(next, 'cortext-ready'), '')
    }
    if (killed === 'between' || killed === 'at the end') renameSync(own.root, before)
    if (killed === 'at the end') renameSync(next, own.root)
    expect(openOwn(own), killed).toBe(own)
    expect(git(own, 'show', 'main:c/pears/a.md'), killed).toBe('pears')
    expect([existsSync(next), existsSync(before)], killed).toEqual([false, false])
  }
})

test('a hook, an alias and a filter in its settings do not run', () => {
  const own = repository()
  const ran = join(own.root, 'ran')
  mkdirSync(join(own.root, 'hooks'))
  writeFileSync(join(own.root, 'hooks/reference-transaction'), `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 })
  git(own, 'config', 'core.fsmonitor', `touch ${ran}`)
  commit(own, 'pears', { 'c/pears/a.md': 'pears' })
  eraseOwn(own, at('c/figs'))
  expect(existsSync(ran)).toBe(false)
})

test('many commits do not leave many packs', () => {
  const own = repository()
  for (let n = 0; n < 22; n++) {
    const changes = [{ path: `c/${n}`, bytes: Buffer.from(`${n}`) }]
    commitOwn(own, [{ changes, message: `${n}`, who: WHO }])
  }
  expect(Number(/packs: (\d+)/.exec(git(own, 'count-objects', '-v'))![1])).toBeLessThan(10)
  expect(filesOf(own, ['c'])).toHaveLength(22)
  expect(git(own, 'rev-list', '--count', 'main')).toBe('22\n')
})

test('a message that looks like a change is a message', () => {
  const commit = 'commit refs/heads/main\ncommitter P <p> 1 +0000\ndata 7\ncommit \nM 100644 12 a/b\n\n'
  const exported = Buffer.from(`${commit}${commit.replace('a/b', 'c/d')}`)
  expect(withoutConversation(exported, at('e')).toString()).toBe(exported.toString())
  expect(withoutConversation(exported, at('c')).toString()).toBe(commit)
})
