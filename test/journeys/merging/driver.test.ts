import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { tempFolder } from '../../helpers/repository.ts'
import { BIN, type Lab, workspaceLab } from '../../helpers/workspace-lab.ts'

const PATH = 'conversations/2026-11-21/001-brainstorm-api-design'
const SESSION = `${PATH}/.session/session.json`

// promise: It names node and cortext by their whole paths
test('E-21 git merges two clones by itself where its PATH has neither cortext nor node, also in a clone that never ran init', async () => {
  const lab = await begun()
  const other = join(dirname(lab.root), 'clone')
  execFileSync('git', ['clone', '--quiet', lab.root, other], { env: lab.env })
  goOn(lab.root, lab, { title: 'Renamed' }, ['ours'])
  goOn(other, lab, { context_summary: 'by the other' }, ['theirs', 'theirs again'])
  // A verb that changes something is enough.
  expect((await lab.cortext(['save', '001'], { cwd: other })).code).toBe(0)
  git(other, lab, 'checkout', '--quiet', '--', '.')
  git(other, lab, 'pull', '--quiet', '--no-rebase', '--no-edit')
  expect(session(other)).toMatchObject({
    title: 'Renamed',
    context_summary: 'by the other',
    message_count: 4,
  })
  git(lab.root, lab, 'pull', '--quiet', '--no-rebase', '--no-edit', other)
  expect(session(lab.root)).toEqual(session(other))
  expect(lab.git('status', '--porcelain')).toBe('')
})

test('the merge driver works when the program’s path has characters that sh, git or its configuration read otherwise', async () => {
  const lab = await begun(linkedProgram(`it's 100%O "here" \\ $HOME é`))
  merges(lab)
  git(lab.root, lab, 'merge', '--quiet', '--no-edit', 'other')
  expect(session(lab.root)).toMatchObject({ title: 'Renamed', context_summary: 'by the other' })
})

// promise: It names node and cortext
test('when the program has moved, doctor says what is gone, and the next verb that changes something names its new path and settles what git left', async () => {
  const program = linkedProgram('old')
  const lab = await begun(program)
  merges(lab)
  renameSync(program, `${program}-moved`)
  expect(() => git(lab.root, lab, 'merge', '--quiet', '--no-edit', 'other')).toThrow()
  const { stdout } = await lab.cortext(['doctor'])
  expect(stdout).toContain(`the merge driver of session.json names ${program}, which is gone`)
  expect(stdout).toContain('a merge has left 1 with a conflict in session.json')
  expect((await lab.cortext(['save', PATH])).stderr).toContain('Joined both sides of a git conflict')
  expect(session(lab.root)).toMatchObject({ title: 'Renamed', context_summary: 'by the other' })
  const { stdout: now } = await lab.cortext(['doctor'])
  expect(now).not.toContain('which is gone')
  expect(now).not.toContain('a merge has left')
  expect(lab.git('config', 'merge.cortext.driver')).toContain(BIN)
})

test('git’s configuration keeps another cortext program that exists: two programs do not overwrite each other’s path', async () => {
  const program = linkedProgram('first')
  const lab = await begun(program)
  const before = readFileSync(join(lab.root, '.git/config'))
  for (const args of [['save', PATH], ['doctor', '--fix'], ['init']]) await lab.cortext(args)
  expect(readFileSync(join(lab.root, '.git/config'))).toEqual(before)
  expect(lab.git('config', 'merge.cortext.driver')).toContain(program)
})

// promise: A cortext in the work tree itself (`node_modules`) is never named by its path
test('a program in the work tree is not named by its path: another branch may have another program there', async () => {
  const lab = await workspaceLab({ init: 'none' })
  const program = join(lab.root, 'node_modules/.bin/cortext')
  mkdirSync(dirname(program), { recursive: true })
  symlinkSync(BIN, program)
  execFileSync(process.execPath, [program, 'init', '--shared'], { cwd: lab.root, env: lab.env })
  expect(lab.git('config', 'merge.cortext.driver')).toMatch(/^cortext merge-session /)
})

/** Git as a graphical client runs it: on its PATH there is git, and nothing else. */
function git(root: string, lab: Lab, ...args: string[]): string {
  const bin = tempFolder()
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  symlinkSync(real, join(bin, 'git'))
  return execFileSync(real, args, {
    cwd: root,
    env: { ...lab.env, PATH: bin },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Cortext under another name, as a package manager links it. */
function linkedProgram(name: string): string {
  const folder = join(tempFolder(), name)
  mkdirSync(folder)
  symlinkSync(BIN, join(folder, 'cortext'))
  return join(folder, 'cortext')
}

async function begun(program = BIN): Promise<Lab> {
  const lab = await workspaceLab({ init: 'none' })
  execFileSync(process.execPath, [program, 'init', '--shared'], { cwd: lab.root, env: lab.env })
  mkdirSync(join(lab.root, PATH, '.session'), { recursive: true })
  writeFileSync(join(lab.root, SESSION), `${JSON.stringify(BEGUN, null, 2)}\n`)
  say(lab.root, 'begin')
  lab.git('add', '--all')
  lab.git('commit', '--quiet', '--message=begun')
  return lab
}

const BEGUN = {
  version: '1.0',
  conversation_id: '001-brainstorm-api-design',
  conversation_type: 'brainstorm',
  title: 'API design',
  status: 'paused',
  created_at: '2026-11-21T10:00:00.000Z',
  last_active: '2026-11-21T10:00:00.000Z',
  message_count: 1,
  token_count: 1,
  agent_sessions: [],
  origin: 'aaaaaaaaaaaa',
}

/** A branch on which it went on otherwise than here. */
function merges(lab: Lab): void {
  lab.git('checkout', '--quiet', '-b', 'other')
  goOn(lab.root, lab, { context_summary: 'by the other' }, ['theirs'])
  lab.git('checkout', '--quiet', 'trunk')
  goOn(lab.root, lab, { title: 'Renamed' }, ['ours', 'ours again'])
}

function goOn(root: string, lab: Lab, change: object, texts: readonly string[]): void {
  const known = session(root)
  const last_active = `2026-11-21T11:0${texts.length}:00.000Z`
  const message_count = Number(known.message_count) + texts.length
  for (const text of texts) say(root, text)
  writeFileSync(
    join(root, SESSION),
    `${JSON.stringify({ ...known, ...change, last_active, message_count }, null, 2)}\n`,
  )
  execFileSync('git', ['commit', '--quiet', '--all', `--message=${texts}`], { cwd: root, env: lab.env })
}

function say(root: string, text: string): void {
  const line = { id: text, role: 'user', content: text, timestamp: '2026-11-21T11:00:00.000Z' }
  appendFileSync(
    join(root, PATH, '.session/messages.jsonl'),
    `${JSON.stringify({ ...line, origin: 'aaaaaaaaaaaa' })}\n`,
  )
}

function session(root: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(root, SESSION), 'utf8'))
}
