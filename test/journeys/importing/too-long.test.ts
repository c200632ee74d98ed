import { appendFileSync, mkdirSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { readerList } from '../../../src/clients/index.ts'
import { readLines } from '../../../src/io/regular-file.ts'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { LONG } from '../../helpers/long.ts'
import { workspaceLab } from '../../helpers/workspace-lab.ts'

/** Node makes no text of this length. */
const TOO_LONG = 540 * 1024 * 1024

/** Adds a line of zeros, which take no room on the disk. */
function addLongLine(file: string, length = TOO_LONG): void {
  truncateSync(file, statSync(file).size + length)
  appendFileSync(file, '\n')
}

// promise: A line of more than 256 MB is not read
test('a line that no program can read is one line of the account: what is before and after it, and the other sessions, are imported', async () => {
  const lab = await workspaceLab({ init: 'shared' })
  for (const [id, words] of Object.entries({ a: 'wrens', b: 'finches', c: 'sparrows' })) {
    const session = new ClaudeSession(lab, lab.root, `${id.repeat(8)}-1111-4111-8111-111111111111`)
    session.say(`about ${words}`)
    if (id === 'b') {
      addLongLine(session.transcript)
      session.say('after the long line')
    }
  }
  const { code, stdout, stderr } = await lab.cortext(['import', 'claude', '--all'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('error: ') })
  expect(stdout).toContain('1 lost')
  for (const words of ['wrens', 'finches', 'after the long line', 'sparrows'])
    expect((await lab.cortext(['search', words])).stdout).toContain(words)
})

test.each(LONG ? readerList().map(({ id }) => id) : ['claude', 'gemini', 'amp'])(
  '%s: a file that is too long is told in one line, and never called a bug',
  async (client) => {
    const lab = await workspaceLab({ init: 'shared' })
    const file = join(lab.home, 'session.jsonl')
    writeFileSync(file, `{"type":"none","pad":"${'a'.repeat(70_000)}"}\n`)
    addLongLine(file)
    const { code, stdout, stderr } = await lab.cortext(['import', client, '--file', file])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(file)
    expect(stderr).not.toContain('bug in cortext')
    const oneObject = join(lab.home, 'session.json')
    writeFileSync(oneObject, `{\n"pad":"${'a'.repeat(70_000)}",\n"messages":[`)
    addLongLine(oneObject)
    const other = await lab.cortext(['import', client, '--file', oneObject])
    expect(other).toMatchObject({ code: 1, stdout: '' })
    expect(other.stderr).not.toContain('bug in cortext')
  },
)

test('a file that is longer than node can read does not end the import of the others', async () => {
  const lab = await workspaceLab({ init: 'shared' })
  const small = new ClaudeSession(lab, lab.root, 'aaaaaaaa-1111-4111-8111-111111111111')
  small.say('about wrens')
  const huge = join(dirname(small.transcript), 'bbbbbbbb-1111-4111-8111-111111111111.jsonl')
  mkdirSync(dirname(huge), { recursive: true })
  writeFileSync(huge, '')
  truncateSync(huge, 3 * 1024 ** 3)
  for (const args of [['import', 'claude', '--file', huge], ['list'], ['import', 'claude', '--all']])
    expect((await lab.cortext(args)).stderr).not.toContain('bug in cortext')
  expect((await lab.cortext(['search', 'wrens'])).stdout).toContain('wrens')
})

// promise: At most 2 GB of a transcript are copied: where one is longer, the hook says
test('a hook copies at most 2 GB of a transcript, keeps holes, and says what is not recorded any more', async () => {
  const lab = await workspaceLab({ init: 'shared' })
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.plan', 'Nests')
  truncateSync(claude.transcript, 3 * 1024 ** 3)
  const { stdout } = await claude.hook('Stop', { stop_hook_active: false })
  expect(stdout).toContain('Not recorded any more: the transcript of this session has 2 GB')
  const journal = join(lab.root, '.git/cortext/journal/claude', `${claude.id}.jsonl`)
  expect(statSync(journal)).toMatchObject({ size: 2_000_000_000 })
  expect(statSync(journal).blocks * 512).toBeLessThan(16 * 1024 * 1024)
  expect((await lab.cortext(['stop'], { env: claude.env })).code).toBe(0)
  expect((await lab.cortext(['show', '1', '--messages'])).stdout).toContain('answer to /workspace.plan Nests')
}, 480_000)

test('readLines: every line up to the bound is there at its place, and a longer one is zeros', () => {
  const text = ['short', 'x'.repeat(50), '', 'y'.repeat(20), 'z'.repeat(21), 'end'].join('\n')
  const bytes = Buffer.from(text)
  const read = (offset: number, length: number) => bytes.subarray(offset, offset + length)
  const zeros = (length: number) => '\0'.repeat(length)
  const expected = ['short', zeros(50), '', 'y'.repeat(20), zeros(21), 'end'].join('\n')
  expect(readLines(read, 0, bytes.length + 9, 20).toString()).toBe(expected)
  expect(readLines(read, 3, bytes.length, 20).toString()).toBe(expected.slice(3))
  expect(readLines(read, 0, 10, 20).toString()).toBe(text.slice(0, 10))
})
