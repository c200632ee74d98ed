import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { TOOLS } from '../../../src/cli/verbs/mcp/definitions.ts'
import { clientList } from '../../../src/clients/index.ts'
import { o200k } from '../../../src/context/tokens/index.ts'
import { filesBelow, type Lab, workspaceLab } from '../../helpers/workspace-lab.ts'

const FILES = ['.mcp.json', 'opencode.json', '.gemini/settings.json']
const SERVER = { command: 'cortext', args: ['mcp'] }

/** As a person may have them: comments, tabs, line ends of Windows, no last newline, other servers. */
const THEIRS: Record<string, Record<string, string>> = {
  'other servers': {
    '.mcp.json': '{"mcpServers":{"notes":{"command":"notes","args":["-v"]}}}',
    'opencode.json': '{\n\t"mcp": {\n\t\t"notes": { "type": "local", "command": ["notes"] }\n\t}\n}\n',
    '.gemini/settings.json': '{\r\n  "mcpServers": { "notes": { "command": "notes" } },\r\n  "x": 1\r\n}\r\n',
  },
  comments: {
    'opencode.json':
      '{\n  // my servers\n  "mcp": {\n    /* notes */ "notes": { "type": "local", "command": ["notes"] }, // all\n  },\n}\n',
    '.gemini/settings.json': '{\n  // mine\n  "mcpServers": {}\n}\n',
  },
  'no servers': {
    '.mcp.json': '{}',
    'opencode.json': '{ "theme": "x", "mcp": {} }\n',
    '.gemini/settings.json': '{}\n',
  },
}

describe.each(['shared', 'private'])('in a %s workspace', (visibility) => {
  // promise: beside what you have there,
  test.each(Object.keys(THEIRS))('files with %s come back to the byte', async (name) => {
    const lab = await workspaceLab({ init: 'none' })
    for (const [path, text] of Object.entries(THEIRS[name]!)) put(lab, path, text)
    const before = filesBelow(lab.root)
    const { changes } = await lab.json(['init', `--${visibility}`, '--mcp', '--json'])
    const paths = (changes as { path: string }[]).map(({ path }) => path)
    for (const own of FILES) expect(paths.filter((path) => path === own)).toEqual([own])
    for (const path of FILES) expect(read(lab, path), path).toMatch(/"cortext":\s*\{/)
    for (const [path, text] of Object.entries(THEIRS[name]!))
      for (const word of text.match(/\/\/ \w+|\/\*.*?\*\/|"notes"/g) ?? [])
        expect(read(lab, path)).toContain(word)
    expect(JSON.parse(read(lab, '.mcp.json')).mcpServers.cortext).toMatchObject(SERVER)
    // Run again, with it and without, nothing changes.
    const set = filesBelow(lab.root)
    await lab.json(['init', '--mcp', '--json'])
    await lab.json(['init', '--json'])
    expect(only(filesBelow(lab.root), FILES)).toEqual(only(set, FILES))
    // Taken out and put in again, our server alone comes and goes.
    await lab.json(['init', '--no-mcp', '--json'])
    for (const path of FILES)
      expect(existsSync(join(lab.root, path)) ? read(lab, path) : '', path).not.toMatch(/"cortext":\s*\{/)
    for (const path of ['.mcp.json', 'opencode.json'])
      expect(only(filesBelow(lab.root), [path])).toEqual(only(before, [path]))
    expect(read(lab, '.gemini/settings.json')).toContain('cortext hook')
    await lab.json(['init', '--mcp', '--json'])
    expect(only(filesBelow(lab.root), FILES)).toEqual(only(set, FILES))
    await lab.json(['uninstall', '--json'])
    expect(only(filesBelow(lab.root), FILES)).toEqual(only(before, FILES))
  })

  test('uninstall removes the files that init made, and from files that were edited since only our server', async () => {
    const lab = await workspaceLab({ init: 'none' })
    await lab.json(['init', `--${visibility}`, '--mcp', '--json'])
    const [mcp, opencode] = [JSON.parse(read(lab, '.mcp.json')), JSON.parse(read(lab, 'opencode.json'))]
    expect(mcp).toEqual({ mcpServers: { cortext: SERVER } })
    expect(opencode).toEqual({
      $schema: 'https://opencode.ai/config.json',
      mcp: { cortext: { type: 'local', command: ['cortext', 'mcp'], enabled: true } },
    })
    mcp.mcpServers.notes = { command: 'notes' }
    put(lab, '.mcp.json', JSON.stringify(mcp))
    await lab.json(['uninstall', '--json'])
    expect(FILES.map((path) => existsSync(join(lab.root, path)))).toEqual([true, false, false])
    expect(JSON.parse(read(lab, '.mcp.json'))).toEqual({ mcpServers: { notes: { command: 'notes' } } })
  })
})

test('uninstall removes only our server from edited files with comments', async () => {
  const lab = await workspaceLab({ init: 'none' })
  const theirs = Object.entries(THEIRS.comments!)
  for (const [path, text] of theirs) put(lab, path, text)
  await lab.json(['init', '--mcp', '--json'])
  for (const [path] of theirs) put(lab, path, `${read(lab, path)}// edited\n`)
  await lab.json(['uninstall', '--json'])
  const squeezed = (text: string) => text.replace(/\s+/g, '')
  for (const [path, text] of theirs)
    expect(squeezed(read(lab, path)), path).toBe(squeezed(`${text}// edited\n`))
})

// promise: It is off by default
// promise: and only that, gives your clients a server that their agents can ask
test('init without --mcp writes no server, and prints no price', async () => {
  const lab = await workspaceLab({ init: 'none' })
  const { stderr } = await lab.cortext(['init'])
  expect(stderr).toBe('')
  expect(existsSync(join(lab.root, '.mcp.json'))).toBe(false)
  expect(existsSync(join(lab.root, 'opencode.json'))).toBe(false)
  expect(read(lab, '.gemini/settings.json')).not.toContain('mcpServers')
})

test('without an earlier --mcp, uninstall reads no file of servers', async () => {
  const lab = await workspaceLab()
  const own = JSON.stringify({ mcpServers: { cortext: SERVER } })
  put(lab, '.mcp.json', own)
  symlinkSync(join(lab.home, 'dotfiles.json'), join(lab.root, 'opencode.json'))
  await lab.json(['uninstall', '--json'])
  expect(read(lab, '.mcp.json')).toBe(own)
})

// promise: does not write through
test('a file of servers that is a link is not written through, and nothing is written at all', async () => {
  const lab = await workspaceLab({ init: 'none' })
  put(lab, '../home/dotfiles.json', '{}')
  symlinkSync(join(lab.home, 'dotfiles.json'), join(lab.root, '.mcp.json'))
  const before = filesBelow(lab.root)
  expect((await lab.cortext(['init', '--mcp'])).stderr).toContain('.mcp.json is a symbolic link')
  expect(filesBelow(lab.root)).toEqual(before)
  expect(read(lab, '../home/dotfiles.json')).toBe('{}')
})

// promise: beside what you have there, and names the clients that get none; `cortext init --no-mcp` takes
test('init --mcp names the clients that get no server, and what there is for them', async () => {
  const lab = await workspaceLab({ init: 'none' })
  const { stderr } = await lab.cortext(['init', '--mcp', '--in', 'codex', 'claude', '--shared'])
  expect(stderr).toMatch(/^No server for Codex CLI\..* cortext init --skill$/m)
  expect((await lab.cortext(['init', '--mcp', '--in', 'claude'])).stderr).not.toContain('No server')
  // Copilot CLI reads the same file as Claude Code.
  const copilot = await lab.cortext(['init', '--mcp', '--in', 'copilot'])
  expect(copilot.stderr).not.toContain('No server')
  expect(JSON.parse(read(lab, '.mcp.json')).mcpServers.cortext).toMatchObject(SERVER)
})

// promise: It is off by default
test('init --mcp prints the price in tokens before it writes anything', async () => {
  const tokens = (await o200k()).count(JSON.stringify(TOOLS))
  const lab = await workspaceLab({ init: 'none' })
  put(lab, '.mcp.json', 'broken')
  const failed = await lab.cortext(['init', '--mcp'])
  expect(failed.code).toBe(1)
  expect(failed.stderr).toMatch(new RegExp(`^The tools of .cortext mcp. cost up to ${tokens} tokens`))
  expect(failed.stderr).toContain('.mcp.json is not valid JSON')
  expect(existsSync(join(lab.root, '.workspace'))).toBe(false)
  expect(existsSync(join(lab.root, 'opencode.json'))).toBe(false)
  put(lab, '.mcp.json', '{}')
  expect(await lab.json(['init', '--mcp', '--json'])).toMatchObject({ mcp: { tokens } })
})

test('init --mcp writes a server only for the clients that are set up', async () => {
  const lab = await workspaceLab({ init: 'none' })
  await lab.json(['init', '--mcp', '--in', 'opencode', '--json'])
  expect(FILES.map((path) => existsSync(join(lab.root, path)))).toEqual([false, true, false])
})

test('a private workspace hides what it has made from git, and says so of a file that git tracks', async () => {
  const lab = await workspaceLab({ init: 'none' })
  put(lab, '.mcp.json', '{"mcpServers":{}}')
  lab.git('add', '.mcp.json')
  lab.git('commit', '--quiet', '--message=servers')
  const { changes } = await lab.json<{ changes: { path: string; note?: string }[] }>([
    'init',
    '--private',
    '--mcp',
    '--json',
  ])
  expect(changes.find(({ path }) => path === '.mcp.json')!.note).toContain('git tracks it')
  expect(lab.git('status', '--porcelain')).toBe(' M .mcp.json\n')
  await lab.json(['uninstall', '--json'])
  expect(lab.git('status', '--porcelain')).toBe('')
})

// promise: beside what you have there,
test('init --no-mcp takes out only what init wrote, and only the server', async () => {
  const lab = await workspaceLab({ init: 'none' })
  await lab.json(['init', '--json'])
  const before = filesBelow(lab.root)
  await lab.json(['init', '--mcp', '--json'])
  const mcp = JSON.parse(read(lab, '.mcp.json'))
  put(lab, '.mcp.json', JSON.stringify({ mcpServers: { ...mcp.mcpServers, notes: { command: 'notes' } } }))
  const opencode = { mcp: { cortext: { type: 'remote', url: 'https://example.org' } } }
  put(lab, 'opencode.json', JSON.stringify(opencode))
  await lab.json(['init', '--no-mcp', '--json'])
  expect(JSON.parse(read(lab, '.mcp.json'))).toEqual({ mcpServers: { notes: { command: 'notes' } } })
  expect(JSON.parse(read(lab, 'opencode.json'))).toEqual(opencode)
  expect(read(lab, '.gemini/settings.json')).toBe(before['.gemini/settings.json'])
  // Where init --mcp was never used, a file of servers is the person's.
  const other = await workspaceLab()
  put(other, '.mcp.json', JSON.stringify({ mcpServers: { cortext: SERVER } }))
  await other.json(['init', '--no-mcp', '--json'])
  expect(JSON.parse(read(other, '.mcp.json'))).toEqual({ mcpServers: { cortext: SERVER } })
})

// promise: says whether the server is still there and what it starts.
test('doctor says whether the server is still there, and what it starts', async () => {
  const lab = await workspaceLab()
  const told = async () =>
    (await lab.cortext(['doctor'])).stdout.split('\n').filter((line) => /server/.test(line))
  expect(await told()).toEqual([])
  await lab.json(['init', '--mcp', '--json'])
  const servers = clientList().flatMap(({ name, mcpEntry }) =>
    mcpEntry ? [`${name}: its server in ${mcpEntry.file}`] : [],
  )
  expect(servers.length).toBeGreaterThan(2)
  expect(await told()).toEqual(
    servers.map((server) => expect.stringContaining(`ok       ${server} starts cortext mcp`)),
  )
  put(lab, '.mcp.json', '{}')
  put(lab, 'opencode.json', '{"mcp":{"cortext":{"type":"local","command":["/opt/cortext","mcp"]}}}')
  expect((await told()).slice(0, 2)).toEqual([
    expect.stringMatching(
      /note +Claude Code: the server that init wrote into \.mcp\.json is not there any more/,
    ),
    expect.stringMatching(
      /note +OpenCode: the server "cortext" in opencode\.json .* starts \/opt\/cortext mcp$/,
    ),
  ])
  await lab.json(['init', '--no-mcp', '--json'])
  symlinkSync(join(lab.home, 'dotfiles.json'), join(lab.root, '.mcp.json'))
  expect(await told()).toEqual([])
  expect((await lab.cortext(['doctor'])).stdout).not.toContain('.mcp.json')
})

test('doctor finds nothing wrong with the server, and --fix leaves it', async () => {
  const lab = await workspaceLab({ init: 'none' })
  await lab.json(['init', '--mcp', '--json'])
  const before = only(filesBelow(lab.root), FILES)
  const { stdout } = await lab.cortext(['doctor', '--fix'])
  expect(stdout).not.toMatch(/not as this version writes it/)
  expect(only(filesBelow(lab.root), FILES)).toEqual(before)
})

describe('the skill', () => {
  const SKILL = '.agents/skills/cortext/SKILL.md'

  test.each(['shared', 'private'])(
    'is made on request, and goes with its folders: %s',
    async (visibility) => {
      const lab = await workspaceLab({ init: 'none' })
      await lab.json(['init', `--${visibility}`, '--json'])
      expect(existsSync(join(lab.root, '.agents'))).toBe(false)
      await lab.json(['init', '--skill', '--json'])
      expect(read(lab, SKILL)).toMatch(/^---\nname: cortext\ndescription: /)
      const seen = lab.git('status', '--porcelain', '--untracked-files=all').includes(SKILL)
      expect(seen).toBe(false)
      expect((await lab.cortext(['doctor'])).stdout).not.toContain(SKILL)
      await lab.json(['uninstall', '--json'])
      expect(existsSync(join(lab.root, '.agents'))).toBe(false)
    },
  )

  // promise: it writes `.agents/skills/cortext/SKILL.md`, which says when to look, and by which calls
  test('names only calls that exist and that agents may run unasked', async () => {
    const lab = await workspaceLab({ init: 'none' })
    await lab.json(['init', '--skill', '--json'])
    const calls = [...read(lab, SKILL).matchAll(/`(cortext [^`]+)`/g)].map(([, call]) => call!)
    expect(calls).toEqual([
      'cortext agent search "<question>" "<reworded>" "<words>"',
      'cortext agent show <id> --at <message>',
      'cortext agent context <id> --budget 5000',
    ])
    const input = '{"role":"user","content":"a zoo"}\n'
    await lab.json(['append', '--key', 'zoo', '--json'], { input })
    for (const call of calls) {
      const args = call
        .split(' ')
        .slice(1)
        .map((word) => (word === '<message>' ? '1' : /^"?</.test(word) ? 'zoo' : word))
      expect((await lab.cortext(args)).code, call).toBe(0)
    }
    const found = await lab.cortext(['agent', 'search', 'a zoo', 'the animals', 'zoo'])
    const [, opened = ''] = /→ cortext (agent show \S+ --at \S+)$/m.exec(found.stdout) ?? []
    expect((await lab.cortext(opened.split(' '))).stdout).toContain('a zoo')
  })

  test('stays if it was edited, and after a deletion is made again only on request', async () => {
    const lab = await workspaceLab({ init: 'none' })
    await lab.json(['init', '--skill', '--json'])
    const made = read(lab, SKILL)
    rmSync(join(lab.root, SKILL))
    await lab.json(['init', '--json'])
    expect(existsSync(join(lab.root, SKILL))).toBe(false)
    await lab.json(['init', '--skill', '--json'])
    expect(read(lab, SKILL)).toBe(made)
    put(lab, SKILL, `${made}mine\n`)
    const { changes } = await lab.json<{ changes: { path: string; state: string }[] }>([
      'uninstall',
      '--json',
    ])
    expect(changes).toContainEqual(expect.objectContaining({ path: SKILL, state: 'kept' }))
    expect(read(lab, SKILL)).toBe(`${made}mine\n`)
  })
})

function put({ root }: Lab, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

function read({ root }: Lab, path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

function only(files: Record<string, string>, paths: readonly string[]): Record<string, string | undefined> {
  return Object.fromEntries(paths.map((path) => [path, files[path]]))
}
