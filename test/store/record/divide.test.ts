import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { prunedLine } from '../../../src/session/pruning/event.ts'
import { divideRecord } from '../../../src/store/record/divide.ts'
import { readRecord } from '../../../src/store/record/index.ts'
import { tempFolder } from '../../helpers/repository.ts'
import { said, session } from '../../session/conversations.ts'

const [ANN, BOB] = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb'] as const
const line = (value: object) => `${JSON.stringify(value)}\n`
const call = (id: string) => ({ tool_calls: [{ id, name: 'Task', arguments: {} }] })

/** One folder with the lines of both, and the files that they name. */
function together() {
  const root = tempFolder()
  const [folder, apart] = [join(root, 'one'), join(root, 'apart')]
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, '.session', path)), { recursive: true })
    writeFileSync(join(folder, '.session', path), text)
  }
  const pruned = (origin: string) =>
    prunedLine(
      { archive: `archive/001-${origin}.jsonl`, places: [[0, 1]], bytes: 1 },
      { messages: 1, from: 'x', to: 'x', summary: '', at: new Date(0), origin },
    )
  for (const origin of [ANN, BOB]) {
    put(`archive/001-${origin}.jsonl`, line(said(`old of ${origin}`, { origin, ...call(`old-${origin}`) })))
    for (const begin of ['old', 'new']) put(`subagents/${begin}-${origin}.jsonl`, line(said(`sub ${origin}`)))
    put(`attachments/${origin}`, 'bytes')
  }
  put('attachments/both', 'bytes')
  const lines = [ANN, BOB].map((origin) => [
    line(pruned(origin)),
    line(
      said(`of ${origin}`, {
        origin,
        ...call(`new-${origin}`),
        attachments: [attachment(origin), attachment('both')],
      }),
    ),
    `not json after ${origin}\n`,
  ])
  put('messages.jsonl', `<<<<<<< HEAD\n${lines[0]!.join('')}=======\n${lines[1]!.join('')}>>>>>>> theirs\n`)
  const parts = [
    { folder, session: session({ origin: ANN }) },
    { folder: apart, session: session({ origin: BOB }) },
  ]
  return { folder, apart, parts, lines: lines.map((one) => one.join('')) }
}

const attachment = (sha256: string) => ({ media_type: 'image/png', sha256, bytes: 5 })
const read = (folder: string, path: string) => readFileSync(join(folder, '.session', path), 'utf8')
const names = (folder: string, path: string) => readdirSync(join(folder, '.session', path)).sort()

test('each conversation gets its lines byte for byte, with its pruned lines, its subagents and its attachments', () => {
  const { folder, apart, parts, lines } = together()
  divideRecord(readRecord(folder, undefined, { keepRaw: true }), parts)
  for (const [at, [one, origin]] of [[folder, ANN] as const, [apart, BOB] as const].entries()) {
    expect(read(one, 'messages.jsonl')).toBe(lines[at])
    expect(names(one, 'archive')).toEqual([`001-${origin}.jsonl`])
    expect(names(one, 'subagents')).toEqual([`new-${origin}.jsonl`, `old-${origin}.jsonl`])
    expect(names(one, 'attachments')).toEqual([origin, 'both'])
  }
})

test('after a kill in the middle, the next call does the rest', () => {
  const { folder, apart, parts, lines } = together()
  mkdirSync(join(apart, '.session'), { recursive: true })
  writeFileSync(join(apart, '.session/messages.jsonl'), lines[1]!.split('\n')[0]!)
  for (let times = 0; times < 2; times += 1)
    divideRecord(readRecord(folder, undefined, { keepRaw: true }), parts)
  expect(read(folder, 'messages.jsonl')).toBe(lines[0])
  expect(read(apart, 'messages.jsonl')).toBe(lines[1])
})
