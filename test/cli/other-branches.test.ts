import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ClaudeSession } from '../helpers/claude-session.ts'
import { CountedGit } from '../helpers/counted-git.ts'
import { type Lab, workspaceLab } from '../helpers/workspace-lab.ts'

/** A clone in which `main` is checked out, and in which `feature` has a conversation that `main` does not have. */
async function cloned(): Promise<Lab & { path: string; main: string }> {
  const lab = await workspaceLab({ init: 'none' })
  await lab.json(['init', '--shared', '--in', 'claude', '--json'])
  lab.git('add', '--all')
  lab.git('commit', '--quiet', '--message', 'workspace')
  const main = lab.git('branch', '--show-current').trim()
  lab.git('checkout', '--quiet', '-b', 'feature')
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.plan', 'Quinces')
  await claude.turn('grow the quince tree')
  const { path } = await lab.json<{ path: string }>(['stop', '--json'], { env: claude.env })
  lab.git('checkout', '--quiet', main)
  const root = `${lab.root}-clone`
  lab.git('clone', '--quiet', lab.root, root)
  const at = <T extends { cwd?: string }>(more?: T) => ({ cwd: root, ...more })
  return {
    ...{ ...lab, root, path, main },
    environment: { ...lab.environment, cwd: root },
    git: (...args) => lab.git('-C', root, ...args),
    cortext: (args, more) => lab.cortext(args, at(more)),
    json: (args, more) => lab.json(args, at(more)),
  }
}

describe('a conversation that only another branch has', () => {
  // promise: What only another branch has is named, with the command that brings it.
  test('is named with its branch, and with the command that brings it', async () => {
    const clone = await cloned()
    const { stdout, stderr } = await clone.cortext(['list'])
    expect(stdout).not.toContain('Quinces')
    expect(stderr).toContain('origin/feature: "Quinces", 4 messages')
    const command = /→ (git restore .*)/.exec(stderr)![1]!
    expect(command).toBe(`git restore --source=origin/feature -- ${clone.path}`)
    for (const words of [
      ['show', '1'],
      ['resume', 'quinces', '--print'],
      ['search', 'quince'],
    ])
      expect((await clone.cortext(words)).stderr, words.join(' ')).toContain(command)
    expect(await clone.json(['list', '--json'])).toMatchObject({
      conversations: [],
      on_branches: [{ branch: 'origin/feature', path: clone.path, title: 'Quinces', message_count: 4 }],
    })

    clone.git(...command.split(' ').slice(1))
    expect((await clone.cortext(['show', '1', '--messages'])).stdout).toContain('grow the quince tree')
    expect((await clone.cortext(['list'])).stderr).not.toContain('feature')
  })

  test('is not said to have no messages, and not changed, after its branch was checked out once', async () => {
    const clone = await cloned()
    clone.git('checkout', '--quiet', 'feature')
    await clone.cortext(['edit', '1', '--title', 'Quince trees'])
    clone.git('commit', '--quiet', '--all', '--message', 'title')
    clone.git('checkout', '--quiet', clone.main)
    const before = clone.git('status', '--porcelain', '--untracked-files=all')
    const refuses = async (words: string[]) => {
      const { code, stdout, stderr } = await clone.cortext(words)
      expect({ code, stdout }, words.join(' ')).toEqual({ code: 1, stdout: '' })
      expect(stderr).toContain('the words of "Quince trees" are not in this work tree')
      return stderr
    }
    expect(await refuses(['show', '1'])).toContain(`git log --all --source --oneline -- ${clone.path}`)
    await clone.cortext(['list'])
    for (const words of [
      ['show', '1'],
      ['show', '1', '--messages'],
      ['resume', '1', '--print'],
      ['view', '1', '-o', 'x'],
      ['context', '1'],
      ['export', '1'],
      ['save', '1'],
      ['fork', '1'],
      ['edit', '1', '--title', 'Nothing'],
      ['prune', '1', '--keep', '1'],
      ['redact', '1', '--apply'],
    ])
      expect(await refuses(words)).toContain(
        `git has them on feature\nfix: git restore --source=feature -- ${clone.path}`,
      )
    expect(clone.git('status', '--porcelain', '--untracked-files=all')).toBe(before)
  })

  test('git is asked only when a branch has changed, and a branch that is merged or gone has nothing', async () => {
    const { root, cortext, git } = await cloned()
    await cortext(['list'])
    const counted = new CountedGit(join(root, '.git', 'counted'))
    const env = { PATH: counted.path }
    expect((await cortext(['list'], { env })).stderr).toContain('origin/feature: "Quinces"')
    expect(counted.starts()).toEqual([])
    git('branch', '--quiet', 'feature', 'origin/feature')
    expect((await cortext(['list'])).stderr).toContain(' feature: "Quinces"')
    git('merge', '--quiet', 'origin/feature')
    expect((await cortext(['list'])).stderr).not.toContain('feature')
    expect((await cortext(['show', '1', '--messages'])).stdout).toContain('grow the quince tree')
  })

  test('is found in the folder of a type that was added since git was asked', async () => {
    const clone = await cloned()
    clone.git('checkout', '--quiet', 'feature')
    clone.git('mv', 'conversations', 'talks')
    clone.git('commit', '--quiet', '--message', 'moved')
    clone.git('checkout', '--quiet', clone.main)
    clone.git('update-ref', '-d', 'refs/remotes/origin/feature')
    expect((await clone.cortext(['list'])).stderr).not.toContain('Quinces')
    const talk = { command: '/workspace.talk', folder: 'talks', template: 'plan', session_support: true }
    const registry = { version: '1.0', types: { talk: { ...talk, description: 'Talk' } } }
    writeFileSync(join(clone.root, '.workspace/registry.json'), JSON.stringify(registry))
    const { stderr } = await clone.cortext(['list'])
    expect(stderr).toContain('feature: "Quinces"')
  })
})

// promise: Forges fold records in reviews.
test('records are marked as generated, so that a forge folds them', async () => {
  const { git, path } = await cloned()
  const attributes = git('check-attr', '--all', '--', `${path}/.session/messages.jsonl`)
  for (const name of ['linguist-generated', 'gitlab-generated']) expect(attributes).toContain(`${name}: set`)
  expect(git('check-attr', '--all', '--', `${path}/plan.md`)).not.toContain('generated')
})
