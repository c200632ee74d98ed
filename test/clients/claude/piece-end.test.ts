import { expect, test } from 'vitest'
import { pieceEnd } from '../../../src/clients/claude/read/piece-end.ts'

const bytesOf = (records: object[]) =>
  Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''))

const prompt = (uuid: string, parentUuid: string | null) => ({
  ...{ type: 'user', uuid, parentUuid, message: { role: 'user', content: `Prompt ${uuid}` } },
})

test('a piece ends before the last prompt', () => {
  const earlier = [prompt('a', null), prompt('b', 'a')]
  expect(pieceEnd(bytesOf([...earlier, prompt('c', 'b')]))).toBe(bytesOf(earlier).length)
})

// Before there was a limit, each of these prompts copied the parents of all later ones: minutes instead of a second.
test('a transcript in which no prompt has a known parent is read as a whole', { timeout: 30_000 }, () => {
  const strangers = Array.from({ length: 40_000 }, (_, n) => prompt(`u${n}`, `gone${n}`))
  expect(pieceEnd(bytesOf(strangers))).toBeUndefined()
})
