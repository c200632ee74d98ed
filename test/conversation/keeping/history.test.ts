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
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { fencesOf } from '../../helpers/documents.ts'
import { everything, historyOf, inHistory, spoken } from '../../helpers/history-lab.ts'
import { filesBelow, type Lab, shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'

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
  const pages = async (cwd: string) => {
    await lab.json(['view', '--all', '-o', `${cwd}-site`, '--no-open', '--json'], { cwd })
    return Object.entries(filesBelow(`${cwd}-site`))
  }
  const made = new Map(await pages(lab.root))
  expect(made.size).toBeGreaterThan(1)
  for (const [file, page] of await pages(clone))
    expect(page.replaceAll(basename(clone), basename(lab.root)) === made.get(file), file).toBe(true)
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
