import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { clientList } from '../../src/clients/index.ts'
import { ClaudeSession } from '../helpers/claude-session.ts'
import { codes, doctorLab, snapshot, VERSIONS } from '../helpers/doctor-lab.ts'
import { documentAt } from '../helpers/documents.ts'
import { putProgram } from '../helpers/stand-ins.ts'

// promise: It only reads; `cortext doctor --fix` brings
test('doctor in a healthy workspace: exit 0, every client and its version, where the workspace is, and nothing is written', async () => {
  const lab = await doctorLab()
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'API Design')
  await claude.command('workspace.stop-conversation', '', () => lab.cortext(['stop'], { env: claude.env }))
  // From then on a verb that keeps an index would write one.
  await sleep(2_100)
  const before = snapshot(dirname(lab.root))
  const run = await lab.cortext(['doctor'])
  expect(snapshot(dirname(lab.root))).toEqual(before)
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, stderr: '' })
  for (const said of ['Claude Code 2.1.330, tested', 'OpenCode 1.18.33, tested', 'Gemini CLI 0.61.0, tested'])
    expect(run.stdout).toContain(said)
  expect(run.stdout).toContain(`${lab.root}, shared`)
  expect(run.stdout).toContain('1 conversation, all readable')
  expect(run.stdout).not.toMatch(/PROBLEM/)
  expect(run.stdout).toMatch(/All is well/)
})

test('a second doctor during a conversation writes nothing either, and finds nothing wrong', async () => {
  const lab = await doctorLab({ init: 'private' })
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'API Design')
  await claude.turn('more')
  const before = snapshot(dirname(lab.root))
  const { problems, code } = await lab.doctor()
  expect(problems).toEqual([])
  expect(code).toBe(0)
  expect(snapshot(dirname(lab.root))).toEqual(before)
})

// promise: looks at the clients, what `init` wrote for them, the recording, the record and git
test('--json is one document with the findings by section, each with code and severity', async () => {
  const lab = await doctorLab()
  const { diagnosis, stdout } = await lab.doctor()
  expect(JSON.parse(stdout)).toEqual(diagnosis)
  expect(diagnosis).toMatchObject({ root: lab.root, problems: 0 })
  expect(diagnosis.sections.map(({ title }) => title)).toEqual([
    'This program',
    'Clients',
    'Workspace',
    'Recording',
    'Conversations',
    'Sessions of the clients',
    'Git',
  ])
})

test('doctor without a workspace shows the clients and how to make one, and writes nothing, not even with --fix', async () => {
  const lab = await doctorLab({ init: 'none' })
  rmSync(join(lab.bin, 'gemini'))
  const before = snapshot(dirname(lab.root))
  for (const args of [[], ['--fix']]) {
    const { diagnosis, notes, code } = await lab.doctor(...args)
    expect(code).toBe(0)
    expect(diagnosis).not.toHaveProperty('root')
    expect(diagnosis.sections[1]!.findings).toContainEqual({
      severity: 'ok',
      code: 'not-installed',
      message: 'not installed: Gemini CLI',
    })
    expect(notes).toMatchObject([{ code: 'no-workspace', fix: 'cortext init' }])
  }
  expect(snapshot(dirname(lab.root))).toEqual(before)
})

test('doctor notes that no client is installed, and names them', async () => {
  const lab = await doctorLab({ init: 'none' })
  for (const id of Object.keys(VERSIONS)) rmSync(join(lab.bin, id))
  const { notes } = await lab.doctor()
  expect(notes).toMatchObject([
    {
      code: 'not-installed',
      message: `not installed: ${clientList()
        .map(({ name }) => name)
        .join(', ')}`,
    },
    { code: 'no-workspace' },
  ])
})

// promise: `cortext doctor` says what is wrong, and what to do about it.
// promise: What needs your choice is a line to paste.
// promise: says what is wrong with clients, hooks, recording or record, and what to do about it
test('a problem: exit 1, and the command that solves it is below it', async () => {
  const lab = await doctorLab()
  rmSync(join(lab.bin, 'cortext'))
  const run = await lab.cortext(['doctor'])
  expect(run.code).toBe(1)
  expect(run.stdout).toMatch(/PROBLEM +cortext \S+ is not on PATH.*\n +→ npm install -g cortext\n/)
  expect(run.stdout).toMatch(/^1 problem/m)
})

test('docs/doctor.md shows the real output of doctor', async () => {
  const lab = await doctorLab({ init: 'none' })
  for (const id of Object.keys(VERSIONS).filter((id) => !['claude', 'codex'].includes(id)))
    rmSync(join(lab.bin, id))
  await lab.cortext(['init', '--shared'])
  rmSync(join(lab.root, '.claude', 'commands', 'workspace.plan.md'))
  lab.put(join(lab.home, '.claude', 'settings.json'), '{"disableAllHooks": true}')
  const { stdout } = await lab.cortext(['doctor'])
  const said = stdout
    .replaceAll(lab.root, '/home/ada/notes')
    .replaceAll(`${lab.bin}/cortext`, '/usr/local/bin/cortext')
    .replaceAll(lab.home, '/home/ada')
    .replace(process.versions.node, '20.20.2')
    .replace(/(not installed: ).*/, '$1…')
  const [, shown] = /^\$ cortext doctor\n([\s\S]*?)^```$/m.exec(documentAt('docs/doctor.md')) ?? []
  expect(said, 'paste this into docs/doctor.md').toBe(shown)
})

test('doctor reports hooks that call another version of cortext, or one that does not work', async () => {
  const lab = await doctorLab()
  putProgram(lab.bin, 'cortext', 'echo 0.0.1')
  expect((await lab.doctor()).problems).toMatchObject([
    { code: 'other-version', message: expect.stringContaining(`0.0.1 (${lab.bin}/cortext)`) },
  ])
  putProgram(lab.bin, 'cortext', 'echo "no such module" >&2; exit 1')
  expect((await lab.doctor()).problems).toMatchObject([
    { code: 'program-fails', message: expect.stringContaining('exit code 1: no such module') },
  ])
})

// promise: `cortext doctor` says what
// promise: says what is wrong
test('E-30 --fix brings what init wrote up to date, keeps what a person edited, and a second one finds nothing', async () => {
  const lab = await doctorLab()
  const [command, plugin, edited] = [
    '.claude/commands/workspace.plan.md',
    '.opencode/plugins/cortext.js',
    '.gemini/commands/workspace.debug.toml',
  ].map((path) => join(lab.root, path)) as [string, string, string]
  const settings = join(lab.root, '.claude', 'settings.local.json')
  const asMade = [plugin, settings, command].map((path) => readFileSync(path, 'utf8'))
  rmSync(command)
  writtenByAnOlderVersion(lab.root, '.opencode/plugins/cortext.js')
  writeFileSync(edited, 'description = "mine"\nprompt = "mine"\n')
  writeFileSync(settings, '{"model": "opus"}\n')
  rmSync(join(lab.root, '.gitattributes'))

  const before = snapshot(dirname(lab.root))
  const { problems, notes, code } = await lab.doctor()
  expect(snapshot(dirname(lab.root))).toEqual(before)
  expect(code).toBe(1)
  expect(problems.map(({ message }) => message)).toEqual([
    'Git: missing: .gitattributes',
    'Claude Code: missing: .claude/commands/workspace.plan.md',
    'Claude Code: not as this version writes it: .claude/settings.local.json',
    'OpenCode: not as this version writes it: .opencode/plugins/cortext.js',
  ])
  expect(problems.every(({ fixable }) => fixable === true)).toBe(true)
  expect(notes).toMatchObject([{ code: 'edited', message: expect.stringContaining('workspace.debug.toml') }])

  const fixed = await lab.doctor('--fix')
  expect(fixed).toMatchObject({ code: 0, problems: [] })
  expect(fixed.diagnosis.done?.sort()).toEqual([
    'made .claude/commands/workspace.plan.md',
    'made .gitattributes',
    'updated .claude/settings.local.json',
    'updated .opencode/plugins/cortext.js',
  ])
  expect(readFileSync(edited, 'utf8')).toContain('mine')
  expect(readFileSync(settings, 'utf8')).toContain('"model"')
  expect([plugin, command].map((path) => readFileSync(path, 'utf8'))).toEqual([asMade[0], asMade[2]])

  const fixedOnce = snapshot(lab.root)
  const again = await lab.cortext(['doctor', '--fix'])
  expect(again.stdout).toContain('There was nothing to fix.')
  expect(snapshot(lab.root)).toEqual(fixedOnce)
})

test('doctor --fix sets up no client in a workspace that has none', async () => {
  const lab = await doctorLab({ init: 'none' })
  lab.put(join(lab.root, '.workspace', 'config.json'), '{"visibility": "private"}')
  const before = snapshot(lab.root)
  const { problems } = await lab.doctor('--fix')
  expect(codes(problems)).toEqual(['not-set-up', 'private-seen'])
  expect(snapshot(lab.root)).toEqual(before)
})

test.each([
  ['.workspace/config.json', '{"autoPause": 7}'],
  ['.git/cortext/manifest.json', '[]'],
  ['.workspace/registry.json', 'x'],
  ['.claude/settings.local.json', '{"hooks": '],
])('%s that cannot be read is reported, also after --fix, and is not overwritten', async (path, content) => {
  const lab = await doctorLab()
  lab.put(join(lab.root, path), content)
  for (const args of [[], ['--fix']]) {
    const { problems, code, diagnosis } = await lab.doctor(...args)
    expect(code).toBe(1)
    expect(problems).toMatchObject([{ code: 'corrupt', message: expect.stringContaining(path) }])
    if (args.length > 0) expect(diagnosis.failed?.length).toBeGreaterThan(0)
  }
  expect(readFileSync(join(lab.root, path), 'utf8')).toBe(content)
})

test('doctor reports a client that is installed and not set up here, and says nothing of one that is set up and not installed', async () => {
  const lab = await doctorLab({ init: 'none' })
  const others = clientList().filter(({ id }) => id !== 'opencode')
  await lab.cortext(['init', '--in', ...others.map(({ id }) => id), '--shared'])
  rmSync(join(lab.bin, 'gemini'))
  // Its settings are not this person's matter.
  rmSync(join(lab.home, '.gemini', 'trustedFolders.json'))
  const { problems, notes } = await lab.doctor()
  expect(problems).toEqual([])
  expect(notes).toMatchObject([
    { code: 'not-set-up', message: expect.stringContaining('OpenCode'), fix: 'cortext init --in opencode' },
  ])
})

/** As if another version had made a file: another text, and the manifest knows it. */
function writtenByAnOlderVersion(root: string, path: string): void {
  const manifest = join(root, '.git/cortext/manifest.json')
  const known = JSON.parse(readFileSync(manifest, 'utf8'))
  const client = Object.keys(known.rendered).find((id) => known.rendered[id][path] !== undefined)!
  const other = Object.entries(known.rendered[client] as Record<string, string>).find(
    ([name]) => name !== path,
  )!
  writeFileSync(join(root, path), readFileSync(join(root, other[0])))
  known.rendered[client][path] = other[1]
  writeFileSync(manifest, `${JSON.stringify(known, undefined, 2)}\n`)
}

// promise: `init` and `doctor` say so, and so does every save.
test('E-20 a workspace whose settings turn redaction off: doctor and init say it', async () => {
  const lab = await doctorLab()
  const said = 'redact is off'
  expect((await lab.cortext(['init'])).stdout).not.toContain(said)
  lab.put(join(lab.root, '.workspace', 'config.json'), '{ "visibility": "shared", "redact": false }\n')
  const { problems, code } = await lab.doctor()
  expect(codes(problems)).toContain('not-redacted')
  expect(code).toBe(1)
  expect((await lab.cortext(['init'])).stdout).toContain(said)
  expect(JSON.parse((await lab.cortext(['init', '--json'])).stdout)).toMatchObject({ redact: false })
})
