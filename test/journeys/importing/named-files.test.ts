import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { CodexThread } from '../../helpers/codex-threads.ts'
import { type Lab, shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'

interface Imported {
  imported: { native_id: string; path: string; title: string; appended: number; messages: number }[]
  failed?: { named: string; error: { code: string; message: string; fix: string } }[]
}

const importFiles = (lab: Lab, client: string, ...words: string[]) =>
  lab.json<Imported>(['import', client, ...words, '--json'])

async function refused(lab: Lab, client: string, file: string) {
  const { code, stdout } = await lab.cortext(['import', client, '--file', file, '--json'])
  return { exit: code, ...(JSON.parse(stdout).error as { code: string; message: string; fix: string }) }
}

/** Copies a file out of its client's folder. */
function copied(lab: Lab, from: string, name = basename(from)): string {
  const file = join(lab.home, 'copies', name)
  mkdirSync(dirname(file), { recursive: true })
  copyFileSync(from, file)
  return file
}

describe('a file that is named to import', () => {
  test.each(['rollout', 'plain'])(
    'is imported, and not a shorter copy of its thread next to it (%s names)',
    async (kind) => {
      const lab = await workspaceLab()
      const thread = new CodexThread(lab.home, lab.root)
      const name = (at: number) =>
        kind === 'plain' ? `${at}.jsonl` : basename(thread.transcript).replace('rollout-', `rollout-${at}-`)
      const checkpoints = [1, 2, 3].map((at) => {
        thread.say(`question ${at}`)
        return copied(lab, thread.transcript, name(9 - at))
      })
      const [longest] = (await importFiles(lab, 'codex', '--file', checkpoints[2]!)).imported
      expect(longest!.messages).toBe(6)
      const [again] = (await importFiles(lab, 'codex', '--file', checkpoints[0]!)).imported
      expect(again).toMatchObject({ path: longest!.path, appended: 0, messages: 6 })
    },
  )

  test('is imported, even if a longer copy is next to it', async () => {
    const lab = await workspaceLab()
    const thread = new CodexThread(lab.home, lab.root)
    thread.say('one')
    const early = copied(lab, thread.transcript, 'early.jsonl')
    thread.say('two')
    copied(lab, thread.transcript, 'late.jsonl')
    const [made] = (await importFiles(lab, 'codex', '--file', early)).imported
    expect(talk(await shown(lab, made!.path))).toEqual(['user: one', 'assistant: answer to one'])
  })

  test('continues the file that its history_base names, or a whole copy of that instead of a torn one', async () => {
    const lab = await workspaceLab()
    const parent = new CodexThread(lab.home, lab.root)
    parent.say('alpha')
    const torn = readFileSync(parent.transcript).subarray(0, 300)
    const fork = new CodexThread(lab.home, lab.root, { of: parent })
    fork.say('beta')
    const [file] = [fork, parent].map(({ transcript }) => copied(lab, transcript))
    writeFileSync(join(dirname(file!), basename(parent.transcript).replace('rollout-', 'rollout-0-')), torn)
    const [made] = (await importFiles(lab, 'codex', '--file', file!)).imported
    expect(made!.messages).toBe(4)
  })

  test('may be a link, with a space and a line break in its name, CRLF and a byte order mark in it', async () => {
    const lab = await workspaceLab()
    const claude = new ClaudeSession(lab)
    claude.say('a question')
    const file = join(lab.home, 'my\ncopy of it.jsonl')
    writeFileSync(file, `\ufeff${readFileSync(claude.transcript, 'utf8').replaceAll('\n', '\r\n')}`)
    symlinkSync(file, join(lab.home, 'link'))
    const [made] = (await importFiles(lab, 'claude', '--file', join(lab.home, 'link'))).imported
    expect(made).toMatchObject({ native_id: claude.id, messages: 2 })
    expect((await importFiles(lab, 'claude', '--file', file)).imported[0]).toMatchObject({
      path: made!.path,
      appended: 0,
    })
  })

  test('counts as kept after an import by its id, and adds what it has more', async () => {
    const lab = await workspaceLab()
    const claude = new ClaudeSession(lab)
    claude.say('one')
    const [byId] = (await importFiles(lab, 'claude', claude.id)).imported
    const file = copied(lab, claude.transcript)
    expect((await importFiles(lab, 'claude', '--file', file)).imported[0]).toMatchObject({
      path: byId!.path,
      appended: 0,
    })
    claude.say('two')
    const [more] = (await importFiles(lab, 'claude', '--file', copied(lab, claude.transcript))).imported
    expect(more).toMatchObject({ path: byId!.path, messages: 4 })
  })

  test('can be imported into an existing conversation', async () => {
    const lab = await workspaceLab()
    const [one, two] = [new ClaudeSession(lab), new ClaudeSession(lab)]
    one.say('first')
    two.say('second')
    const [made] = (await importFiles(lab, 'claude', one.id)).imported
    const file = copied(lab, two.transcript)
    const id = made!.path.split('/').slice(-2).join('/')
    const [into] = (await importFiles(lab, 'claude', '--file', file, '--into', id)).imported
    expect(into).toMatchObject({ path: made!.path, messages: 4 })
  })

  test('has the title that it contains, as in an import by its id', async () => {
    const lab = await workspaceLab()
    const claude = new ClaudeSession(lab)
    claude.say('please look at the parser of dates')
    appendFileSync(
      claude.transcript,
      `${JSON.stringify({ type: 'custom-title', customTitle: 'Dates', sessionId: claude.id })}\n`,
    )
    const codex = new CodexThread(lab.home, lab.root)
    codex.say('please look at the parser of times')
    codex.line('event_msg', { type: 'thread_name_updated', thread_name: 'Times' })
    const titles = async (root: Lab, ...words: string[]) =>
      (await importFiles(root, ...(words as [string, ...string[]]))).imported.map(({ title }) => title)
    expect(await titles(lab, 'claude', '--file', copied(lab, claude.transcript))).toEqual(['Dates'])
    expect(await titles(lab, 'codex', '--file', copied(lab, codex.transcript))).toEqual(['Times'])
  })

  test('has no title of another session, nor an error of the client', async () => {
    const lab = await workspaceLab()
    const titleWith = async (leafUuid: (own: string) => string, summary: string) => {
      const claude = new ClaudeSession(lab)
      claude.say('why is the parser of dates slow')
      const own = /"uuid":"([^"]+)"/.exec(readFileSync(claude.transcript, 'utf8'))![1]!
      const head = JSON.stringify({ type: 'summary', summary, leafUuid: leafUuid(own) })
      writeFileSync(claude.transcript, `${head}\n${readFileSync(claude.transcript, 'utf8')}`)
      const { imported } = await importFiles(lab, 'claude', '--file', copied(lab, claude.transcript))
      return imported[0]!.title
    }
    expect(await titleWith(() => 'of-another-session', 'Web scraper')).toBe('why is the parser of dates slow')
    expect(await titleWith((own) => own, 'Invalid API key · Please run /login')).toBe(
      'why is the parser of dates slow',
    )
    expect(await titleWith((own) => own, 'Speed of the date parser')).toBe('Speed of the date parser')
  })

  test('has the command if nothing else was typed, and nothing if the command is about the client', async () => {
    const lab = await workspaceLab()
    const titleOf = async (typed: string) => {
      const codex = new CodexThread(lab.home, lab.root)
      codex.say(typed)
      return (await importFiles(lab, 'codex', '--file', copied(lab, codex.transcript))).imported[0]!.title
    }
    expect([await titleOf('/init'), await titleOf('/status')]).toEqual(['/init', 'Untitled'])
  })

  test('has the name that the person gave in the index of Codex CLI, also if the file is elsewhere', async () => {
    const lab = await workspaceLab()
    const codex = new CodexThread(lab.home, lab.root)
    codex.say('look at the parser of times')
    const index = join(lab.home, '.codex', 'session_index.jsonl')
    const line = (thread_name: string) =>
      JSON.stringify({ id: codex.id, thread_name, updated_at: '2026-03-01T10:00:00Z' })
    writeFileSync(index, `${line('First')}\n${line('Time zones')}\n`)
    const { imported } = await importFiles(lab, 'codex', '--file', copied(lab, codex.transcript))
    expect(imported.map(({ title }) => title)).toEqual(['Time zones'])
  })
})

describe('several files to import', () => {
  // promise: dated by what was said
  // promise: that were not recorded (`--all`
  test.each([
    ['--file a --file b', (files: string[]) => files.flatMap((file) => ['--file', file])],
    ['--file *.jsonl, as a shell expands it', (files: string[]) => ['--file', ...files]],
  ])('%s: each is imported, with a line of its own and a total', async (_how, words) => {
    const lab = await workspaceLab()
    const sessions = [1, 2, 3].map(() => new ClaudeSession(lab))
    for (const [at, one] of sessions.entries()) one.say(`question number ${at}`)
    const files = sessions.map(({ transcript }) => copied(lab, transcript))
    const { stdout, stderr, code } = await lab.cortext(['import', 'claude', ...words(files)])
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^Not committed\./)])
    const lines = stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(4)
    for (const [at, line] of lines.slice(0, 3).entries())
      expect(line).toMatch(new RegExp(`^question number ${at}: 2 saved, 0 lost \\(\\S+\\)$`))
    expect(lines[3]).toBe('3 sessions: 6 saved, 0 lost')
  })

  test('a file that fails is named, the others are imported, and the exit code is 1', async () => {
    const lab = await workspaceLab()
    const claude = new ClaudeSession(lab)
    claude.say('one')
    const missing = join(lab.home, 'missing.jsonl')
    const words = ['import', 'claude', '--file', missing, claude.transcript]
    const { stdout, stderr, code } = await lab.cortext(words)
    expect(code).toBe(1)
    expect(stderr).toContain(`error: no transcript at ${missing}\nfix: `)
    expect(stdout).toContain('1 session: 2 saved, 0 lost; 1 not imported')
    const { stdout: json } = await lab.cortext([...words, '--json'])
    expect(JSON.parse(json)).toMatchObject({
      imported: [{ native_id: claude.id }],
      failed: [{ named: missing, error: { code: 'not-found' } }],
    })
  })

  test('a file that is named twice is imported once, and that is said', async () => {
    const lab = await workspaceLab()
    const claude = new ClaudeSession(lab)
    claude.say('one')
    const { stdout, stderr, code } = await lab.cortext([
      ...['import', 'claude', '--file', claude.transcript],
      ...['--file', join(dirname(claude.transcript), '.', basename(claude.transcript))],
    ])
    expect(code).toBe(0)
    expect(stdout.trimEnd().split('\n')).toHaveLength(1)
    expect(stderr).toContain('is named twice, and imported once')
  })

  test.each([
    ['--all beside --file', ['--all', '--file', 'a.jsonl']],
    ['--all beside an id', ['--all', 'some-id']],
    ['an id beside --file', ['some-id', '--file', 'a.jsonl']],
    ['one title for several', ['--title', 'T', '--file', 'a.jsonl', '--file', 'b.jsonl']],
    ['one title for all', ['--title', 'T', '--all']],
  ])('%s is wrong usage', async (_what, words) => {
    const lab = await workspaceLab()
    const { code, stderr } = await lab.cortext(['import', 'claude', ...words])
    expect(code).toBe(2)
    expect(stderr).toMatch(/^fix: cortext import (claude )?--help$/m)
  })
})

describe('the error for a file that is not a transcript says what it is, and what to do', () => {
  const line = `${JSON.stringify({ type: 'summary', summary: 'x' })}\n`
  test.each([
    ['an empty file', '', 'is empty', 'cortext import claude --all'],
    ['blank lines', ' \n\n', 'is empty', 'cortext import claude --all'],
    ['a compressed file', gzipSync(line), 'is compressed (gzip)', 'gzip -dk'],
    ['a zip', 'PK\u0003\u0004', 'is compressed (zip)', 'unzip'],
    ['a database', 'SQLite format 3\0 ', 'is a database', 'cortext import claude --all'],
    ['a binary', Buffer.from([1, 0, 2, 0]), 'is not text', 'cortext import claude --all'],
    ['UTF-16', Buffer.from(`\ufeff${line}`, 'utf16le'), 'is text in UTF-16', 'iconv -f UTF-16'],
  ])('%s', async (_what, content, says, fix) => {
    const lab = await workspaceLab()
    const file = join(lab.home, 'it.jsonl')
    writeFileSync(file, content)
    const error = await refused(lab, 'claude', file)
    expect(error).toMatchObject({ exit: 1, code: 'refused', fix: expect.stringContaining(fix) })
    expect(error.message).toContain(`${file} ${says}`)
  })

  test('a folder', async () => {
    const lab = await workspaceLab()
    const error = await refused(lab, 'claude', lab.home)
    expect(error.message).toContain('is a folder')
    expect(error.fix).toBe(`cortext import claude --file ${lab.home}/*`)
  })

  test('a transcript of another client', async () => {
    const lab = await workspaceLab()
    const thread = new CodexThread(lab.home, lab.root)
    thread.say('one')
    const error = await refused(lab, 'claude', thread.transcript)
    expect(error.message).toContain('is a transcript of Codex CLI, not of Claude Code')
    expect(error.fix).toBe(`cortext import codex --file ${realpathSync(thread.transcript)}`)
  })

  test("a subagent's transcript names its session", async () => {
    const lab = await workspaceLab()
    const claude = new ClaudeSession(lab)
    claude.say('one')
    const file = join(lab.home, 'agent-a1.jsonl')
    const side = readFileSync(claude.transcript, 'utf8').replaceAll(
      '"isSidechain":false',
      '"isSidechain":true,"agentId":"a1"',
    )
    writeFileSync(file, side)
    const error = await refused(lab, 'claude', file)
    expect(error.message).toContain('is what a subagent said')
    expect(error.fix).toBe(`cortext import claude ${claude.id}`)
    const thread = new CodexThread(lab.home, lab.root)
    const meta = { session_id: thread.id, thread_source: 'subagent' }
    const agent = new CodexThread(lab.home, lab.root, { meta })
    agent.say('look around')
    expect((await refused(lab, 'codex', agent.transcript)).fix).toBe(`cortext import codex ${thread.id}`)
  })
})

// promise: Each has a line: how much was saved and lost; what no rule knows and what could not be read
// promise: says of every byte whether it was saved
test('an import reports unknown and unreadable records without --verbose, and the whole account with it', async () => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  claude.say('a longer question')
  appendFileSync(claude.transcript, '{"type":"never-seen","sessionId":"x"}\n{"torn\n')
  const file = copied(lab, claude.transcript)
  const { stdout, stderr } = await lab.cortext(['import', 'claude', '--file', file])
  expect(stdout).toMatch(
    /^a longer question: 2 saved, 1 lost \(\S+\)\n {2}saved as they are, because no rule knows them: never-seen \(1\)\n$/,
  )
  expect(stderr).toContain("1 line of the client's transcript could not be read")
  const verbose = await lab.cortext(['import', 'claude', '--file', file, '--verbose'])
  expect(verbose.stdout).toContain('bytes read:')
})

describe('a file that something has changed', () => {
  const line = (uuid: string, role: string, content: string) =>
    `${JSON.stringify({
      ...{ uuid, parentUuid: null, sessionId: 's', timestamp: '2026-01-01T00:00:00.000Z', type: role },
      message: { id: uuid, role, content: role === 'user' ? content : [{ type: 'text', text: content }] },
    })}\n`
  const talkOf = [line('u1', 'user', 'Plan the bird table'), line('a1', 'assistant', 'Roof first.')]
  const zeros = '\0'.repeat(512)
  const records = talkOf.map((text) => JSON.parse(text))

  // promise: A file in which a crash has left zeros or torn lines, or whose records are in one JSON list,
  test.each([
    ['zeros at its end', `${talkOf.join('')}${zeros}`],
    ['zeros between its records', talkOf.join(`${zeros}\n`)],
    ['zeros at its begin', `${zeros}\n${talkOf.join('')}`],
    ['its records in a list', JSON.stringify(records)],
    ['its records in a list over many lines', `\n${JSON.stringify(records, null, 2)}\n`],
    ['a record behind a torn one', `${talkOf[0]}{"uuid":"x","type":"us${talkOf[1]}`],
  ])('is imported: %s', async (_, text) => {
    const lab = await workspaceLab()
    const file = join(lab.home, 's.jsonl')
    writeFileSync(file, text)
    const [made] = (await importFiles(lab, 'claude', '--file', file)).imported
    expect(talk(await shown(lab, made!.path))).toEqual([
      'user: Plan the bird table',
      'assistant: Roof first.',
    ])
  })

  // promise: A file in which
  test('counts as lost where its bytes are not UTF-8', async () => {
    const lab = await workspaceLab()
    const file = join(lab.home, 's.jsonl')
    writeFileSync(file, line('u1', 'user', 'Plan für den Tisch') + talkOf[1], 'latin1')
    expect((await lab.cortext(['import', 'claude', '--file', file])).stdout).toContain('2 saved, 1 lost')
  })

  // promise: An export of Claude.ai or ChatGPT, a task of Cline or Roo Code, a chat of Aider, Cursor or VS
  test.each([
    ['an export of Claude.ai', [{ uuid: 'a', name: 'n', chat_messages: [{ sender: 'human', text: 'Hi' }] }]],
    ['an export of ChatGPT', [{ title: 'T', mapping: { r: { id: 'r' } }, current_node: 'r' }]],
    ['a task of Cline or Roo Code', [{ ts: 1, type: 'say', say: 'text', text: 'Hi' }]],
    ['a list of messages as Cline, Roo Code and APIs write it', [{ role: 'user', content: 'Hi' }]],
    ['a chat of VS Code', { requesterUsername: 'u', requests: [{ message: { text: 'Hi' } }] }],
    ['a chat history of Aider', '# aider chat started at 2026-01-01 10:00:00\n\n#### Hi\n'],
    ['a chat exported from Cursor', '# Hi\n_Exported on 1/1/2026 at 10:00 from Cursor (1.0)_\n'],
  ])('is named: %s', async (what, content) => {
    const lab = await workspaceLab()
    const file = join(lab.home, 'file.json')
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
    for (const client of ['claude', 'codex', 'gemini'])
      expect((await refused(lab, client, file)).message, client).toBe(
        `${file} is ${what}, which cortext does not read`,
      )
  })

  test('is not called that of another client where nobody said anything', async () => {
    const lab = await workspaceLab()
    const file = join(lab.home, 's.jsonl')
    writeFileSync(file, line('u1', 'user', '<command-name>/exit</command-name>'))
    expect((await refused(lab, 'claude', file)).message).toContain(
      'contains nothing that was said in Claude Code',
    )
  })
})
