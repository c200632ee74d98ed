import {
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
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
import { ClaudeSession } from '../helpers/claude-session.ts'
import { filesBelow, type Lab, shown, talk, workspaceLab } from '../helpers/workspace-lab.ts'

/** What a stranger wants to have published: it lies in the client's own folder, and is no transcript. */
const PROMPT = 'the secret prompt of another project'

describe('machine state that came with a folder is not used', () => {
  // promise: that came with a folder is not used: without git a list
  test.each(['save', 'stop', 'show --messages', 'export', 'search secret', 'context'])(
    'outside git, no file that a foreign binding names is published by %s',
    async (verb) => {
      const lab = await workspaceLab({ git: 'none' })
      const { id, path } = await begun(lab)
      plant(join(lab.root, '.workspace/local'), path, history(lab))
      await notPublished(lab, verb, id)
    },
  )

  // promise: A transcript that a binding
  test.each(['absolute', 'a link among the transcripts'])(
    'in a repository from an archive, a binding cannot name a file as a transcript: %s',
    async (how) => {
      const lab = await workspaceLab()
      const { id, path } = await begun(lab)
      const link = join(lab.home, '.claude/projects/x/history0.jsonl')
      const target = history(lab)
      if (how !== 'absolute') {
        mkdirSync(dirname(link), { recursive: true })
        symlinkSync(target, link)
      }
      plant(join(lab.root, '.git/cortext'), path, how === 'absolute' ? target : link)
      await notPublished(lab, 'save', id)
    },
  )

  test('doctor reports the foreign state', async () => {
    const lab = await workspaceLab({ git: 'none' })
    const { path } = await begun(lab)
    plant(join(lab.root, '.workspace/local'), path, history(lab))
    expect((await lab.cortext(['doctor'])).stdout).toMatch(/not used, since it was not made here: bindings/)
  })

  // promise: A copy of a workspace begins with none; a moved one keeps it.
  test('our own machine state is used in a moved folder, and not in a copy', async () => {
    const lab = await workspaceLab({ git: 'none' })
    const { id } = await begun(lab)
    const claude = new ClaudeSession(lab)
    await claude.command('workspace.plan', 'Here')
    await claude.turn('said before the move')
    const said = async (cwd: string) => talk(await shown(lab, '002-plan-here', { cwd })).join()
    const copy = `${lab.root}-copy`
    cpSync(lab.root, copy, { recursive: true })
    expect((await lab.cortext(['show', id], { cwd: copy })).code).toBe(0)
    expect(await said(lab.root)).toContain('said before the move')
    expect(await said(copy).catch(() => '')).not.toContain('said before the move')
    const moved = `${lab.root}-moved`
    renameSync(lab.root, moved)
    expect(await said(moved)).toContain('said before the move')
  })

  // promise: the list of your workspaces,
  // promise: `everywhere`: the paths of your
  test('uninstall removes the line that marks the local folder as ours', async () => {
    const lab = await workspaceLab({ git: 'none' })
    await begun(lab)
    const list = join(lab.home, '.local/state/cortext/workspaces')
    expect(readFileSync(list, 'utf8')).toContain(lab.root)
    expect(lstatSync(list).mode & 0o777).toBe(0o600)
    await lab.json(['uninstall', '--json'])
    expect(readFileSync(list, 'utf8')).toBe('')
    expect(existsSync(join(lab.root, '.workspace/local'))).toBe(false)
  })

  test('a link in place of the local folder is not followed', async () => {
    const lab = await workspaceLab({ git: 'none' })
    const outside = join(lab.home, 'outside')
    mkdirSync(outside)
    rmSync(join(lab.root, '.workspace/local'), { recursive: true, force: true })
    symlinkSync(outside, join(lab.root, '.workspace/local'))
    await lab.cortext(['start', 'plan', 'Here'])
    await lab.cortext(['save'])
    expect(readdirSync(outside)).toEqual([])
  })
})

describe('no talk is copied into a .git that is not the repository of this folder', () => {
  const notOurs: [string, (lab: Lab, above: string) => void][] = [
    ['an empty one', (_, above) => mkdirSync(join(above, '.git'))],
    [
      'a file that leads to the repository of somebody else',
      ({ home }, above) => {
        repository(join(home, 'other'))
        writeFileSync(join(above, '.git'), `gitdir: ${join(home, 'other')}\n`)
      },
    ],
    [
      'a link to such a one',
      ({ home }, above) => {
        repository(join(home, 'other'))
        symlinkSync(join(home, 'other'), join(above, '.git'))
      },
    ],
    [
      'a folder of the work tree that a file makes its repository',
      (_, above) => {
        repository(join(above, 'planted'), above)
        writeFileSync(join(above, '.git'), 'gitdir: planted\n')
      },
    ],
  ]
  if (process.geteuid?.() === 0)
    notOurs.push([
      'one of another user',
      (_, above) => {
        repository(join(above, '.git'))
        chownSync(join(above, '.git'), 4711, 4711)
      },
    ])

  test.each(notOurs)('%s', async (_, make) => {
    const lab = await workspaceLab({ git: 'none' })
    make(lab, dirname(lab.root))
    const claude = new ClaudeSession(lab)
    await claude.command('workspace.plan', 'Here')
    await claude.turn('unheard-of words')
    const [id] = Object.keys(filesBelow(join(lab.root, 'conversations'))).map((path) => path.split('/')[1]!)
    expect(talk(await shown(lab, id!)).join()).toContain('unheard-of words')
    const elsewhere = { ...filesBelow(dirname(lab.root)) }
    const holding = Object.keys(elsewhere).filter((path) => elsewhere[path]!.includes('unheard-of words'))
    expect(holding.filter((path) => !/^(home\/\.claude|project\/\.workspace\/local)\//.test(path))).toEqual(
      [],
    )
    expect(holding.some((path) => path.startsWith('project/.workspace/local/'))).toBe(true)
  })
})

async function begun(lab: Lab): Promise<{ id: string; path: string }> {
  return lab.json(['start', 'brainstorm', 'Theirs', '--json'])
}

function history({ home }: Lab): string {
  const path = join(home, '.claude/history.jsonl')
  const line = (parent: string | null, uuid: string, type: string, content: unknown) => ({
    ...{ parentUuid: parent, uuid, type, sessionId: 'history0', cwd: '/other', isSidechain: false },
    ...{ timestamp: '2026-11-20T10:00:00.000Z', message: { role: type, content } },
  })
  const lines = [
    line(null, 'u1', 'user', PROMPT),
    line('u1', 'u2', 'assistant', [{ type: 'text', text: PROMPT }]),
  ]
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, lines.map((one) => `${JSON.stringify(one)}\n`).join(''))
  return path
}

function plant(local: string, conversation: string, transcript: string): void {
  const name = 'history0'
  const segment = { conversation, journal: `${name}.jsonl`, from: 0, how: 'start' }
  const segments = [{ ...segment, started_at: '2026-11-20T09:00:00.000Z' }]
  const binding = { client: 'claude', native_id: name, transcript, root: '/gone', segments }
  mkdirSync(join(local, 'bindings'), { recursive: true })
  writeFileSync(join(local, 'bindings', `claude-${name}.json`), JSON.stringify(binding))
}

async function notPublished(lab: Lab, verb: string, id: string): Promise<void> {
  const { stdout, stderr } = await lab.cortext([
    ...verb.split(' '),
    ...(verb.startsWith('search') ? [] : [id]),
  ])
  expect(stdout + stderr).not.toContain(PROMPT)
  for (const [path, text] of Object.entries(filesBelow(lab.root)))
    expect(text.includes(PROMPT), path).toBe(false)
}

function repository(folder: string, worktree?: string): void {
  for (const name of ['objects', 'refs']) mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/trunk\n')
  const core = worktree === undefined ? '' : `\tworktree = ${worktree}\n`
  writeFileSync(join(folder, 'config'), `[core]\n\trepositoryformatversion = 0\n\tbare = false\n${core}`)
}
