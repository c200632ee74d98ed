import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesBelow, type Lab, type Run, workspaceLab } from '../../helpers/workspace-lab.ts'
import { conversation } from '../bad-world.ts'

/** A hang fails the test. */
const timeout = 20_000

const VERBS = ['list', 'save', 'doctor', 'doctor --fix', 'init', 'agent list', 'uninstall']

describe('a repository that came as an archive, with links or pipes among the machine state', () => {
  const plants: [string, (local: string, secrets: string) => void][] = [
    ['the log, a link to a file', (local, to) => link(join(to, 'rc'), join(local, 'log'))],
    ['the log, a pipe', (local) => pipe(join(local, 'log'))],
    ['the locks, a link', (local, to) => link(to, join(local, 'locks'))],
    ['a lock, a link', (local, to) => link(to, join(local, 'locks', 'index.lock'))],
    ['the bindings, a link', (local, to) => link(to, join(local, 'bindings'))],
    ['the notes of open sessions, a link', (local, to) => link(to, join(local, 'open-sessions'))],
    ['one of the journals, a link', (local, to) => link(to, join(local, 'journal', 'claude'))],
    ['all of it, a link', (local, to) => link(to, local)],
  ]

  // promise: before its first use here that folder is searched, and with a link or a pipe in it nothing
  test.each(plants)('%s: its name is reported, and nothing outside changes', async (_, plant) => {
    const { lab, secrets } = await archive()
    plant(join(lab.root, '.git/cortext'), secrets)
    const before = filesBelow(secrets)
    for (const verb of VERBS) {
      const { code, stdout, stderr } = await lab.cortext(verb.split(' '), { timeout })
      expect(code, verb).toBe(1)
      expect(stdout + stderr, verb).toMatch(
        /\.git\/cortext.* is a link, or not the kind of file that belongs there; cortext did not make it/,
      )
    }
    const told = await hook(lab)
    expect(told.code).toBe(0)
    expect(JSON.parse(told.stdout).systemMessage).toContain('could not record this')
    expect(filesBelow(secrets)).toEqual(before)
  })

  // promise: before its first use here
  test('machine state of only plain files is searched once, and then it is used', async () => {
    const { lab } = await archive()
    const list = join(lab.home, '.local/state/cortext/workspaces')
    expect(existsSync(list)).toBe(false)
    expect((await lab.cortext(['list', '--all'])).stdout).toContain('Topic')
    const line = `${JSON.stringify(['git', join(lab.root, '.git/cortext')])}\n`
    expect(readFileSync(list, 'utf8')).toBe(line)
    await lab.cortext(['list'])
    await hook(lab)
    expect(readFileSync(list, 'utf8')).toBe(line)
    await lab.json(['stop', '--json'])
    await lab.json(['uninstall', '--json'])
    expect(readFileSync(list, 'utf8')).toBe('')
  })
})

describe('a .git that is not what it seems', () => {
  test.each(['list', 'doctor', 'agent list', 'save', 'init', 'uninstall'])(
    'no verb waits for a pipe: %s',
    async (verb) => {
      const lab = await workspaceLab({ git: 'none' })
      pipe(join(lab.root, '.git'))
      expect((await lab.cortext(verb.split(' '), { timeout })).code).toBeLessThan(2)
      expect((await hook(lab)).code).toBe(0)
    },
  )

  test('one that names another repository as its common folder gets no talk of that repository', async () => {
    const { lab } = await archive()
    const other = join(dirname(lab.root), 'other')
    mkdirSync(join(other, '.git'), { recursive: true })
    mkdirSync(join(other, '.workspace'))
    writeFileSync(join(other, '.git/HEAD'), 'ref: refs/heads/main\n')
    writeFileSync(join(other, '.git/commondir'), join(lab.root, '.git'))
    expect((await lab.cortext(['list', '--all'], { cwd: other })).stdout).not.toContain('Topic')
    await lab.cortext(['save', '001'], { cwd: other })
    expect(existsSync(join(other, 'conversations'))).toBe(false)
  })
})

test('an export is not written through a link in the workspace, but through a link elsewhere', async () => {
  const { lab, secrets } = await archive()
  link(join(secrets, 'rc'), join(lab.root, 'out.md'))
  const refused = await lab.cortext(['export', '001', '--output', 'out.md'])
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('symbolic link') })
  expect(readFileSync(join(secrets, 'rc'), 'utf8')).toBe('secret\n')
  const [target, way] = [join(lab.home, 'target.md'), join(lab.home, 'way.md')]
  link(target, way)
  await lab.cortext(['export', '001', '--output', way])
  expect(readFileSync(target, 'utf8')).toContain('Topic')
})

/** A workspace with a conversation, as a machine meets it that has never seen it; and a folder beside it. */
async function archive(): Promise<{ lab: Lab; secrets: string }> {
  const lab = await workspaceLab()
  await conversation(lab)
  rmSync(join(lab.home, '.local/state/cortext'), { recursive: true, force: true })
  const secrets = join(lab.home, 'secrets')
  mkdirSync(join(secrets, 'deep'), { recursive: true })
  writeFileSync(join(secrets, 'rc'), 'secret\n')
  writeFileSync(join(secrets, 'config.json'), '{"auths": {}}\n')
  writeFileSync(join(secrets, 'deep', 'a.c'), 'int main;\n')
  return { lab, secrets }
}

function hook(lab: Lab): Promise<Run> {
  const event = { hook_event_name: 'Stop', session_id: 'a', transcript_path: '', cwd: lab.root }
  return lab.cortext(['hook', 'claude'], {
    timeout,
    input: JSON.stringify(event),
  })
}

function link(to: string, place: string): void {
  rmSync(place, { recursive: true, force: true })
  mkdirSync(dirname(place), { recursive: true })
  symlinkSync(to, place)
}

function pipe(place: string): void {
  rmSync(place, { recursive: true, force: true })
  execFileSync('mkfifo', [place])
}
