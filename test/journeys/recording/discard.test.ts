import { execFileSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { type Lab, type Run, shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'

const SECRET = 'the zebra plan'

/** Files below the project and its git folder that hold the words, git's own objects among them. */
function holding({ root, env, git }: Lab, words: string): string[] {
  const files = execFileSync('grep', ['-rlF', words, '.'], {
    cwd: root,
    env,
    encoding: 'utf8',
    stdio: 'pipe',
  })
  return [...files.trim().split('\n'), ...(git('log', '--all', '-p').includes(words) ? ['git log'] : [])]
}

function nobodyHolds(lab: Lab, words: string): void {
  expect(() => holding(lab, words)).toThrow()
  expect(lab.git('log', '--all', '-p')).not.toContain(words)
}

async function recorded(): Promise<{ lab: Lab; claude: ClaudeSession }> {
  const lab = await workspaceLab()
  lab.git('add', '-A')
  lab.git('commit', '-qm', 'set up')
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.debug', 'Topic')
  return { lab, claude }
}

function discardIn(lab: Lab, claude: ClaudeSession, ...flags: string[]): Promise<Run | undefined> {
  return claude.command('workspace.stop-conversation', '', () =>
    lab.cortext(['stop', '--discard', ...flags], { env: claude.env }),
  )
}

// promise: saves and pauses (`--complete`
// promise: `--discard` saves nothing, keeps no copy of what was not saved and commits nothing.
test.each([[[]], [['--no-commit']]])(
  'S0-D6f stop --discard %s of a talk that was never saved leaves no word of it, and commits nothing',
  async (flags) => {
    const { lab, claude } = await recorded()
    await claude.turn(SECRET)
    const head = lab.git('rev-parse', 'HEAD')
    const run = await discardIn(lab, claude, ...flags)
    expect([run?.code, run?.stdout]).toEqual([0, expect.stringContaining('Nothing of it was saved')])
    expect(lab.git('rev-parse', 'HEAD')).toBe(head)
    expect(lab.git('status', '--porcelain', 'conversations')).toBe('')
    nobodyHolds(lab, SECRET)
    expect((await lab.json<{ conversations: unknown[] }>(['list', '--all', '--json'])).conversations).toEqual(
      [],
    )
  },
)

// promise: saves and pauses (`--complete`
// promise: `--discard` saves nothing, keeps no
test('stop --discard keeps what was saved before, and says so; the words after it are in no copy of this machine', async () => {
  const { lab, claude } = await recorded()
  await claude.turn('saved')
  await lab.json(['save', '001', '--json'])
  await claude.turn(SECRET)
  const head = lab.git('rev-parse', 'HEAD')
  const run = await discardIn(lab, claude)
  expect(run?.stdout).toMatch(/What was saved before stays: 4 messages in conversations\/\S+001-debug-topic/)
  expect(lab.git('rev-parse', 'HEAD')).toBe(head)
  nobodyHolds(lab, SECRET)
  expect(talk(await shown(lab, '001')).at(-1)).toBe('assistant: answer to saved')
  // The client's own session has the words still, and only an import by name takes them.
  await lab.cortext(['import', 'claude', claude.id])
  expect(talk(await shown(lab, '001'))).toContain(`user: ${SECRET}`)
})

test('stop --discard keeps a document that a person has edited', async () => {
  const { lab, claude } = await recorded()
  const { path } = (await lab.json<{ conversations: { path: string }[] }>(['list', '--json']))
    .conversations[0]!
  appendFileSync(join(lab.root, path, 'debug.md'), '\nmine\n')
  await claude.turn(SECRET)
  await discardIn(lab, claude)
  expect(lab.git('status', '--porcelain', '--untracked-files=all', 'conversations').trim()).toBe(
    `?? ${path}/debug.md`,
  )
})
