import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clients } from '../src/clients/index.ts'

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

test('each client has a hook bundle with its own language alone', () => {
  const bundles = readdirSync(DIST).filter((name) => name.startsWith('hook'))
  expect(bundles).toEqual(
    Object.keys(clients)
      .sort()
      .map((id) => `hook-${id}.cjs`),
  )
  // The only client of these names for its events, and the only one whose sessions are several files.
  const having = (word: string) =>
    bundles.filter((name) => readFileSync(join(DIST, name), 'utf8').includes(word))
  expect(having('UserPromptExpansion')).toEqual(['hook-claude.cjs'])
  expect(having('history_base')).toEqual(['hook-codex.cjs'])
})

test.each(['nobody', '../bin', ''])('a hook of the client %j, which nobody knows, does nothing', (client) => {
  const run = spawnSync(process.execPath, [join(DIST, 'bin.cjs'), 'hook', client], {
    input: '{}',
    encoding: 'utf8',
  })
  expect(run).toMatchObject({ status: 0, stdout: '', stderr: '' })
})
