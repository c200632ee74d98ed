import { describe, expect, it } from 'vitest'
import { textOf } from '../../../src/session/live-path.ts'
import { answer, read, record, script, text, user } from './transcript.ts'

const opening = [user('u1', null, 'first'), answer('a1', 'u1', 'm1', text('one'))]

describe('what 2.1.330 adds', () => {
  const message = (content: unknown) => ({ role: 'user', content })
  const types: [string, string, object][] = [
    ['api-request', 'usage', { model: 'claude-x' }],
    ['api-request-shape', 'system-text', { shape: { tools: [{ name: 'Read' }] } }],
    // As sent, without the key by which our seed is known.
    [
      'api-request-blob',
      'request-copy',
      { role: 'user', message: message([text('[RESUMED CONVERSATION]')]) },
    ],
    ['atis-latch', 'client-state', {}],
    ['cost-state', 'usage', { cost: 1 }],
  ]
  const attachments: [string, string][] = [
    ['environment', 'system-text'],
    ['model', 'system-text'],
    ['deferred_tools_delta', 'listing'],
    ['session_context', 'system-text'],
    ['date', 'system-text'],
    ['remote_session_change', 'system-text'],
    ['auto_mode', 'system-text'],
    ['prompt_snapshot', 'system-text'],
    // What holds context has a rule of its own.
    ['edited_text_file', 'changed-file'],
    ['diagnostics', 'diagnostics'],
    ['plan_mode', 'plan-mode'],
    ['plan_mode_exit', 'plan-mode'],
    ['plan_file_reference', 'plan-mode'],
    ['opened_file_in_ide', 'editor-selection'],
    ['selected_lines_in_ide', 'editor-selection'],
    ['relevant_memories', 'memory'],
    ['hook_stopped_continuation', 'hook-output'],
    ['async_hook_response', 'hook-output'],
    ['mcp_resource', 'mentioned-file'],
    ['agent_mention', 'mention'],
    ['goal_status', 'reminder'],
    ['output_style', 'system-text'],
    ['structured_output', 'answer-copy'],
  ]
  const notes: [string, string][] = [
    ['away_summary', 'away-summary'],
    ['scheduled_task_fire', 'scheduled-task'],
    ['agents_killed', 'client-note'],
    ['memory_saved', 'client-note'],
    ['model_fallback', 'client-state'],
    ['file_snapshot', 'file-snapshot'],
  ]

  it.each([
    ...types.map(([type, rule, fields]) => [type, rule, { type, sessionId: 'native', ...fields }] as const),
    ...attachments.map(([type, rule]) => {
      const attachment = { type, content: 'x'.repeat(60_000), text: '[RESUMED CONVERSATION]' }
      return [type, rule, record('x1', 'a1', { type: 'attachment', attachment })] as const
    }),
    ...notes.map(
      ([subtype, rule]) =>
        [subtype, rule, record('x1', 'a1', { type: 'system', subtype, content: 'told' })] as const,
    ),
  ])('%s is dropped as %s, and breaks no chain', (_type, rule, own) => {
    const reading = read([...opening, own, user('u2', 'uuid' in own ? 'x1' : 'a1', 'second')])
    expect(script(reading)).toEqual(['user: first', 'assistant: one', 'user: second'])
    expect(reading.report.dropped[rule]?.records).toBe(1)
    expect(reading.report.unknown).toEqual({})
    expect(reading.report.kept.records).toBe(3)
  })

  it('tools-used repeats what the calls say', () => {
    const { report } = read([...opening, { type: 'tools-used', tools: ['Read'] }])
    expect(report.derived.records).toBe(1)
  })
})

describe('what the client writes in the name of the person', () => {
  const stopped = 'Operation stopped by hook: needs approval'

  it('a prompt that a hook stopped is kept, and what the hook said is not', () => {
    const reading = read([...opening, user('u2', 'a1', 'deploy now'), user('u3', 'u2', stopped)])
    expect(script(reading)).toEqual(['user: first', 'assistant: one', 'user: deploy now'])
    expect(reading.report.dropped['hook-output']?.records).toBe(1)
    expect(reading.facts.settled).toBe(true)
  })

  it('a person may say the same words after an answer', () => {
    expect(script(read([...opening, user('u2', 'a1', stopped)]))).toContain(`user: ${stopped}`)
  })

  const selected = '<ide_selection>The user selected lines</ide_selection>'
  it.each([
    ['in a block of its own', [text(selected), text('explain this')]],
    ['at the head of the text', `${selected}\nexplain this`],
    ['in a block with the prompt', [text(`${selected}\nexplain this`)]],
  ])(
    'what was selected in the editor is no word of the person, and stays behind their prompt: %s',
    (_, said) => {
      const reading = read([...opening, user('u2', 'a1', said)])
      expect(script(reading).slice(-2)).toEqual(['user: explain this', `tool editor-selection: ${selected}`])
    },
  )

  it.each([
    '<system-reminder>\nA note\n</system-reminder>\n\n',
    '<ide_diagnostics>2 errors</ide_diagnostics>\n',
  ])('a text of the client at the head of a prompt is left out: %j', (head) => {
    const reading = read([...opening, user('u2', 'a1', `${head}Which wood?`)])
    expect(script(reading).at(-1)).toBe('user: Which wood?')
    expect(Object.keys(reading.report.dropped)).toEqual([head.startsWith('<s') ? 'reminder' : 'diagnostics'])
  })

  it('the words of a document are words, and a document keeps its name', () => {
    const source = { type: 'text', media_type: 'text/plain', data: 'Larch lasts.' }
    const pdf = { type: 'base64', media_type: 'application/pdf', data: 'UERG' }
    const documents = [
      { type: 'document', title: 'Woods', source },
      { type: 'document', title: 'plan.pdf', source: pdf },
    ]
    const [, , said] = read([...opening, user('u2', 'a1', [...documents, text('Which?')])]).messages
    expect(textOf(said!)).toBe('Woods\nLarch lasts.\nWhich?')
    expect(said!.attachments).toMatchObject([{ name: 'plan.pdf' }])
  })

  it('tools that the API runs have their call and their result', () => {
    const api = (...content: object[]) =>
      record('a2', 'a1', { type: 'assistant', message: { id: 'm2', role: 'assistant', content } })
    const blocks = [
      { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'larch' } },
      {
        ...{ type: 'web_search_tool_result', tool_use_id: 's1' },
        content: [
          { type: 'web_search_result', title: 'Larch', url: 'https://x.org', encrypted_content: 'QQ' },
        ],
      },
      text('It lasts.'),
    ]
    const reading = read([...opening, api(...blocks)])
    const [, , said, result] = reading.messages
    expect(said).toMatchObject({ content: 'It lasts.', tool_calls: [{ id: 's1', name: 'web_search' }] })
    expect(result).toMatchObject({
      tool_call_id: 's1',
      tool_name: 'web_search',
      content: 'Larch\nhttps://x.org',
    })
    expect(reading.report.unknown).toEqual({})
    const error = { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' }
    const failed = api(blocks[0]!, { ...blocks[1]!, content: error })
    expect(read([...opening, failed]).messages[3]).toMatchObject({
      is_error: true,
      content: 'max_uses_exceeded',
    })
  })

  it('what a teammate or a program says is no prompt', () => {
    const notes = [
      '<teammate-message teammate_id="a">Done</teammate-message>',
      '<ci-monitor-event>x</ci-monitor-event>',
    ]
    for (const note of notes) {
      const line = script(read([...opening, user('u2', 'a1', note)])).at(-1)
      expect(line).toBe(`tool task-notification: ${note}`)
    }
  })
})

describe('what others say is kept', () => {
  it('in a voice call', () => {
    const spoken = { type: 'system', subtype: 'voice_call_talk', isMeta: true, content: 'say it louder' }
    expect(script(read([...opening, record('u2', 'a1', spoken)]))).toContain('user: say it louder')
  })

  it('in messages of teammates, and of services that were waited for', () => {
    const mail = { type: 'teammate_mailbox', messages: [{ from: 'ann', text: 'tests are green' }] }
    const events = { type: 'poll_events', envelopes: ['<event>the build ended</event>'] }
    const lines = [mail, events].map((attachment, at) =>
      record(`x${at}`, at === 0 ? 'a1' : 'x0', { type: 'attachment', attachment }),
    )
    expect(script(read([...opening, ...lines])).slice(2)).toEqual([
      'tool task-notification: ann: tests are green',
      'tool task-notification: <event>the build ended</event>',
    ])
  })
})
