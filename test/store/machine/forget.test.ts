import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { removeLocal } from '../../../src/store/machine/forget.ts'
import { hasPendingTurn, writePendingTurn } from '../../../src/store/machine/pending-turn.ts'
import { tempFolder } from '../sandbox.ts'

test('a turn that is not in the record yet stays when only what can be made again is removed', () => {
  const local = join(tempFolder(), 'local')
  mkdirSync(join(local, 'published'), { recursive: true })
  writePendingTurn(local, 'conversations/2026-01-01/001-a', [
    { id: 'a', role: 'user', content: 'hello', timestamp: '2026-01-01T00:00:00Z' },
  ])
  removeLocal(local, 'what can be made again')
  expect(hasPendingTurn(local, 'conversations/2026-01-01/001-a')).toBe(true)
  expect(readdirSync(local)).toEqual(['pending-turns'])
})
