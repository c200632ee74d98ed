import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { type Lab, shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'

/** The words of a session whose records have the same ids in every file. */
function writeSession(lab: Lab, name: string, words: readonly string[]): string {
  const file = join(lab.home, `${name}.jsonl`)
  const lines = words.map((said, at) => ({
    ...{ uuid: `id of ${said}`, parentUuid: at === 0 ? null : `id of ${words[at - 1]}`, sessionId: name },
    ...{ timestamp: `2026-01-01T00:00:0${at}.000Z`, type: at % 2 === 0 ? 'user' : 'assistant' },
    message:
      at % 2 === 0
        ? { role: 'user', content: said }
        : { id: `m ${said}`, role: 'assistant', content: [{ type: 'text', text: said }] },
  }))
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return file
}

async function imported(lab: Lab, files: readonly string[]): Promise<string[]> {
  const args = ['import', 'claude', ...files.flatMap((file) => ['--file', file]), '--json']
  return (await lab.json<{ imported: { path: string }[] }>(args)).imported.map(({ path }) => path)
}

const WORDS = ['one', 'one a', 'two', 'two a', 'three', 'three a']

// promise: A talk that an older client has copied into a new file at each resume is one conversation.
test.each([
  ['the oldest first', [0, 1, 2]],
  ['the newest first', [2, 1, 0]],
  ['in any order', [1, 2, 0]],
])('a talk that was resumed under new ids is one conversation, whole and once: %s', async (_, order) => {
  const lab = await workspaceLab()
  const files = [2, 4, 6].map((count, at) => writeSession(lab, `s${at}`, WORDS.slice(0, count)))
  const paths = await imported(
    lab,
    order.map((at) => files[at]!),
  )
  expect(new Set(paths).size).toBe(1)
  const said = WORDS.map((words, at) => `${at % 2 === 0 ? 'user' : 'assistant'}: ${words}`)
  expect(talk(await shown(lab, paths[0]!))).toEqual(said)
  expect(await imported(lab, files)).toEqual(paths)
  expect(talk(await shown(lab, paths[0]!))).toEqual(said)
})

// promise: A talk that an older
test('two talks that went on from one beginning are two conversations, each whole', async () => {
  const lab = await workspaceLab()
  const branches = [
    ['one', 'one a', 'two', 'two a'],
    ['one', 'one a', 'other', 'other a'],
  ]
  const paths = await imported(
    lab,
    branches.map((words, at) => writeSession(lab, `s${at}`, words)),
  )
  expect(new Set(paths).size).toBe(2)
  for (const [at, path] of paths.entries())
    expect(talk(await shown(lab, path)).map((line) => line.replace(/^\w+: /, ''))).toEqual(branches[at])
})

test('a fork of a conversation that was recorded is one of its own: the conversation may go on without it', async () => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.plan', 'Ship')
  await claude.turn('By sea or by air?', 'By sea.')
  await lab.json(['stop', '1', '--json'])
  const fork = join(lab.home, 'fork.jsonl')
  writeFileSync(fork, readFileSync(claude.transcript, 'utf8').replaceAll(claude.id, 'fork'))
  const more = {
    uuid: 'm1',
    parentUuid: null,
    sessionId: 'fork',
    timestamp: new Date().toISOString(),
    type: 'user',
  }
  appendFileSync(
    fork,
    `${JSON.stringify({ ...more, message: { role: 'user', content: 'By air after all' } })}\n`,
  )
  const before = talk(await shown(lab, '1'))
  const [path] = await imported(lab, [fork])
  expect(talk(await shown(lab, path!)).at(-1)).toBe('user: By air after all')
  expect(talk(await shown(lab, '1'))).toEqual(before)
})
