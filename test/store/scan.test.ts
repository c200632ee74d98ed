import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { indexEntryOf } from '../../src/session/index-entry.ts'
import { SessionFile } from '../../src/session/schema.ts'
import { openFileIndex } from '../../src/store/machine/indexes/file-index.ts'
import {
  holdMetadata,
  listMetadataBackups,
  readMetadataBackup,
  removeMetadataBackup,
  writeMetadataBackup,
} from '../../src/store/machine/metadata-backup.ts'
import { writeSession } from '../../src/store/record/session-file.ts'
import { type Entry, scanConversations } from '../../src/store/scan.ts'
import { tempFolder } from './sandbox.ts'

const session = (title: string) =>
  SessionFile.parse({
    conversation_id: title,
    conversation_type: 'brainstorm',
    title,
    created_at: '2026-01-01T00:00:00Z',
    last_active: '2026-01-01T00:00:00Z',
  })

function workspace(...paths: string[]) {
  const root = tempFolder()
  const local = join(root, '.workspace/local')
  mkdirSync(join(root, '.workspace'))
  for (const path of paths) put(root, path, path)
  return { root, local, scan: () => scanConversations(root, local) }
}

function put(root: string, path: string, title: string): void {
  mkdirSync(join(root, path), { recursive: true })
  writeSession(join(root, path), session(title))
}

const titles = (entries: Entry[]) => entries.map(({ path, session }) => [path, session?.title])

/** An index holds only what had been still for two seconds when it was read: let the clock say that it has been. */
function later(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 })
}
afterEach(() => {
  vi.useRealTimers()
})

describe('S4-P1-17: scanConversations', () => {
  test('finds every session.json, in whatever folder, sorted by path', () => {
    const { root, scan } = workspace(
      'conversations/2026-01-01/002-b',
      'conversations/2026-01-01/001-a',
      'deep/er/and/er',
      '.hidden/one',
    )
    const paths = [
      '.hidden/one',
      'conversations/2026-01-01/001-a',
      'conversations/2026-01-01/002-b',
      'deep/er/and/er',
    ]
    const entries = scan()
    expect(titles(entries)).toEqual(paths.map((path) => [path, path]))
    for (const { path, folder, mtimeMs } of entries) {
      expect(folder).toBe(join(root, path))
      expect(mtimeMs).toBe(statSync(join(folder, '.session/session.json')).mtimeMs)
    }
  })

  test('does not enter .git, node_modules, nested workspaces and symlinks', () => {
    const { root, scan } = workspace('a', '.git/b', 'node_modules/c', 'nested/d', 'x/node_modules/e')
    mkdirSync(join(root, 'nested/.workspace'))
    symlinkSync(join(root, 'a'), join(root, 'link'))
    symlinkSync(root, join(root, 'a/loop'))
    expect(titles(scan())).toEqual([['a', 'a']])
  })

  test('E-7: a broken session.json is an entry with its path and a fix; the others still list', () => {
    const { root, scan } = workspace('a', 'b', 'c', 'd')
    const broken = join(root, 'b/.session/session.json')
    writeFileSync(broken, '{')
    rmSync(join(root, 'c/.session/session.json'))
    writeFileSync(join(root, 'c/.session/messages.jsonl'), '')
    rmSync(join(root, 'd/.session/session.json'))
    const check = () => {
      const [a, b, c, ...more] = scan()
      expect(a?.session?.title).toBe('a')
      expect(b).toMatchObject({
        path: 'b',
        problem: { code: 'corrupt', path: broken, fix: 'cortext save b' },
      })
      expect(b?.problem?.message).toContain(broken)
      expect(c).toMatchObject({ path: 'c', problem: { code: 'corrupt' }, mtimeMs: 0 })
      expect(more).toEqual([])
    }
    check()
    later()
    check()
    check()
  })

  test.each([
    ['its state got another id', { conversation_id: '001-plan-new' }, { origin: 'aaaaaaaa' }],
    ['its state has no origin yet', {}, {}],
  ])('a conversation whose folder was moved is found there, where %s', (_, more, backup) => {
    const { root, local, scan } = workspace()
    const [from, to] = ['c/2026-01-01/001-plan-x', 'c/2026-01-01/001-plan-new']
    mkdirSync(join(root, to), { recursive: true })
    writeSession(join(root, to), { ...session('X'), origin: 'aaaaaaaa', ...more })
    writeMetadataBackup(local, from, { ...session('X'), ...backup }, join(root, to))
    expect(scan().map(({ path, before }) => [path, before])).toEqual([[to, [from]]])
  })

  test('a held conversation whose folder is gone is not a new one that has got the inode of that folder', () => {
    const { root, local, scan } = workspace()
    const [gone, here] = ['c/2026-01-01/001-plan-cache', 'c/2026-01-01/002-plan-deploy']
    mkdirSync(join(root, here), { recursive: true })
    for (const [path, title] of [
      [gone, 'Cache'],
      [here, 'Deploy'],
    ] as const)
      holdMetadata(local, path, session(title), join(root, here))
    expect(titles(scan())).toEqual([
      [gone, 'Cache'],
      [here, 'Deploy'],
    ])
    expect(scan().flatMap(({ before = [] }) => before)).toEqual([])
  })

  test('a state that is held back says no less than the record that git has joined since', () => {
    const { root, local, scan } = workspace('conversations/a')
    const path = 'conversations/a'
    const folder = join(root, path)
    holdMetadata(local, path, { ...session('held'), message_count: 6 }, folder)
    writeSession(folder, { ...session('merged'), message_count: 8 })
    expect(scan()[0]?.session).toMatchObject({ title: 'held', message_count: 8 })
  })

  test('a session.json in conflict is listed with what both sides say', () => {
    const { root, scan } = workspace('a')
    const file = join(root, 'a/.session/session.json')
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, `<<<<<<< HEAD\n${text}=======\n${text}>>>>>>> other\n`)
    expect(scan()).toMatchObject([{ session: { title: 'a' }, problem: { code: 'corrupt' } }])
  })
})

describe('the index', () => {
  test('is a cache: the same result cold, warm, broken and deleted', () => {
    const { local, scan } = workspace(...Array.from({ length: 100 }, (_, i) => `conversations/day/${i}`))
    const cold = scan()
    later()
    const index = join(local, 'index.json')
    expect(scan()).toEqual(cold)
    expect(JSON.parse(readFileSync(index, 'utf8')).rows.length).toBeGreaterThan(100)
    const before = statSync(index)
    expect(scan()).toEqual(cold)
    expect(statSync(index).ino).toBe(before.ino)
    expect(before.mode & 0o777).toBe(0o600)
    const { format, rows } = JSON.parse(readFileSync(index, 'utf8'))
    const broken = [
      '{"format":2,"rows":[',
      ...[{}, [null], [7], undefined].map((one) => JSON.stringify({ format, rows: one })),
    ]
    for (const text of broken) {
      writeFileSync(index, text)
      expect(scan(), text).toEqual(cold)
    }
    writeFileSync(index, JSON.stringify({ format, rows: rows.slice(1).reverse() }))
    expect(scan()).toEqual(cold)
    rmSync(index)
    expect(scan()).toEqual(cold)
  })

  test('S4-P1-16: is used: an unchanged file is not read again', () => {
    const { local, scan } = workspace('a', 'b')
    later()
    scan()
    const index = join(local, 'index.json')
    const { format, rows } = JSON.parse(
      readFileSync(index, 'utf8').replaceAll(/"title":"(.)"/g, '"title":"$1 from the index"'),
    )
    // In whatever order it holds them.
    for (const order of [rows, rows.toReversed()]) {
      writeFileSync(index, JSON.stringify({ format, rows: order }))
      expect(titles(scan())).toEqual([
        ['a', 'a from the index'],
        ['b', 'b from the index'],
      ])
    }
  })

  test('follows every change: written, edited in place, made, moved, removed', () => {
    const { root, scan } = workspace('a', 'b', 'c/d', 'c/e')
    const file = join(root, 'b/.session/session.json')
    utimesSync(file, 1000, 1000)
    later()
    scan()
    put(root, 'a', 'A')
    writeFileSync(file, readFileSync(file, 'utf8').replace('"title": "b"', '"title": "B"'))
    utimesSync(file, 1000, 1000)
    renameSync(join(root, 'c/d'), join(root, 'c/f'))
    rmSync(join(root, 'c/e'), { recursive: true })
    put(root, 'c/new/g', 'g')
    expect(titles(scan())).toEqual([
      ['a', 'A'],
      ['b', 'B'],
      ['c/f', 'c/d'],
      ['c/new/g', 'g'],
    ])
  })

  test('values that other code has made are made again', () => {
    const local = join(tempFolder(), 'local')
    const path = join(local, 'index.json')
    const stats = { mtimeMs: 0, ctimeMs: 0, size: 1, ino: 1 } as Stats
    const look = (make: () => string) => {
      const index = openFileIndex<string>(local, path, [make])
      const value = index.look('a', stats, make)
      index.save()
      return value
    }
    expect(look(() => 'before')).toBe('before')
    expect(look(() => 'after')).toBe('after')
    expect(look(() => 'after')).toBe('after')
    // The scan names the function that makes what is kept of a session.
    const { local: scanned, scan } = workspace('one')
    later()
    scan()
    const { format } = JSON.parse(readFileSync(join(scanned, 'index.json'), 'utf8'))
    expect(format).toContain(String(indexEntryOf))
  })

  test('does not keep a file that was written a moment ago', () => {
    const { root, local, scan } = workspace('a')
    const { ctimeMs } = statSync(join(root, 'a/.session/session.json'))
    const scanAfter = (ms: number) => {
      vi.useFakeTimers({ toFake: ['Date'], now: ctimeMs + ms })
      scan()
    }
    scanAfter(1_900)
    expect(() => readFileSync(join(local, 'index.json'))).toThrow('ENOENT')
    scanAfter(2_100)
    expect(readFileSync(join(local, 'index.json'), 'utf8')).toContain('"a"')
  })

  test('that cannot be written does not stop the list', () => {
    const { local, scan } = workspace('a')
    writeFileSync(local, 'a file where the folder should be')
    later()
    expect(titles(scan())).toEqual([['a', 'a']])
  })
})

describe('the metadata backup', () => {
  test('a conversation that git took away is still known, until its backup is removed', () => {
    const path = 'conversations/2026-01-01/001-a'
    const { root, local, scan } = workspace(path, 'b')
    writeMetadataBackup(local, path, session('metadata'), join(root, path))
    expect(titles(scan())).toEqual([
      ['b', 'b'],
      [path, path],
    ])
    execFileSync('git', ['init', '-q'], { cwd: root })
    execFileSync('git', ['clean', '-qfd', 'conversations'], { cwd: root })
    expect(scan()).toEqual([
      expect.objectContaining({ path: 'b' }),
      {
        path,
        folder: join(root, path),
        session: indexEntryOf(session('metadata')),
        mtimeMs: 0,
        backupOnly: true,
      },
    ])
    removeMetadataBackup(local, path)
    removeMetadataBackup(local, path)
    expect(titles(scan())).toEqual([['b', 'b']])
  })

  test('is read, listed and replaced by path, however long or strange that path is', () => {
    const { local } = workspace()
    const paths = ['a/b', 'a%2Fb', 'ü/日本 語', `long/${'x'.repeat(400)}`, `long/${'x'.repeat(399)}`]
    for (const path of paths) writeMetadataBackup(local, path, session('old'), local)
    for (const path of paths) writeMetadataBackup(local, path, session(path), local)
    for (const path of paths) expect(readMetadataBackup(local, path)?.session.title).toBe(path)
    expect(new Set(listMetadataBackups(local).map(({ path }) => path))).toEqual(new Set(paths))
    expect(listMetadataBackups(local, paths.slice(1)).map(({ path }) => path)).toEqual(['a/b'])
  })

  test('S4-P1-15: refuses a path that leaves the workspace, to write and in a file that is read', () => {
    const { local } = workspace()
    for (const path of ['../x', '/etc', 'a/../../b', 'a//b', '', 'a\\b', 'C:/x'])
      expect(() => writeMetadataBackup(local, path, session('x'), local)).toThrow(
        expect.objectContaining({ code: 'unsafe-path' }),
      )
    mkdirSync(join(local, 'metadata'), { recursive: true })
    writeFileSync(join(local, 'metadata/x.json'), JSON.stringify({ path: '../x', session: session('x') }))
    writeFileSync(join(local, 'metadata/y.json'), '{')
    expect(listMetadataBackups(local)).toEqual([])
    expect(readFileSync(join(dirname(local), 'local/log'), 'utf8').split('\n')).toHaveLength(3)
  })
})
