import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { previewOfKept } from '../../../src/cli/picker/kept.ts'
import type { KeptOffer } from '../../../src/cli/picker/offered.ts'
import { publish } from '../../../src/conversation/publish.ts'
import { listConversations } from '../../../src/journeys/finding/list.ts'
import { openWorkspace } from '../../../src/workspace/open.ts'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { everything, inHistory } from '../../helpers/history-lab.ts'
import { say } from '../../helpers/machines.ts'
import { withWorktree } from '../../helpers/with-worktree.ts'
import { filesBelow, type Lab, shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'

// promise: share one list of private conversations, and each can go on with any of them.
// promise: the first verb there sets up the same clients
// promise: `git worktree remove --force` takes no word with it.
test('a new worktree of a private workspace has its conversations and its clients, and when it goes nothing is lost', async () => {
  const { lab, there } = await withWorktree()
  const first = new ClaudeSession(lab)
  await first.command('workspace.plan', 'Pears')
  await first.turn('in the first place')
  await lab.json(['stop', '--json'], { env: first.env })
  const { stdout, stderr } = await there.cortext(['list'])
  expect(stdout).toContain('Pears')
  expect(stderr).toContain(`${there.root} had no workspace`)
  expect((await there.cortext(['list'])).stderr).toBe('')
  expect(existsSync(join(there.root, '.claude/settings.local.json'))).toBe(true)
  expect(existsSync(join(there.root, '.gemini/settings.json'))).toBe(true)
  // A program that was killed while it wrote a command has left this.
  writeFileSync(join(there.root, '.claude/commands/.x.md.0123456789abcdef.cortext-tmp'), '')

  const second = new ClaudeSession(there)
  await second.command('workspace.plan', 'Figs')
  await second.turn('in the worktree')
  await there.json(['stop', '--json'], { env: second.env })
  const third = new ClaudeSession(there)
  await third.command('workspace.plan', 'Kiwis')
  await third.turn('not stopped')
  expect(there.git('status', '--porcelain', '--', ':!.gemini')).toBe('')
  expect(talk(await shown(lab, '002'))).toEqual(talk(await shown(there, '002')))
  lab.git('worktree', 'remove', '--force', there.root)
  const listed = await lab.cortext(['list'])
  for (const title of ['Pears', 'Figs', 'Kiwis']) expect(listed.stdout).toContain(title)
  expect(talk(await shown(lab, '002')).join()).toContain('in the worktree')
  expect(talk(await shown(lab, '003')).join()).toContain('not stopped')
  expect(lab.git('status', '--porcelain', '--', ':!.gemini')).toBe('')
})

test('title, tags and archiving are the same in each worktree, as somebody has changed them last', async () => {
  const { lab, there } = await withWorktree()
  await say(lab, 'pears', 'first')
  const listed = async (at: Lab) => {
    const { conversations } = await at.json<{ conversations: object[] }>(['list', '--all', '--json'])
    return conversations.map((one) => [Object(one).title, Object(one).tags, Object(one).archived === true])
  }
  const edit = (at: Lab, ...more: string[]) => at.json(['edit', '--key', 'pears', ...more, '--json'])
  await edit(there, '--title', 'Ripe pears', '--tag', 'fruit', '--archive')
  expect(await listed(lab)).toEqual([['Ripe pears', ['fruit'], true]])
  await edit(lab, '--unarchive', '--untag', 'fruit')
  expect(await listed(there)).toEqual([['Ripe pears', [], false]])
  await edit(there, '--tag', 'food')
  await say(lab, 'pears', 'second')
  for (const at of [lab, there]) expect(await listed(at)).toEqual([['Ripe pears', ['food'], false]])
  const [path] = readdirSync(join(lab.root, 'conversations'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('session.json'),
  )
  expect(JSON.parse(inHistory(lab, 'show', `main:conversations/${path}`))).toMatchObject({ tags: ['food'] })
})

test('a document is in each worktree as it was saved last, unless it was changed there since', async () => {
  const { lab, there } = await withWorktree()
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.plan', 'Pears')
  await claude.turn('begin')
  const { path } = await lab.json<{ path: string }>(['stop', '--json'], { env: claude.env })
  const [here, other] = [join(lab.root, path, 'plan.md'), join(there.root, path, 'plan.md')]
  writeFileSync(join(lab.root, path, 'table.csv'), 'only here\n')
  await lab.json(['save', '001', '--json'])
  await there.json(['save', '001', '--json'])
  const before = readFileSync(other, 'utf8')
  expect(before).toBe(readFileSync(here, 'utf8'))
  rmSync(join(there.root, path, 'table.csv'))
  // A commit has a time of whole seconds.
  await new Promise((resolve) => setTimeout(resolve, 1100))
  appendFileSync(other, 'from the worktree\n')
  await there.json(['save', '001', '--json'])
  await lab.json(['save', '001', '--json'])
  expect(readFileSync(here, 'utf8')).toBe(`${before}from the worktree\n`)
  expect(readFileSync(join(lab.root, path, 'table.csv'), 'utf8')).toBe('only here\n')
  appendFileSync(other, 'and again\n')
  await there.json(['save', '001', '--json'])
  appendFileSync(here, 'both wrote\n')
  await lab.json(['save', '001', '--json'])
  expect(readFileSync(here, 'utf8')).toBe(`${before}from the worktree\nboth wrote\n`)
  const log = lab.git('--git-dir', '.git/cortext/conversations.git', 'log', '-p', '--', `${path}/plan.md`)
  expect(log).toContain('+and again')
  expect(log).not.toContain('table.csv\ndeleted')
})

test('what turns have left in the document in a worktree is not lost with it, whoever saves elsewhere meanwhile', async () => {
  const { lab, there } = await withWorktree()
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.plan', 'Pears')
  await claude.turn('begin')
  const { path } = await lab.json<{ path: string }>(['stop', '--json'], { env: claude.env })
  const [here, other] = [join(lab.root, path, 'plan.md'), join(there.root, path, 'plan.md')]
  await there.json(['save', '001', '--json'])
  const second = new ClaudeSession(there)
  await there.cortext(['agent', 'resume', '--query', '001'], { env: second.env })
  appendFileSync(other, 'from the worktree\n')
  await second.turn('written')
  await lab.json(['save', '001', '--json'])
  expect(readFileSync(here, 'utf8')).toContain('from the worktree')
  appendFileSync(other, 'and on\n')
  appendFileSync(here, 'here too\n')
  await second.turn('written again')
  const removed = readFileSync(other, 'utf8')
  lab.git('worktree', 'remove', '--force', there.root)
  await lab.json(['save', '001', '--json'])
  expect(readFileSync(here, 'utf8')).toMatch(/from the worktree\nhere too\n$/)
  const git = (...args: string[]) => lab.git('--git-dir', '.git/cortext/conversations.git', ...args)
  expect(git('show', `HEAD~1:${path}/plan.md`)).toBe(removed)
  expect(git('show', `HEAD:${path}/plan.md`)).toBe(readFileSync(here, 'utf8'))
})

/** A conversation that begins in the main worktree, and goes on in the other one: its document there, and its session. */
async function goesOnThere({ lab, there }: { lab: Lab; there: Lab }) {
  const first = new ClaudeSession(lab)
  await first.command('workspace.plan', 'Pears')
  await first.turn('begin')
  const { path } = await lab.json<{ path: string }>(['stop', '--json'], { env: first.env })
  await there.cortext(['list'])
  const second = new ClaudeSession(there)
  await there.cortext(['agent', 'resume', '001'], { env: second.env })
  const [here, other] = [join(lab.root, path, 'plan.md'), join(there.root, path, 'plan.md')]
  return { path, second, here, other, before: readFileSync(here, 'utf8') }
}

test('when a worktree goes, the next verb brings its conversations, with documents as they were after the last turn', async () => {
  const both = await withWorktree()
  const { lab, there } = both
  const { path, second, here, other, before } = await goesOnThere(both)
  writeFileSync(join(there.root, path, 'table.csv'), 'a table\n')
  await there.json(['save', '001', '--json'])
  appendFileSync(other, 'from the worktree\n')
  writeFileSync(join(there.root, path, 'notes.md'), 'some notes\n')
  await second.turn('written')
  const third = new ClaudeSession(there)
  await third.command('workspace.plan', 'Figs')
  await third.turn('only there')
  lab.git('worktree', 'remove', '--force', there.root)

  const { stderr } = await lab.cortext(['list'])
  expect(stderr).not.toContain('Missing')
  expect(readFileSync(here, 'utf8')).toBe(`${before}from the worktree\n`)
  expect(readFileSync(join(lab.root, path, 'notes.md'), 'utf8')).toBe('some notes\n')
  expect(readFileSync(join(lab.root, path, 'table.csv'), 'utf8')).toBe('a table\n')
  const files = Object.keys(filesBelow(join(lab.root, 'conversations')))
  expect(files.some((file) => /figs.*plan\.md/.test(file))).toBe(true)
  // Nothing is left to take over, so a later change stays.
  writeFileSync(here, 'all new\n')
  expect((await lab.cortext(['save', '001'])).code).toBe(0)
  expect(readFileSync(here, 'utf8')).toBe('all new\n')
  expect(existsSync(join(lab.root, '.git/cortext/worktree-copies'))).toBe(true)
  expect(filesBelow(join(lab.root, '.git/cortext/worktree-copies'))).toEqual({})
})

test('what a process saves in a worktree that goes meanwhile is not written into its folder', async () => {
  const { lab, there } = await withWorktree()
  await there.cortext(['list'])
  const claude = new ClaudeSession(there)
  await claude.command('workspace.plan', 'Figs')
  await claude.turn('in the worktree')
  await there.json(['stop', '--json'], { env: claude.env })
  const ws = openWorkspace(there.environment)
  const { path } = listConversations(ws).conversations[0]!
  lab.git('worktree', 'remove', '--force', there.root)
  await expect(publish(ws, path)).rejects.toThrow(`${there.root} is gone`)
  expect(existsSync(there.root)).toBe(false)
  expect(talk(await shown(lab, '1'))).toContain('user: in the worktree')
})

test('a worktree and the folder of the conversations go at once, and all of it comes back', async () => {
  const { lab, there } = await withWorktree()
  for (const [place, title] of [
    [lab, 'Pears'],
    [there, 'Figs'],
  ] as const) {
    const claude = new ClaudeSession(place)
    await claude.command('workspace.plan', title)
    await place.json(['stop', '--json'], { env: claude.env })
  }
  for (const place of [lab, there]) await place.cortext(['list'])
  lab.git('worktree', 'remove', '--force', there.root)
  lab.git('clean', '-fdxq')
  expect((await lab.cortext(['list'])).stderr).not.toContain('Missing')
  const files = Object.keys(filesBelow(join(lab.root, 'conversations')))
  for (const title of ['pears', 'figs'])
    expect(files.filter((file) => file.includes(title) && file.endsWith('plan.md'))).toHaveLength(1)
})

test('in a shared workspace, what was held in a worktree that is gone stays out of the other branches', async () => {
  const lab = await workspaceLab()
  lab.git('add', '--all')
  lab.git('commit', '--quiet', '--allow-empty', '--message=workspace')
  const root = `${lab.root}-worktree`
  lab.git('worktree', 'add', '--quiet', '-b', 'pears', root)
  const claude = new ClaudeSession(lab, root)
  await claude.command('workspace.plan', 'Pears')
  await claude.turn('in the worktree')
  lab.git('worktree', 'remove', '--force', root)
  await lab.cortext(['list'])
  expect(lab.git('status', '--porcelain')).toBe('')
  expect(existsSync(join(lab.root, 'conversations'))).toBe(false)
})

test('a document that was changed in both worktrees stays as it is here, and the history has the other one', async () => {
  const both = await withWorktree()
  const { lab, there } = both
  const { second, here, other } = await goesOnThere(both)
  appendFileSync(other, 'from the worktree\n')
  await second.turn('written')
  writeFileSync(here, 'by hand\n')
  lab.git('worktree', 'remove', '--force', there.root)
  await lab.cortext(['list'])
  expect(readFileSync(here, 'utf8')).toBe('by hand\n')
  const log = lab.git('--git-dir', '.git/cortext/conversations.git', 'log', '-p', '--reverse')
  expect(log.replace(/^.*?from the worktree/s, '')).toContain('+by hand')
})

test('a worktree inside the main one has a workspace of its own', async () => {
  const { lab, there } = await withWorktree('.claude/worktrees/inside')
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.plan', 'Pears')
  const { path } = await lab.json<{ path: string }>(['stop', '--json'], { env: claude.env })
  expect((await there.cortext(['list'])).stderr).toContain(`${there.root} had no workspace`)
  await there.json(['save', '001', '--json'])
  expect(existsSync(join(there.root, path, 'plan.md'))).toBe(true)
  expect((await lab.json<{ conversations: object[] }>(['list', '--json'])).conversations).toHaveLength(1)
})

// promise: Both reach the other worktrees;
test.each(['', '-moved'])(
  'a deletion or redaction in one worktree reaches the others, whose folder is named …%s',
  async (moved) => {
    const { lab, there } = await withWorktree()
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`
    const config = join(lab.root, '.workspace/config.json')
    writeFileSync(config, '{ "visibility": "private", "redact": false }\n')
    const claude = new ClaudeSession(lab)
    await claude.command('workspace.plan', 'Pears')
    await claude.turn(`my token is ${secret}`)
    const { path } = await lab.json<{ path: string }>(['stop', '--json'], { env: claude.env })
    await there.json(['save', '001', '--json'])
    renameSync(join(there.root, path), join(there.root, path + moved))
    await there.json(['save', '001', '--json'])
    const record = () => readFileSync(join(there.root, path + moved, '.session/messages.jsonl'), 'utf8')
    expect(record()).toContain(secret)
    writeFileSync(config, '{ "visibility": "private" }\n')
    await lab.json(['redact', '001', '--apply', '--json'])
    expect(record()).not.toContain(secret)
    expect(inHistory(lab, 'cat-file', '--batch-all-objects', '--batch')).not.toContain(secret)
    renameSync(join(lab.root, path), join(lab.root, `${path}-here`))
    await lab.json(['list', '--json'])
    await lab.json(['delete', `${path}-here`, '--yes', '--json'])
    expect(existsSync(join(there.root, path + moved))).toBe(false)
    expect(everything(lab)).not.toMatch(/pears/i)
    expect((await there.cortext(['list'])).stdout).not.toContain('Pears')
  },
)

test('a session that goes into a worktree below the project in mid-talk is recorded as before, and its agent may save', async () => {
  const { lab, there } = await withWorktree('.claude/worktrees/x')
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.plan', 'Pears')
  await claude.turn('in the project')
  claude.say('in the worktree')
  await claude.hook('UserPromptSubmit', { cwd: there.root, prompt: 'in the worktree' })
  await claude.hook('Stop', { cwd: there.root })
  const { code } = await there.cortext(['agent', 'save'], { env: claude.env })
  expect(code).toBe(0)
  expect(existsSync(join(there.root, '.workspace'))).toBe(false)
  expect(talk(await shown(lab, '001')).join()).toContain('in the worktree')
})

// promise: A conversation says in which other worktree it is open, or was last
test('a conversation says in which worktree it is open and was last, and a resume elsewhere says what differs', async () => {
  const { lab, there } = await withWorktree()
  await there.cortext(['list'])
  there.git('checkout', '--quiet', '-b', 'pears')
  const claude = new ClaudeSession(there)
  await claude.command('workspace.plan', 'Pears')
  mkdirSync(join(there.root, 'src'))
  writeFileSync(join(there.root, 'src/pear.ts'), '')
  claude.user('write it')
  const edit = { file_path: join(there.root, 'src/pear.ts'), content: 'pear' }
  claude.assistant([{ type: 'tool_use', id: 'toolu_1', name: 'Write', input: edit }], 'tool_use')
  await claude.turn('is it there?')
  const place = there.root.split('/').at(-1)!
  expect((await lab.cortext(['list'])).stdout).toContain(`active in ${place.slice(0, 19)}`)
  expect((await lab.cortext(['list', '--long'])).stdout).toContain(`open in ${there.root}`)
  expect((await there.cortext(['list', '--long'])).stdout).not.toContain(there.root)
  expect((await lab.cortext(['show', '001'])).stdout).toContain(`Worktree: open in ${there.root}`)
  const [kept] = listConversations(openWorkspace(lab.environment)).conversations
  const preview = await previewOfKept(lab.environment, { kept } as KeptOffer)
  expect(preview.join('\n')).toContain(`Open in ${there.root}`)
  await there.json(['stop', '--json'], { env: claude.env })
  const { conversations } = await lab.json<{ conversations: object[] }>(['list', '--json'])
  expect(conversations).toMatchObject([{ worktree: there.root, status: 'paused' }])

  const resume = (at: Lab) =>
    at.json<{ notices: string[]; text: string }>(['resume', '001', '--dry-run', '--json'])
  const here = lab.git('branch', '--show-current').trim()
  const differs = `It was last in ${there.root} on pears; here is ${here}. Not here: src/pear.ts. To go on there:`
  expect((await resume(lab)).notices).toContain(`${differs} cd ${there.root} && cortext resume 1`)
  expect((await resume(there)).notices.join()).not.toContain('It was last in')
  const told = (await lab.cortext(['resume', '001', '--print', '--mode', 'handoff'])).stdout
  expect(told).toContain(`Folder: was ${there.root}, branch pears; now ${lab.root}, branch ${here}.`)
  expect(told).toContain('Not here: src/pear.ts.')

  there.git('add', '--all')
  there.git('commit', '--quiet', '--message', 'pear')
  lab.git('worktree', 'remove', '--force', there.root)
  await lab.cortext(['list'])
  const again = `git worktree add ${there.root} pears && cd ${there.root} && cortext resume 1`
  expect((await resume(lab)).notices.join()).toContain(again)
  lab.git('worktree', 'add', '--quiet', there.root, 'pears')
  expect((await resume(there)).notices.join()).not.toContain('It was last in')
  lab.git('worktree', 'remove', '--force', there.root)
  lab.git('branch', '-D', 'pears')
  expect((await resume(lab)).notices.join()).not.toContain('To go on there')
})
