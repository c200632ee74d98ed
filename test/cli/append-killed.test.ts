import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { appendTurn } from '../../src/journeys/agent-loop/append-turn.ts'
import { contextByKey } from '../../src/journeys/agent-loop/context-by-key.ts'
import { scanConversations } from '../../src/store/scan.ts'
import { openWorkspace, type Workspace } from '../../src/workspace/open.ts'
import { firstKill, KILL_STRIDE, LONG } from '../helpers/long.ts'
import { filesBelow, type Lab, recordLines, workspaceLab } from '../helpers/workspace-lab.ts'

const DYING = fileURLToPath(new URL('../helpers/dying.cjs', import.meta.url))
const TURN = [
  { role: 'user', content: 'asked' },
  { role: 'assistant', content: null, tool_calls: [{ id: 'c1', name: 'read', arguments: {} }] },
  { role: 'tool', content: 'result '.repeat(200), tool_call_id: 'c1' },
  { role: 'assistant', content: 'answered' },
]
const input = TURN.map((message) => `${JSON.stringify(message)}\n`).join('')
const say = (ws: Workspace, key: string, content: string) =>
  appendTurn(ws, { key, messages: [{ role: 'user', content }], nameOf: String })

/** Every file but the index, which a look at the workspace may write at any time. */
function saidFiles(lab: Lab): Record<string, string> {
  const { '.git/cortext/index.json': _, ...files } = filesBelow(lab.root)
  return files
}

/** Kills `cortext append` at its first, second, … step on the disk until one lives; a key of its own for each. */
async function killedAtEveryStep(lab: Lab, begin: (key: string) => Promise<unknown>) {
  const fates: { key: string; step: number }[] = []
  for (let step = firstKill(), lived = false; !lived; step += 2 * KILL_STRIDE) {
    const pair = [step, step + KILL_STRIDE].map(async (at) => {
      const key = `step:${at}`
      await begin(key)
      const env = { NODE_OPTIONS: `--require ${DYING}`, DIE_AT: String(at) }
      const { code, stderr } = await lab.cortext(['append', '--key', key], { input, env })
      expect([0, null], stderr).toContain(code)
      if (code === 0) lived = true
      else fates.push({ key, step: at })
    })
    await Promise.all(pair)
  }
  return fates
}

// promise: It is written whole or not at all, also if the program is killed; any number of programs may
test.each(['new', 'known'])(
  'S3-T1 S3-T2 S3-C1 S4-P5-11 E-16 a turn of a %s key, killed at every step on the disk, is there whole or not at all',
  async (which) => {
    const lab = await workspaceLab()
    const ws = openWorkspace(lab.environment)
    const first = which === 'known' ? ['first'] : []
    const fates = await killedAtEveryStep(lab, async (key) => {
      for (const content of first) await say(ws, key, content)
    })
    const seen = new Set<number>()
    for (const { key, step } of fates) {
      const contents = async () => (await contextByKey(ws, key)).messages.map(({ content }) => content)
      const there = await contents()
      const wanted =
        there.length === first.length ? first : [...first, ...TURN.map(({ content }) => content ?? '')]
      expect(there, `killed at step ${step}`).toEqual(wanted)
      seen.add(there.length)
      const held = scanConversations(ws.root, ws.local).filter(({ session }) => session?.key === key)
      expect(held, `conversations after step ${step}`).toHaveLength(there.length === 0 ? 0 : 1)
      for (const entry of held) expect(entry).not.toHaveProperty('problem')
      const { path } = await say(ws, key, 'next')
      expect(await contents(), `after step ${step}`).toEqual([...wanted, 'next'])
      // The file alone holds it all now, and the metadata says so.
      const ids = recordLines(lab, path).flatMap((line) => (line.endsWith('}') ? [JSON.parse(line).id] : []))
      expect(new Set(ids).size).toBe(wanted.length + 1)
    }
    // It was killed both before and after the turn was said.
    expect(seen.size).toBe(2)
    expect(fates.length).toBeGreaterThan(LONG ? 30 : 10)
    const { conversations } = await lab.json<{ conversations: { key: string }[] }>([
      'list',
      '--all',
      '--json',
    ])
    const keys = conversations.map(({ key }) => key)
    expect(new Set(keys).size).toBe(keys.length)
  },
  300_000,
)

test('S3-T2 a full disk at the first turn of a key leaves nothing at all, and the key can begin later', async () => {
  const lab = await workspaceLab()
  const ws = openWorkspace(lab.environment)
  const before = saidFiles(lab)
  const full = await lab.cortext(['append', '--key', 'k'], { input, wrap: ['prlimit', '--fsize=1500'] })
  expect(full).toMatchObject({ code: 1, stderr: expect.stringContaining('messages.jsonl') })
  expect(saidFiles(lab)).toEqual(before)
  expect(await lab.json(['list', '--all', '--json'])).toMatchObject({ conversations: [] })
  expect(await say(ws, 'k', 'again')).toMatchObject({ created: true })
  expect((await contextByKey(ws, 'k')).messages).toHaveLength(1)
})

test('S3-T2 a full disk: the turn is refused whole, and can be said again', async () => {
  const lab = await workspaceLab()
  const ws = openWorkspace(lab.environment)
  await say(ws, 'k', 'x'.repeat(3000))
  const before = saidFiles(lab)
  // The turn itself still fits, the file that it belongs into grows no more.
  const full = await lab.cortext(['append', '--key', 'k'], { input, wrap: ['prlimit', '--fsize=3000'] })
  expect(full).toMatchObject({ code: 1, stderr: expect.stringContaining('messages.jsonl') })
  expect(saidFiles(lab)).toEqual(before)
  expect((await contextByKey(ws, 'k')).messages).toHaveLength(1)
  await say(ws, 'k', 'again')
  expect((await contextByKey(ws, 'k')).messages).toHaveLength(2)
})
