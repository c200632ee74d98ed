import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { ensureLocalFolder, journalPath, journalSideFolder } from '../../../../src/store/layout.ts'
import { blankJournal, fillBlanks } from '../../../../src/store/machine/journal/blank-journal.ts'
import { copyNewBytes } from '../../../../src/store/machine/journal/journal.ts'
import { tempFolder } from '../../sandbox.ts'

const GONE = '{"said":"rhubarb"}\n'
const LEFT = '{"said":"tea","file":"a1"}\n'

function journaled(text: string) {
  const folder = tempFolder()
  const local = join(folder, 'local')
  const at = { transcript: join(folder, 'transcript.jsonl'), journal: journalPath(local, 'claude', 'abc') }
  const sides = journalSideFolder(local, 'claude', 'abc')
  ensureLocalFolder(local, dirname(at.journal))
  writeFileSync(at.transcript, text)
  copyNewBytes(at)
  return { ...at, local, sides }
}

const SESSION = { client: 'claude', native_id: 'abc' }

const covering = (from: number, to?: number) => [
  { journal: 'abc.jsonl', from, ...(to === undefined ? {} : { to }) },
]

test('bytes that no segment covers are blanked in place, and the rest stays to the byte', () => {
  const at = journaled(GONE + LEFT + GONE)
  blankJournal(at.local, SESSION, covering(GONE.length, GONE.length + LEFT.length))
  const bytes = readFileSync(at.journal)
  expect(bytes.length).toBe(GONE.length * 2 + LEFT.length)
  expect(bytes.includes('rhubarb')).toBe(false)
  expect(bytes.subarray(GONE.length, GONE.length + LEFT.length).toString()).toBe(LEFT)
  expect(bytes.filter((byte) => byte === 0x0a)).toHaveLength(3)
})

test('a blanked journal continues where it ended, and nothing that was removed comes back', () => {
  const at = journaled(LEFT + GONE)
  blankJournal(at.local, SESSION, covering(0, LEFT.length))
  appendFileSync(at.transcript, LEFT)
  expect(copyNewBytes(at)).toMatchObject({ generation: 'abc.jsonl', restarted: false, copied: LEFT.length })
  expect(readFileSync(at.journal, 'utf8')).not.toContain('rhubarb')
})

test('zeros that a power cut left are not blanks: a new generation begins', () => {
  const at = journaled(LEFT)
  writeFileSync(at.journal, Buffer.alloc(LEFT.length))
  appendFileSync(at.transcript, LEFT)
  expect(copyNewBytes(at)).toMatchObject({ generation: 'abc~1.jsonl', restarted: true })
})

test('side files that the rest of the journal names stay, and the others are removed', () => {
  const at = journaled(GONE + LEFT)
  mkdirSync(join(at.sides, 'subagents'), { recursive: true })
  for (const name of ['a1', 'b2']) writeFileSync(join(at.sides, `subagents/${name}.jsonl`), name)
  blankJournal(at.local, SESSION, covering(GONE.length))
  expect(existsSync(join(at.sides, 'subagents/a1.jsonl'))).toBe(true)
  expect(existsSync(join(at.sides, 'subagents/b2.jsonl'))).toBe(false)
})

test('the files of a subagent that the rest names by its id alone stay', () => {
  const at = journaled(`${GONE}{"agentId":"ab66"}\n`)
  mkdirSync(at.sides, { recursive: true })
  for (const name of ['agent-ab66.jsonl', 'agent-ab66.meta.json', 'agent-cd77.jsonl'])
    writeFileSync(join(at.sides, name), '')
  blankJournal(at.local, SESSION, covering(GONE.length))
  expect(existsSync(join(at.sides, 'agent-ab66.jsonl'))).toBe(true)
  expect(existsSync(join(at.sides, 'agent-ab66.meta.json'))).toBe(true)
  expect(existsSync(join(at.sides, 'agent-cd77.jsonl'))).toBe(false)
})

test('blanks are filled again from the transcript, and nothing else is changed', () => {
  const at = journaled(LEFT + GONE)
  blankJournal(at.local, SESSION, covering(0, LEFT.length))
  const other = LEFT.replace('tea', 'ale')
  const part = { journal: 'abc.jsonl', from: 0, to: LEFT.length + GONE.length }
  fillBlanks(at.local, SESSION, part, () => Buffer.from(other + GONE))
  expect(readFileSync(at.journal, 'utf8')).toBe(LEFT + GONE)
})
