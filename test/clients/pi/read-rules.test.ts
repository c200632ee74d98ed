import { describe, expect, it } from 'vitest'
import { pi } from '../../../src/clients/pi/index.ts'
import { livePath } from '../../../src/session/live-path.ts'
import type { Message } from '../../../src/session/schema.ts'
import { fixturesOf } from '../fixtures.ts'

const at = (n: number) => `2026-01-01T00:00:${String(n).padStart(2, '0')}.000Z`

/** Entries of a session: each follows the one before it, unless it names another one. */
function session(...entries: Record<string, unknown>[]): Uint8Array {
  const lines = entries.map((entry, n) => ({
    id: `0000000${n}`,
    parentId: n === 0 ? null : `0000000${n - 1}`,
    timestamp: at(n),
    ...entry,
  }))
  return Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

const read = (bytes: Uint8Array) =>
  pi.reading.read({ nativeId: 's', bytes, sideFiles: [], readSideFile: () => undefined })
const message = (role: string, more: object) => ({ type: 'message', message: { role, ...more } })
const user = (text: string) => message('user', { content: [{ type: 'text', text }] })
const assistant = (text: string, stopReason = 'stop') =>
  message('assistant', { content: text === '' ? [] : [{ type: 'text', text }], stopReason })
const typed = (text: string) => ({ type: 'custom', customType: 'cortext', data: { typed: text } })

const said = (messages: readonly Message[]) => messages.map(({ role, content }) => `${role}: ${content}`)

describe('a session of Pi', () => {
  it('has what was typed in place of the text of a command, and the text in the account', () => {
    const { messages, report } = read(
      session(typed('/workspace.plan "x y"'), user('THE BODY x y'), assistant('Yes.')),
    )
    expect(said(messages)).toEqual(['user: /workspace.plan "x y"', 'assistant: Yes.'])
    expect(report.dropped['command-body']?.bytes).toBe('THE BODY x y'.length)
  })

  it('has the call of a skill in place of its text, also where our extension was not there', () => {
    const body =
      '<skill name="tidy" location="/x/SKILL.md">\nReferences are relative to /x.\n\nTHE BODY\n</skill>'
    const texts = [`${body}\n\ndo 3`, body, `${body} and more`]
    expect(texts.map((text) => said(read(session(user(text))).messages))).toEqual([
      ['user: /skill:tidy do 3'],
      ['user: /skill:tidy'],
      [`user: ${body} and more`],
    ])
  })

  // promise: What a command of your own after `!!` prints goes to no model, and into no record.
  it('has what the person ran with `!`, and not what they ran with `!!`', () => {
    const shell = (command: string, more: object) =>
      message('bashExecution', { command, output: 'OUT', exitCode: 1, ...more })
    const { messages, report } = read(
      session(shell('make', {}), shell('cat secret', { excludeFromContext: true })),
    )
    expect(said(messages)).toEqual(['user: !make', 'tool: OUT'])
    expect(messages[1]).toMatchObject({ tool_name: 'bash-mode', is_error: true })
    expect(report.dropped['private-command']?.records).toBe(1)
  })

  it('goes back where an entry follows an earlier one, over entries that say nothing', () => {
    const label = { type: 'label', parentId: '00000001' }
    const { messages } = read(
      session(user('one'), assistant('1'), user('two'), assistant('2'), label, user('three'), assistant('3')),
    )
    expect(messages.find(({ event }) => event === 'rewound')?.to).toBe(messages[1]!.id)
    expect(said(livePath(messages))).toEqual(['user: one', 'assistant: 1', 'user: three', 'assistant: 3'])
  })

  it('keeps the words of two processes, and counts those that the last line follows, as Pi does', () => {
    const { messages } = read(
      session(
        user('one'),
        assistant('1'),
        user('by A'),
        { ...user('by B'), parentId: '00000001' },
        { ...assistant('to A'), parentId: '00000002' },
        { ...assistant('to B'), parentId: '00000003' },
      ),
    )
    expect(said(messages)).toEqual(expect.arrayContaining(['user: by A', 'assistant: to A']))
    expect(said(livePath(messages))).toEqual(['user: one', 'assistant: 1', 'user: by B', 'assistant: to B'])
  })

  it('has the summary of a branch that was left, and half an answer as interrupted', () => {
    const summary = { type: 'branch_summary', summary: 'They tried.', parentId: '00000001' }
    const { messages, facts } = read(
      session(user('one'), assistant('1'), user('two'), assistant('half', 'aborted'), summary, user('three')),
    )
    expect(said(livePath(messages))).toEqual([
      'user: one',
      'assistant: 1',
      'tool: They tried.',
      'user: three',
    ])
    expect(messages.map(({ event }) => event)).toContain('interrupted')
    expect(facts.settled).toBe(false)
  })

  it('gives a message the same id in a fork, and another id when only the eight letters are the same', () => {
    const [one, other] = [user('one'), { ...user('one'), timestamp: at(9) }].map((entry) =>
      read(session(entry)),
    )
    expect(one!.messages[0]!.id).not.toBe(other!.messages[0]!.id)
    const fixture = (name: string) => fixturesOf('pi').find((one) => one.name === name)!.raw
    const [parent, child] = ['tui-bang-abort-name-tree-branch-summary', 'tui-fork-child'].map((name) =>
      pi.reading.read(fixture(name)).messages.map(({ id }) => id),
    )
    expect(child!.filter((id) => parent!.includes(id)).length).toBeGreaterThan(5)
  })

  it('leaves our seed out, and goes on after it', () => {
    const text = pi.launch.seed({
      nativeId: 's',
      cwd: '/ws',
      command: 'workspace.plan',
      body: 'Plan.',
      args: 'It',
      context: 'HISTORY',
      recap: 'RECAP',
    })
    const seed = Buffer.from(text)
    expect(read(seed)).toMatchObject({ messages: [], report: { unknown: {}, unreadable: [] } })
    const last = JSON.parse(seed.toString().trimEnd().split('\n').at(-1)!).id
    const next = Buffer.from(
      `${JSON.stringify({ id: 'abcdef01', parentId: last, timestamp: at(1), ...user('go on') })}\n`,
    )
    const grown = Buffer.concat([seed, next])
    expect(said(read(grown).messages)).toEqual(['user: go on'])
    expect(pi.reading.turnStart(grown)).toBe(seed.length)
    expect(pi.reading.turnStart(seed)).toBe(seed.length)
  })

  it('has its running turn from what was typed on', () => {
    const bytes = session(user('one'), assistant('1'), typed('/x'), user('BODY'), assistant('', 'toolUse'))
    const lines = bytes.toString().split('\n')
    expect(pi.reading.turnStart(bytes)).toBe(Buffer.byteLength(`${lines.slice(0, 2).join('\n')}\n`))
  })

  it('has its running turn from the prompt on, where Pi tries again after an answer failed', () => {
    const failed = { ...assistant('', 'error'), id: 'failed' }
    const dropped = { type: 'context_edit', targetId: 'failed', replacement: null }
    const before = session(user('one'), assistant('1'))
    const bytes = session(user('one'), assistant('1'), user('two'), failed, dropped, assistant('', 'toolUse'))
    expect(pi.reading.turnStart(bytes)).toBe(before.length)
  })

  // Before, each line was compared with all earlier ones: minutes for these.
  it('is read although a damaged file has the same line thousands of times', { timeout: 20_000 }, () => {
    const bytes = Buffer.from('1\n'.repeat(20_000))
    expect(read(bytes).messages.length).toBeLessThan(20_001)
  })
})
