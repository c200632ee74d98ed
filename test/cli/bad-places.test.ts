import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesBelow, sessionFile, shown, talk, workspaceLab } from '../helpers/workspace-lab.ts'
import { conversation, failed, SAID, stopped } from './bad-world.ts'

test('a folder that may not be written: the error names the path, nothing is lost, reading works', async () => {
  const lab = await workspaceLab()
  const { claude, path } = await conversation(lab)
  await lab.json(['save', '001', '--json'])
  claude.say('more')
  writeFileSync(join(lab.home, '.gitconfig'), '[safe]\n\tdirectory = *\n')
  chmodSync(dirname(lab.root), 0o755)
  openToAll(join(lab.root, '.git', 'cortext'))
  const wrap =
    process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : ['env']
  if (process.getuid?.() !== 0) chmodSync(join(lab.root, path, '.session'), 0o555)
  expect((await lab.cortext(['list'], { wrap })).stdout).toContain('Topic')
  const refused = await lab.cortext(['save', '001', '--json'], { wrap })
  failed(refused, 'unwritable', path)
  const { fix } = JSON.parse(refused.stdout).error
  expect(existsSync(/ls -ld (.+)$/.exec(fix)?.[1] ?? ''), fix).toBe(true)
  chmodSync(join(lab.root, path, '.session'), 0o755)
  await lab.json(['save', '001', '--json'])
  expect(talk(await shown(lab, '001'))).toEqual([...SAID, 'user: more', 'assistant: answer to more'])
})

// promise: A `.workspace` of another user above your folder is passed by too
test.runIf(process.getuid?.() === 0)(
  'a workspace of another user above a folder of mine, such as one in /tmp, is not used',
  async () => {
    const lab = await workspaceLab({ git: 'none' })
    const mine = join(lab.root, 'mine')
    mkdirSync(mine)
    for (const folder of [dirname(lab.root), lab.root, lab.home, mine]) chmodSync(folder, 0o777)
    const as = (user: number) => ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups']
    const list = (user: number) => {
      const home = join(lab.home, String(user))
      mkdirSync(home, { recursive: true })
      chownSync(home, user, user)
      return lab.cortext(['list', '--json'], { cwd: mine, wrap: as(user), env: { HOME: home } })
    }
    const give = (user: number) =>
      execFileSync('chown', ['-R', `${user}:${user}`, join(lab.root, '.workspace')])
    give(4711)
    const own = await list(4711)
    expect(own.code, own.stdout).toBe(0)
    expect(JSON.parse((await list(65534)).stdout).error.code).toBe('no-workspace')
    give(0)
    expect((await list(0)).code).toBe(0)
  },
)

test('a full disk: the save fails with an error, a hook informs the person in a line, and later everything is saved', async () => {
  const lab = await workspaceLab()
  const { claude } = await conversation(lab)
  const wrap = ['sh', '-c', 'ulimit -f 16; exec "$@"', 'sh']
  claude.say('x'.repeat(50_000), 'long')
  const hook = await lab.cortext(['hook', 'claude'], {
    wrap,
    input: JSON.stringify({
      session_id: claude.id,
      transcript_path: claude.transcript,
      cwd: lab.root,
      hook_event_name: 'Stop',
    }),
  })
  expect(hook).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(hook.stdout).systemMessage).toContain('could not record')
  failed(await lab.cortext(['save', '001', '--json'], { wrap }), 'disk-full', '.jsonl')
  await claude.turn('room again')
  await lab.json(['save', '001', '--json'])
  expect(talk(await shown(lab, '001')).map((line) => line.slice(0, 30))).toEqual([
    ...SAID.map((line) => line.slice(0, 30)),
    `user: ${'x'.repeat(24)}`,
    'assistant: long',
    'user: room again',
    'assistant: answer to room agai',
  ])
})

describe('a symbolic link where a folder should be', () => {
  test('conversations/: start names it and writes nothing behind it', async () => {
    const lab = await workspaceLab()
    const elsewhere = join(lab.root, '..', 'elsewhere')
    mkdirSync(elsewhere)
    symlinkSync(elsewhere, join(lab.root, 'conversations'))
    failed(
      await lab.cortext(['start', 'brainstorm', 'T', '--json']),
      'unsafe-path',
      join(lab.root, 'conversations'),
    )
    expect(readdirSync(elsewhere)).toEqual([])
  })

  test('.session/: save names it, writes nothing behind it, and the turns stay', async () => {
    const lab = await workspaceLab()
    const { claude, path } = await conversation(lab)
    const [session, elsewhere] = [join(lab.root, path, '.session'), join(lab.root, '..', 'elsewhere')]
    mkdirSync(elsewhere)
    renameSync(session, join(lab.root, '..', 'before'))
    symlinkSync(elsewhere, session)
    failed(await lab.cortext(['save', '--json'], { env: claude.env }), 'unsafe-path', session)
    expect(readdirSync(elsewhere)).toEqual([])
    rmSync(session)
    await lab.json(['save', '--json'], { env: claude.env })
    expect(talk(await shown(lab, '001'))).toEqual(SAID)
  })

  test('messages.jsonl: what it points to is neither read nor written', async () => {
    const lab = await workspaceLab()
    const { path } = await stopped(lab)
    const [file, secret] = [join(lab.root, path, '.session', 'messages.jsonl'), join(lab.home, 'secret')]
    writeFileSync(secret, '{"id":"1","role":"user","content":"secret","timestamp":"2026-01-01T00:00:00Z"}\n')
    rmSync(file)
    symlinkSync(secret, file)
    for (const args of [
      ['show', '001', '--messages'],
      ['save', '001'],
      ['export', '001'],
    ]) {
      const run = await lab.cortext(args)
      expect(run.code).toBe(1)
      expect(run.stdout + run.stderr).not.toContain('"secret"')
      expect(run.stderr).toContain(file)
    }
    expect((await lab.cortext(['search', 'secret'])).stdout).not.toContain('user')
    expect(readFileSync(secret, 'utf8').split('\n')).toHaveLength(2)
  })
})

test('S4-P1-15 an id that leaves the folder finds nothing and changes nothing', async () => {
  const lab = await workspaceLab()
  await stopped(lab)
  mkdirSync(join(lab.root, '..', 'victim'))
  const tracked = () => Object.keys(filesBelow(lab.root)).filter((path) => !path.startsWith('.git/'))
  const before = tracked()
  for (const id of ['../../etc', '../victim', '/etc/passwd', 'conversations/../../victim', '..'])
    for (const args of [
      ['show', id],
      ['delete', id, '--yes'],
      ['stop', id],
      ['export', id],
      ['resume', id, '--print'],
    ]) {
      const run = await lab.cortext(args)
      expect(run.code, args.join(' ')).toBe(1)
      expect(run.stderr).toMatch(/^error: .*\n(.*\n)*fix: /)
    }
  expect(tracked()).toEqual(before)
  expect(existsSync(join(lab.root, '..', 'victim'))).toBe(true)
})

test('S4-P1-15 a conversation_id that leaves the folder, written by hand, is not followed', async () => {
  const lab = await workspaceLab()
  const { path } = await stopped(lab)
  const file = sessionFile(lab, path)
  writeFileSync(file, readFileSync(file, 'utf8').replace('001-brainstorm-topic', '../../../../victim'))
  mkdirSync(join(lab.root, 'victim'))
  expect((await lab.cortext(['list'])).code).toBe(0)
  await lab.json(['save', path, '--json'])
  await lab.json(['delete', path, '--yes', '--json'])
  expect(existsSync(join(lab.root, 'victim'))).toBe(true)
  expect(existsSync(join(lab.root, path))).toBe(false)
})

function openToAll(folder: string): void {
  chmodSync(folder, 0o777)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) openToAll(path)
    else chmodSync(path, 0o666)
  }
}
