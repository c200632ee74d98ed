import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import fg from 'fast-glob'
import { describe, expect, test } from 'vitest'
import { addVerbs } from '../../src/cli/verbs.ts'
import { clientList } from '../../src/clients/index.ts'
import { MAX_LINES, MAX_TEXT } from '../../src/io/inside.ts'
import { CLIENTS } from '../e2e/install.ts'
import { HOSTILE_TEXTS } from '../extras/page/hostile.ts'
import { ClaudeSession } from '../helpers/claude-session.ts'
import { documentAt, fencesOf } from '../helpers/documents.ts'
import { ejected } from '../helpers/ejected.ts'
import { filesBelow, type Lab, shown, talk, workspaceLab } from '../helpers/workspace-lab.ts'
import { held, lines, read, stop } from '../journeys/recording/held.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

// promise: Works with Claude Code, OpenCode, Gemini CLI, Codex CLI, Pi, Qwen Code and GitHub Copilot CLI
test('the versions that docs/clients names are those that the tests drive, and the README names clients, its own version and the oldest node', () => {
  const pinned = Object.keys(JSON.parse(readFileSync(join(CLIENTS, 'package.json'), 'utf8')).dependencies)
  const table = documentAt('docs/clients/README.md')
  for (const { id, name, tested } of clientList()) {
    expect(pinned.filter((one) => one.startsWith(`${id}-`))).toEqual(tested.map((one) => `${id}-${one}`))
    expect(table).toContain(`\n| ${name} ${tested.join(', ')} | `)
  }
  const [state, named] = /^\*\*State of things\.\*\* .* Works with (.*) \(\[tested.*$/m.exec(
    documentAt('README.md'),
  )!
  const names = named!.replace(' and GitHub ', ', ').split(', ')
  expect(clientList().map(({ name }) => name)).toEqual(expect.arrayContaining(names))
  const { version, engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  expect([...state.matchAll(/\d+\.\d+(?:\.\d+)*/g)].map(([found]) => found)).toEqual([
    version,
    engines.node.slice(2),
  ])
})

// promise: `session.json` (shortened):
// promise: `messages.jsonl` (lines shortened):
test('docs/on-disk.md shows lines of messages.jsonl and session.json as they are written, with fewer keys', async () => {
  const { lab, claude, folder } = await held()
  await stop(lab, claude)
  const real = lines(folder).map((line) => JSON.parse(line))
  const told = fencesOf('docs/on-disk.md', 'jsonl')[0]!
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(told.map(({ role }) => role)).toEqual(['system', 'user', 'assistant'])
  for (const line of told) alike(line, real.find(({ role }) => role === line.role)!)
  const shown = JSON.parse(fencesOf('docs/on-disk.md', 'json')[0]!)
  alike(shown, read(folder))
  alike(shown.agent_config, read(folder).agent_config)
})

// promise: it leaves your files and settings alone
// promise: the whole way in a temporary folder
test('demo changes no files or settings, and with --keep leaves only its own folder', async () => {
  const lab = await workspaceLab()
  const before = [filesBelow(lab.root), settings(lab)]
  expect(await lab.cortext(['demo'])).toMatchObject({ code: 0 })
  expect([filesBelow(lab.root), settings(lab)]).toEqual(before)
  const { stdout } = await lab.cortext(['demo', '--keep'])
  expect([filesBelow(lab.root), settings(lab)]).toEqual(before)
  const kept = stdout.match(/\/\S*cortext-demo\S*/g)?.find((path) => existsSync(path))
  expect(kept, stdout).toBeDefined()
})

// promise: Every verb that reads has `--json`.
test('every verb that reads has --json', () => {
  const program = new Command('cortext').version('0')
  addVerbs(program, { cwd: '/', home: '/', env: {}, now: () => new Date(), interactive: false })
  const without = program.commands
    .filter((one) => Reflect.get(one, '_hidden') !== true)
    .filter((one) => !one.options.some(({ long }) => long === '--json'))
    .map((one) => one.name())
  // An agent is given words, a client a server, a shell a script; a demo is to be looked at.
  expect(without.sort(), "add .option('--json', …) to the verb, and print one document").toEqual([
    'agent',
    'completion',
    'demo',
    'mcp',
  ])
})

// promise: Exit codes: 0 done, 1 expected failure, 2 wrong usage, 70 a bug of ours, 130 cancelled; after
test('a bug of ours has exit code 70 and is called a bug; other errors do not', async () => {
  const lab = await workspaceLab()
  await lab.json(['start', 'plan', 'Release', '--json'])
  const bug = join(lab.home, 'bug.cjs')
  writeFileSync(bug, "require('node:fs').readdirSync = () => { throw new TypeError('no folders') }\n")
  const run = await lab.cortext(['list'], { env: { NODE_OPTIONS: `--require ${bug}` } })
  expect(run).toMatchObject({
    code: 70,
    stderr: expect.stringMatching(/^error: no folders\nfix: this is a bug in cortext/),
  })
  expect((await lab.cortext(['list'])).code).toBe(0)
})

// promise: run `cortext init` again
test('the next conversation uses a template that a person has edited', async () => {
  const lab = await workspaceLab()
  const template = ejected(lab.root, 'templates/plan.md')
  writeFileSync(template, '# {{title}}, my own way\n')
  const { path } = await lab.json<{ path: string }>(['start', 'plan', 'Release', '--json'])
  expect(readFileSync(join(lab.root, path, 'plan.md'), 'utf8')).toBe('# Release, my own way\n')
})

// promise: starts a conversation in the session it is called from
test('start in a session records what is said there from then on, and nothing of another session', async () => {
  const lab = await workspaceLab()
  const [one, other] = [new ClaudeSession(lab), new ClaudeSession(lab)]
  await one.turn('before')
  await lab.json(['start', 'plan', 'Release', '--json'], { env: one.env })
  await one.turn('in it')
  await other.turn('elsewhere')
  const said = talk(await shown(lab, '001')).join('\n')
  expect(said).toContain('user: in it')
  expect(said).not.toContain('elsewhere')
})

describe('what a search hit says', () => {
  // promise: The conversation that answers best
  test('names the archive file of a pruned message, and opens the conversation', async () => {
    const lab = await workspaceLab()
    const claude = new ClaudeSession(lab)
    await claude.command('workspace.debug', 'Topic')
    await claude.turn('the quokka is old')
    for (let n = 0; n < 12; n++) await claude.turn(`turn ${n}`)
    await lab.json(['stop', '001', '--json'])
    expect((await lab.cortext(['prune', '001', '--yes'])).code).toBe(0)
    const { stdout } = await lab.cortext(['search', 'quokka'])
    const [, file] = /^ {3}user \(.*\), [-\d]+ [\d:]+, (\S+): the quokka is old$/m.exec(stdout)!
    const { path } = await lab.json<{ path: string }>(['show', '001', '--json'])
    expect(readFileSync(join(lab.root, path, file!), 'utf8')).toContain('the quokka is old')
    const [, command] = /^ {3}→ cortext (.*)$/m.exec(stdout)!
    expect((await lab.cortext(command!.split(' '))).stdout).toContain('Topic')
  })
})

// promise: conversations are _shared_: git tracks
// promise: Your project's repository is never pushed or fetched.
// promise: a stop commits them (only
// promise: Git does not push it.
test('nothing is pushed by a stop, whatever git is set to', async () => {
  const lab = await workspaceLab()
  const remote = join(lab.home, 'remote.git')
  lab.git('init', '--quiet', '--bare', remote)
  lab.git('remote', 'add', 'origin', remote)
  lab.git('push', '--quiet', '--set-upstream', 'origin', 'HEAD')
  lab.git('config', 'push.default', 'current')
  const before = lab.git('ls-remote', 'origin')
  await lab.json(['start', 'plan', 'Release', '--json'])
  expect(await lab.json(['stop', '001', '--json'])).toMatchObject({ committed: expect.any(String) })
  await lab.json(['save', '001', '--commit', '--json'])
  expect(lab.git('ls-remote', 'origin')).toBe(before)
})

// promise: Nothing leaves this machine but by
// promise: It makes no network connection of its own.
// promise: Nothing is sent anywhere
// promise: It listens on no port
test('no code of ours opens a connection or listens: no module of node that can is loaded', () => {
  const files = fg.sync('src/**/*.ts', { cwd: ROOT })
  expect(files.length).toBeGreaterThan(300)
  const network =
    /\bfetch\(|['"](?:node:)?(?:net|http|https|http2|tls|dgram|dns)(?:\/promises)?['"]|WebSocket|XMLHttpRequest/
  expect(files.filter((path) => network.test(readFileSync(join(ROOT, path), 'utf8')))).toEqual([])
  const remote = /\['(?:fetch|push|ls-remote|pull|clone)'/
  expect(files.filter((path) => remote.test(readFileSync(join(ROOT, path), 'utf8')))).toEqual([
    'src/workspace/git/own-settings.ts',
    'src/workspace/git/place.ts',
  ])
})

// promise: It is measured (docs/redaction.md)
test('the figures of SECURITY.md are those of docs/redaction.md', () => {
  const security = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8')
  const measured = readFileSync(join(ROOT, 'docs/redaction.md'), 'utf8')
  const [sentence] = /It is measured \(docs\/redaction\.md\):.*?\./.exec(security)!
  const [, shaped, named] = /\*\*all\*\* \| \*\*(\d+)\.\d %\*\* .*\*\*(\d+)\.\d %\*\*/.exec(measured)!
  const [, real] = /False hits: (\d+ MB) of real transcripts/.exec(measured)!
  expect(sentence!.match(/\d+ (?:%|MB)/g)).toEqual([`${shaped} %`, `${named} %`, real])
})

// promise: Git's history and the client's own session stay
test('delete leaves the history of git and the session of the client', async () => {
  const { lab, claude, path, id } = await held()
  await stop(lab, claude)
  const transcript = readFileSync(claude.transcript, 'utf8')
  const committed = lab.git('rev-parse', 'HEAD').trim()
  expect((await lab.cortext(['delete', id, '--yes'])).code).toBe(0)
  expect(existsSync(join(lab.root, path))).toBe(false)
  expect(lab.git('show', `${committed}:${path}/.session/messages.jsonl`)).toContain('we need to be simple')
  expect(lab.tryGit('merge-base', '--is-ancestor', committed, 'HEAD')).toBe(true)
  expect(readFileSync(claude.transcript, 'utf8')).toBe(transcript)
})

// promise: The turn goes into the work tree at once, and nothing is committed before `cortext save
test('a turn of a loop is in the work tree at once, and a commit waits for save --commit or stop', async () => {
  const lab = await workspaceLab()
  const head = () => lab.git('rev-parse', 'HEAD')
  const append = (content: string) =>
    lab.cortext(['append'], { input: `${JSON.stringify({ role: 'user', content })}\n` })
  const inTree = () => Object.values(filesBelow(join(lab.root, 'conversations'))).join('\n')
  let before = head()
  for (const [content, ...commits] of [
    ['buy milk', 'save', '001', '--commit'],
    ['and bread', 'stop', '001'],
  ]) {
    expect((await append(content!)).code).toBe(0)
    expect(inTree()).toContain(content)
    expect(head()).toBe(before)
    const done = await lab.cortext(commits)
    expect(done.code, done.stderr).toBe(0)
    expect(head()).not.toBe(before)
    before = head()
  }
})

// promise: are in `.session/attachments/` as they were, and git is told to leave them out.
test('an attached picture is in attachments as it was, and git leaves it out', async () => {
  const { lab, claude, path } = await held()
  const picture = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const source = { type: 'base64', media_type: 'image/png', data: picture.toString('base64') }
  claude.user([
    { type: 'image', source },
    { type: 'text', text: 'What is this?' },
  ])
  claude.assistant([{ type: 'text', text: 'A dot.' }])
  await stop(lab, claude)
  const attached = filesBelow(join(lab.root, path, '.session/attachments'))
  expect(Object.values(attached)).toContain(picture.toString('latin1'))
  expect(lab.git('ls-files')).not.toContain('attachments')
  expect(lab.git('status', '--porcelain', '--untracked-files=all')).not.toContain('attachments')
})

// promise: cortext never rewrites it, so
test('the document stays as it was written, secrets too, and a stop commits it', async () => {
  const { lab, claude, path } = await held()
  const document = join(path, 'brainstorm.md')
  // Put together here, so that no scanner takes this file for a leak.
  const text = `# Mine\n\nThe token is ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}\n`
  writeFileSync(join(lab.root, document), text)
  await claude.turn('go on')
  await stop(lab, claude)
  expect(readFileSync(join(lab.root, document), 'utf8')).toBe(text)
  expect(lab.git('show', `HEAD:${document}`)).toBe(text)
})

// promise: In a repository with
test('a stop in a repository with a remote commits nothing unless a person chose to share', async () => {
  const lab = await workspaceLab({ init: 'none' })
  lab.git('remote', 'add', 'origin', 'https://example.invalid/notes.git')
  const head = lab.git('rev-parse', 'HEAD')
  expect((await lab.cortext(['init'])).code).toBe(0)
  await lab.json(['start', 'plan', 'Release', '--json'])
  await lab.json(['stop', '001', '--json'])
  await lab.json(['save', '001', '--json'])
  expect(lab.git('rev-parse', 'HEAD')).toBe(head)
  expect(lab.git('status', '--porcelain', '--untracked-files=all')).toBe('')
})

// promise: whole files are read up
// promise: The tests try it with about 35 hostile conversations
test('the bounds of SECURITY.md are those of the code', () => {
  const security = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8')
  const [, whole, linesOfFiles] = /read up to (\d+) MB, files of lines, .* up to (\d+) MB/.exec(security)!
  expect([Number(whole), Number(linesOfFiles)]).toEqual([MAX_TEXT, MAX_LINES].map((bytes) => bytes / 2 ** 20))
  const [, hostile] = /with about (\d+) hostile conversations/.exec(security)!
  expect(Math.abs(Object.keys(HOSTILE_TEXTS).length - Number(hostile))).toBeLessThan(4)
})

// promise: No rule of ours allows these tools
test('no rule that init writes allows a tool of the server', async () => {
  const lab = await workspaceLab({ init: 'none' })
  expect((await lab.cortext(['init', '--shared', '--mcp'])).code).toBe(0)
  const written = Object.entries(filesBelow(lab.root)).filter(([path]) => !path.startsWith('.git/'))
  expect(written.map(([path]) => path)).toEqual(
    expect.arrayContaining([
      '.claude/settings.local.json',
      '.gemini/settings.json',
      '.mcp.json',
      'opencode.json',
    ]),
  )
  const allowing = /search_workspace|get_context|list_conversations|show_messages|mcp__|"trust": *true/
  expect(written.filter(([, text]) => allowing.test(text)).map(([path]) => path)).toEqual([])
})

// promise: A hook of yours that looks for secrets has not seen that commit; `git commit --amend --no-edit`
test('git commit --amend --no-edit runs the hooks that the stop of an agent left out', async () => {
  const { lab, claude } = await held()
  const ran = join(lab.home, 'ran')
  mkdirSync(join(lab.root, '.git/hooks'), { recursive: true })
  writeFileSync(join(lab.root, '.git/hooks/pre-commit'), `#!/bin/sh\necho ran >> ${ran}\n`, { mode: 0o755 })
  const stopped = await lab.cortext(['agent', 'stop'], { env: claude.env })
  expect(stopped.stderr).toContain('Committed without your git hooks (pre-commit)')
  expect(existsSync(ran)).toBe(false)
  lab.git('commit', '--amend', '--no-edit', '--quiet')
  expect(existsSync(ran)).toBe(true)
})

// promise: It reads and writes the files that git gives it, and no others.
test('merge-session writes one file for git, and changes nothing else', async () => {
  const { lab, claude, folder } = await held()
  await stop(lab, claude)
  const [base, ours, theirs] = ['base', 'ours', 'theirs'].map((name) => join(lab.home, name))
  const session = read(folder)
  writeFileSync(base!, JSON.stringify(session))
  writeFileSync(ours!, JSON.stringify({ ...session, title: 'Mine' }))
  writeFileSync(theirs!, JSON.stringify({ ...session, context_summary: 'Theirs' }))
  const others = () => [filesBelow(lab.root), settings(lab).filter(([path]) => path !== 'ours')]
  const before = others()
  expect((await lab.cortext(['merge-session', base!, ours!, theirs!])).code).toBe(0)
  expect(JSON.parse(readFileSync(ours!, 'utf8'))).toMatchObject({ title: 'Mine', context_summary: 'Theirs' })
  expect(others()).toEqual(before)
})

describe('a page', () => {
  // promise: A link in it leads
  test('a link in a page tells no referrer and shows its target', async () => {
    const { lab, claude, id } = await held()
    await claude.turn('see [the notes](https://example.org/notes)', 'And <https://example.org/else>.')
    const page = join(lab.home, 'page.html')
    expect((await lab.cortext(['view', id, '-o', page, '--no-open'])).code).toBe(0)
    const html = readFileSync(page, 'utf8')
    const links = [...html.matchAll(/<a [^>]*href="(https?:[^"]*)"[^>]*>/g)]
    expect(links.map(([, target]) => target)).toEqual(
      expect.arrayContaining(['https://example.org/notes', 'https://example.org/else']),
    )
    for (const [link, target] of links) {
      expect(link).toMatch(/rel="[^"]*noreferrer/)
      expect(link).toContain(`title="${target}"`)
    }
    expect(html).toContain('<meta name="referrer" content="no-referrer">')
  })

  // promise: Pages that you wrote elsewhere stay.
  test('a page that was written elsewhere stays when its conversation is deleted', async () => {
    const { lab, id } = await held()
    const page = join(lab.home, 'page.html')
    await lab.cortext(['view', id, '-o', page, '--no-open'])
    const html = readFileSync(page, 'utf8')
    expect((await lab.cortext(['delete', id, '--yes'])).code).toBe(0)
    expect(readFileSync(page, 'utf8')).toBe(html)
  })
})

/** Whether keys of the first are keys of the second, in the same order, with values of the same kind and form. */
function alike(told: Record<string, unknown>, real: Record<string, unknown>): void {
  const keys = Object.keys(told)
  expect(Object.keys(real).filter((key) => keys.includes(key))).toEqual(keys)
  for (const key of keys) {
    expect(typeof told[key], key).toBe(typeof real[key])
    if (/^(id|timestamp|version|created_at|last_active)$/.test(key))
      expect(formOf(told[key]), key).toBe(formOf(real[key]))
  }
}

/** Digits and letters of a hexadecimal number or a time as `x`. */
function formOf(value: unknown): string {
  return String(value).replaceAll(/[0-9a-f]/g, 'x')
}

/** All that lies in a home but what node keeps there of our own code. */
function settings({ home }: Lab): [string, string][] {
  mkdirSync(home, { recursive: true })
  return Object.entries(filesBelow(home)).filter(([path]) => !path.includes('/compiled/'))
}
