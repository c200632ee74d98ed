import { expect, test } from 'vitest'
import { readerOf } from '../../src/clients/index.ts'

const ID = 'e8349726-4b0a-4636-a6ae-b37233a24f66'
const FILE = '0199c0de-0000-7000-8000-000000000000'

/** As the real clients name their files. */
test.each([
  ['gemini', 'session-2026-11-26T21-05-e8349726.jsonl'],
  // What it makes of a handoff.
  ['gemini', 'session-1795727112900-e8349726.jsonl'],
  ['gemini', 'session-2026-11-26T21-05-e8349726.json'],
  ['codex', `rollout-2026-11-26T21-05-12-${ID}.jsonl`],
  ['codex', `rollout-2026-11-26T21-05-12-${ID}_${FILE}.jsonl`],
  ['pi', `2026-11-26T21-05-12-000Z_${ID}.jsonl`],
  ['copilot', `${ID}/events.jsonl`],
  ['kimi', `${ID}/wire.jsonl`],
])('a file of %s is named after its session: %s', (client, name) => {
  const isNamedAfter = readerOf(client).sessions.isNamedAfter!
  expect(isNamedAfter(`/x/${name}`, ID)).toBe(true)
  for (const other of ['a8349726-4b0a-4636-a6ae-b37233a24f66', ID.slice(1), '4f66', FILE, 'wire', ''])
    expect(isNamedAfter(`/x/${name}`, other), other).toBe(false)
})
