import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { prunedLine } from '../../../src/session/pruning/event.ts'
import type { Message } from '../../../src/session/schema.ts'
import { recordFiles } from '../../../src/store/layout.ts'
import { appendMessages, appendToRecord } from '../../../src/store/record/append-messages.ts'
import { keptRaw, readRecord } from '../../../src/store/record/index.ts'
import { prunedFilesIn } from '../../../src/store/record/pruned-files.ts'
import { movePrunedOut, restorePruned, tidy } from '../../../src/store/record/pruned-lines.ts'
import { readMessages } from '../../../src/store/record/read-messages.ts'
import { program, run, tempFolder } from '../sandbox.ts'

const AT = '2026-01-01T00:00:00Z'
const about = { messages: 1, from: AT, to: AT, summary: 'what it came to', at: new Date(AT) }

const line = (id: string, more: object = {}) =>
  JSON.stringify({ id, role: 'user', content: `said in ${id}`, timestamp: AT, ...more })

/** What editors, merges and crashes make of a file. */
const written = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 0, max: 12 }).map((n) => line(`m${n}`)) },
      fc.constantFrom(
        '',
        '{"id":"torn',
        '<<<<<<< ours',
        '"pruned"',
        'null',
        `${line('crlf')}\r`,
        `\ufeff${line('bom')}`,
      ),
    ),
    { minLength: 1, maxLength: 25 },
  )
  .chain((lines) => fc.boolean().map((whole) => lines.join('\n') + (whole ? '\n' : '')))

function conversation(text: string): string {
  const folder = tempFolder()
  mkdirSync(recordFiles(folder).folder)
  writeFileSync(recordFiles(folder).messages, text)
  return folder
}

const bytes = (folder: string) => readFileSync(recordFiles(folder).messages, 'latin1')
const move = (folder: string, which: (message: Message, index: number) => boolean) => {
  const { lines, places } = readMessages(folder)
  const chosen = lines.flatMap((message, index) =>
    message.event !== 'pruned' && which(message, index) ? [places[index]!] : [],
  )
  if (chosen.length === 0) return undefined
  const known = readRecord(folder, undefined, { keepRaw: true })
  const { record, ...moved } = movePrunedOut(folder, known, new Set(chosen), (moved) =>
    prunedLine(moved, about),
  )
  expect(record).toEqual(readRecord(folder, undefined, { keepRaw: true }))
  return moved
}
/** Every line there is, wherever it lies, without the events. */
const allLines = (folder: string) =>
  [
    bytes(folder),
    ...prunedFilesIn(folder).map((name) => readFileSync(join(recordFiles(folder).folder, name), 'latin1')),
  ]
    .flatMap((text) => text.split('\n'))
    .filter((one) => one !== '' && !one.includes('"event":"pruned"'))
    .sort()

describe('moving lines to an archive', () => {
  test('S4-DP1, X-4, law: both files together contain every line byte for byte, and a restore gives the same bytes again', () => {
    fc.assert(
      fc.property(
        written,
        fc.array(fc.array(fc.boolean(), { minLength: 25, maxLength: 25 }), { minLength: 1, maxLength: 4 }),
        fc.array(fc.integer({ min: 20, max: 30 }), { maxLength: 3 }),
        (text, prunes, later) => {
          const folder = conversation(text)
          const before = allLines(folder)
          for (const chosen of prunes) {
            move(folder, ({ id }) => chosen[Number.parseInt(id.slice(1), 10) || 20] === true)
            expect(allLines(folder)).toEqual(before)
          }
          const twin = conversation(text)
          const added = later.map((n) => JSON.parse(line(`new ${n}`)) as Message)
          appendMessages(twin, added)
          const known = readRecord(folder, undefined, { keepRaw: true })
          const appended = appendToRecord(folder, added, known)
          // Without a last line break it gives up; what it says otherwise is what a reader finds.
          if (added.length > 0 && known.raw!.at(-1)?.at(-1) !== 0x0a) expect(appended).toBe(known)
          else expect(appended).toEqual(readRecord(folder, undefined, { keepRaw: true }))
          const { record } = restorePruned(folder, keptRaw(folder, appended))
          expect(record).toEqual(readRecord(folder, undefined, { keepRaw: true }))
          expect(bytes(folder)).toBe(bytes(twin))
          expect(existsSync(recordFiles(folder).archive)).toBe(false)
        },
      ),
      // An empty record is seldom met.
      { numRuns: 60, examples: [['', [Array(25).fill(false)], [20]]] },
    )
  })

  test('E-16: after a kill once the archive is written, or the lines are back, everything is read, and the next call tidies', () => {
    const text = [1, 2, 3, 4].map((n) => `${line(`m${n}`)}\n`).join('')
    const folder = conversation(text)
    const whole = conversation(text)
    move(folder, (_, index) => index < 2)
    // The two steps between which a prune, or a restore, can be killed: the archive is there, and so are the lines.
    cpSync(recordFiles(folder).archive, recordFiles(whole).archive, { recursive: true })
    expect(readRecord(whole)).toEqual({ ...readRecord(conversation(text)), stamp: expect.any(String) })
    tidy(whole)
    expect(prunedFilesIn(whole)).toEqual([])
    expect(bytes(whole)).toBe(text)
    cpSync(recordFiles(folder).archive, recordFiles(whole).archive, { recursive: true })
    expect(restorePruned(whole)).toMatchObject({ lines: 0 })
    expect(bytes(whole)).toBe(text)
  })

  test('E-16: lines of an archive that no event names are there once afterwards, also if some were in messages.jsonl', () => {
    const folder = conversation(`${line('m2')}\n${line('m3')}\n`)
    const { archive } = recordFiles(folder)
    mkdirSync(archive)
    writeFileSync(join(archive, '001-0123456789abcdef.jsonl'), `${line('m1')}\n${line('m2')}\n`)
    restorePruned(folder)
    expect(allLines(folder)).toEqual([line('m1'), line('m2'), line('m3')])
    expect(existsSync(archive)).toBe(false)
  })

  test('E-16, E-22, S4-DP1: when a prune or restore is killed at each of its steps, nothing is lost and the next call does what is left', async () => {
    const text = [1, 2, 3, 4].map((n) => `${line(`m${n}`)}\n`).join('')
    const killer = program(tempFolder(), KILLED)
    let kills = 0
    for (const doing of ['prune', 'restore']) {
      for (let step = 1, ended = false; !ended; step += 1) {
        const folder = conversation(text)
        const lines = allLines(folder)
        if (doing === 'restore') move(folder, (_, index) => index < 2)
        ended = (await run(killer, [folder, doing, String(step)])).code === 0
        if (!ended) kills += 1
        expect([...new Set(allLines(folder))]).toEqual(lines)
        const read = readRecord(folder)
        const ids = [
          ...read.lines.filter(({ event }) => event === undefined).map(({ id }) => id),
          ...read.pruned.keys(),
        ]
        expect([ids.sort(), read.problems]).toEqual([['m1', 'm2', 'm3', 'm4'], []])
        tidy(folder)
        if (doing === 'prune') move(folder, ({ id }) => id < 'm3')
        restorePruned(folder)
        expect([bytes(folder), prunedFilesIn(folder)]).toEqual([text, []])
      }
    }
    expect(kills).toBeGreaterThan(15)
  })

  test('lines that another program adds after the record was read are not lost by a prune', () => {
    const folder = conversation(`${line('a')}\n${line('b')}\n`)
    const known = readRecord(folder, undefined, { keepRaw: true })
    appendFileSync(recordFiles(folder).messages, `${line('pulled')}\n`)
    const { record } = movePrunedOut(folder, known, new Set([0]), (moved) => prunedLine(moved, about))
    expect(readRecord(folder, record)).toEqual(readRecord(folder))
    expect(readRecord(folder).lines.map(({ id, event }) => event ?? id)).toEqual(['pruned', 'b', 'pulled'])
  })

  test('an archive without its event whose lines are nowhere else is kept, and a restore brings them back', () => {
    const folder = conversation(`${line('a')}\n${line('b')}\n`)
    move(folder, (_, index) => index === 0)
    writeFileSync(recordFiles(folder).messages, `${line('b')}\n`)
    tidy(folder)
    expect(prunedFilesIn(folder)).toHaveLength(1)
    expect(restorePruned(folder).lines).toBe(1)
    expect(
      readMessages(folder)
        .lines.map(({ id }) => id)
        .sort(),
    ).toEqual(['a', 'b'])
  })

  test('lines that a merge brought back are read once, count as pruned and go at the next call; a restore gives the bytes back', () => {
    const text = [1, 2, 3].map((n) => `${line(`m${n}`)}\n`).join('')
    const folder = conversation(text)
    move(folder, (_, index) => index < 2)
    const left = bytes(folder)
    writeFileSync(recordFiles(folder).messages, `${text}${left}`)
    const { lines, pruned } = readRecord(folder)
    expect(lines.filter(({ event }) => event === undefined).map(({ id }) => id)).toEqual(['m3', 'm3'])
    expect([...pruned.keys()]).toEqual(['m1', 'm2'])
    tidy(folder)
    expect(bytes(folder)).toBe(`${line('m3')}\n${left}`)
    restorePruned(folder)
    expect(allLines(folder)).toEqual(['m1', 'm2', 'm3', 'm3'].map((id) => line(id)))
  })

  test('of two prunes of the same lines by two machines, joined by a merge, the larger one stays, and every line is there once', () => {
    const text = ['m1', 'm2', 'm3', 'm4', 'm5'].map((id) => `${line(id)}\n`).join('')
    const machine = (own: string, moved: readonly string[]) => {
      const folder = conversation(`${text}${line(own)}\n`)
      move(folder, ({ id }) => moved.includes(id))
      return folder
    }
    const [one, other] = [machine('a', ['m1', 'm2', 'a']), machine('b', ['m1', 'm2', 'm3', 'm4'])]
    const joined = [one, other].map((first) => {
      const second = first === one ? other : one
      const folder = conversation(bytes(first) + bytes(second))
      for (const each of [one, other])
        cpSync(recordFiles(each).archive, recordFiles(folder).archive, { recursive: true })
      tidy(folder)
      return folder
    })
    for (const folder of joined) {
      expect(prunedFilesIn(folder)).toEqual(prunedFilesIn(other))
      expect([...new Set(readRecord(folder).lines.map(({ id, event }) => event ?? id))].sort()).toEqual([
        ...['a', 'b', 'm5', 'pruned'],
      ])
      const before = bytes(folder)
      expect(tidy(folder).map(String).join('')).toBe(before)
      restorePruned(folder)
      expect([...new Set(allLines(folder))].sort()).toEqual(
        ['a', 'b', 'm1', 'm2', 'm3', 'm4', 'm5'].map((id) => line(id)),
      )
    }
  })

  test('the same prune by two machines is one', () => {
    const folder = conversation(`${line('a')}\n${line('b')}\n`)
    move(folder, (_, index) => index === 0)
    const [event = '', rest = ''] = bytes(folder).split('\n')
    const again = event.replace(/"pruned_at":"[^"]*"/, '"pruned_at":"2030-01-01T00:00:00.000Z"')
    expect(again).not.toBe(event)
    writeFileSync(recordFiles(folder).messages, [event, again, rest, ''].join('\n'))
    tidy(folder)
    expect(bytes(folder)).toBe(`${event}\n${rest}\n`)
  })

  test('an event whose archive is not here is reported by path and line, and stays', () => {
    const folder = conversation(`${line('a')}\n${line('b')}\n`)
    move(folder, (_, index) => index === 0)
    rmSync(recordFiles(folder).archive, { recursive: true })
    const before = bytes(folder)
    expect(readRecord(folder).problems).toMatchObject([{ kind: 'archive-missing', line: 1 }])
    expect(restorePruned(folder).missing).toHaveLength(1)
    expect(bytes(folder)).toBe(before)
  })

  test('an event names a file below archive/ and nothing else', () => {
    const victim = join(tempFolder(), 'victim.jsonl')
    writeFileSync(victim, `${line('x')}\n`)
    for (const archive of ['../../../victim.jsonl', victim, 'archive/../x.jsonl', 'archive/.hidden.jsonl']) {
      const event = { ...prunedLine({ archive, places: [[0, 1]], bytes: 1 }, about) }
      const folder = conversation(`${JSON.stringify(event)}\n`)
      expect(readRecord(folder)).toMatchObject({ pruned: new Map(), problems: [] })
      restorePruned(folder)
      expect(readdirSync(recordFiles(folder).folder)).toEqual(['messages.jsonl'])
    }
    expect(existsSync(victim)).toBe(true)
  })
})

/** Prunes or restores, and kills itself before the n-th thing that it does to the disk. */
const KILLED = `
  import fs from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  import { readRecord } from './store/record/index.ts'
  import { movePrunedOut, restorePruned } from './store/record/pruned-lines.ts'
  import { prunedLine } from './session/pruning/event.ts'
  const [folder, doing, step] = process.argv.slice(2)
  let done = 0
  for (const name of ['openSync', 'writeFileSync', 'fsyncSync', 'renameSync', 'rmSync', 'rmdirSync', 'mkdirSync']) {
    const real = fs[name]
    fs[name] = (...args) => {
      if (++done === Number(step)) process.kill(process.pid, 'SIGKILL')
      return real(...args)
    }
  }
  syncBuiltinESMExports()
  const about = { messages: 2, from: 'x', to: 'x', summary: '', at: new Date(0) }
  if (doing === 'restore') restorePruned(folder)
  else movePrunedOut(folder, readRecord(folder), new Set([0, 1]), (moved) => prunedLine(moved, about))
`
