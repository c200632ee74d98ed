import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ClaudeSession } from '../helpers/claude-session.ts'
import { filesBelow, type Lab, shown, talk, workspaceLab } from '../helpers/workspace-lab.ts'

/** A worktree of the lab's repository with a workspace of its own, in which a session is recorded and not yet saved. */
async function withWorktree(visibility: 'shared' | 'private'): Promise<{ lab: Lab; other: string }> {
  const lab = await workspaceLab({ init: 'none' })
  await lab.json(['init', `--${visibility}`, '--in', 'claude', '--json'])
  if (visibility === 'shared') {
    lab.git('add', '--all')
    lab.git('commit', '--quiet', '--message=set up')
  }
  const other = `${lab.root}-other`
  lab.git('worktree', 'add', '--quiet', other)
  await lab.json(['init', `--${visibility}`, '--in', 'claude', '--json'], { cwd: other })
  await begin(lab, other)
  return { lab, other }
}

async function begin(lab: Lab, folder: string): Promise<void> {
  const claude = new ClaudeSession(lab, folder)
  await claude.command('workspace.brainstorm', 'API design')
  await claude.turn('said elsewhere')
}

describe('an uninstall', () => {
  test.each(['shared', 'private'] as const)(
    'in one worktree of a %s workspace leaves what is recorded in another, and git sees nothing of it',
    async (visibility) => {
      const { lab, other } = await withWorktree(visibility)
      const before = lab.git('-C', other, 'status', '--porcelain', '-uall')
      await lab.json(['uninstall', '--json'])
      expect(talk(await shown(lab, '001', { cwd: other })).join()).toContain('said elsewhere')
      expect(lab.git('-C', other, 'status', '--porcelain', '-uall')).toBe(before)
      await lab.json(['uninstall', '--json'], { cwd: other })
      expect(existsSync(join(lab.root, '.git/cortext'))).toBe(false)
    },
  )

  test('in one worktree after another writes nothing of another branch', async () => {
    const { lab, other } = await withWorktree('shared')
    const { path } = await lab.json<{ path: string }>(['stop', '001', '--json'], { cwd: other })
    await lab.json(['uninstall', '--json'], { cwd: other })
    await lab.json(['uninstall', '--json'])
    expect(existsSync(join(lab.root, path))).toBe(false)
  })

  test('and init again: what git has comes back, with the visibility that everybody has', async () => {
    const lab = await workspaceLab({ init: 'none' })
    lab.git('remote', 'add', 'origin', 'https://example.org/p.git')
    await lab.json(['init', '--shared', '--in', 'claude', '--json'])
    await begin(lab, lab.root)
    await lab.json(['stop', '001', '--json'])
    lab.git('add', '--all')
    lab.git('commit', '--quiet', '--message=set up')
    expect((await lab.cortext(['uninstall'])).stdout.replace(/\s+/g, ' ')).toContain(
      'ends the workspace for them too',
    )
    expect(lab.git('status', '--porcelain')).toContain(' D .workspace/')
    const again = await lab.json<{ visibility: string }>(['init', '--in', 'claude', '--json'])
    expect(again.visibility).toBe('shared')
    expect(lab.git('status', '--porcelain')).toBe('')
  })

  test('at the top leaves the local folder of a workspace below, which can be taken back later', async () => {
    const lab = await workspaceLab()
    const sub = join(lab.root, 'sub')
    await lab.json(['init', 'sub', '--in', 'claude', '--json'])
    await begin(lab, sub)
    await lab.json(['uninstall', '--json'])
    expect(talk(await shown(lab, '001', { cwd: sub })).join()).toContain('said elsewhere')
    await lab.json(['uninstall', '--json'], { cwd: sub })
    expect(existsSync(join(sub, '.claude'))).toBe(false)
    expect(existsSync(join(lab.root, '.git/cortext'))).toBe(false)
  })
})

describe('the manifest of a worktree', () => {
  test('goes with the worktree, so that a new one of that name is not taken for set up', async () => {
    const { lab, other } = await withWorktree('shared')
    await lab.json(['save', '001', '--json'], { cwd: other })
    lab.git('worktree', 'remove', '--force', other)
    lab.git('worktree', 'add', '--quiet', '--detach', other)
    expect((await lab.cortext(['list'], { cwd: other })).stderr).toContain('No client is set up here')
    await lab.json(['uninstall', '--json'])
    expect(filesBelow(join(lab.root, '.git'))['info/exclude'] ?? '').not.toContain('cortext')
  })

  test('stops nobody in another worktree when it is damaged', async () => {
    const { lab } = await withWorktree('shared')
    const [name] = readdirSync(join(lab.root, '.git/worktrees'))
    writeFileSync(join(lab.root, '.git/worktrees', name!, 'cortext/manifest.json'), '{')
    expect((await lab.cortext(['init', '--in', 'claude'])).code).toBe(0)
    expect((await lab.cortext(['uninstall'])).code).toBe(0)
  })
})
