import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { findConversations } from '../../../src/journeys/finding/find.ts'
import { type SearchFilter, searchConversations } from '../../../src/journeys/finding/search.ts'
import { openWorkspace } from '../../../src/workspace/open.ts'
import { atTerminal, HAS_TERMINAL } from '../../helpers/at-terminal.ts'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { conversationNamed, type Lab, recordLines, workspaceLab } from '../../helpers/workspace-lab.ts'

let lab: Lab
beforeEach(async () => {
  lab = await workspaceLab()
})

interface Hit {
  id: string
  title: string
  type: string
  inMetadata: boolean
  total: number
  messages: {
    id: string
    role: string
    excerpt: string
    at?: string
    file?: string
    marks: [number, number][]
  }[]
}

async function hits(...args: string[]): Promise<Hit[]> {
  return (await lab.json<{ hits: Hit[] }>(['search', ...args, '--json'])).hits
}

/** The titles of what is found, best first. */
async function titles(query: string, narrowed: SearchFilter = {}): Promise<string[]> {
  const searched = await searchConversations(openWorkspace(lab.environment), query, narrowed)
  return (searched?.found ?? []).map(({ candidate }) => candidate.session.title)
}

interface Written {
  type?: string
  archived?: true
  client?: string
  summary?: string
}

let written = 0

/** Writes a conversation as the format says, a message for each text or for each of these keys of a line. */
function write(
  title: string,
  said: (string | object)[],
  { type = 'plan', archived, client = 'claude', summary = '' }: Written = {},
) {
  written += 1
  const id = `${String(written).padStart(3, '0')}-${type}-x${written}`
  const folder = join(lab.root, 'conversations/2026-01-02', id)
  const time = '2026-01-02T10:00:00Z'
  const lines = said.map((one, seq) => {
    const own = typeof one === 'string' ? { content: one } : one
    const message = {
      id: `m${written}-${seq}`,
      role: seq % 2 === 0 ? 'user' : 'assistant',
      content: '',
      timestamp: time,
      seq,
      ...own,
    }
    return JSON.stringify(message)
  })
  const session = {
    ...{ version: '1.0', conversation_id: id, conversation_type: type, title, status: 'paused' },
    ...{ created_at: time, last_active: time, message_count: said.length, context_summary: summary },
    ...{ agent_config: { client }, ...(archived ? { archived_at: time } : {}) },
  }
  file(`${folder}/.session/session.json`, JSON.stringify(session))
  file(`${folder}/.session/messages.jsonl`, `${lines.join('\n')}\n`)
  return folder
}

function file(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

describe('E-13 a word that was said in five messages', () => {
  beforeEach(async () => {
    const claude = new ClaudeSession(lab)
    await claude.command('workspace.debug', 'Topic')
    claude.say(`${'far before '.repeat(10)}Zebra${' far behind'.repeat(20)}`, 'a zebra')
    claude.say('one zebra', 'two zebras')
    claude.say('the last zebra', 'Nothing.')
    await lab.json(['stop', '001', '--json'])
  })

  // promise: The conversation that answers best
  test('shows the three best of them, with the text around it, and how many there are', async () => {
    const [hit] = await hits('zebra')
    expect(hit).toMatchObject({ title: 'Topic', type: 'debug', inMetadata: false, total: 5 })
    expect(hit!.messages).toHaveLength(3)
    for (const { excerpt, marks } of hit!.messages)
      expect(marks.map(([from, to]) => excerpt.slice(from, to).toLowerCase())).toEqual([
        expect.stringMatching(/^zebras?$/),
      ])
  })

  // promise: The conversation that answers best comes first
  test('is shown in the terminal with speaker, time and a command that shows the message', async () => {
    const { stdout } = await lab.cortext(['search', 'last', 'zebra'])
    expect(stdout).toMatch(/^\[debug\] Topic {2}\(1, just now\) {2}\(sure\)\n/)
    expect(stdout).toMatch(/^ {3}user \(.*\), \d{4}-\d{2}-\d{2} \d{2}:\d{2}: the last zebra$/m)
    const [, command] = /^ {3}→ cortext (.*)$/m.exec(stdout)!
    const shown = await lab.cortext(command!.split(' '))
    expect(shown.stdout).toMatch(/^── .* · here\n the last zebra$/m)
  })
})

describe('a hit shows what a person needs to judge it', () => {
  const shown = async (...words: string[]) => (await lab.cortext(['search', ...words])).stdout
  beforeEach(async () => {
    const claude = new ClaudeSession(lab)
    await claude.command('workspace.debug', 'Topic')
    claude.say('Do you play an instrument, Melanie?', 'The clarinet, since I was young.')
    const reasons = `We take the outbox because ${'of the way in which it is read and '.repeat(6)}it is idempotent.`
    claude.say('An outbox it is.', `${reasons} ${'And more of this. '.repeat(30)}`)
    await lab.json(['stop', '001', '--json'])
  })

  test('a word that begins as an option does not end in the help alone', async () => {
    const { code, stderr } = await lab.cortext(['search', 'why', 'instrument', '-z'])
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/search -- 'why instrument -z'$/m),
    })
    expect(await shown('--', 'why instrument -z')).toContain('Melanie')
  })

  // promise: What is found nowhere is named above the hits.
  // promise: the words of your question that the conversation does not have
  test('the words that the conversation does not have, in a terminal and as JSON', async () => {
    write('Other', ['A file that is encrypted.'])
    const { stdout } = await lab.cortext(['search', 'Encrypted', 'outbox', 'prenup'])
    expect(stdout).toMatch(/^Not found: "prenup". The nearest:\n\n\[/)
    expect(stdout).toMatch(/^\[debug\] Topic .*\n {3}not in it: "Encrypted"\n/m)
    expect(stdout).toMatch(/^\[plan\] Other .*\n {3}not in it: "outbox"\n/m)
    expect(await shown('outboxes', 'idempotent')).not.toMatch(/not in it|Not found/)
    const alike = await shown('outbux', 'idempotent')
    expect(alike).toMatch(/^Not found: "outbux". With words much like it:\n/)
    expect(alike).not.toContain('(sure)')
    // A day that nothing was said on is no word that was looked for.
    expect(await shown('outbox', 'yesterday')).not.toContain('yesterday')
    const topic = (await hits('encrypted outbox')).find(({ title }) => title === 'Topic')
    expect(topic).toMatchObject({ missing: ['encrypted'] })
  })

  test('a word that none of the conversations has is named once, above them', async () => {
    for (let at = 0; at < 3; at += 1)
      write(`Fruit ${at}`, [`A crate of kiwis ${'and of apples '.repeat(300)}`])
    const stdout = await shown('kiwis', 'outbox', 'idempotent', 'clarinet', '--limit', '1')
    expect(stdout).toMatch(/^None of these has "kiwis"\. The nearest:\n\n\[/)
    expect(stdout).not.toContain('not in it')
    // A word with a typo that is in another conversation is in none of these either.
    const alike = await shown('kiwix', 'outbox', 'idempotent', 'clarinet', '--limit', '1')
    expect(alike).toMatch(/^Not found: "kiwix"\. The nearest:\n/)
  })

  test('a query with a line break at its end is one wording', async () => {
    expect(await shown('outbox zyzzyva\n')).toMatch(/^Not found: "zyzzyva"/)
  })

  test('the parts of a name that is nowhere are not told beside it', async () => {
    expect(await shown('outbox', 'GraphQL')).toMatch(/^Not found: "GraphQL"\. The nearest:\n/)
  })

  test('whole words, and what was said twice only once', async () => {
    const words = Array.from({ length: 200 }, (_, at) => `word${at}`)
    const long = [...words.slice(0, 100), 'platypus', ...words.slice(100)].join(' ')
    write('Long', [long, 'yes', long, 'yes'])
    const [hit] = await hits('platypus')
    expect(hit!.messages).toHaveLength(1)
    const said = new Set([...words, 'platypus'])
    expect(
      hit!.messages[0]!.excerpt.replaceAll('…', '')
        .split(' ')
        .filter((word) => !said.has(word)),
    ).toEqual([])
    write('Asked twice', ['Where is the quagga?', 'Where is the quagga?', 'In the zoo.'])
    expect((await shown('quagga')).match(/Where is the quagga/g)).toHaveLength(1)
  })

  // promise: so that the best one stays on the screen
  test.skipIf(!HAS_TERMINAL)(
    'what fits the screen, best first, and a line for each of the others',
    async () => {
      const long = (word: string) => `${word} ${'and what was said of it at length '.repeat(12)}`
      for (let at = 0; at < 5; at += 1)
        write(`W${at}`, [at === 0 ? 'a walrus, a walrus' : long('a walrus'), 'yes'])
      const at = async (rows: number, ...more: string[]) => {
        const { screen } = await atTerminal(lab, ['search', 'walrus', ...more], {
          ...{ question: '--limit', answer: '', columns: 80, rows },
        })
        return screen.replaceAll('\r', '').split('\n')
      }
      const small = await at(24)
      expect(small.length).toBeLessThan(24)
      expect(small[0]).toContain('W0')
      const whole = small.filter((line) => line.startsWith('[plan]')).length
      expect(whole).toBeGreaterThan(0)
      expect(small.filter((line) => /^\d\S* {2}W\d {2}\(/.test(line))).toHaveLength(5 - whole)
      expect(small.join('\n')).toContain('To see more: --limit 5')
      // Also where not even a line of each has room, and no other conversation is found.
      expect((await at(10)).join('\n')).toContain('To see more: --limit 5')
      for (const lines of [await at(24, '--limit', '5')])
        expect(lines.filter((line) => line.startsWith('[plan]'))).toHaveLength(5)
    },
  )

  // promise: stand what was said next, or the answer to a question
  test('what was said next, as the answer to a question, which has other words', async () => {
    expect(await shown('instrument', 'melanie')).toContain(
      '   then assistant: The clarinet, since I was young.\n',
    )
    const [hit] = await hits('instrument melanie')
    expect(hit).toMatchObject({
      messages: [{ next: [{ role: 'assistant' }, { role: 'user', text: 'An outbox it is.' }] }],
    })
    // Not after another conversation's message that asks nothing.
    write('Other', ['An instrument.'])
    expect((await shown('instrument', 'melanie')).match(/ then /g)).toHaveLength(2)
    // The answer is a hit itself.
    expect((await shown('instrument', 'clarinet')).match(/The clarinet, since I was young/g)).toHaveLength(1)
  })

  test('more of the best conversation, in which an answer may come after the words', async () => {
    write('Other', [`An outbox ${'is far away and '.repeat(40)}`])
    const [best, other] = await hits('why outbox idempotent')
    expect(best!.messages[0]!.excerpt).toContain('it is idempotent.')
    expect(best!.messages[0]!.excerpt.length).toBeGreaterThan(300)
    expect(other!.messages[0]!.excerpt.length).toBeLessThan(200)
  })

  // promise: With `--sort time` the oldest of them comes first
  test('with --sort time, what was said first comes first', async () => {
    write('Early', ['An outbox, or a queue: let us say a queue.'])
    const titles = async (...sort: string[]) =>
      (await hits('outbox idempotent', ...sort)).map(({ title }) => title)
    expect(await titles()).toEqual(['Topic', 'Early'])
    expect(await titles('--sort', 'time')).toEqual(['Early', 'Topic'])
  })
})

test('a tool result of more than 64 KB is found as a whole, shown as cut, and in a clone as missing', async () => {
  const claude = new ClaudeSession(lab)
  const output = `${'line before\n'.repeat(4000)}the Quokka in the middle\n${'line behind\n'.repeat(4000)}`
  await claude.command('workspace.debug', 'Topic')
  claude.user('build it')
  claude.assistant([{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'make' } }], 'tool_use')
  claude.user([{ type: 'tool_result', tool_use_id: 't1', content: output }])
  claude.assistant([{ type: 'text', text: 'built' }])
  await lab.json(['stop', '001', '--json'])

  const path = conversationNamed(lab, '001-debug-topic')
  expect(recordLines(lab, path).join('\n')).not.toContain('Quokka')
  const [hit] = await hits('quokka middle')
  expect(hit).toMatchObject({ total: 1, messages: [{ role: 'tool' }] })
  expect(hit!.messages[0]!.excerpt).toContain('the Quokka in the middle')
  const { stderr: here } = await lab.cortext(['show', '001'])
  expect(here).not.toContain('Not on this machine')

  // As in a clone: neither what git leaves out nor what this machine keeps.
  rmSync(join(lab.root, path, '.session', 'attachments'), { recursive: true })
  rmSync(openWorkspace(lab.environment).local, { recursive: true })
  expect(await hits('quokka middle')).toEqual([])
  const missing = 'Not on this machine: 1 long output of this conversation'
  const { stdout, stderr } = await lab.cortext(['resume', '001', '--print'])
  expect(stdout).toMatch(/^History: .* 1 long tool result cut \(where the whole is kept: .*\/attachments\//m)
  expect(stdout).not.toContain('included in full')
  expect([stdout, stderr].map((text) => text.split(missing).length - 1)).toEqual([1, 1])
  const { stderr: shown } = await lab.cortext(['show', '001'])
  expect(shown.split(missing)).toHaveLength(2)
})

describe('the order of search results', () => {
  // promise: finds what was said, best first
  test('begins with the conversation that answers best; any word may be missing, and one without any word is left out', async () => {
    write('A', ['the queue is slow', 'yes'])
    write('B', ['the queue loses retries', 'so we need an outbox for the retries'])
    write('C', ['good weather'])
    expect(await titles('how did we handle retries of the queue with walruses?')).toEqual(['B', 'A'])
  })

  // promise: Rare words count more than
  test('counts title and summary more than what was said', async () => {
    write('Weather', ['an outbox', 'yes'])
    write('The outbox', ['hello', 'yes'])
    write('Other', ['hello', 'yes'], { summary: 'about an outbox' })
    expect(await titles('outbox')).toEqual(['The outbox', 'Other', 'Weather'])
  })

  // promise: Rare words count more than
  test('counts what was said more than the arguments of tool calls, and these more than outputs', async () => {
    const call = { id: 'c', name: 'Edit', arguments: { file_path: 'src/session/reconcile.ts', new: 'x' } }
    write('Printed', ['look', { role: 'tool', content: 'src/session/reconcile.ts' }])
    write('Edited', ['change it', { content: 'I change it — “walrus”', tool_calls: [call] }])
    write('Said', ['it has to do with reconcile', 'yes'])
    expect(await titles('reconcile')).toEqual(['Said', 'Edited', 'Printed'])
    expect(await titles('walrus'), 'a sign beyond ASCII is no letter').toEqual(['Edited'])
    expect((await hits('reconcile.ts'))[0]!.messages[0]!.excerpt).toContain('src/session/reconcile.ts')
  })

  test('an identifier counts whole before its parts, and a number after # where it numbers something', async () => {
    write('Grep', [
      'a line',
      { role: 'assistant', content: 'x.go:163: the ENT-109 and ENT-221 again, and ENT' },
    ])
    write('Ticket', ['we work on ENT-163', 'yes'])
    write('Count', ['there are 45 of them, 45', 'yes'])
    write('Pull request', ['see PR 45', 'yes'])
    write('Path', ['it is in src/search/rank.ts', 'yes'])
    write('Words', ['rank the search: src has ts', 'rank it, search it'])
    expect((await titles('ENT-163'))[0]).toBe('Ticket')
    expect((await titles('what was #45'))[0]).toBe('Pull request')
    expect((await titles('src/search/rank.ts'))[0]).toBe('Path')
  })

  // promise: prefers what was said on it
  test('a day in a query prefers what was said on it', async () => {
    const at = (timestamp: string) => [{ content: 'the outbox again', timestamp }, 'yes']
    write('January', at('2026-01-06T10:00:00Z'))
    write('March', at('2026-03-06T10:00:00Z'))
    write('Weeks ago', at(new Date(lab.environment.now().getTime() - 14 * 86_400_000).toISOString()))
    expect((await titles('the outbox on 6 January'))[0]).toBe('January')
    expect((await titles('der Outbox am 6. März'))[0]).toBe('March')
    expect((await titles('outbox two weeks ago'))[0]).toBe('Weeks ago')
  })

  // promise: groups of words that mean the same here
  // promise: A search for one finds the others too
  test('words that mean one another are found where a word of the query is, also those of the workspace', async () => {
    write('One', ['the ticket of the customer', 'yes'])
    write('Two', ['the customer of them', 'yes'])
    expect(await titles('customer issue')).toEqual(['One', 'Two'])
    expect(await titles('issue'), 'a related word alone is no hit').toEqual([])
    write('Kunde', ['a walrus for the client', 'yes'])
    write('Nobody', ['a walrus for nobody', 'yes'])
    writeFileSync(join(lab.root, '.workspace/config.json'), '{"search":{"related":["buyer client"]}}')
    expect((await titles('walrus buyer'))[0]).toBe('Kunde')
  })

  test('the summary that is made without a model counts nothing, nor do calls of cortext', async () => {
    const command = 'cortext agent stop --summary "three teams call us"'
    const call = { id: 'c', name: 'Bash', arguments: { command } }
    write('Stopped', ['stop', { content: '', tool_calls: [call] }])
    write('Summary', ['hello', 'yes'], { summary: 'Last said: three teams call us' })
    expect(await titles('teams call')).toEqual([])
  })

  // promise: When nothing fits well, the answer counts the sessions of this folder that are not
  test('what does not fit well is said to be so, and what is sure', async () => {
    write('Outbox', ['we use a transactional outbox with idempotency keys', 'yes'])
    for (const title of ['A', 'B', 'C', 'D', 'E', 'F']) write(title, ['the weather and the lunch', 'yes'])
    const fitsOf = async (query: string) =>
      (await searchConversations(openWorkspace(lab.environment), query))!.found.map((one) => one.fit)
    expect(await fitsOf('transactional outbox idempotency')).toEqual(['sure'])
    expect((await fitsOf('kafka consumer rebalancing lunch'))[0]).toBe('weak')
    expect((await fitsOf('lunch'))[0], 'one ordinary word').toBe('likely')
    write('Store', ['the store of the ledger is in ledger_store.go', 'yes'])
    expect((await fitsOf('ledger_store.go'))[0]).toBe('sure')
    expect((await fitsOf('ledger_backup_store.go of the ledger'))[0], 'not the name itself').toBe('likely')
    expect((await fitsOf('transactional outbox'))[0]).toBe('sure')
    expect((await fitsOf('transactional outbox ledger'))[0], 'two of three words').toBe('likely')
    const { stdout, stderr } = await lab.cortext(['search', 'kafka consumer rebalancing lunch'])
    expect(stdout).toMatch(/^Not found: "kafka", "consumer", "rebalancing"\. The nearest:\n/)
    expect(stdout.match(/^\[plan\]/gm)).toHaveLength(5)
    expect(stderr).toContain('try other words')
  })

  test('does not count JSON keys and our own field names as words', async () => {
    write('A', ['hello there', 'yes'])
    for (const word of ['content', 'timestamp', 'assistant', 'seq'])
      expect({ word, found: await titles(word) }).toEqual({ word, found: [] })
  })

  // promise: Plurals and other forms, beginnings
  test('allows a typo in a word that is nowhere, and none in a word that is somewhere', async () => {
    write('Design', ['the desgin of it', 'yes'])
    write('Resign', ['who resigns', 'yes'])
    expect(await titles('dseign of it')).toEqual(['Design'])
    expect(await titles('resigns')).toEqual(['Resign'])
  })

  test('a word that only frequent messages contain is no typo', async () => {
    write('Many', [...Array<string>(1000).fill('the outbox again'), 'the drawer'])
    const searched = await searchConversations(openWorkspace(lab.environment), 'outbox drawer')
    expect([...searched!.query.frequent!.keys()]).toEqual([0])
    expect(searched?.query.terms.some(({ slip }) => slip)).toBe(false)
  })

  test('counts lines of other programs too: escaped letters, parts, spaces after colons', async () => {
    const folder = write('Foreign', ['x'])
    const lines = [
      '{"id": "a", "role": "user", "content": "der Schl\\u00fcssel", "timestamp": "2026-01-02T10:00:00Z"}',
      '{"id":"b","role":"assistant","content":[{"type":"text","text":"ein Walross"}],"timestamp":"2026-01-02T10:00:01Z"}',
      '{"id":"c","role":"user","content":"torn walross',
    ]
    file(`${folder}/.session/messages.jsonl`, lines.join('\n'))
    expect((await hits('Schlüssel'))[0]).toMatchObject({ total: 1, messages: [{ excerpt: 'der Schlüssel' }] })
    expect(await hits('Schlüssel', '--role', 'user')).toHaveLength(1)
    expect((await hits('walross'))[0]).toMatchObject({ total: 1, messages: [{ id: 'b' }] })
  })

  test('is not stopped by a record that cannot be read', async () => {
    const folder = write('Broken', ['a walrus'])
    rmSync(`${folder}/.session/messages.jsonl`)
    mkdirSync(`${folder}/.session/messages.jsonl`)
    write('Whole', ['a walrus'])
    expect(await titles('walrus')).toEqual(['Whole'])
  })

  // promise: Nothing is sent anywhere.
  test('has what another program has just changed: nothing of an earlier search is kept', async () => {
    const folder = write('A', ['a walrus'])
    expect(await titles('walrus')).toEqual(['A'])
    const path = `${folder}/.session/messages.jsonl`
    writeFileSync(path, readFileSync(path, 'utf8').replace('walrus', 'quokka'))
    expect([await titles('walrus'), await titles('quokka')]).toEqual([[], ['A']])
  })
})

describe('a search is narrowed', () => {
  test('by type, client, date, role and author', async () => {
    write('Plan', [{ content: 'a walrus', author: 'Ann' }, 'two walruses'])
    write('Debug', [{ content: 'a walrus', author: 'Bob', timestamp: '2026-01-01T10:00:00Z' }], {
      type: 'debug',
      client: 'gemini',
    })
    const all = {
      type: 'plan',
      client: 'gemini',
      since: new Date('2026-01-02'),
      until: new Date('2026-01-01T10:00:00Z'),
      author: 'bob',
      role: 'assistant',
    }
    const one = (key: keyof typeof all) => titles('walrus', { [key]: all[key] })
    expect(await one('type')).toEqual(['Plan'])
    expect(await one('client')).toEqual(['Debug'])
    expect(await one('since')).toEqual(['Plan'])
    expect(await one('until')).toEqual(['Debug'])
    expect(await one('author')).toEqual(['Debug'])
    expect(await one('role')).toEqual(['Plan'])
    expect((await hits('walrus', '--role', 'assistant'))[0]!.messages.map(({ role }) => role)).toEqual([
      'assistant',
    ])
    expect(await hits('walrus', '--until', '2026-01-01')).toMatchObject([{ title: 'Debug' }])
    expect(await hits('walrus', '--until', '2025-12-31')).toEqual([])
    expect((await lab.cortext(['search', 'walrus', '--until', 'then'])).stderr).toContain(
      '--until 2026-11-21',
    )
    expect((await lab.cortext(['search', 'walrus', '--role', 'x'])).code).toBe(2)
    expect((await lab.cortext(['search', 'walrus', '--limit', '0'])).code).toBe(2)
  })

  test('by a file that tools touched, as a path from the working folder or the end of a path', async () => {
    const call = { id: 'c', name: 'Edit', arguments: { file_path: 'src/a.ts' } }
    write('Edited', ['a “walrus’s” tusk', { content: 'done', client: 'claude', tool_calls: [call] }])
    write('Said', ['a walrus in src/a.ts', 'yes'])
    mkdirSync(join(lab.root, 'src'))
    for (const path of ['src/a.ts', 'a.ts'])
      expect(await titles('walrus', { file: path }), path).toEqual(['Edited'])
    expect(await titles('walrus', { file: 'b.ts' })).toEqual([])
    const there = await lab.cortext(['search', 'walrus', '--file', 'a.ts'], { cwd: join(lab.root, 'src') })
    expect(there.stdout).toContain('] Edited')
  })

  // promise: What was pruned and what
  test('to conversations that are not archived and without subagents, unless --all is given, and says so', async () => {
    const folder = write('Archived', ['a walrus'], { archived: true })
    const line = { id: 's', role: 'assistant', content: 'a narwhal', timestamp: '2026-01-02T10:00:00Z' }
    file(`${folder}/.session/subagents/c.jsonl`, `${JSON.stringify(line)}\n`)
    const { stdout, stderr } = await lab.cortext(['search', 'walrus'])
    expect(stdout).toContain('Nothing was found')
    expect(stderr).toContain('Archived and not searched: 1')
    expect(await hits('walrus', '--all')).toMatchObject([{ title: 'Archived' }])
    const file_ = '.session/subagents/c.jsonl'
    expect(await hits('narwhal', '--all')).toMatchObject([{ messages: [{ id: 's', file: file_ }] }])
  })

  // promise: `(sure)` stands only where hardly anything else fits.
  test('to five results, unless more are asked for', async () => {
    for (let at = 0; at < 12; at += 1) write(`W${at}`, ['a walrus'])
    const { stdout, stderr } = await lab.cortext(['search', 'walrus'])
    expect(stdout).not.toContain('(sure)')
    expect(stderr).toBe('To see more: --limit 10\n')
    expect([(await hits('walrus')).length, (await hits('walrus', '--limit', '12')).length]).toEqual([5, 12])
  })
})

describe('a conversation that a query means by what was said in it', () => {
  test('comes first among the candidates', async () => {
    write('A', ['the borrow checker, and why lifetimes of the borrow checker matter', 'the borrow checker'])
    write('B', ['we borrow money', 'yes'])
    write('C', ['checker', 'yes'])
    const ws = openWorkspace(lab.environment)
    const { found, isNamed } = await findConversations(ws, 'borrow checker')
    expect(found[0]!.title).toBe('A')
    expect(isNamed).toBe(false)
  })

  test('is not found when half of the words are missing, and never by a number, an id or a path', async () => {
    write('A', ['the borrow checker 12, 012-plan-x and etc/checker', 'yes'])
    const ws = openWorkspace(lab.environment)
    expect((await findConversations(ws, 'borrow checker')).found).toHaveLength(1)
    for (const query of ['borrow xylophone zeppelin', '12', '012-plan-x', '../../etc/checker'])
      expect((await findConversations(ws, query)).found, query).toEqual([])
  })
})
