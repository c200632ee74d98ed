import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ClaudeSession } from '../helpers/claude-session.ts'
import { conversationNamed, type Lab, shown, talk, workspaceLab } from '../helpers/workspace-lab.ts'

const DOCUMENT = /^.. conversations\/[^/]+\/\d{3}-[^/]+\/[a-z]+\.md$/

/** What git sees of the workspace besides the documents. */
function seen(lab: Lab): string[] {
  return lab
    .git('status', '--porcelain', '--untracked-files=all')
    .split('\n')
    .filter((line) => line !== '' && !DOCUMENT.test(line))
}

/** A workspace that is committed and pushed, with a branch to go to. */
async function pushedLab(): Promise<Lab> {
  const lab = await workspaceLab()
  lab.git('add', '--all')
  lab.git('commit', '--quiet', '--message=workspace')
  lab.git('branch', 'elsewhere')
  lab.git('clone', '--quiet', '--bare', '.', '../origin.git')
  lab.git('remote', 'add', 'origin', '../origin.git')
  lab.git('fetch', '--quiet', 'origin')
  lab.git('branch', '--quiet', '--set-upstream-to=origin/trunk')
  return lab
}

/** Somebody else has pushed; the person pulls, looks at another branch and comes back. */
function pullAndLook(lab: Lab, name: string): void {
  const theirs = join(lab.home, name)
  const git = (...args: string[]) => execFileSync('git', args, { cwd: theirs, env: lab.env })
  lab.git('push', '--quiet', 'origin', 'trunk')
  lab.git('clone', '--quiet', '../origin.git', theirs)
  writeFileSync(join(theirs, `${name}.txt`), 'theirs\n')
  git('add', '--all')
  git('commit', '--quiet', '--message=theirs')
  git('push', '--quiet')
  lab.git('pull', '--quiet', '--rebase')
  lab.git('checkout', '--quiet', 'elsewhere')
  lab.git('checkout', '--quiet', 'trunk')
}

describe('X-3, S0-D6g: from start to stop git sees the document and nothing else of ours', () => {
  // promise: While you talk your working tree stays clean: git sees the document and nothing else.
  // promise: What was said comes into
  // promise: so your working tree stays clean
  // promise: You can pull, rebase, check out and stash at any moment.
  // promise: and pauses the conversation when its session ends
  test('from a start over turns, a resume and the end of the client to a stop', async () => {
    const lab = await pushedLab()
    const claude = new ClaudeSession(lab)
    await claude.command('workspace.brainstorm', 'API')
    expect(seen(lab), 'start').toEqual([])
    await claude.turn('one')
    expect(seen(lab), 'turn').toEqual([])
    pullAndLook(lab, 'talking')
    await lab.cortext(['stop', '--json'], { env: claude.env })
    expect(lab.git('status', '--porcelain', '--untracked-files=all'), 'stop').toBe('')

    const two = new ClaudeSession(lab)
    await two.command('workspace.resume', '1', () =>
      lab.cortext(['agent', 'resume', '001'], { env: two.env }),
    )
    expect(seen(lab), 'resume').toEqual([])
    await two.turn('two')
    pullAndLook(lab, 'resumed')
    await two.hook('SessionEnd', { reason: 'exit' })
    await expect.poll(() => statusOf(lab), { timeout: 15_000 }).toBe('paused')
    expect(seen(lab), 'left without a stop').toEqual([])
    for (const verb of [['list', '--all'], ['search', 'two'], ['show', '001'], ['doctor'], ['stats']])
      await lab.cortext(verb)
    expect(seen(lab), 'looked at').toEqual([])
    pullAndLook(lab, 'left')
    expect(talk(await shown(lab, '001')).slice(-2)).toEqual(['user: two', 'assistant: answer to two'])

    await lab.json(['stop', '001', '--json'])
    expect(lab.git('status', '--porcelain', '--untracked-files=all'), 'stopped in a terminal').toBe('')
    expect(lab.git('show', '--stat', 'HEAD')).toContain('messages.jsonl')
  })

  // promise: While you talk your working
  // promise: so your working tree stays
  // promise: You can pull, rebase, check
  test('while the document is in a stash during a turn', async () => {
    const lab = await pushedLab()
    const claude = new ClaudeSession(lab)
    await claude.command('workspace.brainstorm', 'API')
    await claude.turn('one')
    writeFileSync(join(lab.root, 'mine.txt'), 'mine\n')
    lab.git('stash', '--include-untracked', '--quiet')
    await claude.turn('two')
    lab.git('stash', 'pop', '--quiet')
    expect(seen(lab)).toEqual(['?? mine.txt'])
    await lab.json(['stop', '--json'], { env: claude.env })
    expect(seen(lab)).toEqual(['?? mine.txt'])
    expect(talk(await shown(lab, '001')).slice(-2)).toEqual(['user: two', 'assistant: answer to two'])
  })

  // promise: While you talk your working
  // promise: so your working tree stays
  // promise: You can pull, rebase, check
  test('when title and tags of an open conversation are edited and it is forked', async () => {
    const lab = await pushedLab()
    const claude = new ClaudeSession(lab)
    await claude.command('workspace.brainstorm', 'API')
    await claude.turn('one')
    await lab.json(['edit', '001', '--title', 'Another', '--tag', 'work', '--json'])
    expect(seen(lab), 'edit').toEqual([])
    await lab.json(['fork', '001', '--json'])
    expect(
      seen(lab).filter((line) => line.includes('/001-')),
      'fork',
    ).toEqual([])
    const { session } = await lab.json<{ session: object }>(['show', '001', '--json'])
    expect(session).toMatchObject({ title: 'Another', tags: ['work'], repository: { dirty: false } })
  })
})

// promise: What was said comes into
test('in a private workspace, which git does not see, the talk is in .session/ once the client has ended', async () => {
  const lab = await workspaceLab({ init: 'private' })
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'API')
  await claude.turn('one')
  await claude.hook('SessionEnd', { reason: 'exit' })
  const path = conversationNamed(lab, '001-brainstorm-api')
  const record = join(lab.root, path, '.session/messages.jsonl')
  const saved = () => existsSync(record) && readFileSync(record, 'utf8').includes('answer to one')
  await expect.poll(saved, { timeout: 15_000 }).toBe(true)
  expect(lab.git('status', '--porcelain', '--untracked-files=all')).toBe('')
})

describe('a conversation that is open is found with its client and its words', () => {
  // promise: What was pruned and what
  test('list --in, search --in and bare cortext know it before anything is saved', async () => {
    const lab = await pushedLab()
    const claude = new ClaudeSession(lab)
    await claude.command('workspace.brainstorm', 'API')
    await claude.turn('which outbox')
    const [one] = (await lab.json<Listed>(['list', '--in', 'claude', '--json'])).conversations
    expect(one).toMatchObject({ title: 'API', client: 'claude', message_count: 4 })
    expect((await lab.json<Listed>(['list', '--in', 'gemini', '--json'])).conversations).toEqual([])
    expect((await lab.cortext(['search', 'outbox', '--in', 'claude'])).stdout).toContain('API')
    expect((await lab.cortext(['search', 'outbox', '--in', 'gemini'])).stdout).not.toContain('API')
    expect((await lab.json<Listed>(['--json'])).conversations).toMatchObject([
      { client: 'claude', message_count: 4 },
    ])
  })
})

interface Listed {
  conversations: { status: string }[]
}

async function statusOf(lab: Lab): Promise<string | undefined> {
  return (await lab.json<Listed>(['list', '--all', '--json'])).conversations[0]?.status
}
