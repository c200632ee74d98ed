import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fileNameOf } from '../../../src/store/layout.ts'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { fencesOf } from '../../helpers/documents.ts'
import { filesBelow, type Lab, shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'

const historyOf = (lab: Lab) => join(lab.root, '.git/cortext/conversations.git')

function inHistory(lab: Lab, ...args: string[]): string {
  return execFileSync('git', ['--git-dir', historyOf(lab), ...args], { env: lab.env, encoding: 'utf8' })
}

/** Every byte of every object, whether a commit needs it or not, and of all files of the machine's side. */
function everything(lab: Lab): string {
  return (
    inHistory(lab, 'cat-file', '--batch-all-objects', '--batch', '--unordered') +
    JSON.stringify(filesBelow(join(lab.root, '.git/cortext')))
  )
}

async function spoken(lab: Lab, title: string, ...words: string[]) {
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.plan', title)
  for (const word of words) await claude.turn(word)
  const { path } = await lab.json<{ path: string }>(['save', '--json'], { env: claude.env })
  return { claude, path, stop: () => lab.json(['stop', '--json'], { env: claude.env }) }
}

// promise: Earlier versions, one brought back, a shared workspace of all:
// promise: conversations have a repository of their own
// promise: A stop, a save and the end of a session commit there what has changed
test('the conversations of a private workspace are committed to a repository of their own, of which a clone is a shared workspace', async () => {
  const lab = await workspaceLab({ init: 'private' })
  writeFileSync(join(lab.root, '.gitattributes'), '*.md filter=shout\n')
  lab.git('config', 'filter.shout.clean', 'tr a-z A-Z')
  lab.git('add', '.gitattributes')
  lab.git('commit', '--quiet', '--message=attributes')
  const { path, stop } = await spoken(lab, 'Pears', 'which pears')
  await stop()
  appendFileSync(join(lab.root, path, 'plan.md'), 'quince\n')
  await lab.json(['save', '001', '--json'])
  const subjects = inHistory(lab, 'log', '--format=%an: %s%n%b').split('\n').filter(Boolean)
  expect(subjects.at(-1)).toBe(`Conversation: ${path.split('/').slice(1).join('/')}`)
  expect(subjects[0]).toBe('Ada: [conversation] plan: Pears')
  expect(inHistory(lab, 'log', '-p', '--', `${path}/plan.md`)).toContain('+quince')
  const kept = filesBelow(join(lab.root, path))
  const clone = `${lab.root}-clone`
  const [where, log, restore, cloning] = fencesOf('docs/git.md')[0]!.trim().split('\n')
  const first = inHistory(lab, 'log', '--reverse', '--format=%h', '--', `${path}/plan.md`).split('\n')[0]!
  const back = restore!.replace('<commit>', first).replace('<file>', `${path}/plan.md`)
  const inRoot = (line: string) =>
    execFileSync('bash', ['-ec', `${where}\n${line}`], { cwd: lab.root, env: lab.env, encoding: 'utf8' })
  expect(inRoot(log!)).toContain('+quince')
  inRoot(back)
  expect(readFileSync(join(lab.root, path, 'plan.md'), 'utf8')).not.toContain('quince')
  inRoot(restore!.replace('<commit>', 'main').replace('<file>', `${path}/plan.md`))
  expect(filesBelow(join(lab.root, path))).toEqual(kept)
  inRoot(cloning!.replace('../conversations', clone))
  expect(filesBelow(join(clone, path))).toEqual(kept)
  expect(JSON.parse(readFileSync(join(clone, '.workspace/config.json'), 'utf8'))).toMatchObject({
    visibility: 'shared',
  })
  expect(talk(await shown({ ...lab, json: (args) => lab.json(args, { cwd: clone }) } as Lab, '001'))).toEqual(
    talk(await shown(lab, '001')),
  )
  for (const command of [
    ['list'],
    ['list', '--long'],
    ['search', 'quince pears'],
    ['show', '001', '--messages'],
    ['resume', '001', '--print', '--mode', 'handoff'],
    ['export', '001', '--format', 'html'],
  ]) {
    const [here, there] = await Promise.all([lab.cortext(command), lab.cortext(command, { cwd: clone })])
    expect(there.stdout.replaceAll(clone, lab.root), command.join(' ')).toBe(here.stdout)
    expect(here.stdout).not.toBe('')
  }
  expect(execFileSync('git', ['status', '--porcelain'], { cwd: clone, env: lab.env, encoding: 'utf8' })).toBe(
    '',
  )
})

// promise: your repository gets nothing of it
test("the project's repository is byte for byte as it was, but for info/exclude", async () => {
  const lab = await workspaceLab({ init: 'none' })
  writeFileSync(join(lab.root, 'code.ts'), 'one\n')
  lab.git('add', '.')
  lab.git('commit', '--quiet', '--message=code')
  const ofProject = () =>
    Object.fromEntries(
      Object.entries(filesBelow(join(lab.root, '.git'))).filter(
        ([path]) => !path.startsWith('cortext/') && path !== 'info/exclude',
      ),
    )
  const before = ofProject()
  await lab.json(['init', '--private', '--json'])
  const { stop } = await spoken(lab, 'Pears', 'which pears')
  await stop()
  await lab.json(['delete', '001', '--yes', '--json'])
  expect(ofProject()).toEqual(before)
  expect(existsSync(historyOf(lab))).toBe(true)
})

describe('what was lost comes back', () => {
  test('at the next verb, when the folder of the conversations is gone', async () => {
    const lab = await workspaceLab({ init: 'private' })
    const { path, claude } = await spoken(lab, 'Pears', 'which pears')
    await lab.json(['fork', '001', '--json'])
    writeFileSync(join(lab.root, path, 'table.csv'), 'a,b\n')
    await lab.json(['save', '001', '--json'])
    await claude.turn('and figs')
    appendFileSync(join(lab.root, path, 'plan.md'), 'since the last commit\n')
    await claude.turn('written')
    const before = filesBelow(join(lab.root, 'conversations'))
    rmSync(join(lab.root, 'conversations'), { recursive: true })
    const { stdout, stderr } = await lab.cortext(['list'])
    expect(stderr).toContain('Brought back: 2 conversations.')
    expect(stdout).toContain('Pears')
    const after = filesBelow(join(lab.root, 'conversations'))
    for (const [file, text] of Object.entries(before))
      if (!file.endsWith('.json') && !file.endsWith('.jsonl')) expect(after[file]).toBe(text)
    expect(talk(await shown(lab, '001')).join('\n')).toMatch(/which pears.*and figs.*written/s)
    expect((await lab.cortext(['list'])).stderr).not.toContain('Brought back')
  })

  // promise: and `cortext doctor --fix` single folders
  test('by doctor, when a single folder is gone', async () => {
    const lab = await workspaceLab({ init: 'private' })
    const { path, stop } = await spoken(lab, 'Pears', 'which pears')
    await stop()
    await lab.json(['start', 'plan', 'Figs', '--json'])
    writeFileSync(join(lab.root, path, 'table.csv'), 'a,b\n')
    await lab.json(['save', '001', '--json'])
    const before = filesBelow(join(lab.root, path))
    rmSync(join(lab.root, path), { recursive: true })
    const { done } = JSON.parse((await lab.cortext(['doctor', '--fix', '--json'])).stdout) as {
      done: string[]
    }
    expect(done).toContain(`brought back ${path}`)
    expect(filesBelow(join(lab.root, path))).toEqual(before)
  })

  test('but what a person has written in the meantime stays', async () => {
    const lab = await workspaceLab({ init: 'private' })
    const { path, stop } = await spoken(lab, 'Pears', 'which pears')
    await stop()
    rmSync(join(lab.root, path), { recursive: true })
    mkdirSync(join(lab.root, path))
    writeFileSync(join(lab.root, path, 'plan.md'), 'anew\n')
    await lab.json(['save', '001', '--json'])
    expect(readFileSync(join(lab.root, path, 'plan.md'), 'utf8')).toBe('anew\n')
    expect(talk(await shown(lab, '001')).join('\n')).toContain('which pears')
  })
})

// promise: `cortext delete` takes the conversation out of every commit there
test('after a delete no object, pack or file has a word of it, also where its folder had another name', async () => {
  const lab = await workspaceLab({ init: 'private' })
  const { path, stop } = await spoken(lab, 'Zebras', 'striped zebras')
  await stop()
  const other = await spoken(lab, 'Pears', 'which pears')
  await other.stop()
  const moved = join(lab.root, dirname(path), '001-plan-okapis')
  renameSync(join(lab.root, path), moved)
  await lab.json(['list', '--json'])
  await lab.json(['edit', '001', '--title', 'Okapis', '--json'])
  const names = inHistory(lab, 'ls-tree', '-r', '--name-only', 'main')
  expect(names).toContain('okapis')
  expect(names).not.toContain('zebras')
  expect(everything(lab)).toMatch(/zebras/i)
  await lab.json(['delete', '001', '--yes', '--json'])
  expect(everything(lab)).not.toMatch(/zebra|okapi/i)
  expect(inHistory(lab, 'log', '--format=%s')).toContain('plan: Pears')
  expect(inHistory(lab, 'fsck', '--strict')).toBe('')
  await lab.json(['delete', '002', '--yes', '--json'])
  expect(everything(lab)).not.toMatch(/pears/i)
})

/** A private workspace with a conversation that was saved twice, by a program without rules, with a secret in it. */
async function leaky() {
  const lab = await workspaceLab({ init: 'private' })
  const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`
  writeFileSync(join(lab.root, '.workspace/config.json'), '{ "visibility": "private", "redact": false }\n')
  const { path, claude, stop } = await spoken(lab, 'Pears', `my token is ${secret}`)
  appendFileSync(join(lab.root, path, 'plan.md'), `quince ${secret}\n`)
  await lab.json(['edit', '001', '--title', `Pears ${secret}`, '--json'])
  await lab.json(['save', '001', '--json'])
  writeFileSync(join(lab.root, path, 'plan.md'), 'apricot\n')
  await claude.turn('and figs')
  await stop()
  writeFileSync(join(lab.root, '.workspace/config.json'), '{ "visibility": "private" }\n')
  return { lab, path, secret }
}

const objectsIn = (lab: Lab) => inHistory(lab, 'cat-file', '--batch-all-objects', '--batch')

// promise: and `cortext redact --apply` replaces a secret in all of them
// promise: looks again at what was saved before a rule existed, and with `--apply` replaces it in the files, and in the history of a private workspace
test('a redaction replaces the secret in every version of every file and in the messages of commits, and no version is lost', async () => {
  const { lab, path, secret } = await leaky()
  const texts = () =>
    inHistory(lab, 'rev-list', '--reverse', 'main')
      .trim()
      .split('\n')
      .map((commit) => [
        inHistory(lab, 'show', '--no-patch', '--format=%an %ae %at%n%B', commit),
        ...inHistory(lab, 'ls-tree', '-r', '--name-only', commit)
          .trim()
          .split('\n')
          .map((file) => `${file} ${inHistory(lab, 'show', `${commit}:${file}`)}`),
      ])
  const before = texts()
  expect(JSON.stringify(before)).toContain(secret)
  // What programs have left that were killed just now.
  const put = (name: string) => writeFileSync(join(lab.root, '.git/cortext', name), secret)
  put(`metadata/.${fileNameOf(path)}.json.fedcba9876543210.cortext-tmp`)
  put('.index.json.fedcba9876543210.cortext-tmp')
  expect(await lab.json(['redact', '001', '--apply', '--json'])).toMatchObject({
    versions: expect.any(Number),
  })
  expect(objectsIn(lab)).not.toContain(secret)
  const ours = Object.entries(filesBelow(join(lab.root, '.git/cortext')))
  // The raw copy of the client's transcript stays as it is.
  expect(ours.filter(([name, text]) => !name.startsWith('journal/') && text.includes(secret))).toEqual([])
  const token = /\[REDACTED:github-token:\w+\]/.exec(objectsIn(lab))![0]
  const after = texts()
  expect(after.slice(0, before.length)).toEqual(
    before.map((commit) => commit.map((text) => text.replaceAll(secret, token))),
  )
  expect(inHistory(lab, 'log', '-p', '--format=', '--', `${path}/plan.md`)).toContain(`+quince ${token}`)
  expect(inHistory(lab, 'fsck', '--strict')).toBe('')
})

test('a secret that only earlier versions have is replaced there, and it is said', async () => {
  const { lab, path, secret } = await leaky()
  const messages = join(lab.root, path, '.session/messages.jsonl')
  writeFileSync(messages, readFileSync(messages, 'utf8').replaceAll(secret, 'gone'))
  await lab.json(['edit', '001', '--title', 'Pears', '--json'])
  const { stdout } = await lab.cortext(['redact', '001', '--apply'])
  expect(stdout).toContain('Replaced in 5 earlier versions')
  expect(objectsIn(lab)).not.toContain(secret)
})

// promise: With `--keep-history` both leave earlier commits as they are.
// promise: In a private one, `--keep-history` leaves earlier commits
test('with --keep-history a deletion and a redaction are commits like others', async () => {
  const { lab, path, secret } = await leaky()
  const log = () => inHistory(lab, 'rev-list', '--reverse', 'main').trim().split('\n')
  const before = log()
  const redacted = await lab.cortext(['redact', '001', '--apply', '--keep-history'])
  expect(redacted.stderr).toContain('Git history and what was pushed are not')
  expect(readFileSync(join(lab.root, path, '.session/messages.jsonl'), 'utf8')).not.toContain(secret)
  expect(inHistory(lab, 'show', `main:${path}/.session/messages.jsonl`)).not.toContain(secret)
  expect(inHistory(lab, 'log', '-p')).toContain(secret)
  const { stdout } = await lab.cortext(['delete', '001', '--keep-history', '--yes'])
  expect(stdout).toContain('What the history of this workspace has of it stays there')
  expect(inHistory(lab, 'ls-tree', '-r', '--name-only', 'main')).not.toContain('pears')
  expect(log().slice(0, before.length)).toEqual(before)
  expect(inHistory(lab, 'log', '-1', '--format=%s', 'main')).toBe('[conversation] deleted\n')
  expect((await lab.cortext(['list'])).stdout).not.toContain('Pears')
  expect((await lab.cortext(['redact', '001', '--keep-history'])).code).toBe(2)
})

test('doctor says when the history cannot be read, and a deletion does not pretend', async () => {
  const lab = await workspaceLab({ init: 'private' })
  const { stop } = await spoken(lab, 'Pears', 'which pears')
  await stop()
  expect((await lab.cortext(['doctor'])).stdout).toContain(
    'the history of this workspace is in a repository of its own',
  )
  writeFileSync(join(historyOf(lab), 'refs/heads/main'), `${'0'.repeat(39)}1\n`)
  expect((await lab.cortext(['doctor'])).stdout).toMatch(
    /PROBLEM +the history of this workspace cannot be read/,
  )
  expect((await lab.cortext(['delete', '001', '--yes'])).code).toBe(1)
  expect((await lab.cortext(['list'])).stdout).toContain('Pears')
})

test('two processes that save two conversations at once commit both', async () => {
  const lab = await workspaceLab({ init: 'private' })
  const all = [await spoken(lab, 'Pears', 'which pears'), await spoken(lab, 'Figs', 'which figs')]
  await Promise.all(all.map(({ stop }) => stop()))
  const names = inHistory(lab, 'ls-tree', '-r', '--name-only', 'main')
  for (const { path } of all) {
    expect(names).toContain(`${path}/.session/messages.jsonl`)
    const committed = inHistory(lab, 'show', `main:${path}/.session/session.json`)
    expect(committed).toBe(readFileSync(join(lab.root, path, '.session/session.json'), 'utf8'))
  }
})

// promise: (outside git in `.workspace/local/`)
test('on a machine without git, and in a shared workspace, there is no such repository', async () => {
  const lab = await workspaceLab({ git: 'none', init: 'private' })
  const { stop } = await spoken(lab, 'Pears', 'which pears')
  await stop()
  const below = () => Object.keys(filesBelow(join(lab.root, '.workspace/local')))
  expect(below().some((path) => path.includes('conversations.git/HEAD'))).toBe(true)
  const before = filesBelow(join(lab.root, 'conversations'))
  rmSync(join(lab.root, 'conversations'), { recursive: true })
  expect((await lab.cortext(['list'])).stderr).toContain('Brought back: 1 conversation.')
  expect(Object.keys(filesBelow(join(lab.root, 'conversations')))).toEqual(Object.keys(before))
  const bare = await workspaceLab({ git: 'none', init: 'private' })
  const env = { ...bare.env, PATH: dirname(process.execPath) }
  await bare.json(['start', 'plan', 'Pears', '--json'], { env })
  await bare.json(['save', '001', '--json'], { env })
  expect(existsSync(join(bare.root, '.git'))).toBe(false)
  const shared = await workspaceLab()
  const talked = await spoken(shared, 'Pears', 'which pears')
  await talked.stop()
  expect(existsSync(historyOf(shared))).toBe(false)
})

test('conversations from before the history are taken over, each with its own date, some at a time', async () => {
  const lab = await workspaceLab({ init: 'private' })
  const paths: string[] = []
  for (const title of ['Pears', 'Figs', 'Kiwis']) {
    const { path, stop } = await spoken(lab, title, `about ${title}`)
    await stop()
    paths.push(path)
  }
  const kept = filesBelow(join(lab.root, 'conversations'))
  rmSync(historyOf(lab), { recursive: true })
  const session = join(lab.root, paths[0]!, '.session/session.json')
  const aged = readFileSync(session, 'utf8').replace(
    /("last_active": )"[^"]*"/,
    '$1"2026-01-02T03:04:05.000Z"',
  )
  writeFileSync(session, aged)
  writeFileSync(join(lab.root, paths[1]!, 'large.bin'), randomBytes(17 * 1024 * 1024))
  await lab.json(['save', '003', '--json'])
  const subjects = () => inHistory(lab, 'log', '--reverse', '--format=%s').match(/^.*plan: \w+/gm)
  const [kiwis, pears, figs] = ['Kiwis', 'Pears', 'Figs'].map((title) => `[conversation] plan: ${title}`)
  expect(subjects()).toEqual([kiwis, pears, figs])
  expect(inHistory(lab, 'log', '-1', '--format=%cI', '--', paths[0]!)).toMatch(/^2026-01-02T03:04:05/)
  rmSync(join(lab.root, paths[1]!, 'large.bin'))
  rmSync(historyOf(lab), { recursive: true })
  writeFileSync(join(lab.root, paths[0]!, 'large.bin'), randomBytes(17 * 1024 * 1024))
  await lab.json(['save', '003', '--json'])
  expect(subjects()).toEqual([kiwis, pears])
  appendFileSync(join(lab.root, paths[2]!, 'plan.md'), 'more\n')
  await lab.json(['save', '003', '--json'])
  expect(subjects()).toEqual([kiwis, pears, kiwis, figs])
  rmSync(join(lab.root, 'conversations'), { recursive: true })
  await lab.cortext(['list'])
  expect(filesBelow(join(lab.root, paths[1]!))).toEqual(
    Object.fromEntries(
      Object.entries(kept).flatMap(([name, text]) =>
        name.startsWith(paths[1]!.slice(14)) ? [[name.slice(paths[1]!.length - 13), text]] : [],
      ),
    ),
  )
})

test('the history stays when the workspace becomes shared, a deletion reaches it there, and it goes on when private again', async () => {
  const lab = await workspaceLab({ init: 'private' })
  const pears = await spoken(lab, 'Pears', 'a word of pears')
  await pears.stop()
  const figs = await spoken(lab, 'Figs', 'a word of figs')
  await figs.stop()
  await lab.json(['init', '--shared', '--json'])
  appendFileSync(join(lab.root, figs.path, 'plan.md'), 'while shared\n')
  await lab.json(['save', '002', '--json'])
  const log = () => inHistory(lab, 'log', '-p')
  expect(log()).toContain('a word of figs')
  expect(log()).not.toContain('while shared')
  await lab.json(['delete', '001', '--yes', '--json'])
  expect(everything(lab)).not.toContain('a word of pears')
  await lab.json(['init', '--private', '--json'])
  await lab.json(['save', '002', '--json'])
  expect(log()).toContain('+while shared')
})

test('a lost document comes back at the next save or resume, one that was renamed does not', async () => {
  const lab = await workspaceLab({ init: 'private' })
  const { path, claude, stop } = await spoken(lab, 'Pears', 'which pears')
  const document = join(lab.root, path, 'plan.md')
  appendFileSync(document, 'written\n')
  await claude.turn('and more')
  const last = readFileSync(document, 'utf8')
  rmSync(document)
  await stop()
  expect(readFileSync(document, 'utf8')).toBe(last)
  rmSync(document)
  const again = new ClaudeSession(lab)
  const { stdout } = await lab.cortext(['agent', 'resume', '001'], { env: again.env })
  expect(stdout).toContain(`Document: ${path}/plan.md`)
  expect(readFileSync(document, 'utf8')).toBe(last)
  renameSync(document, join(lab.root, path, 'pears.md'))
  for (let saves = 0; saves < 2; saves++) await lab.json(['save', '001', '--json'])
  expect(existsSync(document)).toBe(false)
})

test.each(['1912-06-23T00:00:00.000Z', 'not a time'])(
  'a conversation with the time %s is taken over too',
  async (time) => {
    const lab = await workspaceLab({ init: 'private' })
    const figs = await spoken(lab, 'Figs', 'about figs')
    await figs.stop()
    const pears = await spoken(lab, 'Pears', 'about pears')
    await pears.stop()
    const session = join(lab.root, figs.path, '.session/session.json')
    const odd = readFileSync(session, 'utf8').replace(/("last_active": )"[^"]*"/, `$1"${time}"`)
    writeFileSync(session, odd)
    rmSync(historyOf(lab), { recursive: true })
    await lab.json(['save', '002', '--json'])
    expect(inHistory(lab, 'show', `main:${figs.path}/.session/session.json`)).toBe(odd)
  },
)
