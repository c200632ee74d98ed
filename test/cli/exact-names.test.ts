import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verbTable } from '../../src/cli/verb-table.ts'
import { ClaudeSession } from '../helpers/claude-session.ts'
import { LONG } from '../helpers/long.ts'
import { type Lab, openLab, sessionFile, workspaceLab } from '../helpers/workspace-lab.ts'

let lab: Lab
/** Paths by id. */
let paths: Map<string, string>
let day: string

beforeAll(async () => {
  lab = await openLab({ begun: { name: 'alike', by: begin } })
  const { conversations } = await lab.json<{ conversations: { id: string; path: string }[] }>([
    ...['list', '--all', '--json'],
  ])
  paths = new Map(conversations.map(({ id, path }) => [id, path]))
  day = basename(dirname(paths.get('001-brainstorm-api-design')!))
})
afterAll(() => lab.remove())

/** Conversations that are easily taken for one another: committed ones, and one that is not. */
async function begin(lab: Lab): Promise<void> {
  const claude = new ClaudeSession(lab)
  for (const [type, title, said] of [
    ['brainstorm', 'API design', 'we need 12 of them, and zebras, and etc'],
    ['plan', 'API design', 'the second one, after 001-brainstorm-api-design'],
    ['plan', 'Rate limits', 'at most 20 a second'],
    ['debug', 'etc and so on', 'what of it'],
    ['plan', 'Sprint 12', 'the last one'],
  ] as const) {
    await claude.command(`workspace.${type}`, title)
    await claude.turn(said)
    await claude.command('workspace.stop-conversation', '', () => lab.cortext(['stop'], { env: claude.env }))
  }
  // The number 3 once more, on another day.
  const { conversations } = await lab.json<{ conversations: { id: string; path: string }[] }>([
    ...['list', '--all', '--json'],
  ])
  const third = conversations.find(({ id }) => id.startsWith('003-'))!.path
  const old = 'conversations/2025-01-02/003-plan-old-limits'
  cpSync(join(lab.root, third), join(lab.root, old), { recursive: true })
  const session = JSON.parse(readFileSync(sessionFile(lab, old), 'utf8'))
  writeFileSync(
    sessionFile(lab, old),
    JSON.stringify({ ...session, conversation_id: basename(old), title: 'Old limits' }),
  )
  await lab.cortext(['append', '--key', 'discord:1'], { input: '{"role":"user","content":"hello"}\n' })
  mkdirSync(join(lab.root, 'etc'))
  writeFileSync(join(lab.home, 'other.jsonl'), readFileSync(claude.transcript))
  await lab.json(['list', '--all', '--json'])
}

const NEAR_MISSES = (): [what: string, name: string][] => [
  ['a number that nobody has, and that was said and stands in a title', '12'],
  ['a number that nobody has, and that was said', '20'],
  ['a number that several have', '3'],
  ['the same with its zeros', '003'],
  ['no number', '0'],
  ['a negative number', '-1'],
  ['a number with a sign', '+1'],
  ['a number in other digits', '\uff11'],
  ['a number in another form', '0x1'],
  ['a number and more', '1abc'],
  ['the number with a wrong day', '01-01/1'],
  ['a slip in an id', '001-brainstorm-api-desing'],
  ['the begin of an id', '001-brainstorm-api'],
  ['an id without its number', 'brainstorm-api-design'],
  ['an id with a wrong number', '007-brainstorm-api-design'],
  ["another's number with this slug", '002-brainstorm-api-design'],
  ['an id in capitals', '001-BRAINSTORM-API-DESIGN'],
  ['an id with a wrong day', '2025-01-01/001-brainstorm-api-design'],
  ['a path with a wrong day', 'conversations/2025-01-01/001-brainstorm-api-design'],
  ['a path with a wrong slug', `conversations/${day}/001-brainstorm-api-designs`],
  ['a title', 'API design'],
  ['the only conversation with a title', 'Rate limits'],
  ['a word of one title', 'sprint'],
  ['a slip in a title', 'rate limts'],
  ['words that were said', 'zebras'],
  ['a type', 'debug'],
  ['the begin of a key', 'discord'],
  ['a path to elsewhere', '../../etc'],
  ['a path to a folder here', 'etc'],
  ['the folder of all', 'conversations'],
  ['the folder of a day', `conversations/${day}`],
  ['the root', '.'],
  ['above the root', '..'],
  ['a file that is not there', `conversations/${day}/001-brainstorm-api-design/no.md`],
  ['a file of the record', `conversations/${day}/001-brainstorm-api-design/.session/session.json`],
  ['a home', '~'],
  ['a pattern', '*'],
  ['nothing', ''],
  ['only spaces', '  '],
]

/** All verbs take a name in the same way. So all kinds are tried with one of them, and with each by `npm run test:long`. */
function someFor(verb: string): [string, string][] {
  const all = NEAR_MISSES()
  const rest = verb.length % PART
  return LONG || verb.startsWith('delete') ? all : all.filter((_, at) => at % PART === rest)
}

const PART = 5

const CHANGING: [verb: string, args: (name: string) => string[]][] = [
  ['delete --yes', (name: string) => ['delete', '--yes', '--', name]],
  ['edit --status', (name: string) => ['edit', '--status', 'completed', '--', name]],
  ['prune', (name: string) => ['prune', '--keep', '1', '--yes', '--', name]],
  ['prune --restore', (name: string) => ['prune', '--restore', '--yes', '--', name]],
  ['fork', (name: string) => ['fork', '--', name]],
  ['redact', (name: string) => ['redact', '--', name]],
  ['redact --apply', (name: string) => ['redact', '--apply', '--', name]],
  ['save', (name: string) => ['save', '--', name]],
  ['stop', (name: string) => ['stop', '--', name]],
  ['stop --discard', (name: string) => ['stop', '--discard', '--', name]],
  [
    'import --into',
    (name: string) => ['import', 'claude', '--file', '../home/other.jsonl', `--into=${name}`],
  ],
  ['context --summarize-with', (name: string) => ['context', '--summarize-with', 'claude', '--', name]],
]

// promise: What changes or removes a conversation takes such a name and guesses nothing.
// promise: deletes one, by its exact name, after saying what would be gone and whether git has it,
describe('a near miss of a name changes nothing and is an error with exit 1', () => {
  test.each(CHANGING)(
    '%s',
    async (verb, args) => {
      const before = state(lab)
      for (const [what, name] of someFor(verb)) {
        const { code, stdout, stderr } = await lab.cortext(args(name))
        expect({ what, code, stdout }).toEqual({ what, code: 1, stdout: '' })
        expect(stderr, what).toMatch(/^error: (no number|no conversation|".*" means \d)/)
        // No command that a person may copy does it to a conversation that was not named.
        expect(stderr, what).toMatch(/^fix: cortext list --all$/m)
      }
      expect(state(lab)).toEqual(before)
    },
    300_000,
  )

  // promise: What changes or removes
  test('names candidates by number, title and day', async () => {
    const said = async (name: string) =>
      (await lab.cortext(['delete', '--yes', '--', name])).stderr.split('\n')
    expect((await said('12')).slice(0, 3)).toEqual([
      ...['error: no number 12', 'the nearest:', `  5 "Sprint 12" (${day})`],
    ])
    expect((await said('001-brainstorm-api-desing')).slice(0, 3)).toEqual([
      ...['error: no conversation "001-brainstorm-api-desing"', 'the nearest:', `  1 "API design" (${day})`],
    ])
    expect(await said('3')).toEqual([
      ...['error: "3" means 2 conversations:', `  ${day.slice(5)}/3 "Rate limits" (${day})`],
      ...['  01-02/3 "Old limits" (2025-01-02)', 'fix: cortext list --all', ''],
    ])
    expect((await said('77')).slice(0, 2)).toEqual(['error: no number 77', 'the newest:'])
  })
})

// promise: deletes one, by its exact
test('the same delete twice: the second one finds nothing and deletes nothing else', async () => {
  const own = await workspaceLab({ begun: { name: 'alike', by: begin } })
  for (const name of ['001-brainstorm-api-design', '2', `${day}/005-plan-sprint-12`]) {
    expect((await own.cortext(['delete', name, '--yes'])).code).toBe(0)
    const before = state(own)
    const again = await own.cortext(['delete', name, '--yes'])
    expect(again).toMatchObject({ code: 1, stdout: '' })
    expect(state(own)).toEqual(before)
  }
  const { conversations } = await own.json<{ conversations: { id: string }[] }>(['list', '--all', '--json'])
  expect(conversations.map(({ id }) => id).sort()).toEqual([
    ...['003-plan-old-limits', '003-plan-rate-limits', '004-debug-etc-and-so-on', '006-chat-discord-1'],
  ])
})

// promise: A conversation is named by its id
describe('an exact name', () => {
  test.each([
    ['its id', () => ['002-plan-api-design']],
    ['its number', () => ['2', '02', '002']],
    ['date and id', () => [`${day}/002-plan-api-design`]],
    ['day and number', () => [`${day}/2`, `${day.slice(5)}/2`, `${day.slice(5)}/002`]],
    [
      'its path',
      () => [`conversations/${day}/002-plan-api-design`, `conversations/${day}/002-plan-api-design/`],
    ],
    ['its whole path', () => [join(lab.root, paths.get('002-plan-api-design')!)]],
    ['the path of its .session', () => [`conversations/${day}/002-plan-api-design/.session/`]],
    ['a way round', () => [`./conversations/../conversations/${day}/002-plan-api-design`]],
    ['spaces around it', () => [' 002-plan-api-design ']],
  ])('%s', async (_, names) => {
    for (const name of names())
      for (const args of [
        ['edit', '--tag', 'seen', '--json'],
        ['show', '--json'],
        ['fork', '--json'],
      ].slice(0, 2)) {
        const { code, stdout, stderr } = await lab.cortext([...args, '--', name])
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
        expect(JSON.parse(stdout)).toMatchObject({ path: paths.get('002-plan-api-design') })
      }
  })

  // promise: A conversation is named by
  test('can be a path from the current folder, a document, or a key', async () => {
    const path = paths.get('002-plan-api-design')!
    const document = readdirSync(join(lab.root, path)).find((name) => name.endsWith('.md'))!
    const pathOf = async (name: string, cwd: string) =>
      (await lab.json<{ path: string }>(['edit', '--tag', 'seen', '--json', '--', name], { cwd })).path
    expect(await pathOf('002-plan-api-design/', join(lab.root, 'conversations', day))).toBe(path)
    expect(await pathOf(`${path}/${document}`, lab.root)).toBe(path)
    expect(await pathOf('.', join(lab.root, path))).toBe(path)
    expect(await pathOf(document, join(lab.root, path))).toBe(path)
    expect(await pathOf('discord:1', lab.root)).toBe(paths.get('006-chat-discord-1'))
  })
})

const READING: [verb: string, args: (name: string) => string[]][] = [
  ['show', (name: string) => ['show', '--json', '--', name]],
  ['export', (name: string) => ['export', '--format', 'json', '--', name]],
  ['context', (name: string) => ['context', '--json', '--', name]],
  ['log', (name: string) => ['log', '--json', '--', name]],
  ['view', (name: string) => ['view', '--json', '--', name]],
]

test('every verb that takes the id of a conversation is in one of the two tables', () => {
  const tried = new Set([...CHANGING, ...READING].map(([verb]) => verb.split(' ')[0]))
  const naming = verbTable().verbs.filter(({ usage }) => /[<[]id[>\]]/.test(usage))
  expect(naming.length).toBeGreaterThan(9)
  expect(
    naming.map(({ name }) => name).filter((name) => !tried.has(name)),
    'a new verb: add it to CHANGING or READING in test/cli/exact-names.test.ts',
  ).toEqual([])
})

// promise: What only reads may guess by title, and `resume` by what was said too; they say what they took.
describe('a verb that only reads may guess by title, and says so', () => {
  test.each(READING)(
    '%s',
    async (_, args) => {
      const before = state(lab)
      const guess = async (name: string) => {
        const { code, stdout, stderr } = await lab.cortext(args(name))
        expect(code, stderr).toBe(0)
        expect(JSON.parse(stdout)).toEqual(expect.any(Object))
        return stderr
      }
      expect(await guess('12')).toContain(`no number 12; the nearest title: 5 "Sprint 12" (${day})\n`)
      expect(await guess('Sprnt')).toContain('no conversation "Sprnt"; the nearest title: 5 "Sprint 12"')
      for (const name of ['zebras', 'at most', '20', '../../etc', 'api design', '3', `2025-01-01/5`, ' ']) {
        const { code, stdout, stderr } = await lab.cortext(args(name))
        expect({ name, code }).toEqual({ name, code: 1 })
        expect(`${stdout}${stderr}`, name).toMatch(/no number|no conversation|means \d/)
      }
      expect(state(lab)).toEqual(before)
    },
    60_000,
  )

  // promise: What only reads may guess
  test('resume takes words of a title or of the talk, and says which conversation it understood; it guesses no wrong id', async () => {
    const resume = (name: string) => lab.cortext(['resume', '--print', '--', name])
    for (const [words, taken] of [
      ['zebras', '1 "API design"'],
      ['sprint', '5 "Sprint 12"'],
    ] as const) {
      const { code, stdout, stderr } = await resume(words)
      expect({ words, code }).toEqual({ words, code: 0 })
      expect(stderr).toContain(`"${words}" was understood as ${taken} (${day}).`)
      expect(stdout).toContain('[RESUMED CONVERSATION]')
    }
    expect((await resume('5')).stderr).not.toContain('understood as')
    for (const name of [
      '12',
      '20',
      '0',
      '../../etc',
      '001-brainstorm-api-desing',
      '2025-01-01/5',
      'etc/zebras',
    ]) {
      const { code, stdout, stderr } = await resume(name)
      expect({ name, code, stdout }).toEqual({ name, code: 1, stdout: '' })
      expect(stderr).toMatch(/^fix: cortext resume --list$/m)
    }
  })
})

describe('one number, one conversation', () => {
  // promise: The first column
  // promise: The name beside a conversation,
  // promise: In a pipe it is the first word of each line of `cortext list`.
  test('S1-003s S1-003d the number in every list shows, exports and resumes its conversation', async () => {
    const titles = new Map<string, string>()
    const { conversations } = await lab.json<{ conversations: { path: string; title: string }[] }>([
      ...['list', '--all', '--json'],
    ])
    for (const { path, title } of conversations) titles.set(path, title)
    const inside = {
      env: { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 'b6ed5ba5-9b1c-4a1c-8d4e-9d4bd8d1c3a0' },
    }
    const { stdout: shown } = await lab.cortext(['agent', 'resume'], inside)
    const numbers = [...shown.matchAll(/^(\S+)\. \[\w+\] (.*)$/gm)].map(([, number, title]) => [
      number!,
      title!,
    ])
    expect(numbers.map(([number]) => number)).toEqual(
      expect.arrayContaining(['1', '2', '4', '5', '01-02/3', `${day.slice(5)}/3`]),
    )
    const everywhere = await lab.cortext(['list', '--everywhere'])
    const listed = everywhere.stdout
      .split('\n')
      .flatMap((line) =>
        [/^\S+ +(\S*\d) +.*\[\w+\] (.*)$/.exec(line)?.slice(1)].filter((one) => one !== undefined),
      )
    // The list of a resume leaves out what an agent loop holds.
    expect(listed.filter(([number]) => number !== '6')).toEqual(numbers)

    for (const [number, title] of numbers) {
      const { path } = await lab.json<{ path: string }>(['show', number!, '--json'])
      expect(titles.get(path)).toBe(title)
      for (const args of [
        ['resume', number!, '--print'],
        ['agent', 'resume', number!],
      ]) {
        const { stdout } = await lab.cortext(args, args[0] === 'agent' ? inside : {})
        expect(stdout).toMatch(new RegExp(`^Conversation: \\w+ / ${title}$`, 'm'))
      }
    }
    const { stdout: inPipe } = await lab.cortext(['list', '--all'])
    const words = inPipe.split('\n').map((line) => line.split(' ')[0])
    const ofPeople = words.slice(1, -1).filter((word) => word !== '6')
    expect(ofPeople.sort()).toEqual(numbers.map(([number]) => number).sort())
    // The ids that a shell completes begin with it.
    const { stdout: completed } = await lab.cortext(['__complete', 'bash', 'show', ''])
    for (const [number] of numbers)
      expect(completed).toMatch(new RegExp(`^00${number!.split('/').at(-1)}-`, 'm'))
  }, 60_000)

  // promise: The name beside a conversation,
  test('an earlier list changes no number', async () => {
    const inside = {
      env: { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 'b6ed5ba5-9b1c-4a1c-8d4e-9d4bd8d1c3a1' },
    }
    const taken = async (words: string[]) =>
      /^Conversation: \w+ \/ (.*)$/m.exec(
        (await lab.cortext(['agent', 'resume', ...words], inside)).stdout,
      )?.[1]
    expect(await taken(['5'])).toBe('Sprint 12')
    await lab.cortext(['agent', 'resume', 'design'], inside)
    expect(await taken(['5'])).toBe('Sprint 12')
    await lab.cortext(['agent', 'resume'], inside)
    expect(await taken(['5'])).toBe('Sprint 12')
    const none = await lab.cortext(['agent', 'resume', '12'], inside)
    expect(none.stdout).toMatch(/^No conversation matches "12"\.\n\nHere are your resumable conversations:\n/)
  })
})

/** Every file of the project and what git says of it, without what only a look leaves behind. */
function state({ root, git }: Lab): Record<string, string> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => !CACHES.test(file.slice(root.length)))
  const hash = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')
  return {
    ...Object.fromEntries(files.map((file) => [file.slice(root.length), hash(file)])),
    status: git('status', '--porcelain', '--untracked-files=all'),
  }
}

const CACHES =
  /^\/\.git\/(?:index|cortext\/(?:index\.json|binding-index\.json|branches\/.*|merge-checks\/.*|pages\/.*|log|.*\.tmp.*))$/
