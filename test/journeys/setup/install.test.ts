import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { addType } from '../../../src/journeys/setup/add-type.ts'
import { eject } from '../../../src/journeys/setup/eject.ts'
import { install } from '../../../src/journeys/setup/install.ts'
import { loadConfig, writeConfig } from '../../../src/workspace/config.ts'
import { snapshotPrompt } from '../../../src/workspace/pack/commands.ts'
import { loadRegistry } from '../../../src/workspace/registry.ts'
import { tempPack, tinyClient } from '../../helpers/pack.ts'
import { gitEnv, placeOf, tempFolder, tempRepository } from '../../helpers/repository.ts'
import { ODD, tiny, tree, world } from './install-world.ts'

const PLACES: [
  string,
  () => { root: string; env?: Record<string, string>; git?: (...a: string[]) => string },
][] = [
  ['an empty folder', () => ({ root: tempFolder() })],
  [
    'a folder without git, with files of its own',
    () => {
      const root = tempFolder()
      mkdirSync(join(root, '.tiny/commands'), { recursive: true })
      mkdirSync(join(root, '.workspace-like'))
      writeFileSync(join(root, '.tiny/commands/mine.md'), 'mine')
      writeFileSync(join(root, '.gitignore'), 'no newline')
      writeFileSync(join(root, '.gitattributes'), Buffer.from([0xff, 0x0d, 0x0a]))
      return { root }
    },
  ],
  ['a repository without a commit', () => tempRepository()],
  [
    'a repository with settings in an odd shape',
    () => tempRepository({ '.tiny/settings.json': ODD, '.tiny/settings.local.json': ODD, 'a.txt': 'a' }),
  ],
  [
    'a repository with a remote',
    () => {
      const repository = tempRepository({ 'a.txt': 'a' })
      repository.git('remote', 'add', 'origin', 'https://example.org/x.git')
      repository.write('.tiny/settings.local.json', ODD)
      repository.write('.git/info/exclude', '# mine\n*.swp')
      return repository
    },
  ],
  [
    'a workspace in a subfolder',
    () => {
      const repository = tempRepository({ 'my [odd] #dir/a.txt': 'a' })
      repository.git('remote', 'add', 'origin', 'https://example.org/x.git')
      return { ...repository, root: join(repository.root, 'my [odd] #dir') }
    },
  ],
]

describe.each(PLACES)('install, then uninstall, in %s', (_, make) => {
  // promise: adds to what is there
  test.each([undefined, 'shared', 'private'] as const)(
    'gives the tree back byte for byte (%s)',
    async (visibility) => {
      const { root, env, git } = make()
      const { run, remove, has } = world(root, env)
      const before = [tree(root), git?.('status', '--porcelain')]
      const { changes } = await run(visibility ? { visibility } : {})
      for (const { path, state } of changes.filter((change) => change.state === 'made')) {
        expect([path, state, has(path)]).toEqual([path, 'made', true])
      }
      snapshotPrompt(root, 'a version')
      remove()
      expect([tree(root), git?.('status', '--porcelain')]).toEqual(before)
    },
  )

  test('E-30 running it again changes nothing', async () => {
    const { root, env } = make()
    const { run } = world(root, env)
    await run()
    const before = tree(root)
    const { changes } = await run()
    expect(changes.filter((change) => change.state !== 'unchanged')).toEqual([])
    expect(tree(root)).toEqual(before)
  })
})

describe('install', () => {
  // promise: your settings, and the prompts and templates that you have changed
  // promise: settings; prompts, templates and types that you have changed
  test('S2-13 E-15 makes all parts of a workspace', async () => {
    const { root, run, read } = world(tempFolder())
    const report = await run()
    expect(report).toMatchObject({ root, visibility: 'shared', git: false })
    expect(report.changes.map(({ path, state }) => `${state} ${path}`)).toEqual([
      'made .workspace/config.json',
      'made .tiny/commands/workspace.brainstorm.md',
      'made .tiny/commands/workspace.resume.md',
      'made .tiny/settings.local.json',
      'made .gitattributes',
      'made .gitignore',
    ])
    expect(read('.gitattributes')).toContain('**/.session/messages.jsonl merge=union')
    expect(read('.gitignore')).toContain('**/.session/attachments/')
  })

  test('E-1 in a subfolder of a workspace updates that workspace', async () => {
    const { root, run } = world(tempFolder())
    await run()
    mkdirSync(join(root, 'deep/er'), { recursive: true })
    const environment = placeOf(join(root, 'deep/er'), gitEnv(root))
    expect((await install(environment, { clients: [tiny], pack: tempPack() })).root).toBe(root)
    expect(existsSync(join(root, 'deep/er/.workspace'))).toBe(false)
  })

  // promise: In a repository that has
  test('hides a private workspace from git, in a subfolder too, and nothing else', async () => {
    const { root, env, git, write } = tempRepository({ 'a.txt': 'a' })
    git('remote', 'add', 'origin', 'https://example.org/x.git')
    const { run } = world(join(root, 'sub'), env)
    mkdirSync(join(root, 'sub'))
    expect(await run()).toMatchObject({ visibility: 'private', git: true })
    write('sub/conversations/2026-11-21/001-brainstorm-x/brainstorm.md', 'x')
    expect(git('status', '--porcelain', '-uall')).toBe('')
    write('conversations/mine.md', 'x')
    write('sub/.tiny/mine.md', 'x')
    expect(git('status', '--porcelain', '-uall')).toBe('?? conversations/mine.md\n?? sub/.tiny/mine.md\n')
  })

  // promise: our hooks show as a change there; `init` says so
  test('reports a settings file that git tracks already, because a private workspace cannot hide it', async () => {
    const { root, env } = tempRepository({ '.tiny/settings.local.json': '{}' })
    const { run } = world(root, env)
    const note = async () => (await run({ visibility: 'private' })).changes.find((one) => one.note)
    expect(await note()).toMatchObject({
      path: '.tiny/settings.local.json',
      note: expect.stringMatching(/git tracks it/),
    })
    expect(await note()).toBeUndefined()
  })

  // promise: In a repository that has a remote, `init` asks; by default it stays _private_
  // promise: In a repository with a remote nothing is committed to it unless you chose to share.
  test('asks once in a repository with a remote; a flag decides without asking', async () => {
    const { root, env, git } = tempRepository({ 'a.txt': 'a' })
    git('remote', 'add', 'origin', 'https://example.org/x.git')
    let asked = 0
    const ask = async () => {
      asked++
      return 'shared' as const
    }
    const { run } = world(root, env)
    expect((await run({ ask })).visibility).toBe('shared')
    expect((await run({ ask })).visibility).toBe('shared')
    expect((await run({ ask, visibility: 'private' })).visibility).toBe('private')
    expect(asked).toBe(1)
    expect(loadConfig(root).visibility).toBe('private')
  })

  // promise: `cortext init --shared` or `--private` decides, and changes it later.
  // promise: `private` or `shared`
  test('has our entries in the settings file of one person, private or shared, and git does not see them', async () => {
    const { root, env, git } = tempRepository({ 'a.txt': 'a' })
    const { run, has, remove } = world(root, env)
    const before = tree(root)
    for (const visibility of ['private', 'shared', 'private'] as const) {
      const report = await run({ visibility })
      expect([has('.tiny/settings.json'), has('.tiny/settings.local.json')]).toEqual([false, true])
      const seen = git('status', '--porcelain', '-uall')
      expect(seen).toBe(
        visibility === 'private' ? '' : '?? .gitattributes\n?? .gitignore\n?? .workspace/config.json\n',
      )
      expect(report.unseen).toContain('.tiny/commands/workspace.resume.md')
    }
    remove()
    expect(tree(root)).toEqual(before)
  })

  test('refuses broken settings by name, and changes nothing', async () => {
    const root = tempFolder()
    mkdirSync(join(root, '.tiny'))
    writeFileSync(join(root, '.tiny/settings.local.json'), '{ "hooks": // mine\n}')
    const before = tree(root)
    await expect(world(root).run()).rejects.toMatchObject({
      code: 'corrupt',
      message: expect.stringContaining('.tiny/settings.local.json'),
      fix: expect.any(String),
    })
    expect(tree(root)).toEqual(before)
  })

  test('keeps comments in settings if the client reads them, and uninstall gives the file back', async () => {
    const root = tempFolder()
    mkdirSync(join(root, '.tiny'))
    const text = '{\n  // mine\n  "hooks": {"Stop": ["other"]}, // and this\n  "x": 1\n}\n'
    writeFileSync(join(root, '.tiny/settings.local.json'), text)
    const before = tree(root)
    const { run, remove, read } = world(root, undefined, undefined, {
      ...tiny,
      settings: { ...tiny.settings!, haveComments: true },
    })
    await run()
    const merged = read('.tiny/settings.local.json')
    expect(merged).toContain('  // mine\n  "hooks": {"Stop": ["other", "cortext hook tiny"]}, // and this\n')
    expect((await run()).changes.every(({ state }) => state === 'unchanged')).toBe(true)
    remove()
    expect(tree(root)).toEqual(before)

    await run()
    writeFileSync(join(root, '.tiny/settings.local.json'), merged.replace('"x": 1', '"x": 2 // edited'))
    remove()
    expect(read('.tiny/settings.local.json')).toBe(text.replace('"x": 1', '"x": 2 // edited'))

    rmSync(join(root, '.tiny'), { recursive: true })
    await run()
    writeFileSync(join(root, '.tiny/settings.local.json'), `// a word\n${read('.tiny/settings.local.json')}`)
    remove()
    expect(read('.tiny/settings.local.json')).toMatch(/^\/\/ a word\n\{\s*\}\n$/)
  })

  // promise: does not write through a client's settings that are a link: it stops before it has written
  test('does not write through a folder that is a symlink to elsewhere', async () => {
    const [root, elsewhere] = [tempFolder(), tempFolder()]
    symlinkSync(elsewhere, join(root, '.tiny'))
    await expect(world(root).run()).rejects.toMatchObject({ code: 'unsafe-path' })
    expect(readdirSync(elsewhere)).toEqual([])
  })

  // promise: an update of cortext updates them
  // promise: remove the file and run `cortext init`
  // promise: makes, completes or updates
  test('E-14 S2-13 updates what an upgrade changes, and keeps the files that the person has ejected or edited', async () => {
    const { root, run, read, has, folders, pack: before, remove } = world(tempFolder())
    await run()
    eject(folders(), 'brainstorm', before)
    writeFileSync(join(root, '.workspace/templates/brainstorm.md'), '# My own\n')
    writeFileSync(join(root, '.tiny/commands/workspace.resume.md'), 'my rendered one\n')
    const pack = tempPack({
      'commands/workspace.brainstorm.md': 'New brainstorm\n',
      'commands/workspace.new.md': 'New command\n',
      'commands/workspace.resume.md': 'New resume\n',
      'templates/brainstorm.md': '# New\n',
    })
    const { changes } = await run({ pack })
    const states = Object.fromEntries(changes.map((change) => [change.path, change.state]))
    expect(states).toMatchObject({
      '.tiny/commands/workspace.brainstorm.md': 'unchanged',
      '.tiny/commands/workspace.new.md': 'made',
      '.tiny/commands/workspace.resume.md': 'kept',
    })
    expect(Object.keys(tree(join(root, '.workspace'))).filter((path) => !/\/$|^local/.test(path))).toEqual([
      'commands/workspace.brainstorm.md',
      'config.json',
      'templates/brainstorm.md',
    ])
    expect(read('.tiny/commands/workspace.resume.md')).toBe('my rendered one\n')
    expect(read('.tiny/commands/workspace.brainstorm.md')).toContain('You are a partner')

    rmSync(join(root, '.workspace/commands/workspace.brainstorm.md'))
    await run({ pack })
    expect(read('.tiny/commands/workspace.brainstorm.md')).toContain('New brainstorm')
    rmSync(join(pack, 'commands/workspace.brainstorm.md'))
    await run({ pack })
    expect(has('.tiny/commands/workspace.brainstorm.md')).toBe(false)
    eject(folders(), 'workspace.resume', pack)
    const kept = remove().changes.filter(({ state }) => state === 'kept')
    expect(kept.map(({ path }) => path)).toEqual([
      '.tiny/commands/workspace.resume.md',
      '.workspace/templates/brainstorm.md',
    ])
    expect(has('.workspace/commands')).toBe(false)
  })

  test('E-30 keeps constitution, registry, config and settings of the person', async () => {
    const { root, run, read, pack, folders } = world(tempFolder())
    await run()
    eject(folders(), 'constitution', pack)
    writeFileSync(join(root, '.workspace/memory/constitution.md'), 'me\n')
    writeConfig(root, { redact: false })
    writeFileSync(join(root, '.tiny/settings.local.json'), '{"mine": 1, "hooks": {"Stop": ["other"]}}')
    addType(folders(), 'interview', [tiny], { pack })
    await run()
    expect(read('.workspace/memory/constitution.md')).toBe('me\n')
    expect(loadConfig(root)).toMatchObject({ redact: false, visibility: 'shared' })
    expect(loadRegistry(root, pack).has('interview')).toBe(true)
    expect(JSON.parse(read('.tiny/settings.local.json'))).toEqual({
      mine: 1,
      hooks: { Stop: ['other', 'cortext hook tiny'] },
    })
  })

  // promise: makes, completes or updates a workspace
  test('completes an installation that was cut short, and uninstall removes all of it', async () => {
    const { root, run, remove, has, folders } = world(tempFolder())
    await run()
    rmSync(join(folders().local, 'manifest.json'))
    rmSync(join(root, '.tiny/commands/workspace.resume.md'))
    await run()
    expect(has('.tiny/commands/workspace.resume.md')).toBe(true)
    remove()
    expect(Object.keys(tree(root)).filter((path) => !path.endsWith('/'))).toEqual([
      '.tiny/settings.local.json',
    ])
  })

  test('sets up a second client in addition to the first', async () => {
    const { run, has } = world(tempFolder())
    await run()
    await run({ clients: [tinyClient('other')] })
    expect([has('.tiny/commands/workspace.resume.md'), has('.other/commands/workspace.resume.md')]).toEqual([
      true,
      true,
    ])
  })
})
