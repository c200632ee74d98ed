import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { bindingPath } from '../../../src/store/layout.ts'
import {
  type Binding,
  beginPending,
  closeSegment,
  extendEnded,
  followLaunch,
  followRestarts,
  liveSegment,
  readBinding,
  type Segment,
  updateBinding,
} from '../../../src/store/machine/binding.ts'
import { readTurnMark, writeTurnMark } from '../../../src/store/machine/journal/turn-mark.ts'
import { listBindings, segmentsOf, surveyBindings } from '../../../src/store/machine/list-bindings.ts'
import { program, run, tempFolder } from '../sandbox.ts'

const segment = (conversation: string, more: Partial<Segment> = {}): Segment => ({
  conversation,
  journal: 'abc.jsonl',
  from: 0,
  how: 'start',
  started_at: '2026-01-01T00:00:00Z',
  ...more,
})
const binding = (native_id: string, ...segments: Segment[]): Binding => ({
  client: 'claude',
  native_id,
  transcript: `/home/me/${native_id}.jsonl`,
  root: '/home/me/work',
  segments,
})
const localFolder = () => join(tempFolder(), 'local')
const save = (local: string, value: Binding) =>
  updateBinding(local, value.client, value.native_id, () => value)

describe('a binding', () => {
  test('is what the change returned, and is removed when the change returned nothing', () => {
    const local = localFolder()
    const one = binding('abc', segment('a', { to: 10 }), segment('b', { from: 10 }))
    expect(readBinding(local, 'claude', 'abc')).toBeUndefined()
    expect(save(local, one)).toEqual(one)
    expect(readBinding(local, 'claude', 'abc')).toEqual(one)
    expect(liveSegment(one)).toEqual(segment('b', { from: 10 }))
    expect(liveSegment(binding('abc', segment('a', { to: 0 })))).toBeUndefined()
    expect(liveSegment(binding('abc'))).toBeUndefined()
    expect(updateBinding(local, 'claude', 'abc', () => undefined)).toBeUndefined()
    expect(readBinding(local, 'claude', 'abc')).toBeUndefined()
  })

  test('E-20: can be read only by this user, and is not rewritten when nothing changed', () => {
    const local = localFolder()
    save(local, binding('abc', segment('a')))
    const file = bindingPath(local, 'claude', 'abc')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const { ino } = statSync(file)
    updateBinding(local, 'claude', 'abc', (same) => same)
    expect(statSync(file).ino).toBe(ino)
  })

  test('E-17: eight processes that change the same binding lose no change', async () => {
    const folder = tempFolder()
    const local = join(folder, 'local')
    save(local, binding('abc'))
    const changer = program(
      folder,
      `import { updateBinding } from './store/machine/binding.ts'
       for (let i = 0; i < 10; i++) updateBinding(process.argv[2], 'claude', 'abc', (b) => ({ ...b, segments: [...b.segments,
         { conversation: process.argv[3] + i, journal: 'abc.jsonl', from: 0, how: 'start', started_at: '2026-01-01T00:00:00Z' }] }))`,
    )
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
    const ended = await Promise.all(names.map((name) => run(changer, [local, name])))
    expect(ended.map(({ stderr }) => stderr).join('')).toBe('')
    const segments = readBinding(local, 'claude', 'abc')!.segments
    expect(new Set(segments.map(({ conversation }) => conversation)).size).toBe(80)
  })

  test.each([
    ['cut', '{"client":"cl'],
    ['of another shape', '{"client":"claude","native_id":"abc"}'],
    ['with a segment that is none', JSON.stringify({ ...binding('abc'), segments: [{ from: 'x' }] })],
  ])('%s is set aside and logged, and a new one can be made', (_, text) => {
    const local = localFolder()
    const file = bindingPath(local, 'claude', 'abc')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    expect(readBinding(local, 'claude', 'abc')).toBeUndefined()
    expect(readFileSync(`${file}.broken`, 'utf8')).toBe(text)
    expect(readFileSync(join(local, 'log'), 'utf8')).toContain(file)
    save(local, binding('abc', segment('a')))
    expect(readBinding(local, 'claude', 'abc')?.segments).toHaveLength(1)
  })

  test('a binding of a newer format is refused, and stays as it is', () => {
    const local = localFolder()
    save(local, binding('abc', segment('a')))
    const file = bindingPath(local, 'claude', 'abc')
    const newer = readFileSync(file, 'utf8').replace('"format":1', '"format":2')
    writeFileSync(file, newer)
    const refused = expect.objectContaining({ code: 'newer-version' })
    expect(() => readBinding(local, 'claude', 'abc')).toThrow(refused)
    expect(() => save(local, binding('abc'))).toThrow(refused)
    expect(() => surveyBindings(local)).toThrow(refused)
    expect(readFileSync(file, 'utf8')).toBe(newer)
  })

  test('S4-P1-15: whose id is a path is in the folder of bindings', () => {
    const local = localFolder()
    for (const id of ['../../etc/passwd', '..', '/root', 'a\u0000b', '']) {
      const make = () => save(local, binding(id, segment('a')))
      if (id === '') expect(make).toThrow(expect.objectContaining({ code: 'unsafe-path' }))
      else expect(make()?.native_id).toBe(id)
    }
    expect(readdirSync(join(local, 'bindings'))).toHaveLength(4)
    expect(readdirSync(dirname(local))).toEqual(['local'])
    expect(listBindings(local).map(({ native_id }) => native_id)).toHaveLength(4)
  })
})

describe('all bindings', () => {
  test('are listed, also from the index, also after a change, also without the index', () => {
    const local = localFolder()
    expect(listBindings(local)).toEqual([])
    for (const id of ['a', 'b', 'c']) save(local, binding(id, segment(`conversations/${id}`)))
    // What was written just now is never indexed: let the clock say that it was long ago.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 })
    onTestFinished(() => void vi.useRealTimers())
    expect(ids(local)).toEqual(['a', 'b', 'c'])
    expect(readFileSync(join(local, 'binding-index.json'), 'utf8')).toContain('conversations/b')
    save(local, binding('b', segment('conversations/other')))
    updateBinding(local, 'claude', 'c', () => undefined)
    expect(ids(local)).toEqual(['a', 'b'])
    expect(segmentsOf(local, 'conversations/other')).toEqual([
      { binding: binding('b', segment('conversations/other')), segment: segment('conversations/other') },
    ])
    expect(segmentsOf(local, 'conversations/b')).toEqual([])
    writeFileSync(join(local, 'binding-index.json'), '{"format":1,"rows":[[')
    expect(ids(local)).toEqual(['a', 'b'])
  })

  test('a broken binding does not hide the others', () => {
    const local = localFolder()
    save(local, binding('a'))
    writeFileSync(bindingPath(local, 'claude', 'b'), '{')
    expect(ids(local)).toEqual(['a'])
    expect(existsSync(`${bindingPath(local, 'claude', 'b')}.broken`)).toBe(true)
    expect(ids(local)).toEqual(['a'])
  })
})

describe('followRestarts', () => {
  const at = new Date('2026-02-02T00:00:00Z')
  const time = at.toISOString()
  const generation = (name: string, size: number) => ({ name, path: `/j/${name}`, size })

  test('returns the same object when nothing was rewritten', () => {
    const one = binding('abc', segment('a', { from: 5 }))
    expect(followRestarts(one, [generation('abc.jsonl', 9)], at)).toBe(one)
    const closed = binding('abc', segment('a', { to: 5 }))
    expect(followRestarts(closed, [generation('abc.jsonl', 9), generation('abc~1.jsonl', 4)], at)).toBe(
      closed,
    )
  })

  test('after two rewrites, every byte of every generation from the beginning on is in one segment', () => {
    const one = binding('abc', segment('old', { to: 5 }), segment('a', { from: 5, how: 'resume' }))
    const generations = [
      generation('abc.jsonl', 9),
      generation('abc~1.jsonl', 4),
      generation('abc~2.jsonl', 7),
    ]
    const followed = followRestarts(one, generations, at)
    const later = { how: 'resume', restarted: true, started_at: time } as const
    expect(followed.segments).toEqual([
      segment('old', { to: 5 }),
      segment('a', { from: 5, to: 9, how: 'resume', ended_at: time }),
      segment('a', { ...later, journal: 'abc~1.jsonl', to: 4, ended_at: time }),
      segment('a', { ...later, journal: 'abc~2.jsonl' }),
    ])
    expect(followRestarts(followed, generations, at)).toBe(followed)
  })
})

test('the turn mark is in a file of its own, not in the binding', () => {
  const local = localFolder()
  save(local, binding('abc', segment('a')))
  const before = readFileSync(bindingPath(local, 'claude', 'abc'))
  expect(readTurnMark(local, 'claude', 'abc')).toBeUndefined()
  writeTurnMark(local, 'claude', 'abc', { offset: 3, at: '2026-01-01T00:00:00Z' })
  writeTurnMark(local, 'claude', 'abc', { offset: 7, at: '2026-01-01T00:00:01Z' })
  expect(readTurnMark(local, 'claude', 'abc')).toEqual({ offset: 7, at: '2026-01-01T00:00:01Z' })
  expect(readFileSync(bindingPath(local, 'claude', 'abc'))).toEqual(before)
  writeFileSync(join(local, 'journal/claude/abc.turn'), '')
  expect(readTurnMark(local, 'claude', 'abc')).toBeUndefined()
})

function ids(local: string): string[] {
  return listBindings(local).map(({ native_id }) => native_id)
}

test('S0-D4e: a resume that ends with its session before a turn keeps its segment pending', () => {
  const at = new Date()
  const pending = binding('abc', segment('a', { from: 10, how: 'resume', pending: true }))
  const ended = closeSegment(pending, { to: 50, by: 'session-end', at })
  expect(ended.segments).toMatchObject([{ from: 10, to: 50, pending: true, ended_by: 'session-end' }])
  const empty = closeSegment(pending, { to: 0, by: 'session-end', at })
  expect(empty.segments).toMatchObject([{ from: 10, to: 10, pending: true }])
  const grown = extendEnded(empty, { generation: 'abc.jsonl', size: 90 })
  expect(grown.segments).toMatchObject([{ from: 10, to: 90, pending: true }])
  const used = closeSegment(binding('abc', segment('a', { from: 10 })), { to: 50, by: 'session-end', at })
  expect(extendEnded(used, { generation: 'abc.jsonl', size: 90 }).segments[0]).toMatchObject({ to: 90 })
})

test('a resumed segment begins with its first turn; a turn before it that a hook has missed stays', () => {
  const pending = binding('abc', segment('a', { from: 10, how: 'resume', pending: true }))
  expect(beginPending(pending, 40).segments).toEqual([segment('a', { from: 40, how: 'resume' })])
  expect(beginPending(pending, 40, true).segments).toEqual([
    segment('a', { from: 10, to: 40, how: 'resume', pending: true, ended_by: 'switch' }),
    segment('a', { from: 40, how: 'resume' }),
  ])
})

describe('a launch whose session gets another id', () => {
  const became = { client: 'claude', nativeId: 'own', transcript: '/t/own.jsonl', journal: 'own.jsonl' }

  test('has its binding moved with all segments, once, and the binding names the launch', () => {
    const local = localFolder()
    save(local, binding('minted', segment('a', { pending: true })))
    followLaunch(local, 'minted', became)
    followLaunch(local, 'minted', became)
    expect(listBindings(local)).toEqual([
      {
        ...binding('own', segment('a', { pending: true, journal: 'own.jsonl' })),
        transcript: '/t/own.jsonl',
        launch: 'minted',
      },
    ])
  })

  test('does not change a session that has a binding already, as after /clear', () => {
    const local = localFolder()
    save(local, binding('minted', segment('a')))
    save(local, binding('own', segment('b')))
    followLaunch(local, 'minted', became)
    expect(readBinding(local, 'claude', 'own')).toEqual(binding('own', segment('b')))
    followLaunch(local, 'other', { ...became, nativeId: 'third' })
    expect(readBinding(local, 'claude', 'third')).toBeUndefined()
  })
})
