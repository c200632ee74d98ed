import { once } from 'node:events'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { listConversations } from '../../../src/journeys/finding/list.ts'
import { notSaved } from '../../../src/journeys/not-saved/index.ts'
import { fileNameOf } from '../../../src/store/layout.ts'
import { openFileIndex } from '../../../src/store/machine/indexes/file-index.ts'
import { localDir } from '../../../src/workspace/local-folder.ts'
import { openWorkspace } from '../../../src/workspace/open.ts'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { ended, type Lab, type LabOptions, workspaceLab } from '../../helpers/workspace-lab.ts'

const DYING = fileURLToPath(new URL('../../helpers/dying.cjs', import.meta.url))

/** Of the title, of what was said, of the summary, of a subagent's file. */
const WORDS = ['xylophone', 'rhubarb', 'zeppelin', 'ocelot']

// promise: what only this machine knows:
// promise: a raw copy of what
// promise: removes a conversation from the raw copies too.
// promise: deletes one, by its exact
// promise: To remove a conversation from it, use `cortext delete`
test.each([
  ['.git/cortext', {}],
  ['.workspace/local', { git: 'none' }],
] as [string, LabOptions][])(
  'right after delete no word of the conversation is anywhere in %s',
  async (where, options) => {
    const lab = await workspaceLab(options)
    const local = localDir(lab.root, lab.environment)
    expect(local).toContain(join(lab.root, where))
    const { id, path, nativeId } = await recorded(lab, local)
    leaveTraces(local, path, nativeId)
    for (const word of WORDS) expect(saying(local, word), word).not.toEqual([])
    // Others are at work.
    const lists = Array.from({ length: 3 }, () => lab.cortext(['list', '--all']))
    await lab.json(['delete', id, '--yes', '--json'])
    for (const word of WORDS) expect(saying(local, word), word).toEqual([])
    for (const { code, stderr } of await Promise.all(lists)) expect(code, stderr).toBe(0)
    for (const word of [...WORDS, nativeId]) expect(saying(local, word), word).toEqual([])
    // What is said of others stays.
    expect(readFileSync(join(local, 'log'), 'utf8')).toBe('2026-01-01T00:00:00.000Z of another\n')
    expect(readdirSync(join(local, 'contexts'))).toContain('claude-other.parts.json')
  },
  60_000,
)

test('a list that has read the conversation before it was deleted does not bring it back into the index', async () => {
  const lab = await workspaceLab()
  const local = join(lab.root, '.git/cortext')
  const { id } = await recorded(lab, local)
  const path = join(local, 'index.json')
  const slow = openFileIndex<string>(local, path, [])
  const { mtimeMs, ...stats } = { mtimeMs: 0, ctimeMs: 0, size: 1, ino: 1 }
  slow.look('x', { ...stats, mtimeMs } as never, () => 'xylophone')
  await lab.json(['delete', id, '--yes', '--json'])
  slow.save()
  expect(saying(local, 'xylophone')).toEqual([])
})

test('a list that has read the conversation before it was deleted does not write its path down again', async () => {
  const lab = await workspaceLab()
  const local = join(lab.root, '.git/cortext')
  const { id, nativeId } = await recorded(lab, local)
  const ws = openWorkspace(lab.environment, lab.root)
  const { conversations } = listConversations(ws)
  await lab.json(['delete', id, '--yes', '--json'])
  await notSaved(ws, conversations)
  for (const word of [...WORDS, nativeId]) expect(saying(local, word), word).toEqual([])
})

test('a list that runs while the folder is being removed does not bring the conversation back into the index', async () => {
  const lab = await workspaceLab()
  const local = join(lab.root, '.git/cortext')
  const { id, path } = await recorded(lab, local)
  const env = { NODE_OPTIONS: `--require ${DYING}`, STOP_AT_PATH: `${path}$` }
  const deleting = lab.begin(['delete', id, '--yes', '--json'], { env })
  const done = ended(deleting)
  await once(deleting.stderr!, 'data')
  const { conversations } = await lab.json<{ conversations: { id: string }[] }>(['list', '--all', '--json'])
  expect(conversations.map((one) => one.id)).toContain(id)
  deleting.kill('SIGCONT')
  expect(await done).toMatchObject({ code: 0 })
  for (const word of WORDS) expect(saying(local, word), word).toEqual([])
})

test.each(['journal/', 'bindings/', 'copies/', 'pages/', 'contexts/', 'metadata/', 'conversations/'])(
  'a delete that was killed when it was about to remove something in %s is done again, and leaves no word',
  async (where) => {
    const lab = await workspaceLab({ init: 'private' })
    const local = join(lab.root, '.git/cortext')
    const { id, path, nativeId } = await recorded(lab, local)
    leaveTraces(local, path, nativeId)
    await lab.json(['view', id, '--json'])
    const env = { NODE_OPTIONS: `--require ${DYING}`, STOP_AT_PATH: where }
    const deleting = lab.begin(['delete', path, '--yes', '--json'], { env })
    const done = ended(deleting)
    await once(deleting.stderr!, 'data')
    deleting.kill('SIGKILL')
    await done
    await lab.json(['delete', path, '--yes', '--json'])
    for (const word of WORDS) expect(saying(lab.root, word), word).toEqual([])
  },
)

test('a deleted conversation that shared its native session with others leaves no word, and those go on', async () => {
  const lab = await workspaceLab()
  const local = join(lab.root, '.git/cortext')
  const claude = new ClaudeSession(lab)
  const words = { Before: 'umbrella', Xylophone: 'rhubarb', After: 'marzipan' }
  for (const [title, said] of Object.entries(words)) {
    await claude.command('workspace.brainstorm', title)
    await claude.turn(`about ${said}`)
  }
  await lab.json(['save', '--json'])
  await lab.json(['delete', '002', '--yes', '--json'])
  for (const word of ['xylophone', 'rhubarb']) expect(saying(local, word), word).toEqual([])
  await claude.turn('more of marzipan')
  await lab.json(['stop', '003', '--no-commit', '--json'])
  for (const word of ['xylophone', 'rhubarb']) expect(saying(local, word), word).toEqual([])
  const { stdout: told } = await lab.cortext(['doctor'])
  expect(told).toContain('nothing has failed, and nothing is left to save')
  expect(told).toContain('2 conversations, all readable')
  const shown = await lab.cortext(['show', '003', '--messages'])
  expect(shown.stdout).toMatch(/about marzipan[\s\S]*more of marzipan/)
  expect((await lab.cortext(['show', '001', '--messages'])).stdout).toContain('about umbrella')
})

/** A conversation that was saved and listed, so that the index knows it too. */
async function recorded(lab: Lab, local: string) {
  await lab.json(['start', 'plan', 'Stays', '--json'])
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'Xylophone')
  await claude.turn('about rhubarb')
  const { conversations } = await lab.json<{ conversations: { id: string; path: string }[] }>([
    'list',
    '--json',
  ])
  const { id, path } = conversations.find((one) => one.id.includes('xylophone'))!
  await lab.json(['stop', id, '--summary', 'zeppelin', '--no-commit', '--json'])
  // The index takes only what had been still for two seconds.
  await new Promise((resolve) => setTimeout(resolve, 2_100))
  await lab.json(['list', '--all', '--json'])
  expect(readFileSync(join(local, 'index.json'), 'utf8')).toContain('zeppelin')
  return { id, path, nativeId: claude.id }
}

/** What a resume, a `/clear`, a failing hook and a killed process leave. */
function leaveTraces(local: string, path: string, nativeId: string): void {
  const put = (name: string, text: string) => writeFileSync(join(local, name), text)
  mkdirSync(join(local, 'contexts'), { recursive: true })
  put(`contexts/claude-${nativeId}.parts.json`, '["rhubarb"]')
  put(`contexts/claude-${nativeId}.jsonl`, 'rhubarb')
  put('contexts/claude-other.parts.json', '["of another"]')
  put('cleared-claude-1.json', JSON.stringify({ conversation: path, at: '2026-01-01T00:00:00Z' }))
  put('bindings/claude-9.json.broken', JSON.stringify({ segments: [{ conversation: path }] }))
  put('log', '2026-01-01T00:00:00.000Z of another\n')
  appendFileSync(join(local, 'log'), `2026-01-01T00:00:00.000Z publishing ${path}: failed\n`)
  put('.index.json.0123456789abcdef.cortext-tmp', 'ocelot')
  utimesSync(join(local, '.index.json.0123456789abcdef.cortext-tmp'), 1, 1)
  // Programs that were killed just now.
  put('.index.json.fedcba9876543210.cortext-tmp', 'ocelot')
  put(`metadata/.${fileNameOf(path)}.json.fedcba9876543210.cortext-tmp`, 'rhubarb')
  put('bindings/.claude-9.json.fedcba9876543210.cortext-tmp', JSON.stringify({ conversation: path }))
  mkdirSync(join(local, 'making/001xxxxxx/.session'), { recursive: true })
  put('making/001xxxxxx/.session/messages.jsonl', 'a fork with rhubarb')
}

/** Every file and folder below it that has the word in its name or its content. */
function saying(local: string, word: string): string[] {
  return readdirSync(local, { recursive: true, withFileTypes: true })
    .filter((entry) => {
      const path = join(entry.parentPath, entry.name)
      const text = entry.isFile() ? readFileSync(path, 'utf8') : ''
      return `${entry.name}\n${text}`.toLowerCase().includes(word)
    })
    .map(({ name }) => name)
}
