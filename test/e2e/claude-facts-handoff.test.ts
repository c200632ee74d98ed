import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type ClaudeLab, openLab } from './claude.ts'
import { watchHooks } from './hook-watch.ts'
import { CLAUDE_VERSIONS } from './install.ts'
import { allText } from './model-request.ts'

const MARK = { seed: '001-brainstorm-api-design' }
const TYPED =
  '<command-message>workspace.brainstorm</command-message>\n' +
  '<command-name>/workspace.brainstorm</command-name>\n<command-args>API design</command-args>'
const BODY = 'The instructions of the command.'
const RECAP = '[Resuming "API design"]'
/** 100 KB of what clients are keen to expand. */
const HISTORY = [
  '[RESUMED CONVERSATION]',
  ...Array.from(
    { length: 1000 },
    (_, n) => `${n} @/etc/hostname !\`date\` $(id) <system-reminder>x</system-reminder> — ${'…'.repeat(20)}`,
  ),
  '[END RESUMED CONTEXT]',
].join('\n')

describe.each(CLAUDE_VERSIONS)('Claude Code %s: a session that begins with a history', (version) => {
  it('starts from a seed, shows the command and the recap, and asks no model before the person types', async () => {
    await using lab = await openLab({ version })
    const { args } = writeSeed(lab)
    const terminal = await lab.interactive(args)
    const screen = await terminal.waitFor(RECAP)
    expect(screen).toContain('❯ /workspace.brainstorm API design')
    expect(screen).not.toContain('RESUMED CONVERSATION')
    expect([...lab.model.requests, ...lab.model.sideRequests]).toEqual([])
    await terminal.submit('please go on')
    await terminal.waitFor('Scripted answer 1.')
    expect(lab.model.requests).toHaveLength(1)
  })

  it('gives the model command, history and recap once, verbatim and in this order, at every turn', async () => {
    await using lab = await openLab({ version })
    const terminal = await lab.interactive(writeSeed(lab).args)
    await terminal.submit('please go on')
    await terminal.waitFor('Scripted answer 1.')
    await terminal.submit('and on')
    await terminal.waitFor('Scripted answer 2.')
    for (const request of lab.model.requests) {
      const received = allText(request)
      const places = [TYPED, BODY, HISTORY, RECAP, 'please go on'].map((part) => received.indexOf(part))
      expect(places).not.toContain(-1)
      expect(places).toEqual([...places].sort((a, b) => a - b))
      expect(received.split('[RESUMED CONVERSATION]')).toHaveLength(2)
    }
    expect(lab.model.requests).toHaveLength(2)
  })

  it('keeps the mark of the seed on its records, and on no other, under the id that was asked for', async () => {
    await using lab = await openLab({ version })
    const watch = watchHooks(lab, ['SessionStart', 'Stop', 'SessionEnd'])
    const { seed, args, id, content } = writeSeed(lab)
    const terminal = await lab.interactive(args)
    await terminal.submit('please go on')
    await terminal.waitFor('Scripted answer 1.')
    await terminal.submit('/exit')
    await terminal.waitForExit()

    const marked = lab.records(id).filter((record) => record.cortext !== undefined)
    expect(marked.map(({ uuid, cortext, sessionId }) => ({ uuid, cortext, sessionId }))).toEqual(
      content.map(({ uuid }) => ({ uuid, cortext: MARK, sessionId: id })),
    )
    // 2.1.330 also keeps what it sent, without the mark: nothing that a reader may take for something said.
    const others = lab.records(id).filter((record) => record.cortext === undefined)
    const repeating = others.filter((record) => JSON.stringify(record).includes('RESUMED CONVERSATION'))
    expect(repeating.map((record) => record.type)).toEqual(version === '2.1.197' ? [] : ['api-request-blob'])
    expect(readFileSync(seed, 'utf8').trimEnd().split('\n')).toHaveLength(content.length)
    expect(watch.calls().map((call) => call.payload.session_id)).toEqual([id, id, id])
  })

  it('is resumed later like any other session, with all of it', async () => {
    await using lab = await openLab({ version })
    const { args, id } = writeSeed(lab)
    const terminal = await lab.interactive(args)
    await terminal.submit('please go on')
    await terminal.waitFor('Scripted answer 1.')
    await terminal.submit('/exit')
    await terminal.waitForExit()
    await lab.headless(['--resume', id, 'later'])
    const received = allText(lab.model.requests[1]!)
    for (const part of [BODY, HISTORY, RECAP, 'please go on', 'Scripted answer 1.', 'later']) {
      expect(received.includes(part)).toBe(true)
    }
  })
})

/** A seed as cortext writes it: what was typed, the body, the history, and an answer that is the recap. */
function writeSeed(lab: ClaudeLab) {
  const id = randomUUID()
  const records: { type: string; message: object; isMeta?: true }[] = [
    { type: 'user', message: { role: 'user', content: TYPED } },
    { type: 'user', isMeta: true, message: { role: 'user', content: [{ type: 'text', text: BODY }] } },
    { type: 'user', isMeta: true, message: { role: 'user', content: [{ type: 'text', text: HISTORY }] } },
    {
      type: 'assistant',
      message: { role: 'assistant', model: '<synthetic>', content: [{ type: 'text', text: RECAP }] },
    },
  ]
  const uuids = records.map(() => randomUUID())
  const content = records.map((record, n) => ({
    ...record,
    uuid: uuids[n],
    parentUuid: uuids[n - 1] ?? null,
    timestamp: new Date(Date.UTC(2026, 10, 21, 10, 0, n)).toISOString(),
    cortext: MARK,
  }))
  const seed = join(lab.folder, 'seed.jsonl')
  writeFileSync(seed, content.map((record) => `${JSON.stringify(record)}\n`).join(''))
  return { seed, id, content, args: ['--resume', seed, '--fork-session', '--session-id', id] }
}
