import { execFileSync } from 'node:child_process'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ClaudeSession } from '../helpers/claude-session.ts'
import { type Lab, type LabOptions, workspaceLab } from '../helpers/workspace-lab.ts'

// promise: deletes one, by its exact
describe('delete says what would be gone, before it asks and before it does it', () => {
  test.each<[string, LabOptions, (lab: Lab, path: string) => unknown, RegExp, boolean]>([
    ['all of it is committed', {}, () => undefined, /^ {2}All of it is committed$/m, true],
    [
      'it has changed since it was committed',
      {},
      (lab, path) => writeFileSync(join(lab.root, path, 'notes.md'), 'more'),
      /^ {2}Committed, except some files: 1 changed since$/m,
      true,
    ],
    [
      'it was never committed',
      {},
      (lab) => lab.git('reset', '--quiet', '--soft', 'HEAD~'),
      /^ {2}Not in the last commit: lost for good, unless another commit has it$/m,
      false,
    ],
    [
      'git does not see it',
      { init: 'private' },
      () => undefined,
      /^ {2}Lost for good with its earlier versions, unless a commit of yours has it$/m,
      false,
    ],
    [
      'there is no git',
      { git: 'none' },
      () => undefined,
      /^ {2}No git here, or git failed: it may be lost for good$/m,
      false,
    ],
  ])('%s', async (_, options, change, git, stays) => {
    const lab = await workspaceLab(options)
    const path = await stopped(lab)
    await change(lab, path)
    const day = path.split('/')[1]
    const facts = new RegExp(
      `1 "API design" \\(${day}\\)(?: needs a yes)?\n {2}4 messages; the last words \\(assistant\\): "answer to zebras\\?"\n`,
    )

    const refused = await lab.cortext(['delete', '1'])
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(facts)
    expect(refused.stderr).toMatch(git)
    expect(refused.stderr).toContain(
      `fix: cortext delete conversations/${day}/001-brainstorm-api-design --yes\n`,
    )

    const done = await lab.cortext(['delete', '1', '--yes'])
    expect(done.code, done.stderr).toBe(0)
    expect(done.stdout).toMatch(facts)
    expect(done.stdout).toMatch(git)
    expect(done.stdout).toContain('\n  What its client has of it stays there, and can be imported again.\n')
    expect(done.stdout).toContain(`\nDeleted: ${path}\n`)
    expect(done.stdout.includes('Stays in the history of the repository: 1 commit')).toBe(stays)
  })

  // promise: In a shared workspace it says how many commits have it, and prints the commands of git that take it out.
  test('the commands that it prints take the conversation out of every commit of a shared workspace', async () => {
    const lab = await workspaceLab()
    writeFileSync(join(lab.root, 'code.ts'), 'one')
    lab.git('add', '--all')
    lab.git('commit', '--quiet', '--message=code and settings')
    const first = await stopped(lab)
    const path = `${first}-renamed`
    renameSync(join(lab.root, first), join(lab.root, path))
    await lab.json(['save', '1', '--json'])
    lab.git('branch', 'other')
    lab.git('tag', '--annotate', 'v1', '--message=v1')
    writeFileSync(join(lab.root, 'code.ts'), 'two')
    lab.git('add', '--all')
    lab.git('commit', '--quiet', '--message=more code')
    const { stdout } = await lab.cortext(['delete', '1', '--yes'])
    const commands = stdout.split('\n').flatMap((line) => /^ {2}(git .*)$/.exec(line)?.[1] ?? [])
    expect(commands).toHaveLength(4)
    const objects = () => lab.git('cat-file', '--batch-all-objects', '--batch')
    expect(objects()).toContain('zebras')
    const env = { ...lab.env, FILTER_BRANCH_SQUELCH_WARNING: '1' }
    execFileSync('sh', ['-ec', commands.join('\n')], { cwd: lab.root, env, stdio: 'pipe' })
    expect(objects()).not.toContain('zebras')
    for (const folder of [first, path]) expect(lab.git('log', '--all', '--format=%H', '--', folder)).toBe('')
    expect(lab.git('show', 'trunk:code.ts')).toBe('two')
    expect(lab.git('show', 'v1:code.ts')).toBe('one')
    expect(lab.git('status', '--porcelain')).toBe('')
    expect(lab.git('for-each-ref', '--format=%(refname)').trim().split('\n')).toEqual([
      'refs/heads/other',
      'refs/heads/trunk',
      'refs/tags/v1',
    ])
  })

  // promise: deletes one, by its exact
  test('words that are not saved yet count, and it says that they are in no commit; with --json the same', async () => {
    const lab = await workspaceLab()
    const claude = new ClaudeSession(lab)
    await claude.command('workspace.brainstorm', 'API design')
    await claude.turn('and what of the kumquats?')
    const { stderr } = await lab.cortext(['delete', '1'])
    expect(stderr).toContain('4 messages; the last words (assistant): "answer to and what of the kumquats?"')
    expect(stderr).toContain('it is being recorded now')
    expect(await lab.json(['delete', '1', '--yes', '--json'])).toMatchObject({
      title: 'API design',
      messages: 4,
      last: { role: 'assistant', text: 'answer to and what of the kumquats?' },
      git: { held: false },
    })
  })
})

/** The path of a conversation that was held and stopped. */
async function stopped(lab: Lab): Promise<string> {
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'API design')
  await claude.turn('zebras?')
  return (await lab.json<{ path: string }>(['stop', '1', '--json'])).path
}
