import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { type Lab, workspaceLab } from '../../helpers/workspace-lab.ts'

interface Why {
  wrote: { id: string; name: string; at?: string; asked: string; said: string } | null
  unknown: string | null
  commit: { sha: string; conversations: { id: string; how: string }[] } | null
  same_text: { id: string }[]
  discussed: { id: string; names: string }[]
}

const why = (lab: Lab, place: string) => lab.json<Why>(['why', place, '--json'])

let calls = 0

/** The agent of a session uses a tool, which does what it says. */
function uses(claude: ClaudeSession, name: string, input: object, result = 'ok', isError = false): void {
  const id = `toolu_w${++calls}`
  claude.assistant(
    [
      { type: 'text', text: `I use ${name}.` },
      { type: 'tool_use', id, name, input },
    ],
    'tool_use',
  )
  claude.user([{ type: 'tool_result', tool_use_id: id, content: result, is_error: isError }])
}

function put(lab: Lab, path: string, text: string): void {
  mkdirSync(dirname(join(lab.root, path)), { recursive: true })
  writeFileSync(join(lab.root, path), text)
}

function edits(lab: Lab, claude: ClaudeSession, path: string, before: string, after: string): void {
  const text = readFileSync(join(lab.root, path), 'utf8')
  expect(text).toContain(before)
  put(
    lab,
    path,
    text.replace(before, () => after),
  )
  const input = { file_path: join(lab.root, path), old_string: before, new_string: after }
  uses(claude, 'Edit', input)
}

/** The sessions of a lab begin a minute ago. What was there before them is an hour old. */
function commit(lab: Lab, message: string, ago = 0): string {
  const date = new Date(Date.now() - ago).toISOString()
  const env = { ...lab.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }
  lab.git('add', '--all', '--', 'src')
  execFileSync('git', ['commit', '--quiet', '-m', message], { cwd: lab.root, env })
  return lab.git('rev-parse', 'HEAD').trim()
}

const AN_HOUR = 3600_000

async function edited() {
  const lab = await workspaceLab()
  put(lab, 'src/a.ts', 'const first = 1\nconst second = 2\n')
  commit(lab, 'By hand', AN_HOUR)
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'Numbers')
  claude.user('make the second one three')
  edits(lab, claude, 'src/a.ts', 'second = 2', 'second = 3')
  return { lab, claude }
}

test('a line that a conversation wrote names it, with the prompt and the command that opens it; other lines name none', async () => {
  const { lab } = await edited()
  const { wrote } = await why(lab, 'src/a.ts:2')
  expect(wrote).toMatchObject({ asked: 'make the second one three', said: 'I use Edit.' })
  expect(
    (await lab.json<{ messages: unknown[] }>(['show', wrote!.id, '--at', wrote!.at!, '--json'])).messages,
  ).not.toEqual([])
  expect(await why(lab, 'src/a.ts:1')).toMatchObject({
    wrote: null,
    unknown: expect.stringContaining('No conversation'),
  })
  const { stdout } = await lab.cortext(['why', 'src/a.ts:2'])
  expect(stdout).toContain(`→ cortext show ${wrote!.name} --at ${wrote!.at}`)
  expect(stdout).toContain('asked: make the second one three')
})

test('a line is named when it is saved and committed, from a subfolder, and after a rename of the file', async () => {
  const { lab, claude } = await edited()
  await lab.json(['stop', '--json'], { env: claude.env })
  commit(lab, 'Three')
  const { wrote } = await why(lab, 'src/a.ts:2')
  expect(wrote).not.toBeNull()
  expect(await lab.json(['why', 'a.ts:2', '--json'], { cwd: join(lab.root, 'src') })).toMatchObject({ wrote })
  lab.git('mv', 'src/a.ts', 'src/b.ts')
  commit(lab, 'Renamed')
  expect((await why(lab, 'src/b.ts:2')).wrote).toEqual(wrote)
  expect((await why(lab, 'src/b.ts:1')).wrote).toBeNull()
})

const LINE = 'export const rate = limitOf(client, 12)'

async function committedByAgent() {
  const { lab, claude } = await edited()
  claude.user('add the rate, and commit')
  edits(lab, claude, 'src/a.ts', 'const first = 1\n', `const first = 1\n${LINE}\n`)
  const sha = commit(lab, 'Add a rate')
  uses(
    claude,
    'Bash',
    { command: 'git commit -am rate' },
    `[trunk ${sha.slice(0, 7)}] Add a rate\n 1 file changed`,
  )
  return { lab, claude, sha }
}

test('the answer names the conversation in which the commit of a line was made, or which it saved', async () => {
  const { lab, claude, sha } = await committedByAgent()
  const { wrote, commit } = await why(lab, 'src/a.ts:2')
  expect(commit).toMatchObject({ sha, conversations: [{ id: wrote!.id, how: 'made in it' }] })
  const { path } = await lab.json<{ path: string }>(['stop', '--json'], { env: claude.env })
  // The record is saved now, and git shortened the name of the commit to seven digits in it.
  expect((await why(lab, 'src/a.ts:2')).commit).toMatchObject({ conversations: [{ how: 'made in it' }] })
  const message = lab.git('log', '-1', '--format=%B')
  expect(message.trim().split('\n').at(-1)).toBe(`Conversation: ${path.split('/').slice(-2).join('/')}`)
  expect(lab.git('log', '-1', '--format=%(trailers:key=Conversation,valueonly)').trim()).toBe(
    path.split('/').slice(-2).join('/'),
  )
  const saved = await why(lab, `${path}/.session/session.json:1`)
  expect(saved).toMatchObject({
    wrote: null,
    commit: { conversations: [{ id: wrote!.id, how: 'saved it' }] },
  })
})

test('a line that a shell command wrote names the commit, and no conversation as its writer', async () => {
  const { lab, claude } = await edited()
  claude.user('use sed')
  put(lab, 'src/a.ts', 'const first = 1 + 41\nconst second = 3\n')
  uses(claude, 'Bash', { command: "sed -i 's/1$/1 + 41/' src/a.ts" }, '')
  const sha = commit(lab, 'By sed')
  uses(claude, 'Bash', { command: 'git commit -am sed' }, `[trunk ${sha.slice(0, 7)}] By sed`)
  const found = await why(lab, 'src/a.ts:1')
  expect(found).toMatchObject({ wrote: null, commit: { conversations: [{ how: 'made in it' }] } })
  expect(found.unknown).toMatch(/command there may have written it \(sed/)
})

// promise: What nobody can know is said to be unknown
test('a line that a person changed later names nobody, committed or not, and a failed edit wrote nothing', async () => {
  const { lab, claude } = await committedByAgent()
  put(lab, 'src/a.ts', `const first = 1\n${LINE} // by hand\nconst second = 3\n`)
  expect((await why(lab, 'src/a.ts:2')).wrote).toBeNull()
  commit(lab, 'By hand')
  expect((await why(lab, 'src/a.ts:2')).wrote).toBeNull()
  const failing = { file_path: join(lab.root, 'src/a.ts'), old_string: 'x', new_string: `${LINE} // by hand` }
  uses(claude, 'Edit', failing, 'String to replace not found', true)
  expect((await why(lab, 'src/a.ts:2')).wrote).toBeNull()
})

test('a line that was there before an edit with the same text names nobody', async () => {
  const { lab, claude } = await edited()
  put(lab, 'src/b.ts', `${LINE}\nconst rest = 1\n`)
  commit(lab, 'By hand too', AN_HOUR)
  const input = { file_path: join(lab.root, 'src/b.ts'), content: `${LINE}\nconst rest = 2\n` }
  put(lab, 'src/b.ts', input.content)
  uses(claude, 'Write', input)
  expect((await why(lab, 'src/b.ts:1')).wrote).toBeNull()
  expect((await why(lab, 'src/b.ts:2')).wrote).not.toBeNull()
})

test('a line keeps its conversation after a rebase and after a squash', async () => {
  const { lab } = await committedByAgent()
  const before = (await why(lab, 'src/a.ts:2')).wrote
  lab.git('checkout', '--quiet', '-b', 'other', 'HEAD~1')
  put(lab, 'src/c.ts', 'const other = 1\n')
  commit(lab, 'Other')
  lab.git('rebase', '--quiet', 'other', 'trunk')
  expect((await why(lab, 'src/a.ts:2')).wrote).toEqual(before)
  put(lab, 'src/a.ts', `const zero = 0\n${readFileSync(join(lab.root, 'src/a.ts'), 'utf8')}`)
  commit(lab, 'More')
  lab.git('reset', '--quiet', '--soft', 'HEAD~2')
  commit(lab, 'All in one')
  expect((await why(lab, 'src/a.ts:3')).wrote).toEqual(before)
  expect((await why(lab, 'src/a.ts:1')).wrote).toBeNull()
})

// promise: says which conversation wrote a line, or which edited a file, and who spoke of it
test('a whole file lists its editors with their edits and lines, and apart from them who mentioned it', async () => {
  const { lab, claude } = await committedByAgent()
  await lab.json(['stop', '--json'], { env: claude.env })
  const other = new ClaudeSession(lab)
  await other.command('workspace.plan', 'Talk')
  other.say('look at src/a.ts:2', 'it limits')
  const found = await lab.json<{ conversations: object[]; discussed: object[] }>([
    'why',
    'src/a.ts',
    '--json',
  ])
  expect(found.conversations).toMatchObject([{ title: 'Numbers', edits: 2, lines: [[2, 3]] }])
  expect(found.discussed).toMatchObject([{ title: 'Talk', asked: 'look at src/a.ts:2' }])
  expect((await why(lab, 'src/a.ts:2')).discussed).toMatchObject([{ names: 'line' }])
  expect((await why(lab, 'src/a.ts:1')).discussed).toMatchObject([{ names: 'file', title: 'Talk' }])
})

test('outside git only the record names the writer', async () => {
  const lab = await workspaceLab({ git: 'none' })
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'Alone')
  put(lab, 'a.ts', `${LINE}\nconst mine = 1\n`)
  uses(claude, 'Write', { file_path: join(lab.root, 'a.ts'), content: `${LINE}\n` })
  expect((await why(lab, 'a.ts:1')).wrote).not.toBeNull()
  expect((await why(lab, 'a.ts:2')).wrote).toBeNull()
})

test('a line whose edit a fork has copied names the original conversation', async () => {
  const { lab, claude } = await edited()
  const { id } = await lab.json<{ id: string }>(['stop', '--json'], { env: claude.env })
  await lab.json(['fork', id, '--title', 'Other', '--json'])
  expect((await why(lab, 'src/a.ts:2')).wrote!.id).toBe(id)
})

test('an unknown file or line is refused with the command to run instead', async () => {
  const { lab } = await edited()
  for (const [place, words, fix] of [
    ['../x.ts:1', 'is not a file of this workspace', 'cortext why src/a.ts:12'],
    ['src/a.ts:99', 'has 2 lines', 'cortext why src/a.ts'],
    ['a.ts:2', 'is not there', 'cortext why src/a.ts:2'],
    ['src/aa.py', 'there is no src/aa.py', 'cortext search aa.py'],
    ['src/none.ts:1', 'is not there', 'cortext search none.ts'],
    ['src/none.ts', 'there is no src/none.ts', 'cortext search none.ts'],
  ] as const) {
    const { code, stderr } = await lab.cortext(['why', place])
    expect({ place, code, stderr }).toMatchObject({ code: expect.not.toBeOneOf([0]) })
    expect(stderr).toContain(words)
    expect(stderr).toContain(`fix: ${fix}\n`)
  }
  lab.git('rm', '--quiet', '-f', 'src/a.ts')
  expect((await lab.cortext(['why', 'src/a.ts:2'])).stderr).toContain('fix: cortext why src/a.ts\n')
  put(lab, 'src/settings.ts', 'const one = 1\n')
  commit(lab, 'Settings')
  expect((await lab.cortext(['why', 'src/setings.ts:1'])).stderr).toContain(
    'fix: cortext why src/settings.ts:1\n',
  )
})
