import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { sha256 } from '../../../src/hash.ts'
import { bytesAt, openMachines, say } from '../../helpers/machines.ts'
import { tempBase } from '../../helpers/repository.ts'
import {
  type Files,
  idOfZeros,
  type Link,
  type Node,
  type Packed,
  packOf,
  Stranger,
  ZEROS,
} from '../../helpers/stranger.ts'
import { filesBelow, type Lab, type Run } from '../../helpers/workspace-lab.ts'

/** What a stranger puts into the branch of a project, in and around a folder that could be one of a conversation. */
interface Form {
  puts: (folder: string, session: (more?: object) => string, mine: { path: string; origin: string }) => Files
  /** What comes here of it, below that folder. Default: nothing. */
  comes?: string[]
  /** What sync says of it; by default nothing. */
  told?: RegExp
}

const RECORD = ['.session/session.json']
const OUTSIDE = '../../../outside'
const STAYS = /stays at the place/

/** All of these are in one commit: a sync goes on with what is good. */
const FORMS: Record<string, Form> = {
  'a conversation that is a link': { puts: (c) => [[c, { link: OUTSIDE }]] },
  'a record that is a link': {
    puts: (c) => [
      [`${c}/x.md`, 'x'],
      [`${c}/.session`, { link: `../${OUTSIDE}` }],
    ],
  },
  'a session.json that is a link': {
    puts: (c) => [[`${c}/.session/session.json`, { link: `../${OUTSIDE}/session.json` }]],
  },
  'documents that are links': {
    puts: (c, s) => [
      [`${c}/.session/session.json`, s()],
      [`${c}/chat.md`, { link: '/etc/passwd' }],
      [`${c}/files`, { link: `../${OUTSIDE}` }],
    ],
    comes: RECORD,
  },
  'a submodule in a conversation': {
    puts: (c, s) => [
      [`${c}/.session/session.json`, s()],
      [`${c}/module`, { mode: '160000', id: 'a'.repeat(40) }],
      ['.gitmodules', '[submodule "x"]\n\tpath = x\n\turl = https://forge.example/x\n\tupdate = none\n'],
    ],
    comes: RECORD,
  },
  'a program in a conversation': {
    puts: (c, s) => [
      [`${c}/.session/session.json`, s()],
      [`${c}/run`, { mode: '100755', id: 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391' }],
    ],
    comes: RECORD,
  },
  'a conversation outside of the folders of types': {
    puts: (_, s) => [
      ['src/x/.session/session.json', s()],
      ['src/x/a.ts', 'x'],
    ],
    told: /src\/x stays at the place/,
  },
  'a conversation at the top': {
    puts: (_, s) => [
      ['.session/session.json', s()],
      ['package.json', '{}'],
    ],
  },
  'a folder of a type as a conversation': {
    puts: (_, s) => [['conversations/.session/session.json', s()]],
    told: /conversations stays at the place/,
  },
  'a conversation above others': {
    puts: (_, s) => [['conversations/2026-11-21/.session/session.json', s()]],
    told: /2026-11-21 stays at the place/,
  },
  'a conversation in another one': {
    puts: (c, s) => [
      [`${c}/.session/session.json`, s()],
      [`${c}/in/.session/session.json`, s({ origin: 'bbbbbbbbbbbb' })],
    ],
    comes: ['in/.session/session.json'],
    told: STAYS,
  },
  'a hidden folder as a conversation': {
    puts: (_, s) => [
      ['conversations/.claude/.session/session.json', s()],
      ['conversations/.claude/settings.json', '{"hooks":{}}'],
    ],
    told: /conversations\/\.claude stays/,
  },
  'a folder of packages as a conversation': {
    puts: (_, s) => [
      ['conversations/node_modules/x/.session/session.json', s()],
      ['conversations/node_modules/x/index.js', 'x'],
    ],
    told: /node_modules\/x stays/,
  },
  'hidden files in a conversation': {
    puts: (c, s) => [
      [`${c}/.session/session.json`, s()],
      [`${c}/.envrc`, 'x'],
      [`${c}/.vscode/tasks.json`, '{}'],
      [`${c}/.session/hooks/pre-commit`, 'x'],
      [`${c}/.SESSION/session.json`, s()],
    ],
    comes: RECORD,
  },
  'attributes, ignores and names of people': {
    puts: (c, s) => [
      [`${c}/.session/session.json`, s()],
      [`${c}/.gitattributes`, '* filter=x'],
      [`${c}/.gitignore`, '*'],
      [`${c}/.mailmap`, 'x <x> <ada@example.org>'],
      ['.gitattributes', '* filter=x ident working-tree-encoding=utf-16'],
      ['.gitignore', '/conversations/'],
      ['.mailmap', 'x <x> <ada@example.org>'],
    ],
    comes: RECORD,
  },
  'settings of this machine': {
    puts: () => [
      ['.workspace/local/x/place.json', '{}'],
      ['.workspace/config.json', '{"redact":false,"sync":{"auto":true}}'],
      ['.workspace/Config.json', '{"redact":false,"sync":{"auto":true}}'],
    ],
  },
  'settings of clients': {
    puts: () => [
      ['.claude/settings.json', '{"hooks":{}}'],
      ['CLAUDE.md', 'x'],
      ['AGENTS.md', 'x'],
    ],
  },
  'types with folders outside, in git and in the settings': {
    puts: () => [
      [
        '.workspace/registry.json',
        `{"types":{${['../x', '.git/hooks', '.workspace', '/etc', 'git~1', 'a\\\\b']
          .map((folder, n) => `"t${n}":{"folder":"${folder}"}`)
          .join()},"__proto__":{"folder":"x"}}}`,
      ],
    ],
  },
  'commands and prompts with names of their own': {
    puts: () => [
      ['.workspace/commands/..\\..\\x.md', 'x'],
      ['.workspace/commands/\u001b]0;x\u0007.md', 'x'],
      ['.workspace/prompts/.hidden.md', 'x'],
      ['.workspace/templates/in/x.md', 'x'],
    ],
  },
  'ids that are paths': {
    puts: (c, s) => [
      [`${c}/.session/session.json`, s({ origin: '../../../x', conversation_id: '../../x' })],
      [`${c}-2/.session/session.json`, s({ conversation_id: '../../x', conversation_type: '../x' })],
    ],
    comes: [],
  },
  'a session.json that is no JSON': { puts: (c) => [[`${c}/.session/session.json`, '{"a":']] },
  'a session.json that is deep': {
    puts: (c) => [
      [`${c}/.session/session.json`, '['.repeat(100_000)],
      [
        `${c}-2/.session/session.json`,
        `{"origin":"cccccccccccc","a":${'['.repeat(5000)}${']'.repeat(5000)}}`,
      ],
    ],
  },
  'a session.json with values of other types': {
    puts: (c, s) => [
      [`${c}/.session/session.json`, s({ title: {}, tags: 5, agent_sessions: 'x', merged: 7 })],
      [`${c}-2/.session/session.json`, s({ origin: 12_345_678 })],
      [`${c}-3/.session/session.json`, s({ origin: ['dddddddddddd'] })],
      [`${c}-4/.session/session.json`, '"eeeeeeeeeeee"'],
    ],
    told: /was left alone: its session\.json cannot be read/,
  },
  'a session.json with names of prototypes': {
    puts: (c, s) => [
      [
        `${c}/.session/session.json`,
        s().replace('{', '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},'),
      ],
    ],
    comes: RECORD,
  },
  'a session.json of 5 MB': {
    puts: (c, s) => [[`${c}/.session/session.json`, s({ title: 'x'.repeat(5 * 1024 * 1024) })]],
    told: /session\.json was left alone: it has 6 MB, and at most 4 MB are read/,
  },
  'a session.json that takes a gigabyte with its indent': {
    puts: (c, s) => [[`${c}/.session/session.json`, withDepth(s())]],
    told: /was left alone: its session\.json cannot be read/,
  },
  'a session.json of mine that does': {
    puts: (_, s, { path, origin }) => [[`${path}/.session/session.json`, withDepth(s({ origin }))]],
  },
  'a newer version': {
    puts: (c, s) => [[`${c}/.session/session.json`, s({ version: '99.0' })]],
    told: STAYS,
  },
  'lines that are no messages, and no end of the last one': {
    puts: (c, s) => [
      [`${c}/.session/session.json`, s()],
      [`${c}/.session/messages.jsonl`, 'x\n{}\n[]\n\u0000\n{"id":"__proto__","role":"user"}'],
    ],
    comes: ['.session/messages.jsonl', ...RECORD],
  },
  'a title and a key that a terminal obeys': {
    puts: (c, s) => [
      [`${c}/.session/session.json`, s({ title: '\u001b[31mred\u0007', key: 'mine\u001b]0;x\u0007' })],
    ],
    comes: RECORD,
  },
  'names that a terminal obeys': {
    puts: (c, s) => [
      [`${c}/.session/session.json`, s()],
      [`${c}/\u001b[31m.md`, 'x'],
      [`${c}/a\nb.md`, 'x'],
      [`${c}/..\\..\\x.md`, 'x'],
      [`${c}/C:x.md`, 'x'],
      [`${c}/\u00ff\u00fe.md`, 'x'],
      [`conversations/2026-11-21/\u001b[31m/.session/session.json`, s({ origin: 'ffffffffffff' })],
    ],
    comes: [...RECORD, 'C:x.md'],
  },
  'names that other systems cannot have, or take for the same': {
    puts: (c, s) => [
      [`${c}/.session/session.json`, s()],
      ...['con.md', 'dot.', 'a:b', 'Notes.md', 'notes.md'].map((name): [string, string] => [
        `${c}/${name}`,
        'x',
      ]),
      [`${c}/${latin1('\u00e9')}.md`, 'x'],
      [`${c}/${latin1('e\u0301')}.md`, 'x'],
    ],
    comes: [...RECORD, 'Notes.md', 'a:b', 'con.md', 'dot.', `${'e\u0301'}.md`, 'notes.md', '\u00e9.md'].map(
      latin1,
    ),
  },
  'names that are too long': {
    puts: (c, s) => [
      [`${c}/.session/session.json`, s()],
      [`${c}/${'x'.repeat(250)}.md`, 'x'],
      [`${c}/${'d/'.repeat(300)}x.md`, 'x'],
      [`${c}/${`${'y'.repeat(100)}/`.repeat(30)}x.md`, 'x'],
    ],
    comes: RECORD,
    told: /xxx….*was left alone: its name is too long/,
  },
  'the origin of a conversation of mine, before and after it': {
    puts: (_, s, { origin }) => [
      ['conversations/1999-01-01/001-chat-x/.session/session.json', s({ origin })],
      ['conversations/2999-01-01/001-chat-x/.session/session.json', s({ origin })],
      ['conversations/2999-01-01/001-chat-x/chat.md', 'x'],
    ],
  },
  'a conversation in one of mine': {
    puts: (_, s, { path }) => [
      [`${path}/in/.session/session.json`, s()],
      [`${path}/in/x.md`, 'x'],
    ],
    told: /001-chat-mine\/in stays/,
  },
  'a folder of mine with other files': {
    puts: (_, s) => [['conversations/notes/.session/session.json', s()]],
    told: /conversations\/notes stays/,
  },
  'marks of what nobody has deleted': {
    puts: () => [
      [
        '.workspace/gone.json',
        JSON.stringify({
          deleted: ['x', 1, null],
          redacted: { x: 1, ['a'.repeat(64)]: 'x', ['b'.repeat(64)]: -1, ['c'.repeat(64)]: 1e300 },
        }),
      ],
    ],
  },
  'a prompt of 17 MB': {
    puts: () => [['.workspace/prompts/x.md', 'x'.repeat(17 * 1024 * 1024)]],
    told: /prompts\/x\.md was left alone: it has 17 MB, and at most 16 MB are read/,
  },
  'many conversations with one origin': {
    puts: (c, s) =>
      Array.from({ length: 30 }, (_, n): [string, string] => [`${c}-${n}/.session/session.json`, s()]),
  },
}

function withDepth(session: string): string {
  return session.replace('{', `{"a":${'['.repeat(900)}${'1,'.repeat(500_000)}1${']'.repeat(900)},`)
}

function latin1(text: string): string {
  return Buffer.from(text).toString('latin1')
}

const NAMES = Object.keys(FORMS)
const folderOf = (name: string) => `conversations/2026-11-21/${100 + NAMES.indexOf(name)}-chat-x`

function sessionOf(name: string, more = {}): string {
  return JSON.stringify({
    conversation_id: '001-chat-x',
    conversation_type: 'chat',
    title: 'x',
    status: 'paused',
    created_at: '2026-11-21T00:00:00Z',
    last_active: '2026-11-21T00:00:00Z',
    origin: String(NAMES.indexOf(name)).padStart(12, 'a'),
    ...more,
  })
}

describe('a branch with forms of all kinds', () => {
  let lab: Lab
  let run: Run
  let again: Run
  let before: Record<string, string>
  let mine: Record<string, string>
  let stranger: Stranger

  beforeAll(async () => {
    const { machines, place, remove } = await openMachines(1)
    lab = machines[0]!
    await say(lab, 'mine', 'my words')
    await lab.json(['sync', '--to', place, '--json'])
    mkdirSync(join(dirname(lab.root), 'outside'))
    writeFileSync(join(dirname(lab.root), 'outside', 'session.json'), sessionOf(NAMES[0]!))
    mkdirSync(join(lab.root, 'conversations/notes'))
    writeFileSync(join(lab.root, 'conversations/notes/private.md'), 'private')
    mine = filesBelow(join(lab.root, 'conversations'))
    const record = Object.keys(mine).find((path) => path.endsWith('/session.json'))!
    const { origin } = JSON.parse(mine[record]!) as { origin: string }
    const path = `conversations/${record.slice(0, -'/.session/session.json'.length)}`
    stranger = new Stranger(place)
    const puts = NAMES.flatMap((name) =>
      FORMS[name]!.puts(folderOf(name), (more) => sessionOf(name, more), { path, origin }),
    )
    stranger.object('blob', '')
    stranger.add(puts)
    before = around(lab)
    run = await lab.cortext(['sync'])
    again = await lab.cortext(['sync'])
    return remove
  })

  // promise: a file comes only into the folder of a conversation
  // promise: is left alone, and sync says so
  test('touches nothing else, says it in plain words, and takes nothing away', async () => {
    expect(run, run.stderr).toMatchObject({ code: 0 })
    expect(run.stdout + run.stderr).not.toMatch(/[\u0007\u001b]|\bat .*\.js:/)
    expect(around(lab)).toEqual(before)
    expect(lab.git('status', '--porcelain')).toBe('')
    const now = filesBelow(join(lab.root, 'conversations'))
    expect(Object.fromEntries(Object.keys(mine).map((path) => [path, now[path]]))).toEqual(mine)
    for (const path of Object.keys(now))
      expect(path).not.toMatch(/(?:^|\/)\.(?!session\/)|\.git|[\u0000-\u001f]/i)
    expect(
      Object.keys(filesBelow(join(lab.root, '.workspace'))).filter((path) => /onfig/.test(path)),
    ).toEqual(['config.json'])
    expect(stranger.git('ls-tree', '-r', stranger.branch)).not.toContain('private')
    expect(again).toMatchObject({ code: 0, stdout: 'Up to date.\n' })
    expect(again.stderr).toContain(run.stderr)
    const { stdout, stderr, code } = await lab.cortext(['list', '--all'])
    expect(code, stderr).toBe(0)
    expect(stdout).toContain('mine')
    expect(readFileSync(join(lab.root, '.workspace/config.json'), 'utf8')).not.toContain('auto')
  })

  test.each(NAMES)('%s', (name) => {
    const { comes = [], told } = FORMS[name]!
    const files = Object.keys(filesBelow(join(lab.root, 'conversations')))
    const begin = `${folderOf(name).slice('conversations/'.length)}/`
    const came = files.filter((path) => path.startsWith(begin)).map((path) => path.slice(begin.length))
    expect(came.map(latin1)).toEqual(comes)
    if (told !== undefined) expect(run.stderr).toMatch(told)
  })
})

/** What a stranger does to a whole place, or what ends a sync. */
type Attack = (stranger: Stranger, lab: Lab) => unknown

const named =
  (...path: string[]): Attack =>
  (stranger) =>
    stranger.add([[path, 'x']])

const put =
  (path: string, text: string | Link): Attack =>
  (stranger) =>
    stranger.add([[path, text]])

/** With what sync says of it. Without that, it goes on as if nothing were. */
const ATTACKS: Record<string, [attack: Attack, told?: RegExp]> = {
  'a name ..': [named('conversations', '..', '..', 'x'), /hasDotdot/],
  'a name .': [named('conversations', '.', 'x'), /hasDot\b/],
  'a name of git': [named('.git', 'config'), /hasDotgit/],
  'a name of git in capitals': [named('conversations', '.GIT', 'config'), /hasDotgit/],
  'a name of git as Windows has it': [named('git~1', 'config'), /hasDotgit/],
  'a name of git as macOS has it': [named('.g\u00e2\u0080\u008cit', 'config'), /hasDotgit/],
  'a name that is a path': [named('conversations/../../x'), /fullPathname/],
  'a name that is an absolute path': [named('/tmp/x'), /fullPathname/],
  'a name that is empty': [named('conversations', '', 'x'), /emptyName|empty filename/],
  'two files of one name': [
    (stranger) => {
      const id = Buffer.from(stranger.object('blob', 'x'), 'hex')
      const entry = Buffer.concat([Buffer.from('100644 x\0'), id])
      stranger.set(stranger.commit(stranger.object('tree', Buffer.concat([entry, entry]))))
    },
    /duplicateEntries/,
  ],
  'submodules that are a link': [put('.gitmodules', { link: '/tmp/x' }), /gitmodulesSymlink/],
  'submodules whose address is an option': [
    put('.gitmodules', '[submodule "x"]\n\tpath = x\n\turl = --upload-pack=touch sprung\n'),
    /gitmodulesUrl/,
  ],
  'a branch that is a file': [(stranger) => stranger.set(stranger.object('blob', 'x')), /is no commit/],
  'a branch that is a tag': [
    (stranger) => {
      const object = stranger.git('rev-parse', stranger.branch)
      const who = 'tagger x <x@x> 1764000000 +0000'
      stranger.set(stranger.object('tag', `object ${object}\ntype commit\ntag x\n${who}\n\nx\n`))
    },
    /is no commit/,
  ],
  'a branch of what is not there': [(stranger) => stranger.set('b'.repeat(40)), /git ls-remote/],
  'a folder with a folder ten times, twelve levels deep, in an earlier commit': [
    (stranger) => {
      const bomb = stranger.commit(bombOf(stranger))
      stranger.set(stranger.commit(stranger.tree(stranger.present()), [bomb]))
    },
    /has more files than are read/,
  ],
  'a folder in five hundred others': [
    (stranger) => {
      let tree = stranger.tree(new Map([['x', 'x']]))
      for (let level = 0; level < 500; level += 1)
        tree = stranger.tree(new Map([['d', { mode: '40000', id: tree }]]))
      stranger.add([['conversations/2026-11-21/001-chat-deep', { mode: '40000', id: tree }]])
    },
    /its name is too long|maximum allowed tree depth/,
  ],
  'a commit of 3 MB': [
    (stranger) =>
      stranger.set(stranger.commit(stranger.tree(stranger.present()), undefined, 'x'.repeat(3e6))),
    /has a git commit of 3 MB, and at most 2 MB are read/,
  ],
  'marks of 260,000 conversations': [
    put('.workspace/gone.json', JSON.stringify({ deleted: marksOf(260_000) })),
    /gone\.json at the place: it has 18 MB, and at most 16 MB are read/,
  ],
  'types that are no JSON': [put('.workspace/registry.json', '{"types":'), /registry\.json was left alone/],
  'a type with a folder that has other files here': [
    put('.workspace/registry.json', '{"types":{"x":{"folder":"docs"},"y":{"folder":"conversations"}}}'),
    /registry\.json was left alone: its folder docs has other files here/,
  ],
  'an earlier state': [(stranger) => stranger.set(stranger.git('rev-parse', `${stranger.branch}~1`))],
  'another project': [(stranger) => stranger.set(otherProject(stranger))],
  'a history that was merged': [
    (stranger) => {
      const other = stranger.commit(stranger.tree(new Map([['x', 'x']])))
      const tree = stranger.tree(stranger.present())
      stranger.set(stranger.commit(tree, [other, stranger.git('rev-parse', stranger.branch)]))
    },
  ],
  'replaced and grafted commits, and a shallow history': [
    (stranger) => {
      const tip = stranger.git('rev-parse', stranger.branch)
      const other = stranger.commit(stranger.tree(new Map([['x', 'x']])), [])
      stranger.set(other, `refs/replace/${tip}`)
      mkdirSync(join(stranger.place, 'info'), { recursive: true })
      writeFileSync(join(stranger.place, 'info/grafts'), `${tip} ${tip}\n`)
      stranger.add([['x', 'x']])
      writeFileSync(join(stranger.place, 'shallow'), `${tip}\n`)
    },
  ],
  'references with odd names': [
    (stranger) => {
      const tip = stranger.git('rev-parse', stranger.branch)
      for (const name of [
        'heads/-x',
        'heads/a\u001b[31mb',
        'heads/x.lock',
        'heads/\u00e2\u0080\u00aex',
        'cortext/joined',
      ])
        stranger.set(tip, `refs/${name}`)
      stranger.set('ref: refs/heads/loop', 'refs/heads/loop')
      stranger.set('ref: ../../../config', 'refs/heads/out')
      stranger.set('ref: refs/heads/loop', 'HEAD')
    },
    /git ls-remote/,
  ],
  'a named pipe': [
    (stranger) => execFileSync('mkfifo', [join(stranger.place, 'packed-refs')]),
    /packed-refs is not a regular file/,
  ],
  'a device that never ends': [
    (stranger) => symlinkSync('/dev/zero', join(stranger.place, 'FETCH_HEAD')),
    /FETCH_HEAD is not a regular file/,
  ],
}

function otherProject(stranger: Stranger): string {
  const session = sessionOf(NAMES[0]!)
  return stranger.commit(
    stranger.tree(stranger.with([['conversations/x/.session/session.json', session]])),
    [],
  )
}

function bombOf(stranger: Stranger): string {
  const ten = (node: Node) => new Map(Array.from({ length: 10 }, (_, n) => [`${n}`, node]))
  let tree = stranger.tree(ten('x'))
  for (let level = 0; level < 12; level += 1) tree = stranger.tree(ten({ mode: '40000', id: tree }))
  return tree
}

function marksOf(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [n.toString(16).padStart(64, '0'), 1]))
}

describe('a git repository', () => {
  let lab: Lab
  let place: string
  let good: string

  beforeAll(async () => {
    const { machines, place: made, remove } = await openMachines(1)
    lab = machines[0]!
    place = made
    good = join(lab.home, 'good.git')
    mkdirSync(join(lab.root, 'docs'))
    writeFileSync(join(lab.root, 'docs/plan.md'), 'plan')
    lab.git('add', 'docs')
    lab.git('commit', '--quiet', '--message=docs')
    for (const words of ['my words', 'more words']) {
      await say(lab, 'mine', words)
      await lab.json(['sync', '--to', place, '--json'])
    }
    cpSync(place, good, { recursive: true })
    return remove
  })

  // promise: git checks its objects, those of each bundle
  test.each(Object.keys(ATTACKS))('%s harms nothing', async (name) => {
    const [attack, told] = ATTACKS[name]!
    attack(new Stranger(place), lab)
    const before = around(lab)
    const run = await lab.cortext(['sync'], { timeout: 40_000 })
    rmSync(place, { recursive: true })
    cpSync(good, place, { recursive: true })
    harmless(lab, run, before)
    // The good one, of before, has less than the one with an attack.
    const stderr = expect.stringMatching(/^$|has less than this machine has seen there/)
    if (told === undefined) expect(run).toMatchObject({ code: 0, stderr })
    else expect(run.stderr).toMatch(told)
  })

  test('goes on when it is good again', () => goesOn(lab))

  // promise: and no hook, filter or setting of the place runs anything here
  test('hooks and settings that name programs run none: at a fetch, a push and an erasure', async () => {
    const stranger = new Stranger(place)
    const sprung = (what: string) => `touch '${join(lab.home, `sprung-${what.replaceAll(/\W/g, '-')}`)}'`
    for (const hook of HOOKS) program(join(place, 'hooks', hook), sprung(hook))
    stranger.config(PROGRAMS.map(([section, key]) => `[${section}]\n\t${key} = ${sprung(key)}\n`).join(''))
    stranger.config('[receive]\n\tautogc = true\n[gc]\n\tauto = 1\n')
    stranger.config(
      '[protocol]\n\tallow = always\n[protocol "ssh"]\n\tallow = always\n[protocol "ext"]\n\tallow = always\n',
    )
    stranger.config(
      '[remote "x"]\n\turl = ssh://host/x\n\tpromisor = true\n[extensions]\n\tpartialClone = x\n',
    )
    stranger.config('[core]\n\trepositoryFormatVersion = 1\n\tworktree = ../work\n\tbare = false\n')
    mkdirSync(join(place, 'info'), { recursive: true })
    writeFileSync(join(place, 'info/attributes'), '* filter=x diff=x merge=x\n')
    writeFileSync(join(place, 'objects/info/alternates'), `${lab.root}/.git/objects\n`)
    mkdirSync(join(lab.home, 'work'))
    const before = around(lab)
    stranger.add([['conversations/y/.session/session.json', sessionOf(NAMES[1]!)]])
    await say(lab, 'doomed', 'xylophone')
    const sent = await lab.cortext(['sync'])
    expect(sent).toMatchObject({ code: 0, stdout: expect.stringContaining('doomed') })
    const { conversations } = await lab.json<{ conversations: { path: string; key?: string }[] }>([
      'list',
      '--all',
      '--json',
    ])
    await lab.json(['delete', conversations.find(({ key }) => key === 'doomed')!.path, '--yes', '--json'])
    const refused = await lab.cortext(['sync'])
    expect(refused.stderr).toMatch(/names a program in its setting gc\.recentObjectsHook/)
    stranger.git('config', '--unset-all', 'gc.recentObjectsHook')
    expect(await lab.cortext(['sync'])).toMatchObject({ code: 0 })
    harmless(lab, sent, before)
    rmSync(place, { recursive: true })
    cpSync(good, place, { recursive: true })
  })

  test('a work tree that takes what is pushed runs no filter', async () => {
    const work = join(lab.home, 'work')
    mkdirSync(work, { recursive: true })
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', work, ...args], { env: lab.env, stdio: 'pipe' })
    git('init', '--quiet')
    await lab.json(['sync', '--to', work, '--json'])
    git('checkout', '--quiet', git('branch', '--format=%(refname:short)').toString().trim())
    git('config', 'receive.denyCurrentBranch', 'updateInstead')
    git('config', 'filter.x.smudge', `touch '${join(lab.home, 'sprung')}'; cat`)
    writeFileSync(join(work, '.git/info/attributes'), '* filter=x\n')
    program(join(work, '.git/hooks/push-to-checkout'), `touch '${join(lab.home, 'sprung')}'`)
    await say(lab, 'mine', 'words for a work tree')
    const before = around(lab)
    const run = await lab.cortext(['sync'])
    expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('refus') })
    harmless(lab, run, before)
    await lab.json(['sync', '--to', place, '--json'])
    expect(bytesAt(place)).toContain('words for a work tree')
  })
})

function program(file: string, line: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `#!/bin/sh\n${line}\n`)
  chmodSync(file, 0o755)
}

const HOOKS = [
  ...['pre-receive', 'update', 'post-receive', 'post-update', 'proc-receive', 'push-to-checkout'],
  ...['reference-transaction', 'pre-auto-gc', 'fsmonitor-watchman', 'post-index-change', 'post-checkout'],
]

const PROGRAMS = [
  ...['alternateRefsCommand', 'askPass', 'editor', 'fsmonitor', 'gitProxy', 'pager', 'sshCommand'].map(
    (key) => ['core', key],
  ),
  ['uploadpack', 'packObjectsHook'],
  ['gc', 'recentObjectsHook'],
  ['gpg', 'program'],
  ['credential', 'helper'],
  ['sequence', 'editor'],
  ['alias', 'upload-pack'],
  ['remote "x"', 'uploadpack'],
  ['remote "x"', 'receivepack'],
  ['filter "x"', 'clean'],
  ['filter "x"', 'smudge'],
  ['filter "x"', 'process'],
  ['diff "x"', 'command'],
  ['diff "x"', 'textconv'],
  ['merge "x"', 'driver'],
] as [section: string, key: string][]

/** `bundle` is one of mine. */
const BUNDLES: Record<string, [attack: (folder: string, bundle: string) => unknown, told?: RegExp]> = {
  'a bundle of another project': [(folder) => sendBundle(folder, otherProject)],
  'a bundle under another name': [
    (folder, bundle) => cpSync(bundle, join(folder, `${'d'.repeat(32)}.bundle`)),
    /files? at .* not whole yet/,
  ],
  'a bundle with a folder that has a folder ten times': [
    (folder) => sendBundle(folder, (stranger) => stranger.commit(bombOf(stranger), [])),
    /bundle was left alone: what was sent there has more files than are read/,
  ],
  'a bundle with a file of 272 MB': [
    (folder) => {
      const more: Packed[] = [{ type: 'blob', bytes: ZEROS }, { times: 17 }]
      const tree = new Map([['x', { mode: '100644', id: idOfZeros(17) }]])
      sendBundle(folder, (stranger) => stranger.commit(stranger.tree(tree), []), more)
    },
    /bundle was left alone: what was sent there has a file of 272 MB, and at most 256 MB are read/,
  ],
  'a bundle with a file of 4 GB': [
    (folder) => sendBundle(folder, otherProject, [{ type: 'blob', bytes: ZEROS }, { times: 256 }]),
    /bundle was left alone: .*attempting to allocate/,
  ],
  'a bundle with a filter': [
    (folder) => putBundle(folder, Buffer.from('# v3 git bundle\n@object-format=sha1\n@filter=blob:none\n\n')),
    /it is no bundle of cortext/,
  ],
  'a bundle that needs forty thousand others': [
    (folder) => {
      const needs = Array.from({ length: 40_000 }, (_, n) => `-${n.toString(16).padStart(40, '0')} \n`).join(
        '',
      )
      putBundle(
        folder,
        Buffer.from(`# v2 git bundle\n${needs}${'a'.repeat(40)} refs/heads/conversations\n\n`),
      )
    },
    /not whole yet/,
  ],
  'a bundle that is a device': [
    (folder) => symlinkSync('/dev/zero', join(folder, `${'e'.repeat(32)}.bundle`)),
    /is a symbolic link/,
  ],
  'a bundle of 2 GB': [
    (folder) => {
      const file = join(folder, `${'f'.repeat(32)}.bundle`)
      writeFileSync(file, '# v2 git bundle\n')
      truncateSync(file, 2 ** 31)
    },
    /has 2048 MB, and at most 1024 MB are read/,
  ],
  'a thousand bundles': [
    (folder) => {
      for (let n = 0; n < 1001; n += 1) putBundle(folder, Buffer.from(`# v2 git bundle\n${n}`))
    },
    /100\d bundles of this project are there, and at most 1000 are read/,
  ],
  'thirty strange bundles': [
    (folder) => {
      for (let n = 0; n < 30; n += 1) putBundle(folder, Buffer.from(`# v2 git bundle\n${n}`))
    },
    /… and \d+ more\.\n$/,
  ],
  'a hundred thousand other files': [
    (folder) => {
      for (let n = 0; n < 100_000; n += 1) writeFileSync(join(folder, `${n}.bundle`), '')
    },
  ],
}

/** With the others, there would be too many. */
const ALONE = new Set(['thirty strange bundles', 'a thousand bundles', 'a hundred thousand other files'])

function putBundle(folder: string, bytes: Buffer): void {
  writeFileSync(join(folder, `${sha256(bytes).slice(0, 32)}.bundle`), bytes)
}

/** Adds a bundle with the commit that `make` makes, and with further objects. */
function sendBundle(folder: string, make: (stranger: Stranger) => string, more: Packed[] = []): void {
  const place = mkdtempSync(join(tempBase(), 'cortext-stranger-'))
  execFileSync('git', ['init', '--quiet', '--bare', place])
  const stranger = new Stranger(place)
  const commit = make(stranger)
  const head = `# v2 git bundle\n${commit} HEAD\n${commit} refs/heads/conversations\n\n`
  putBundle(folder, Buffer.concat([Buffer.from(head), packOf([...more, ...stranger.made.values()])]))
  rmSync(place, { recursive: true })
}

describe('a plain folder', () => {
  let lab: Lab
  let place: string
  let good: string

  beforeAll(async () => {
    const { machines, remove } = await openMachines(1)
    lab = machines[0]!
    place = join(lab.home, 'place')
    good = join(lab.home, 'good')
    for (const words of ['my words', 'more words']) {
      await say(lab, 'mine', words)
      await lab.json(['sync', '--to', place, '--json'])
    }
    cpSync(place, good, { recursive: true })
    return remove
  })

  const attack = async (name: string) => {
    const [folder] = readdirSync(place)
    const [bundle] = readdirSync(join(good, folder!))
    BUNDLES[name]![0](join(place, folder!), join(place, folder!, bundle!))
  }

  const syncOnce = async () => {
    const before = around(lab)
    const run = await lab.cortext(['sync'], { timeout: 40_000 })
    harmless(lab, run, before)
    return run
  }

  test('with strange bundles of all kinds is joined as far as they are good', async () => {
    const some = Object.keys(BUNDLES).filter((name) => !ALONE.has(name))
    for (const name of some) await attack(name)
    const { code, stderr } = await syncOnce()
    expect(code, stderr).toBe(0)
    for (const name of some) expect(stderr, name).toMatch(BUNDLES[name]![1] ?? /(?:)/)
    expect(Object.keys(filesBelow(join(lab.root, 'conversations')))).toContain('x/.session/session.json')
  })

  test.each([...ALONE])('%s: harms nothing', async (name) => {
    rmSync(place, { recursive: true })
    cpSync(good, place, { recursive: true })
    await attack(name)
    expect((await syncOnce()).stderr).toMatch(
      BUNDLES[name]![1] ?? /^$|has less than this machine has seen there/,
    )
  })

  test('goes on when it is good again', async () => {
    rmSync(place, { recursive: true })
    cpSync(good, place, { recursive: true })
    await goesOn(lab)
  })
})

/** What is said now is sent, and a second sync has nothing to do. */
async function goesOn(lab: Lab): Promise<void> {
  await say(lab, 'mine', 'last words')
  expect(await lab.json(['sync', '--json'])).toMatchObject({
    sent: expect.arrayContaining([expect.stringMatching(/mine$/)]),
    unread: [],
  })
  expect(await lab.cortext(['sync'])).toEqual({ code: 0, stdout: 'Up to date.\n', stderr: '' })
  expect(stored(lab)).toMatch(/my words.*more words.*last words/s)
}

/** What was printed is text, nothing around the conversations has changed, and nothing has run. */
function harmless(lab: Lab, run: Run, before: Record<string, string>): void {
  expect([0, 1], run.stderr).toContain(run.code)
  expect(run.stdout + run.stderr).not.toMatch(/[\u0007\u001b]|\bat .*\.[cm]?js:/)
  expect(around(lab)).toEqual(before)
  expect(lab.git('status', '--porcelain')).toBe('')
  expect(stored(lab)).toMatch(/my words.*more words/s)
}

/** The conversation of mine. */
function stored(lab: Lab): string {
  const files = Object.entries(filesBelow(join(lab.root, 'conversations')))
  return files.filter(([path]) => path.endsWith('001-chat-mine/.session/messages.jsonl')).join('\n')
}

/** Everything around the conversations and the settings of the workspace, and the places. */
function around(lab: Lab): Record<string, string> {
  const root = dirname(lab.root)
  const ours =
    /^project\/(?:conversations|\.workspace|\.git\/cortext)\/|^home\/(?:\.local|place|good|place\.git|good\.git|work)\//
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => !ours.test(name))
  const files = names.map((name) => join(root, name)).filter((path) => statSync(path).isFile())
  return Object.fromEntries(files.sort().map((path) => [path, readFileSync(path, 'latin1')]))
}
