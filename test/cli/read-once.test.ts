import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { findProgram } from '../../src/io/program.ts'
import { ID, long, prune } from '../helpers/long-conversation.ts'
import type { Lab } from '../helpers/workspace-lab.ts'

const COUNTING = fileURLToPath(new URL('../helpers/counting.cjs', import.meta.url))

/** Whole reads of messages.jsonl: one, whatever is done with it and however often it is written. */
test.each([
  // `show` keeps no long text in memory: it opens the file again for those that it prints, and for those that repeat.
  [['show', ID, '--messages'], 3],
  [['context', ID], 1],
  [['resume', ID, '--print'], 1],
  [['resume', ID, '--print', '--full'], 1],
  [['resume', ID, '--dry-run'], 1],
  [['save', ID], 1],
  [['stop', ID], 1],
  [['edit', ID, '--title', 'Another'], 1],
  [['prune', ID, '--json'], 1],
])('%s: %i', async (args, reads) => {
  const { lab, claude } = await long()
  claude.say('not published yet')
  expect(await readsOf(lab, args)).toBe(reads)
})

describe.each([
  ['prune', ['prune', ID, '--keep', '2', '--yes'], 1],
  ['prune again', ['prune', ID, '--keep', '1', '--yes'], 1],
  ['restore', ['prune', ID, '--restore'], 1],
  ['fork, the original and then the new one', ['fork', ID], 2],
])('%s', (name, args, reads) => {
  test.each(['nothing', 'something'])('with %s to publish', async (what) => {
    const { lab, claude } = await long()
    if (name === 'prune again' || name === 'restore') await prune(lab, '--keep', '3', '--yes')
    if (what === 'something') claude.say('not published yet')
    expect(await readsOf(lab, args)).toBe(reads)
  })
})

test('a resume in which nothing is said reads the record once', async () => {
  const { lab } = await long()
  await lab.json(['stop', ID, '--json'])
  expect(await readsOf(lab, ['resume', ID, '--in', 'claude', '--mode', 'handoff'], 'exit 0')).toBe(1)
})

test('a resume with an unpublished turn reads the record once', async () => {
  const { lab, claude } = await long()
  claude.say('not published yet')
  expect(await readsOf(lab, ['resume', ID, '--in', 'claude', '--mode', 'handoff'], 'exit 0')).toBe(1)
})

test('a resume reads the record again if another program has written to it meanwhile', async () => {
  const { lab, path } = await long()
  await lab.json(['stop', ID, '--json'])
  const line = JSON.stringify({
    id: 'x',
    role: 'user',
    content: 'pulled',
    timestamp: new Date().toISOString(),
  })
  const script = `printf '%s\\n' '${line}' >> ${join(lab.root, path, '.session/messages.jsonl')}`
  expect(await readsOf(lab, ['resume', ID, '--in', 'claude', '--mode', 'handoff'], script)).toBe(2)
  const { session } = await lab.json<{ session: { message_count: number } }>(['show', ID, '--json'])
  await lab.json(['save', ID, '--json'])
  const written = JSON.parse(readFileSync(join(lab.root, path, '.session/session.json'), 'utf8'))
  expect(written.message_count).toBe(session.message_count)
})

/** How often a command reads messages.jsonl; `client` is what the client does that it starts. */
async function readsOf(lab: Lab, args: string[], client = 'exit 1'): Promise<number> {
  const counts = join(lab.home, 'counts')
  const folder = join(lab.home, 'bin')
  mkdirSync(folder)
  for (const name of ['git', 'sh']) symlinkSync(findProgram(name, process.env)!, join(folder, name))
  writeFileSync(join(folder, 'claude'), `#!/bin/sh\n${client}\n`)
  chmodSync(join(folder, 'claude'), 0o755)
  const env = { PATH: folder, NODE_OPTIONS: `--require ${COUNTING}`, COUNT_INTO: counts }
  const { code, stderr } = await lab.cortext(args, { env })
  expect(code, stderr).toBe(0)
  const lines = readFileSync(counts, 'utf8').trimEnd().split('\n')
  const own = lines.filter((line) => line.startsWith(`${args[0]} `))
  expect(own).toHaveLength(1)
  return Number(own[0]!.split(' ')[1])
}
