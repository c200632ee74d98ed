import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ejected } from '../helpers/ejected.ts'
import { filesBelow, sessionFile, shown, talk, workspaceLab } from '../helpers/workspace-lab.ts'
import { conversation, failed, SAID, stopped } from './bad-world.ts'

test('E-7 show names each line that cannot be read, with file and number, in JSON too', async () => {
  const lab = await workspaceLab()
  const { path } = await stopped(lab)
  const file = join(lab.root, path, '.session/messages.jsonl')
  const line = readFileSync(file, 'utf8').split('\n').length
  appendFileSync(file, '{"torn')
  const { problems } = await lab.json<{ problems: object[] }>(['show', '001', '--json'])
  expect(problems).toEqual([{ path: file, line, kind: 'torn', bytes: 6 }])
  expect((await lab.cortext(['show', '001'])).stderr).toContain(`${file}:${line}: torn`)
})

describe('session.json', () => {
  test.each([
    ['not JSON', '{"version": "1.0",'],
    ['empty', ''],
    ['of another shape', '[1, 2]'],
    ['with a wrong value', '{"conversation_id": 7}'],
  ])(
    'E-7 %s: its path is named, the others are listed, the talk is read, and the next save repairs it',
    async (_, content) => {
      const lab = await workspaceLab()
      const { path } = await stopped(lab)
      await lab.json(['start', 'plan', 'Other', '--json'])
      const file = sessionFile(lab, path)
      writeFileSync(file, content)

      const list = await lab.cortext(['list', '--all'])
      expect(list.code).toBe(0)
      expect(list.stdout).toContain('Other')
      expect(list.stderr).toContain(file)
      const { broken } = await lab.json<{ broken: { path: string; code: string }[] }>(['list', '--json'])
      expect(broken).toMatchObject([{ path: file, code: 'corrupt' }])

      expect(talk(await shown(lab, '001'))).toEqual(SAID)
      await lab.json(['save', '001', '--json'])
      expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ title: 'Topic', message_count: 2 })
      const aside = readdirSync(dirname(file)).filter((name) => name.includes('broken'))
      expect(aside.map((name) => readFileSync(join(dirname(file), name), 'utf8'))).toEqual([content])
    },
  )

  test('E-7 broken in a new clone: the conversation can be read, because its folder says enough', async () => {
    const lab = await workspaceLab()
    const { path } = await stopped(lab)
    writeFileSync(sessionFile(lab, path), '{')
    rmSync(join(lab.root, '.git', 'cortext'), { recursive: true })
    expect(talk(await shown(lab, '001-brainstorm-topic'))).toEqual(SAID)
    await lab.json(['save', '001', '--json'])
    expect(JSON.parse(readFileSync(sessionFile(lab, path), 'utf8'))).toMatchObject({
      conversation_type: 'brainstorm',
      message_count: 2,
    })
  })

  test('S4-MG-2 a conversation of a newer major version is listed and shown, and never written', async () => {
    const lab = await workspaceLab()
    const { path } = await stopped(lab)
    const file = sessionFile(lab, path)
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace('"version": "1.0"', '"version": "2.0",\n  "novel": 1'),
    )
    const before = filesBelow(join(lab.root, path))
    expect((await lab.cortext(['list'])).stdout).toContain('Topic')
    expect(talk(await shown(lab, '001'))).toEqual(SAID)
    for (const args of [
      ['save', '001'],
      ['stop', '001'],
      ['edit', '001', '--title', 'New'],
      ['edit', '001', '--archive'],
    ])
      failed(await lab.cortext([...args, '--json']), 'newer-version', path)
    expect(filesBelow(join(lab.root, path))).toEqual(before)
  })
})

test('E-16 E-26 a torn line, garbage and a byte order mark are named by line, the rest is read, and an append begins a new line', async () => {
  const lab = await workspaceLab()
  const { claude, path } = await stopped(lab)
  const file = join(lab.root, path, '.session', 'messages.jsonl')
  const before = `\uFEFF${readFileSync(file, 'utf8').replaceAll('\n', '\r\n')}what is this?\n\n{"id":"half`
  writeFileSync(file, before)
  const { stdout, stderr, code } = await lab.cortext(['show', '001', '--messages'])
  expect(code).toBe(0)
  expect(stdout).toContain('answer to /workspace.brainstorm Topic')
  const lines = before.split('\n').length
  expect(stderr).toContain(`${file}:${lines - 2}: not-json`)
  expect(stderr).toContain(`${file}:${lines}: torn`)

  const resumed = await claude.command('workspace.resume', '001', () =>
    lab.cortext(['agent', 'resume', '001'], { env: claude.env }),
  )
  expect(resumed?.code).toBe(0)
  await claude.turn('after the crash')
  const saved = await lab.cortext(['save', '001'])
  expect(saved).toMatchObject({ code: 0 })
  expect(saved.stderr).toContain(`${file}:${lines}`)
  expect(readFileSync(file, 'utf8').startsWith(`${before}\n{`)).toBe(true)
  expect(talk(await shown(lab, '001'))).toEqual([
    ...SAID,
    'user: after the crash',
    'assistant: answer to after the crash',
  ])
})

test('E-28 a stop without git saves, and says why nothing was committed', async () => {
  const lab = await workspaceLab({ git: 'none' })
  const { claude, path } = await conversation(lab)
  const run = await lab.cortext(['stop', '--summary', 'so far'], { env: claude.env })
  expect(run).toMatchObject({ code: 0 })
  expect(run.stdout).toContain('Session saved.')
  expect(run.stderr).toContain('Not committed: this folder is not in a git repository')
  expect(JSON.parse(readFileSync(sessionFile(lab, path), 'utf8'))).toMatchObject({ status: 'paused' })
  // Once is enough.
  const again = await lab.cortext(['stop', '001', '--summary', 'again'])
  expect(again).toMatchObject({ code: 0, stderr: '' })
  expect(await lab.json(['stop', '001', '--json'])).toMatchObject({ notCommitted: expect.any(String) })
})

test('E-28 a stop without a git identity saves, and reports git’s error message', async () => {
  const lab = await workspaceLab()
  const { claude, path } = await conversation(lab)
  writeFileSync(join(lab.home, '.gitconfig'), '[user]\n\tuseConfigOnly = true\n')
  const nobody = {
    GIT_AUTHOR_NAME: '',
    GIT_AUTHOR_EMAIL: '',
    GIT_COMMITTER_NAME: '',
    GIT_COMMITTER_EMAIL: '',
  }
  const run = await lab.cortext(['stop'], { env: { ...claude.env, ...nobody } })
  expect(run).toMatchObject({ code: 0 })
  expect(run.stderr).toMatch(/Not committed: .*(email|ident)/is)
  expect(existsSync(sessionFile(lab, path))).toBe(true)
  expect(lab.git('diff', '--cached', '--name-only')).toBe('')
})

test('S0-D1g X-20 with .session/ ignored by git, a stop commits the document, and the conversation can still be read', async () => {
  const lab = await workspaceLab()
  appendFileSync(join(lab.root, '.gitignore'), '.session/\n')
  const { path } = await stopped(lab)
  const files = lab.git('show', '--name-only', '--format=%s', 'HEAD')
  expect(files).toContain(`${path}/brainstorm.md`)
  expect(files).not.toContain('.session')
  expect(files).toContain('[conversation] brainstorm: Topic\n')
  expect(talk(await shown(lab, '001'))).toEqual(SAID)
})

test.each([
  ['.workspace/config.json', '{"redact": "perhaps"}'],
  ['.workspace/config.json', '{'],
  ['.workspace/registry.json', '{"types": 3}'],
])(
  'a broken %s (%s): every verb names it, a hook does not break the client, a turn is not lost',
  async (name, content) => {
    const lab = await workspaceLab()
    const { claude } = await conversation(lab)
    ejected(lab.root, 'templates/registry.json')
    const file = join(lab.root, name)
    const before = readFileSync(file, 'utf8')
    writeFileSync(file, content)
    for (const args of [['list'], ['save'], ['start', 'plan', 'X'], ['init'], ['uninstall']])
      failed(await lab.cortext([...args, '--json'], { env: claude.env }), 'corrupt', file)
    await claude.turn('meanwhile')
    expect(await claude.hook('Stop')).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(readFileSync(file, 'utf8')).toBe(content)
    writeFileSync(file, before)
    expect(talk(await shown(lab, '001'))).toContain('user: meanwhile')
  },
)
