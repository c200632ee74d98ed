import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clientList } from '../../../src/clients/index.ts'
import { install } from '../../../src/journeys/setup/install.ts'
import { setUpPersonal, takeBackPersonal } from '../../../src/journeys/setup/personal.ts'
import { uninstall } from '../../../src/journeys/setup/uninstall.ts'
import { installPersonal, personalPlaces, personalSetUps } from '../../../src/workspace/pack/personal.ts'
import { placeOf, tempFolder } from '../../helpers/repository.ts'
import { tiny } from '../../helpers/tiny-client/index.ts'
import { tree } from './install-world.ts'

const clients = clientList().filter(({ personal }) => personal !== undefined)
const ids = clients.map(({ id }) => id)

/** A person with an empty home, who works in an empty folder. */
function person(env: Record<string, string> = {}) {
  const home = tempFolder()
  const cwd = tempFolder()
  const environment = placeOf(cwd, { PATH: process.env.PATH ?? '', HOME: home, ...env })
  const put = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), content)
  }
  return { home, cwd, environment, put }
}

/** The path below the home of the settings that a client has there. */
function settingsPaths(home: string, environment: ReturnType<typeof placeOf>): [string, string][] {
  return personalPlaces(environment, clients).flatMap(({ client, personal, root }) =>
    personal.settings === undefined
      ? []
      : [[client.id, join(root, personal.settings.file).slice(home.length + 1)] as [string, string]],
  )
}

const own = fc.record({ type: fc.constant('command'), command: fc.string() }, { requiredKeys: ['type'] })
const event = fc.constantFrom('SessionStart', 'Stop', 'UserPromptSubmit', 'BeforeAgent', 'AfterAgent')
/** Settings as a person has them, in their own layout: any indentation, line breaks, BOM, with or without a last newline. */
const settingsText = fc
  .tuple(
    fc.record(
      {
        theme: fc.string(),
        hooks: fc.dictionary(event, fc.array(fc.record({ hooks: fc.array(own) }), { maxLength: 2 })),
        permissions: fc.record({ allow: fc.array(fc.string(), { minLength: 1 }) }),
      },
      { requiredKeys: [] },
    ),
    fc.constantFrom('', ' ', '   ', '\t'),
    fc.boolean(),
    fc.boolean(),
    fc.constantFrom('', '\n', '\n\n'),
  )
  .map(([settings, indent, crlf, bom, end]) => {
    const text = JSON.stringify(settings, undefined, indent) + end
    return (bom ? '\uFEFF' : '') + (crlf ? text.replaceAll('\n', '\r\n') : text)
  })

test('a client that can have no personal set-up is named, and nothing is written for the others', () => {
  const { home, environment } = person()
  expect(() => setUpPersonal(environment, { clients: [...clients, tiny] })).toThrow(
    'Tiny Chat cannot be set up for all workspaces',
  )
  expect(tree(home)).toEqual({})
})

/** One text for each client. */
const aText = fc.array(settingsText, { minLength: ids.length, maxLength: ids.length })

describe('init --personal, then uninstall --personal', () => {
  // promise: takes back everything that `init` wrote, and leaves the conversations; `cortext uninstall
  // promise: takes everything back, also from
  // promise: Settings that nobody has changed since are as they were, byte for byte; from others only our
  // promise: `personal/`: what `init --personal` has written, and your settings as they were before
  // promise: `--personal` takes back what `init --personal` wrote, byte for byte, and leaves what you have
  // promise: Only `uninstall --personal` knows what was written
  test('gives the home back byte for byte: folders, settings of the person, other files beside ours', () => {
    fc.assert(
      fc.property(aText, fc.boolean(), (texts, twice) => {
        const { home, environment, put } = person()
        const paths = settingsPaths(home, environment)
        expect(paths.length).toBeGreaterThan(0)
        for (const [index, [, path]] of paths.entries())
          if (index % 2 === 0 || twice) put(path, texts[index]!)
        put('.claude/commands/mine.md', 'mine')
        const before = tree(home)
        const { clients: made } = setUpPersonal(environment, { clients })
        if (twice) setUpPersonal(environment, { clients })
        expect(made.map(({ client }) => client)).toEqual(ids)
        expect(tree(home)).not.toEqual(before)
        takeBackPersonal(environment, { clients })
        expect(tree(home)).toEqual({
          ...before,
          '.local/': '',
          '.local/state/': '',
          '.local/state/cortext/': '',
        })
      }),
      { numRuns: 8 },
    )
  })

  test.each(ids)(
    '%s: settings with comments, which only some clients read, come back byte for byte or are refused',
    (id) => {
      const { home, environment, put } = person()
      const client = clients.find((one) => one.id === id)!
      const [, path] = settingsPaths(home, environment).find(([one]) => one === id) ?? []
      if (path === undefined) return expect(client.personal?.settings).toBeUndefined()
      const commented = '{\n   // mine\n   "ui": { /* here */ "theme": "x" }\n}'
      put(path, commented)
      const before = tree(home)
      if (client.personal!.settings!.haveComments) {
        setUpPersonal(environment, { clients: [client] })
        expect(readFileSync(join(home, path), 'utf8')).toContain('// mine')
        takeBackPersonal(environment, { clients })
        expect(readFileSync(join(home, path), 'utf8')).toBe(commented)
      } else {
        expect(() => setUpPersonal(environment, { clients: [client] })).toThrow(
          expect.objectContaining({ code: 'corrupt' }),
        )
        expect(tree(home)).toEqual(before)
      }
    },
  )

  // promise: Settings that nobody has changed
  // promise: What you have edited stays.
  // promise: `--personal` takes back what `init
  test('takes only our entries out of settings that were changed since, and leaves what the person edited', () => {
    const { home, environment, put } = person()
    put('.claude/settings.json', '{ "theme": "dark" }')
    setUpPersonal(environment, { clients })
    const settings = JSON.parse(readFileSync(join(home, '.claude/settings.json'), 'utf8'))
    settings.model = 'opus'
    settings.hooks.Stop.push({ hooks: [{ type: 'command', command: 'say done' }] })
    put('.claude/settings.json', JSON.stringify(settings))
    put('.claude/commands/workspace.plan.md', 'mine now')
    const [claude] = takeBackPersonal(environment, { clients })
    expect(JSON.parse(readFileSync(join(home, '.claude/settings.json'), 'utf8'))).toEqual({
      theme: 'dark',
      model: 'opus',
      hooks: { Stop: [{ hooks: [{ type: 'command', command: 'say done' }] }] },
    })
    expect(readFileSync(join(home, '.claude/commands/workspace.plan.md'), 'utf8')).toBe('mine now')
    expect(claude!.changes.find(({ path }) => path.endsWith('workspace.plan.md'))).toMatchObject({
      state: 'kept',
    })
  })

  test('never overwrites a command that the person has edited, and a second run changes nothing', () => {
    const { home, environment, put } = person()
    setUpPersonal(environment, { clients })
    put('.claude/commands/workspace.plan.md', 'mine now')
    const before = tree(home)
    const { clients: again } = setUpPersonal(environment, { clients })
    const states = new Set(again.flatMap(({ changes }) => changes.map(({ state }) => state)))
    expect(states).toEqual(new Set(['unchanged', 'kept']))
    expect(tree(home)).toEqual(before)
  })

  test('finds its way back when the list of what it wrote is gone', () => {
    const { home, environment, put } = person()
    put('.claude/settings.json', '{ "theme": "dark" }\n')
    setUpPersonal(environment, { clients })
    rmSync(join(home, '.local'), { recursive: true })
    takeBackPersonal(environment, { clients })
    const left = Object.keys(tree(home)).filter((path) => !path.endsWith('/') && !path.startsWith('.local/'))
    // Whether we made the others is not known any more.
    for (const path of left) expect(readFileSync(join(home, path), 'utf8'), path).not.toContain('cortext')
    expect(left.filter((path) => !path.endsWith('.json'))).toEqual([])
    expect(JSON.parse(readFileSync(join(home, '.claude/settings.json'), 'utf8'))).toEqual({ theme: 'dark' })
  })

  // promise: `CLAUDE_CONFIG_DIR`
  // promise: takes everything back, also from folders that a variable no longer names
  test('takes back a set-up in a folder that a variable no longer names', () => {
    const { home, environment } = person()
    const other = tempFolder()
    const claude = clients.filter(({ id }) => id === 'claude')
    const moved = {
      ...environment,
      env: { ...environment.env, CLAUDE_CONFIG_DIR: join(other, 'deep/claude') },
    }
    setUpPersonal(moved, { clients: claude })
    expect(existsSync(join(other, 'deep/claude/settings.json'))).toBe(true)
    expect(existsSync(join(home, '.claude'))).toBe(false)
    expect(personalSetUps(moved, clients).map(({ client }) => client.id)).toEqual(['claude'])
    expect(personalSetUps(environment, clients)).toEqual([])
    takeBackPersonal(environment, { clients })
    expect(tree(other)).toEqual({})
  })

  test('writes nothing at all if the settings of one client cannot be read', () => {
    const { home, environment, put } = person()
    put('.claude/settings.json', '{')
    const before = tree(home)
    expect(() => setUpPersonal(environment, { clients })).toThrow(
      expect.objectContaining({ code: 'corrupt' }),
    )
    rmSync(join(home, '.claude/settings.json'))
    put('elsewhere.json', '{}')
    symlinkSync('../elsewhere.json', join(home, '.claude/settings.json'))
    expect(() => setUpPersonal(environment, { clients })).toThrow(
      expect.objectContaining({ code: 'unsafe-path' }),
    )
    rmSync(join(home, '.claude/settings.json'))
    writeFileSync(join(home, '.claude/settings.json'), '{')
    rmSync(join(home, 'elsewhere.json'))
    expect(tree(home)).toEqual(before)
  })

  test('reaches a folder of the client that is a link, as people have it who keep their settings elsewhere', () => {
    const { home, environment } = person()
    const dotfiles = tempFolder()
    symlinkSync(dotfiles, join(home, '.claude'))
    setUpPersonal(environment, { clients: clients.filter(({ id }) => id === 'claude') })
    expect(existsSync(join(dotfiles, 'commands/workspace.plan.md'))).toBe(true)
    takeBackPersonal(environment, { clients })
    expect(tree(dotfiles)).toEqual({})
  })
})

describe('init in a workspace of a person with a personal set-up', () => {
  // promise: Then `cortext init` writes no file of a client into a workspace.
  // promise: A workspace then needs no file of a client
  test('writes no file of a client, and the uninstall of the workspace leaves the personal set-up', async () => {
    const { home, cwd, environment } = person()
    setUpPersonal(environment, { clients })
    const { personal, changes } = await install(environment, { clients })
    expect(personal.sort()).toEqual([...ids].sort())
    expect(changes.filter(({ state }) => state === 'made').map(({ path }) => path)).toEqual([
      '.workspace/config.json',
      '.gitattributes',
      '.gitignore',
    ])
    const mine = tree(home)
    uninstall(environment, { clients, hasUnpublished: false })
    expect(Object.keys(tree(cwd))).toEqual([])
    for (const [path, content] of Object.entries(mine))
      if (!path.startsWith('.local/')) expect(tree(home)[path], path).toBe(content)
  })

  // promise: A workspace then needs no
  test('takes back what an earlier init has made there, but not what was edited', async () => {
    const { cwd, environment } = person()
    await install(environment, { clients })
    writeFileSync(join(cwd, '.claude/commands/workspace.plan.md'), 'mine')
    const { also } = setUpPersonal(environment, { clients })
    expect(also).toEqual([cwd])
    await install(environment, { clients })
    const left = Object.keys(tree(cwd)).filter((path) =>
      /^\.(?:claude|gemini|codex|opencode|pi)\/.*[^/]$/.test(path),
    )
    expect(left).toEqual(['.claude/commands/workspace.plan.md'])
  })

  // promise: A type that only a workspace has gets its command there, in the workspace's files.
  test('brings the workspace the commands that only it has', async () => {
    const { cwd, environment } = person()
    setUpPersonal(environment, { clients })
    mkdirSync(join(cwd, '.workspace/commands'), { recursive: true })
    for (const name of ['interview', 'plan'])
      writeFileSync(
        join(cwd, `.workspace/commands/workspace.${name}.md`),
        `---\ndescription: x\n---\n${name}\n`,
      )
    await install(environment, { clients: clients.filter(({ id }) => id === 'claude') })
    expect(
      Object.keys(tree(cwd)).filter((path) => path.startsWith('.claude/') && !path.endsWith('/')),
    ).toEqual(['.claude/commands/workspace.interview.md'])
  })

  // promise: remain a workspace's own
  test('leaves our server in the workspace, which only --mcp asks for, and no hooks', async () => {
    const { cwd, environment } = person()
    const all = clientList().filter(({ personal }) => personal !== undefined)
    await install(environment, { clients: all, mcp: true })
    setUpPersonal(environment, { clients })
    const settings = (): string =>
      all
        .flatMap(({ mcpEntry, settings: one }) => [mcpEntry?.file, one?.file])
        .map((path) =>
          path !== undefined && existsSync(join(cwd, path)) ? readFileSync(join(cwd, path), 'utf8') : '',
        )
        .join('\n')
    await install(environment, { clients })
    expect(settings()).toContain('"mcp"')
    expect(settings()).not.toContain('hook')
    await install(environment, { clients, mcp: false })
    expect(settings()).not.toContain('cortext')
  })
})

test('a dry run says what a run would do, and writes nothing', () => {
  const { home, environment } = person()
  const before = tree(home)
  for (const place of personalPlaces(environment, clients))
    expect(installPersonal(place, { dry: true }).every(({ state }) => state === 'made')).toBe(true)
  expect(tree(home)).toEqual(before)
})
