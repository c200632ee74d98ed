import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeTurnMark } from '../../../src/store/machine/journal/turn-mark.ts'
import { withLockSync } from '../../../src/store/machine/locks/lock.ts'
import { writeMetadataBackup } from '../../../src/store/machine/metadata-backup.ts'
import { noteOpenSession } from '../../../src/store/machine/open-session.ts'
import { writePendingTurn } from '../../../src/store/machine/pending-turn.ts'
import { said, session } from '../../session/conversations.ts'
import { tempFolder } from '../sandbox.ts'

const note = { client: 'claude', native_id: 'n', transcript: '/t.jsonl', turn: 0 }
const mark = { offset: 0, at: '2026-11-21T10:30:00Z' }

// promise: While you talk, what is said is in `.git/cortext/`
test.each<[string, (local: string) => void]>([
  ['a copy of metadata', (local) => writeMetadataBackup(local, 'conversations/a', session(), local)],
  ['a turn on its way', (local) => writePendingTurn(local, 'conversations/a', [said('m1')])],
  ['who has which session open', (local) => noteOpenSession(local, process.pid, note)],
  [
    'where a turn begins',
    (local) => {
      mkdirSync(join(local, 'journal/claude'), { recursive: true, mode: 0o700 })
      writeTurnMark(local, 'claude', 'n', mark)
    },
  ],
])('E-20: %s is for this user alone, and so are its folders', (_, write) => {
  const local = join(tempFolder(), 'local')
  write(local)
  const made = modesBelow(local)
  expect(made.some(({ isFile }) => isFile)).toBe(true)
  for (const { path, isFile, mode } of made) expect(mode, path).toBe(isFile ? 0o600 : 0o700)
})

test('E-20: only this user can read a lock', () => {
  const local = join(tempFolder(), 'local')
  withLockSync(local, 'n', () => {
    const made = modesBelow(local)
    expect(made.map(({ isFile, mode }) => [isFile, mode])).toEqual([
      [false, 0o700],
      [false, 0o700],
      [false, 0o700],
      [true, 0o600],
    ])
  })
})

/** The folder itself and all below it, folders first. */
function modesBelow(folder: string) {
  const below = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  return [folder, ...below.map((name) => join(folder, name))].map((path) => {
    const found = statSync(path)
    return { path, isFile: found.isFile(), mode: found.mode & 0o777 }
  })
}
