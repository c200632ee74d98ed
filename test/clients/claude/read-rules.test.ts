import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { answer, call, read, record, result, script, text, user } from './transcript.ts'

const opening = [user('u1', null, 'first'), answer('a1', 'u1', 'm1', text('one'))]

describe('what a person says', () => {
  it('keeps text byte for byte (S0-D2e, S3-W1)', () => {
    const typed =
      'a "quoted" line\r\n\ttab 日本 🎉 \u001b[31m <b>&amp;</b> [Request interrupted by user] \u2028'
    expect(read([user('u1', null, typed)]).messages[0]?.content).toBe(typed)
  })

  it('keeps parts where the source had parts, and images by their content (S3-W2)', () => {
    const png = Buffer.from('not really a png')
    const hash = createHash('sha256').update(png).digest('hex')
    const image = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: png.toString('base64') },
    }
    const reading = read([user('u1', null, [text('look'), image, text('here')])])
    expect(reading.messages[0]).toMatchObject({
      content: [text('look'), { type: 'image', sha256: hash, media_type: 'image/png' }, text('here')],
      attachments: [{ media_type: 'image/png', sha256: hash, bytes: png.length }],
    })
    expect(Buffer.from(reading.blobs.get(hash)!)).toEqual(png)
  })

  it('leaves out what the client adds to it, and keeps a single text a string', () => {
    const reading = read([
      user('u1', null, [text('<system-reminder>x</system-reminder>'), text('mine')]),
      user('u2', 'u1', [text('<ide_opened_file>x</ide_opened_file>')]),
    ])
    expect(script(reading)).toEqual(['user: mine'])
    expect(reading.report.dropped.reminder?.records).toBe(1)
    expect(reading.report.dropped['editor-selection']?.records).toBe(1)
  })

  it('has a command with its raw arguments, and drops its body and the skill that the model called', () => {
    const typed = `<command-message>workspace.plan</command-message>\n<command-name>/workspace.plan</command-name>\n<command-args>a <b> </command-args> "c" $(d)</command-args>`
    const reading = read([
      user('u1', null, typed),
      user('u2', 'u1', [text('Body of the command')], { isMeta: true }),
      user('u3', 'u2', [text('more of it')], { isMeta: true }),
      user('u4', 'u3', [text('Base directory for this skill: /x')], { isMeta: true }),
      answer('a1', 'u4', 'm1', text('ok')),
      user('u5', 'a1', [text('Continue from where you left off.')], { isMeta: true }),
    ])
    expect(script(reading)).toEqual(['user: /workspace.plan a <b> </command-args> "c" $(d)', 'assistant: ok'])
    expect(reading.report.dropped['command-body']?.records).toBe(3)
    expect(reading.report.dropped['client-note']?.records).toBe(1)
  })

  it('drops commands to the client, and marks an interruption, which ends the turn', () => {
    const reading = read([
      ...opening,
      user('u2', 'a1', '<local-command-caveat>Caveat</local-command-caveat>', { isMeta: true }),
      user(
        'u3',
        'u2',
        '<command-name>/model</command-name>\n            <command-message>model</command-message>',
      ),
      user('u4', 'u3', '<local-command-stdout>Set model</local-command-stdout>'),
      user('u5', 'u4', 'second'),
      user('u6', 'u5', [text('[Request interrupted by user for tool use]')]),
      user('u7', 'u6', 'third'),
      answer('a2', 'u7', 'm2', text('two')),
    ])
    expect(script(reading)).toEqual([
      'user: first',
      'assistant: one',
      'user: second',
      'interrupted: ',
      'user: third',
      'assistant: two',
    ])
    expect(reading.report.dropped).toMatchObject({
      'local-command': { records: 2 },
      'local-command-output': { records: 1 },
    })
    expect(reading.messages.at(-2)?.parent_id).toBe(reading.messages.at(-4)?.id)
  })

  it('keeps the arguments of a command to the client, in whichever record the client writes them', () => {
    const typed = (name: string, words: string) =>
      `<command-name>/${name}</command-name>\n            <command-message>${name}</command-message>\n            <command-args>${words}</command-args>`
    const reading = read([
      ...opening,
      user('u2', 'a1', typed('goal', 'ship the parser\nby noon')),
      user('u3', 'u2', '<local-command-stdout>Goal set: ship the parser</local-command-stdout>'),
      user('u4', 'u3', 'A Stop hook is now active', { isMeta: true }),
      answer('a2', 'u4', 'm2', text('on it')),
      record('s1', 'a2', {
        type: 'system',
        subtype: 'local_command',
        content: typed('compact', 'keep the plan'),
      }),
      record('s2', 's1', { type: 'system', subtype: 'local_command', content: typed('skills', '') }),
      record('s3', 's2', { type: 'system', subtype: 'local_command', content: 'Dismissed' }),
      user('u5', 's3', 'third'),
    ])
    expect(script(reading)).toEqual([
      'user: first',
      'assistant: one',
      'user: /goal ship the parser\nby noon',
      'assistant: on it',
      'user: /compact keep the plan',
      'user: third',
    ])
    expect(reading.report.dropped).toMatchObject({
      'local-command': { records: 1 },
      'local-command-output': { records: 2 },
    })
  })

  // promise: stay in this machine's journal; they are not saved to `.session/`
  it('keeps the address of remote control on this machine', () => {
    const url = 'https://claude.ai/code/session_01Kx'
    const reading = read([
      { type: 'bridge-session', sessionId: 'native', bridgeSessionId: 'cse_01Kx', lastSequenceNum: 0 },
      ...opening,
      record('b1', 'a1', { type: 'system', subtype: 'bridge_status', content: `Continue at ${url}`, url }),
      user('u2', 'b1', 'second'),
    ])
    expect(script(reading)).toEqual(['user: first', 'assistant: one', 'user: second'])
    expect(JSON.stringify(reading.messages)).not.toContain('01Kx')
    expect(reading.report.dropped['remote-control']?.records).toBe(2)
  })
})

describe('what the model says', () => {
  it('is one message of its lines, also when results and hook records are between them', () => {
    const reading = read([
      user('u1', null, 'go'),
      answer('a1', 'u1', 'm1', text('\n\n'), { stop_reason: null }),
      answer('a2', 'a1', 'm1', { type: 'thinking', thinking: 'hm', signature: 's' }, { stop_reason: null }),
      answer('a3', 'a2', 'm1', { type: 'thinking', thinking: '', signature: 's' }, { stop_reason: null }),
      answer('a4', 'a3', 'm1', call('t1', 'Read', { path: 'x' }), { stop_reason: null }),
      record('p1', 'a4', { type: 'progress', data: { type: 'hook_progress' } }),
      user('r1', 'p1', result('t1', 'one')),
      answer('a5', 'r1', 'm1', call('t2', 'Bash'), { stop_reason: 'tool_use' }),
      answer('a6', 'a5', 'm1', text('two texts')),
      user('r2', 'a5', result('t2', 'no', { is_error: true })),
    ])
    expect(reading.messages).toHaveLength(4)
    expect(reading.messages[1]).toMatchObject({
      content: [text('\n\n'), text('two texts')],
      reasoning: 'hm',
      tool_calls: [
        { id: 't1', name: 'Read', arguments: { path: 'x' } },
        { id: 't2', name: 'Bash', arguments: {} },
      ],
    })
    expect(reading.messages[3]).toMatchObject({
      role: 'tool',
      tool_call_id: 't2',
      tool_name: 'Bash',
      is_error: true,
    })
  })

  it('leaves out what the client says in its name', () => {
    const synthetic = (uuid: string, parent: string, words: string, fields: object) =>
      record(uuid, parent, {
        type: 'assistant',
        message: { id: uuid, model: '<synthetic>', content: [text(words)], stop_reason: 'stop_sequence' },
        ...fields,
      })
    const reading = read([
      ...opening,
      synthetic('s1', 'a1', 'No response requested.', {}),
      user('u2', 's1', 'again'),
      synthetic('s2', 'u2', 'API Error: 529', { isApiErrorMessage: true }),
    ])
    expect(script(reading)).toEqual(['user: first', 'assistant: one', 'user: again'])
    expect(reading.report.dropped).toMatchObject({
      'synthetic-answer': { records: 1 },
      'api-error': { records: 1 },
    })
    expect(reading.facts).toMatchObject({ model: 'claude-x', settled: true })
  })

  it('is settled only with its final answer', () => {
    const settled = (...records: object[]) =>
      read([...opening, user('u2', 'a1', 'next'), ...records]).facts.settled
    const duration = record('d1', 'a2', { type: 'system', subtype: 'turn_duration' })
    expect(read(opening).facts.settled).toBe(true)
    expect(settled()).toBe(false)
    expect(settled(answer('a2', 'u2', 'm2', call('t1', 'Read'), { stop_reason: 'tool_use' }))).toBe(false)
    expect(settled(answer('a2', 'u2', 'm2', text('hm'), { stop_reason: null }))).toBe(false)
    expect(settled(answer('a2', 'u2', 'm2', text('hm'), { stop_reason: null }), duration)).toBe(true)
    expect(settled(answer('a2', 'u2', 'm2', text('done')))).toBe(true)
    expect(read([]).facts.settled).toBe(false)
  })
})

describe('tool results', () => {
  const asked = [
    user('u1', null, 'go'),
    answer('a1', 'u1', 'm1', call('t1', 'Bash'), { stop_reason: 'tool_use' }),
  ]
  const moved = (path: string) =>
    `<persisted-output>\nOutput too large (58.6KB). Full output saved to: ${path}\n\nPreview (first 2KB):\nstart…\n</persisted-output>`

  it('are whole when the client moved them to a side file (S3-W4)', () => {
    const whole = `all\n${'x'.repeat(60_000)}日\n`
    const files = { 'tool-results/bik.txt': whole }
    const at = moved('/home/dev/.claude/projects/-p/native/tool-results/bik.txt')
    expect(read([...asked, user('r1', 'a1', result('t1', at))], { files }).messages[2]?.content).toBe(whole)
    const parts = read([...asked, user('r1', 'a1', result('t1', [text(at)]))], { files })
    expect(parts.messages[2]?.content).toEqual([text(whole)])
    expect(read([...asked, user('r1', 'a1', result('t1', at))]).messages[2]?.content).toBe(at)
  })

  it('take nothing from outside the side folder', () => {
    const files = {
      'tool-results/passwd': 'the side file',
      '/etc/passwd': 'no',
      'tool-results/../../x': 'no',
    }
    const content = (path: string) =>
      read([...asked, user('r1', 'a1', result('t1', moved(path)))], { files }).messages[2]?.content
    expect(content('/etc/passwd')).toBe('the side file')
    expect(content('tool-results/../../x')).toBe(moved('tool-results/../../x'))
  })

  it('have their images as attachments, once', () => {
    const data = Buffer.from('pixels').toString('base64')
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } }
    const reading = read([
      ...asked,
      user('r1', 'a1', result('t1', [image]), { toolUseResult: { file: { base64: data } } }),
    ])
    expect(reading.messages[2]).toMatchObject({ content: [{ type: 'image', media_type: 'image/png' }] })
    expect(reading.blobs.size).toBe(1)
  })

  it('are one message each when they are in one record, and words next to them are one more', () => {
    const both = [...result('t1', 'one'), ...result('t2', 'two'), text('stop that')]
    const reading = read([
      ...asked,
      answer('a2', 'a1', 'm1', call('t2', 'Read'), { stop_reason: 'tool_use' }),
      user('r1', 'a2', both),
    ])
    expect(script(reading).slice(2)).toEqual(['tool Bash: one', 'tool Read: two', 'user: stop that'])
    expect(new Set(reading.messages.map(({ id }) => id)).size).toBe(5)
  })
})
