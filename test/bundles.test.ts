import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const DIST = join(import.meta.dirname, '../dist')

test('every bundle keeps its caches under the same name, so that none throws away what another one has read', () => {
  const named = readdirSync(DIST, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.cjs'))
    .flatMap((path) => {
      const [, name] = /\["([0-9a-f]{16})"\]/.exec(readFileSync(join(DIST, path), 'utf8')) ?? []
      return name === undefined ? [] : [{ room: path.split('/')[0]!, name }]
    })
  expect(new Set(named.map(({ room }) => room))).toEqual(
    new Set(['cli', 'complete.cjs', 'journeys', 'library']),
  )
  expect(new Set(named.map(({ name }) => name)).size).toBe(1)
})
