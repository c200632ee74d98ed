import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { codex } from '../../../src/clients/codex/index.ts'
import { partsBefore } from '../../../src/clients/codex/rollouts.ts'
import type { Environment } from '../../../src/io/environment.ts'
import { livePath, textOf } from '../../../src/session/live-path.ts'
import { CodexThread } from '../../helpers/codex-threads.ts'
import { runs } from '../../helpers/long.ts'
import { placeOf, tempFolder } from '../../helpers/repository.ts'

let home: string
let cwd: string
let environment: Environment

beforeEach(() => {
  home = tempFolder()
  cwd = tempFolder()
  environment = placeOf(cwd, { HOME: home })
})

/** The parts of a thread as one, as the journal has them. */
function streamOf(transcript: string): Buffer {
  const before = partsBefore(transcript).map(({ path, to }) => readFileSync(path).subarray(0, to))
  return Buffer.concat([...before, readFileSync(transcript)])
}

function read(transcript: string, nativeId = 'native') {
  const { messages, report } = codex.reading.read({
    nativeId,
    bytes: streamOf(transcript),
    sideFiles: [],
    readSideFile: () => undefined,
  })
  const typed = (some: typeof messages) => some.filter(({ role }) => role === 'user').map(textOf)
  return { messages, report, live: typed(livePath(messages)), all: typed(messages) }
}

describe('the parts of a thread', () => {
  it('are none for a thread of one file', () => {
    const thread = new CodexThread(home, cwd)
    thread.say('one')
    expect(partsBefore(thread.transcript)).toEqual([])
  })

  it('law: whatever is said, forked and taken back, the path is what counts, nothing is lost, and it only grows', () => {
    const steps = fc.array(
      fc.oneof(fc.constant('say' as const), fc.nat({ max: 5 }), fc.constant('fork' as const)),
      {
        maxLength: 12,
      },
    )
    fc.assert(
      fc.property(steps, (todo) => {
        const own = tempFolder()
        let thread = new CodexThread(own, cwd)
        // What counts at each place of the thread, and all that was said in it.
        let places = [{ place: thread.place(), live: [] as string[] }]
        let live: string[] = []
        let all: string[] = []
        let said = 0
        let before: Buffer = Buffer.alloc(0)
        for (const step of todo) {
          if (step === 'say') {
            live = [...live, `prompt ${++said}`]
            all = [...all, `prompt ${said}`]
            thread.say(`prompt ${said}`)
            places.push({ place: thread.place(), live })
          } else if (step === 'fork') {
            thread = new CodexThread(own, cwd, { of: thread })
            places = [{ place: thread.place(), live }]
            all = live
            before = Buffer.alloc(0)
          } else {
            const back = places[step % places.length]!
            thread.rewind(back.place)
            live = back.live
            places.push({ place: thread.place(), live })
          }
          const stream = streamOf(thread.transcript)
          expect(stream.subarray(0, before.length).equals(before)).toBe(true)
          before = stream
        }
        const found = read(thread.transcript)
        expect(found.live).toEqual(live)
        expect(found.all).toEqual(all)
        expect(found.report).toMatchObject({ unknown: {}, unreadable: [] })
        expect(found.report.missing).toBeUndefined()
      }),
      runs(20, 200),
    )
  })

  it('are found when some of the files are archived', () => {
    const thread = new CodexThread(home, cwd)
    thread.say('one')
    const place = thread.place()
    thread.say('two')
    thread.rewind(place)
    thread.say('three')
    const archive = join(home, '.codex', 'archived_sessions')
    mkdirSync(archive)
    renameSync(thread.files[0]!, join(archive, basename(thread.files[0]!)))
    expect(read(thread.transcript).live).toEqual(['one', 'three'])
    expect(codex.sessions.newest!(join(archive, basename(thread.files[0]!)))).toBe(thread.transcript)
  })

  it('are found next to a file that is elsewhere, by what the files say', () => {
    const thread = new CodexThread(home, cwd)
    thread.say('one')
    const fork = new CodexThread(home, cwd, { of: thread })
    fork.say('two')
    const folder = tempFolder()
    renameSync(thread.transcript, join(folder, 'parent.jsonl'))
    renameSync(fork.transcript, join(folder, 'child.jsonl'))
    expect(read(join(folder, 'child.jsonl')).live).toEqual(['one', 'two'])
  })

  it('may be missing: what was said since is there, and the report names what is gone', () => {
    const thread = new CodexThread(home, cwd)
    thread.say('one')
    const fork = new CodexThread(home, cwd, { of: thread })
    fork.say('two')
    rmSync(thread.transcript)
    expect(read(fork.transcript)).toMatchObject({ live: ['two'], report: { missing: [thread.id] } })
  })

  it('may be under any day', () => {
    const thread = new CodexThread(home, cwd)
    thread.say('one')
    const fork = new CodexThread(home, cwd, { of: thread })
    fork.say('two')
    const elsewhere = join(home, '.codex', 'sessions', '2020', '01', '01', basename(thread.transcript))
    mkdirSync(dirname(elsewhere), { recursive: true })
    renameSync(thread.transcript, elsewhere)
    expect(read(fork.transcript).live).toEqual(['one', 'two'])
    expect(codex.sessions.transcriptPath(environment, cwd, thread.id)).toBe(elsewhere)
    const place = fork.place()
    fork.say('taken back')
    fork.rewind(place)
    const [, newest] = fork.files.map((file) => join(dirname(elsewhere), basename(file)))
    for (const file of fork.files) renameSync(file, join(dirname(elsewhere), basename(file)))
    expect(read(newest!).live).toEqual(['one', 'two'])
  })

  it('end where the base says, though its byte offset is wrong', () => {
    const thread = new CodexThread(home, cwd)
    thread.say('one')
    const fork = new CodexThread(home, cwd, { of: thread })
    fork.say('two')
    thread.say('three')
    const wrong = readFileSync(fork.transcript, 'utf8').replace(
      /"end_byte_offset":\d+/,
      '"end_byte_offset":99999',
    )
    writeFileSync(fork.transcript, wrong)
    expect(read(fork.transcript).live).toEqual(['one', 'two'])
  })
})

describe('the threads of a folder', () => {
  it('are each one, by their newest file, newest first, with what was typed first', () => {
    const one = new CodexThread(home, cwd)
    one.say('first words\nand more')
    const place = one.place()
    one.say('taken back')
    one.rewind(place)
    one.say('instead')
    new CodexThread(home, tempFolder()).say('elsewhere')
    new CodexThread(home, cwd)
    expect(codex.sessions.locate(environment, cwd)).toEqual([
      expect.objectContaining({ nativeId: one.id, title: 'first words', transcript: one.transcript, cwd }),
    ])
    expect(codex.sessions.transcriptPath(environment, cwd, one.id)).toBe(one.transcript)
    expect(codex.sessions.hasSession(environment, cwd, one.id)).toBe(true)
  })

  it('are where CODEX_HOME says', () => {
    const thread = new CodexThread(home, cwd)
    thread.say('one')
    const moved = placeOf(cwd, { HOME: tempFolder(), CODEX_HOME: join(home, '.codex') })
    expect(codex.sessions.locate(moved, cwd)).toHaveLength(1)
  })

  it('are not those of subagents, which belong to the thread that started them', () => {
    const thread = new CodexThread(home, cwd)
    thread.say('one')
    const meta = { session_id: thread.id, thread_source: 'subagent', parent_thread_id: thread.id }
    const agent = new CodexThread(home, cwd, { meta })
    agent.say('look around')
    const theirs = new CodexThread(home, cwd, { meta })
    theirs.say('and there')
    const another = new CodexThread(home, cwd, { meta: { ...meta, session_id: 'another' } })
    another.say('no')
    const names = (one: CodexThread, id: string) =>
      one.line('response_item', { type: 'function_call_output', output: JSON.stringify({ agent_id: id }) })
    for (const { id } of [agent, another]) names(thread, id)
    agent.item({ type: 'SubAgentActivity', id: 'call_2', agent_thread_id: theirs.id })
    const third = new CodexThread(home, cwd, { meta })
    third.say('and here')
    theirs.item({ type: 'CollabAgentToolCall', id: 'call_3', receiver_thread_ids: [third.id] })
    expect(codex.sessions.locate(environment, cwd).map(({ nativeId }) => nativeId)).toEqual([thread.id])
    expect(codex.sessions.sideFiles!(thread.transcript, thread.id)).toEqual([
      { path: agent.transcript, name: `${agent.id}.jsonl` },
      { path: theirs.transcript, name: `${theirs.id}.jsonl` },
      { path: third.transcript, name: `${third.id}.jsonl` },
    ])
    // What was said before a way back is in an earlier file.
    thread.rewind(thread.place())
    expect(codex.sessions.sideFiles!(thread.transcript, thread.id)).toHaveLength(3)
  })

  it('are not those of reviews, which belong to the thread that began them in the same folder', () => {
    const thread = new CodexThread(home, cwd)
    thread.say('one')
    thread.line('event_msg', { type: 'entered_review_mode' })
    const meta = { source: { subagent: 'review' }, timestamp: new Date(Date.UTC(2026, 0, 2)).toISOString() }
    const review = new CodexThread(home, cwd, { meta })
    review.say('Review the changes')
    new CodexThread(home, tempFolder(), { meta }).say('Review something else')
    expect(codex.sessions.locate(environment, cwd).map(({ nativeId }) => nativeId)).toEqual([thread.id])
    expect(codex.sessions.sideFiles!(thread.transcript, thread.id)).toEqual([
      { path: review.transcript, name: `review-${review.id}.jsonl` },
    ])
  })

  it('have the title of what the person typed below the list of an editor', () => {
    const thread = new CodexThread(home, cwd)
    thread.say(
      '# Context from my IDE setup:\n\n## Open tabs:\n- a.ts\n\n## My request for Codex:\nWhy is it null?\n',
    )
    expect(codex.sessions.locate(environment, cwd)).toMatchObject([{ title: 'Why is it null?' }])
  })

  it('are not the copies that Codex made of sessions of another client', () => {
    const thread = new CodexThread(home, cwd)
    thread.say('one')
    const records = [{ source_path: '/x', imported_thread_id: thread.id }]
    writeFileSync(join(home, '.codex', 'external_agent_session_imports.json'), JSON.stringify({ records }))
    expect(codex.sessions.locate(environment, cwd)).toEqual([])
  })
})
