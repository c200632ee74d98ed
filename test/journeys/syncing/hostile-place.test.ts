import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { openMachines, say } from '../../helpers/machines.ts'
import { type Link, type Node, Stranger } from '../../helpers/stranger.ts'
import { filesBelow, type Lab, type Run } from '../../helpers/workspace-lab.ts'

/** What a stranger puts into the branch of a project, in and around a folder that could be one of a conversation. */
interface Form {
  puts: (
    folder: string,
    session: (more?: object) => string,
    mine: { path: string; origin: string },
  ) => [string | string[], Node | Link][]
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
  'a session.json of 17 MB': {
    puts: (c, s) => [[`${c}/.session/session.json`, s({ title: 'x'.repeat(17 * 1024 * 1024) })]],
    told: /session\.json was left alone: it has 18 MB, and at most 16 MB are read/,
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
  'many conversations with one origin': {
    puts: (c, s) =>
      Array.from({ length: 30 }, (_, n): [string, string] => [`${c}-${n}/.session/session.json`, s()]),
  },
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

/** Everything around the conversations and the settings of the workspace. */
function around(lab: Lab): Record<string, string> {
  const files = Object.entries(filesBelow(dirname(lab.root)))
  const ours =
    /^project\/(?:conversations\/|\.workspace\/|\.git\/cortext\/)|^home\/(?:\.local\/|place\.git\/)/
  return Object.fromEntries(files.filter(([path]) => !ours.test(path)))
}
