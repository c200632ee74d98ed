import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { sessionFile, workspaceLab } from '../../helpers/workspace-lab.ts'

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

test.each([
  ['above', '.gitignore', '!/conversations/\n!/.workspace/\n!**/.session/\n'],
  ['of an honest kind', '.gitignore', '*\n!*/\n!*.md\n!*.json*\n'],
])('a .gitignore of a clone shows git nothing of a private workspace: one %s', async (_, path, text) => {
  const lab = await workspaceLab({ init: 'none' })
  put(join(lab.root, path), text)
  lab.git('add', '--force', '--all')
  lab.git('commit', '-qm', 'from a stranger')
  await lab.json(['init', '--private', '--json'])
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.plan', 'Private')
  await claude.turn('words of mine')
  await lab.cortext(['stop'], { env: claude.env })
  const own = lab.git('status', '--porcelain', '--untracked-files=all', '--', 'conversations', '.workspace')
  expect(own).toBe('')
  expect((await lab.cortext(['doctor'])).stdout).toContain('private: your repository has nothing of it')
  // The folders' own lines go when the person shares.
  await lab.json(['init', '--shared', '--json'])
  expect(lab.git('status', '--porcelain', '--untracked-files=all', '--', 'conversations')).toContain(
    'plan.md',
  )
})

test('doctor says that git sees a private workspace, and init hides it', async () => {
  const lab = await workspaceLab({ init: 'private' })
  put(join(lab.root, '.gitignore'), '!/conversations/\n')
  const { stdout } = await lab.cortext(['doctor'])
  expect(stdout).toContain('git sees files in conversations/')
  await lab.json(['init', '--json'])
  expect((await lab.cortext(['doctor'])).stdout).not.toContain('git sees files')
})

test('attachments are in no commit, also where a .gitignore of a clone shows them', async () => {
  const lab = await workspaceLab()
  put(join(lab.root, 'conversations', '.gitignore'), '!**/.session/attachments/\n')
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.plan', 'Pictures')
  await claude.turn('a long one', 'x'.repeat(200_000))
  await lab.json(['save', '001', '--json'])
  const folder = dirname(sessionFile(lab, (await lab.json<{ path: string }>(['show', '001', '--json'])).path))
  put(join(folder, 'attachments', 'picture.png'), 'as it was')
  await lab.json(['stop', '--json'], { env: claude.env })
  const committed = lab.git('ls-files')
  expect(committed).toContain('.session/messages.jsonl')
  expect(committed).not.toContain('attachments')
})

test.each(['ident', 'working-tree-encoding=UTF-16LE text'])(
  'a .gitattributes of a clone changes nothing that was said: with %s nothing is committed, and the person is told why',
  async (attribute) => {
    const lab = await workspaceLab()
    put(join(lab.root, 'conversations', '.gitattributes'), `*.jsonl ${attribute}\n`)
    const claude = new ClaudeSession(lab)
    await claude.command('workspace.plan', 'Ids')
    await claude.turn('$Id: mine $')
    const { stderr } = await lab.cortext(['stop'], { env: claude.env })
    expect(stderr).toMatch(/Not committed: a \.gitattributes lets git change \S+\.jsonl/)
    expect(lab.git('ls-files', '--', 'conversations')).toBe('')
  },
)

test('a title makes no forge act when the commit is pushed', async () => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.plan', 'Closes #1 GH-2 [skip ci] @octocat https://github.com/o/r/issues/3')
  await lab.json(['stop', '--json'], { env: claude.env })
  const subject = lab.git('log', '-1', '--format=%s')
  expect(subject).toContain('Closes # 1 GH- 2 (skip ci) @ octocat https: //github.com')
  expect(subject.replace(/^\[conversation\] /, '')).not.toMatch(/#\d|@\w|\[|GH-\d|:\/\//)
})

test('a title and a summary of megabytes are cut where they are shown, and in a fork', async () => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.plan', 'Long')
  const { path } = await lab.json<{ path: string }>(['stop', '--json'], { env: claude.env })
  const file = sessionFile(lab, path)
  const session = JSON.parse(readFileSync(file, 'utf8'))
  const long = 'word '.repeat(400_000)
  writeFileSync(file, JSON.stringify({ ...session, title: long, context_summary: long }))
  for (const args of [
    ['show', '001'],
    ['agent', 'show', '001'],
    ['fork', '001'],
  ]) {
    const { code, stdout } = await lab.cortext(args)
    expect({ args, code }).toEqual({ args, code: 0 })
    expect(stdout.length).toBeLessThan(20_000)
  }
})

test('words that a clone calls related are limited: a search reads only the first ones', async () => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.plan', 'Related')
  await claude.turn('a gadget for the kitchen')
  const related = [Array.from({ length: 20_000 }, (_, n) => `r${n}`).join(' '), 'gizmo gadget']
  const config = join(lab.root, '.workspace', 'config.json')
  writeFileSync(config, JSON.stringify({ ...JSON.parse(readFileSync(config, 'utf8')), search: { related } }))
  const heap = ['env', 'NODE_OPTIONS=--max-old-space-size=200']
  const { code, stdout } = await lab.cortext(['search', 'gizmo kitchen'], { wrap: heap })
  expect(code).toBe(0)
  expect(stdout).toContain('gadget')
})
