import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openStore } from '../../../src/library/index.ts'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { filesBelow, type Lab, shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'
import { SAID } from './said.ts'

/** `git init` in a folder, as the person or their agent does it while they talk. */
function makeRepository(lab: Lab, folder: string): void {
  execFileSync('git', ['init', '--quiet', '--initial-branch=trunk'], { cwd: folder, env: lab.env })
}

describe('a repository is made while a conversation is being recorded', () => {
  test.each([
    ['in a folder above', (lab: Lab) => [dirname(lab.root)], '../.git/cortext/below/project'],
    ['above, then in it', (lab: Lab) => [dirname(lab.root), lab.root], '.git/cortext'],
  ])(
    '%s: the session continues in its conversation, and nothing stays in the old place',
    async (_, folders, place) => {
      const lab = await workspaceLab({ git: 'none' })
      const claude = new ClaudeSession(lab)
      await claude.command('workspace.plan', 'Here')
      await claude.turn('before')
      for (const folder of folders(lab)) {
        makeRepository(lab, folder)
        // Whoever only looks finds it too, and moves nothing.
        expect((await lab.cortext(['resume', '--print', '001'])).stdout).toContain('answer to before')
      }
      await claude.turn('after')
      await lab.json(['stop', '--json'], { env: claude.env })
      expect(talk(await shown(lab, '001'))).toEqual(SAID)
      expect(await lab.json<unknown[]>(['list', '--json'])).toHaveProperty('conversations.length', 1)
      expect(readdirSync(join(lab.root, place))).toContain('bindings')
      expect(existsSync(join(lab.root, '.workspace/local'))).toBe(false)
    },
  )

  test('a verb or a hook that is killed while it moves the local folder leaves the rest to the next one', async () => {
    const lab = await workspaceLab({ git: 'none' })
    const claude = new ClaudeSession(lab)
    await claude.command('workspace.plan', 'Here')
    await claude.turn('before')
    makeRepository(lab, lab.root)
    const [name] = readdirSync(join(lab.root, '.workspace/local'))
    const [from, to] = [join(lab.root, '.workspace/local', name!), join(lab.root, '.git/cortext')]
    execFileSync('mkdir', [to])
    execFileSync('mv', [join(from, 'journal'), to])
    await Promise.all([claude.turn('after'), lab.json(['list', '--json']), lab.json(['list', '--json'])])
    await lab.json(['stop', '--json'], { env: claude.env })
    expect(talk(await shown(lab, '001'))).toEqual(SAID)
    expect(filesBelow(join(lab.root, '.workspace/local'))).toEqual({})
  })

  test('a workspace in a sub-folder of its repository can be renamed: its state is found under the old name', async () => {
    const lab = await workspaceLab({ git: 'none' })
    makeRepository(lab, dirname(lab.root))
    const claude = new ClaudeSession(lab)
    await claude.command('workspace.plan', 'Here')
    await claude.turn('before')
    // Another workspace, which knows none of this one's conversations.
    const other = join(dirname(lab.root), 'other')
    await lab.json(['init', other, '--json'])
    await lab.json(['start', 'plan', 'Here', '--json'], { cwd: other })
    const cwd = join(dirname(lab.root), 'renamed')
    renameSync(lab.root, cwd)
    renameSync(other, join(dirname(lab.root), 'elsewhere'))
    expect(talk(await shown(lab, '001', { cwd }))).toContain('assistant: answer to before')
    expect(readdirSync(join(cwd, '../.git/cortext/below')).sort()).toEqual(['other', 'renamed'])
  })

  test('a program that keeps the workspace open appends to the new place', async () => {
    const lab = await workspaceLab({ git: 'none' })
    vi.stubEnv('HOME', lab.home)
    onTestFinished(() => void vi.unstubAllEnvs())
    const store = await openStore(lab.root)
    const said = (content: string) => store.conversation('a').append([{ role: 'user', content }])
    await said('before')
    makeRepository(lab, lab.root)
    await said('after')
    expect(await store.conversation('a').messages()).toMatchObject([
      { content: 'before' },
      { content: 'after' },
    ])
    expect(existsSync(join(lab.root, '.workspace/local'))).toBe(false)
  })
})
