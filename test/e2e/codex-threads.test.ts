import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { codex } from '../../src/clients/codex/index.ts'
import { partsBefore } from '../../src/clients/codex/rollouts.ts'
import { contentOf, livePath } from '../../src/session/live-path.ts'
import { accounted } from '../clients/readings.ts'
import { type CodexLab, codexShell, leaveCodex, openCodexLab, rolloutOf } from './codex.ts'
import { text, thinking, tool } from './reply.ts'
import type { Terminal } from './terminal.ts'

const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const PATCH = '*** Begin Patch\n*** Add File: made.txt\n+made\n*** End Patch\n'

describe('threads of Codex CLI over several files', { timeout: 120_000 }, () => {
  it('two ways back in one thread: the talk is that of the newest file, and all that was said is kept', async () => {
    await using lab = await openCodexLab()
    const terminal = await lab.interactive()
    const say = speaker(lab, terminal)
    await say('alpha')
    await say('beta')
    await say('gamma')
    await rewind(terminal, 1)
    await say('delta')
    await say('epsilon')
    await rewind(terminal, 1)
    await say('zeta')
    // Past the place where the first way back went to.
    await rewind(terminal, 3)
    await say('eta')
    await leaveCodex(terminal)
    expect(lab.transcripts()).toHaveLength(4)
    const { live, all } = readThread(lab.transcripts().at(-1)!)
    expect(live).toEqual(spoken('alpha', 'eta'))
    expect(all).toEqual(spoken('alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta'))
    // Any file of the thread leads to the newest.
    for (const path of lab.transcripts()) expect(codex.sessions.newest!(path)).toBe(lab.transcripts().at(-1))
  })

  it('a fork of a fork has what was said before, under the same ids, and its parents do not grow', async () => {
    await using lab = await openCodexLab()
    for (const typed of ['one', 'two', 'three', 'four', 'five']) lab.model.when(typed, `Answer to ${typed}.`)
    await lab.headless('one')
    const first = lab.transcripts()[0]!
    await lab.headless('two', ['resume', idOf(first)])
    await lab.headless('three', ['fork', idOf(first)])
    const fork = others(lab, [first])[0]!
    await lab.headless('four', ['resume', idOf(first)])
    await lab.headless('five', ['fork', idOf(fork)])
    const second = others(lab, [first, fork])[0]!
    expect(readThread(first).live).toEqual(spoken('one', 'two', 'four'))
    expect(readThread(fork).live).toEqual(spoken('one', 'two', 'three'))
    expect(readThread(second).live).toEqual(spoken('one', 'two', 'three', 'five'))
    expect(readThread(second).ids.slice(0, 4)).toEqual(readThread(first).ids.slice(0, 4))
    expect(readThread(second).ids.slice(0, 6)).toEqual(readThread(fork).ids)

    const gone = idOf(fork)
    // Its parent is gone: what was said since is still there.
    rmSync(fork)
    expect(readThread(second).live).toEqual(spoken('five'))
    expect(readThread(second).missing).toEqual([gone])
  })

  it('a way back past a compaction undoes it; a fork of that thread has only what counts', async () => {
    await using lab = await openCodexLab()
    const terminal = await lab.interactive()
    const say = speaker(lab, terminal)
    await say('alpha')
    await say('beta')
    await terminal.submit('/compact', { after: 500 })
    await terminal.waitFor('Context compacted')
    await say('gamma')
    await rewind(terminal, 2)
    await say('delta')
    await leaveCodex(terminal)
    const newest = lab.transcripts().at(-1)!
    const thread = readThread(newest)
    expect(thread.live).toEqual(spoken('alpha', 'delta'))
    expect(thread.all).toEqual(spoken('alpha', 'beta', 'gamma', 'delta'))
    expect(thread.events).toEqual(['compacted', 'rewound'])
    const own = lab.transcripts()
    lab.model.when('omega', 'Answer to omega.')
    await lab.headless('omega', ['fork', rolloutOf(newest)[0].payload.id])
    const fork = readThread(others(lab, own)[0]!)
    expect(fork.all).toEqual(spoken('alpha', 'delta', 'omega'))
    expect(fork.events).toEqual([])
  })

  it('what was queued, interrupted and run by the person', async () => {
    await using lab = await openCodexLab()
    const terminal = await lab.interactive()
    const say = speaker(lab, terminal)
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    lab.model.when('busy', { blocks: [text('Answer to busy.')], until: held })
    lab.model.when('queued', 'Answer to queued.')
    await terminal.submit('busy', { after: 500 })
    await terminal.waitFor('esc to interrupt')
    terminal.type('queued')
    await terminal.waitFor('› queued')
    terminal.press('Tab')
    await terminal.waitFor('Queued')
    release()
    await terminal.waitFor(ended('Answer to queued.'))
    lab.model.when('stopped', { blocks: [text('Never said.')], until: new Promise(() => {}) })
    await terminal.submit('stopped', { after: 500 })
    await terminal.waitFor('Never said.')
    terminal.press('Escape')
    await terminal.waitFor(/interrupted/i)
    terminal.press('C-u')
    await terminal.submit('!echo shelled', { after: 500 })
    await terminal.waitFor('You ran echo shelled')
    await say('last')
    await leaveCodex(terminal)
    const thread = readThread(lab.transcripts()[0]!)
    expect(thread.live).toEqual([
      ...spoken('busy', 'queued'),
      'user: stopped',
      'user: !echo shelled',
      'tool: shelled\n',
      ...spoken('last'),
    ])
    expect(thread.events).toEqual(['interrupted'])
  })

  it('an image, patches of both forms, a long output, and another model on another day', async () => {
    await using lab = await openCodexLab()
    writeFileSync(join(lab.project, 'dot.png'), Buffer.from(DOT, 'base64'))
    lab.model.when('look', 'Answer to look.')
    lab.model.when('heredoc', codexShell(`apply_patch <<'EOF'\n${PATCH}EOF`), 'Answer to heredoc.')
    lab.model.when('long', codexShell('seq 1 18000'), 'Answer to long.')
    lab.model.when(
      'freeform',
      [thinking('So.'), tool('apply_patch', { input: PATCH.replace('made.txt', 'free.txt') })],
      'Answer to freeform.',
    )
    await lab.headless('look', ['--image=dot.png'])
    const transcript = lab.transcripts()[0]!
    for (const typed of ['heredoc', 'long']) await lab.headless(typed, ['resume', idOf(transcript)])
    await lab.headless('freeform', ['resume', '-m', 'gpt-5.5', idOf(transcript)])
    const { messages, blobs, live } = readThread(transcript)
    expect(live.filter((line) => !line.startsWith('tool:'))).toEqual([
      'user: look\n[image]',
      'assistant: Answer to look.',
      'user: heredoc',
      'assistant: ',
      'assistant: Answer to heredoc.',
      'user: long',
      'assistant: ',
      'assistant: Answer to long.',
      'user: freeform',
      'assistant: ',
      'assistant: Answer to freeform.',
    ])
    expect([...blobs.values()].map((blob) => Buffer.from(blob).toString('base64'))).toEqual([DOT])
    const calls = messages.flatMap((message) => message.tool_calls ?? [])
    expect(calls.map(({ arguments: given }) => given)).toEqual([
      { cmd: `apply_patch <<'EOF'\n${PATCH}EOF` },
      { cmd: 'seq 1 18000' },
      { input: PATCH.replace('made.txt', 'free.txt') },
    ])
    const [, long] = messages.filter(({ role }) => role === 'tool')
    // Codex keeps 65,536 characters of it, the head and the tail, where the model was given 40,000.
    expect(String(long!.content).length).toBeGreaterThan(65_000)
    expect(String(long!.content)).toMatch(/\n1\n2\n3\n[\s\S]*\n17999\n18000\n$/)
    expect(messages.map(({ model }) => model).at(-1)).toBe('gpt-5.5')
    expect(messages.map(({ reasoning }) => reasoning)).toContain('So.')
  })

  it('damaged ordinals: the place in the file decides', async () => {
    await using lab = await openCodexLab()
    const terminal = await lab.interactive()
    const say = speaker(lab, terminal)
    for (const typed of ['alpha', 'beta']) await say(typed)
    await rewind(terminal, 1)
    await say('gamma')
    await leaveCodex(terminal)
    const [first, second] = lab.transcripts() as [string, string]
    const digits = /"ordinal":(\d+)/g
    const damaged = readFileSync(first, 'utf8').replace(
      digits,
      (_, n: string) => `"ordinal":${'9'.repeat(n.length)}`,
    )
    writeFileSync(first, damaged)
    expect(readThread(second).live).toEqual(spoken('alpha', 'gamma'))
    expect(readThread(second).all).toEqual(spoken('alpha', 'beta', 'gamma'))
  })
})

/** A thread by its newest file: what was said, on the path and at all. Each byte must have its place. */
function readThread(transcript: string) {
  const parts = partsBefore(transcript).map(({ path, to }) => readFileSync(path).subarray(0, to))
  const bytes = Buffer.concat([...parts, readFileSync(transcript)])
  const reading = codex.reading.read({
    nativeId: idOf(transcript),
    bytes,
    sideFiles: [],
    readSideFile: () => undefined,
  })
  expect(accounted(reading.report)).toBe(bytes.length)
  expect(reading.report).toMatchObject({ unknown: {}, unreadable: [] })
  const { messages, blobs } = reading
  const said = messages.filter(({ event }) => event === undefined)
  const lines = (some: typeof messages) => some.map((one) => `${one.role}: ${contentOf(one)}`)
  return {
    messages,
    blobs,
    missing: reading.report.missing,
    live: lines(livePath(messages)),
    all: lines(said),
    ids: said.map(({ id }) => id),
    events: messages.flatMap(({ event }) => event ?? []),
  }
}

function spoken(...typed: string[]): string[] {
  return typed.flatMap((one) => [`user: ${one}`, `assistant: Answer to ${one}.`])
}

function idOf(transcript: string): string {
  return rolloutOf(transcript)[0].payload.id
}

function others(lab: CodexLab, known: readonly string[]): string[] {
  return lab.transcripts().filter((path) => !known.includes(path))
}

function speaker({ model }: CodexLab, terminal: Terminal) {
  return async (typed: string) => {
    model.when(typed, `Answer to ${typed}.`)
    await terminal.submit(typed, { after: 500 })
    await terminal.waitFor(ended(`Answer to ${typed}.`), { timeout: 30_000 })
  }
}

/** A key that is pressed before the turn has ended would interrupt it. */
function ended(answer: string): (screen: string) => boolean {
  return (screen) => /Worked for/.test(screen.slice(screen.lastIndexOf(answer))) && screen.includes(answer)
}

/** Takes back so many prompts: the last one is chosen first, and further ones lie to the left. */
async function rewind(terminal: Terminal, prompts: number): Promise<void> {
  terminal.press('Escape')
  await terminal.waitFor('esc again')
  terminal.press('Escape')
  await terminal.waitFor('Browsing transcript')
  for (let more = prompts; more > 1; more--) {
    const before = terminal.screen()
    terminal.press('Left')
    await terminal.waitFor((screen) => screen !== before).catch(() => {})
  }
  terminal.press('Enter')
  await terminal.waitFor((screen) => !screen.includes('Browsing transcript'))
  terminal.press('C-u')
}
