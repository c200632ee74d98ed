import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { codex } from '../../../src/clients/codex/index.ts'
import { livePath, textOf } from '../../../src/session/live-path.ts'

let clock = 0

/** A line of a rollout. */
const line = (type: string, payload: object) => ({
  timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, clock++)).toISOString(),
  type,
  payload,
})
const meta = (more: object = {}) => line('session_meta', { id: 'thread', cwd: '/p', ...more })
const item = (type: string, more: object) =>
  line('event_msg', { type: 'item_completed', item: { type, ...more } })
const typed = (id: string, text: string) => item('UserMessage', { id, content: [{ type: 'text', text }] })
const answered = (id: string, text: string, more: object = {}) =>
  item('AgentMessage', { id, content: [{ type: 'Text', text }], ...more })
const sent = (kind: string, text: string, source = 'harness', role = 'user') =>
  line('response_item', {
    type: 'message',
    id: `msg_${clock}`,
    role,
    content: [{ type: 'input_text', text }],
    internal_chat_message_metadata_passthrough: {
      content_item_kinds: [kind],
      content_item_metadata: [{ provenance: { type: source } }],
    },
  })
const call = (id: string, name = 'exec_command', more: object = {}) =>
  line('response_item', {
    type: 'function_call',
    id: `fc_${id}`,
    call_id: id,
    name,
    arguments: '{"cmd":"ls"}',
    ...more,
  })
const output = (id: string, text: unknown) =>
  line('response_item', { type: 'function_call_output', id: `fco_${id}`, call_id: id, output: text })

function read(lines: readonly object[]) {
  const bytes = Buffer.from(lines.map((one) => `${JSON.stringify(one)}\n`).join(''))
  const reading = codex.reading.read({
    nativeId: 'thread',
    bytes,
    sideFiles: [],
    readSideFile: () => undefined,
  })
  return { ...reading, script: reading.messages.map((one) => `${one.event ?? one.role}: ${textOf(one)}`) }
}

function sample(name: string) {
  const bytes = readFileSync(new URL(`../../fixtures/codex/${name}.jsonl`, import.meta.url))
  const { messages } = codex.reading.read({
    nativeId: 'native',
    bytes,
    sideFiles: [],
    readSideFile: () => undefined,
  })
  const script = (some: typeof messages) => some.map((one) => `${one.event ?? one.role}: ${textOf(one)}`)
  return { messages, script: script(messages), live: script(livePath(messages)) }
}

describe('the samples contain exactly what was typed, answered, taken back and done', () => {
  it('in a thread with a rewind', () => {
    const { script, live } = sample('tui-rewound')
    expect(script).toEqual([
      ...['user: alpha one', 'assistant: Echo 2: alpha one', 'user: beta two', 'assistant: Echo 3: beta two'],
      ...['user: gamma three', 'assistant: Echo 4: gamma three', 'rewound: '],
      ...[
        'user: beta two',
        'assistant: Echo 3: beta two',
        'user: beta edited',
        'assistant: Echo 4: beta edited',
      ],
    ])
    expect(live).toEqual([...script.slice(0, 2), ...script.slice(7)])
  })

  it('in a fork', () => {
    expect(sample('exec-fork').live.filter((one) => one.startsWith('user'))).toEqual([
      'user: turn one',
      'user: turn two',
      'user: turn in fork',
    ])
  })

  it('in a thread with skills, a tool, an interruption and a compaction', () => {
    const { script, messages } = sample('tui-skill-interrupt-compact')
    expect(script.filter((one) => /^(?:user|interrupted|compacted)/.test(one))).toEqual([
      'user: first prompt by argv',
      'user: $workspace-resume  3 now',
      'user: $workspace:brainstorm API design',
      'user: RUN: echo one',
      'user: SLOW:20000',
      'interrupted: ',
      'compacted: ',
    ])
    expect(messages.at(-1)?.summary).toBe('SUMMARY: the fake model summarises what was said.')
    expect(script).not.toContain('assistant: SUMMARY: the fake model summarises what was said.')
  })

  it('in a thread that continues our seed', () => {
    expect(sample('legacy-seed').script).toEqual(['user: go on', 'assistant: Echo 4: go on'])
  })
})

describe('the words of the person and of the model', () => {
  it('are in items: what else went to the model in the name of either is left out, by rule', () => {
    const { script, report } = read([
      meta(),
      sent('environments.environment_context', '<environment_context>'),
      sent('user.text', 'Hello', 'user'),
      typed('u1', 'Hello'),
      sent('skills.selected_skill_instructions', '<skill>body</skill>', 'skills'),
      sent('hooks.additional_context', 'context', 'harness', 'developer'),
      sent('model_switch.instructions', '<model_switch>', 'harness', 'developer'),
      answered('a1', 'Hi.'),
      sent('unknown', 'Hi.', 'harness', 'assistant'),
    ])
    expect(script).toEqual(['user: Hello', 'assistant: Hi.'])
    expect(Object.keys(report.dropped).sort()).toEqual([
      'client-state',
      'command-body',
      'hook-output',
      'system-text',
    ])
  })

  it('are not in a seed, which is recognised by the ids of its records and of its turn', () => {
    const { script, report } = read([
      meta(),
      line('event_msg', { type: 'task_started', turn_id: 'cortext-1' }),
      line('response_item', { type: 'message', id: 'msg_cortext_1', role: 'user', content: 'block' }),
      line('event_msg', { type: 'user_message', message: '$workspace-resume', turn_id: 'cortext-1' }),
      line('event_msg', { type: 'agent_message', message: 'recap' }),
      line('event_msg', { type: 'task_complete', turn_id: 'cortext-1' }),
      typed('u1', 'Go on.'),
    ])
    expect(script).toEqual(['user: Go on.'])
    expect(report.dropped['resume-context']?.records).toBe(5)
  })

  it('are in events of older files: the same words in another turn count again, a repeated line does not', () => {
    const at = '2026-01-01T00:00:00.000Z'
    const said = (type: string, more: object) => ({
      timestamp: at,
      type: 'event_msg',
      payload: { type, ...more },
    })
    const turn = (id: string) => [
      said('task_started', { turn_id: id }),
      said('user_message', { message: 'Go on.' }),
      said('agent_message', { message: 'Done.' }),
      said('task_complete', { turn_id: id }),
    ]
    const { script, messages } = read([meta(), ...turn('1'), ...turn('2'), ...turn('2')])
    expect(script).toEqual(['user: Go on.', 'assistant: Done.', 'user: Go on.', 'assistant: Done.'])
    expect(new Set(messages.map(({ id }) => id)).size).toBe(4)
  })

  it('are off the live path where an older version took their turn back', () => {
    const { messages } = read([
      meta(),
      ...[typed('u1', 'one'), answered('a1', 'One.'), typed('u2', 'two'), answered('a2', 'Two.')],
      line('event_msg', { type: 'thread_rolled_back', num_turns: 1 }),
      typed('u3', 'three'),
    ])
    expect(livePath(messages).map(textOf)).toEqual(['one', 'One.', 'three'])
    expect(messages.map(textOf)).toContain('two')
  })

  it('are taken back with the shell commands that followed them, which are no turns', () => {
    const shell = item('CommandExecution', {
      ...{ id: 's1', command: ['bash', '-lc', 'ls'], source: 'user_shell', aggregated_output: 'a.txt' },
    })
    const rolledBack = (turns: number) => line('event_msg', { type: 'thread_rolled_back', num_turns: turns })
    const one = [meta(), typed('u1', 'one'), answered('a1', 'One.')]
    const two = [typed('u2', 'two'), answered('a2', 'Two.'), shell]
    const live = (turns: number) => livePath(read([...one, ...two, rolledBack(turns)]).messages).map(textOf)
    expect(live(1)).toEqual(['one', 'One.'])
    expect(live(2)).toEqual([])
    expect(live(0)).toEqual(['one', 'One.', 'two', 'Two.', '!ls', 'a.txt'])
  })
})

it('a prompt that begins with the name of a property of all objects is a prompt', () => {
  for (const tag of ['<constructor>', '<__proto__>', '<valueOf>']) {
    const message = line('response_item', {
      ...{ type: 'message', role: 'user', content: [{ type: 'input_text', text: `${tag} what is it?` }] },
    })
    expect(read([meta(), message]).script).toEqual([`user: ${tag} what is it?`])
  }
})

describe('tools', () => {
  it('belong to one answer when they are of one response; the next response is another answer', () => {
    const { messages } = read([
      ...[meta(), typed('u1', 'Look'), item('Reasoning', { id: 'r1', summary_text: ['So.'] })],
      ...[answered('a1', 'I look.', { phase: 'commentary' }), call('1'), call('2')],
      line('token_usage_record', { usage: { output_tokens: 7 } }),
      ...[output('1', 'one'), output('2', 'two'), call('3'), output('3', 'three'), answered('a2', 'Seen.')],
    ])
    const answers = messages.filter(({ role }) => role === 'assistant')
    expect(answers.map(({ tool_calls = [] }) => tool_calls.map(({ id }) => id))).toEqual([
      ['1', '2'],
      ['3'],
      [],
    ])
    expect(answers[0]).toMatchObject({ content: 'I look.', reasoning: 'So.', tokens: 7 })
  })

  it('fail where their output or their item says so, and were refused where the item does', () => {
    const { messages } = read([
      ...[meta(), typed('u1', 'Look'), call('1'), call('2'), call('3'), call('4')],
      output('1', 'Wall time: 1 seconds\nProcess exited with code 2\nOutput:\n'),
      item('CommandExecution', { id: '2', status: 'failed', exit_code: 1, aggregated_output: '' }),
      output('2', 'no'),
      item('FileChange', { id: '3', status: 'declined' }),
      output('3', 'rejected by user'),
      output(
        '4',
        `failed in sandbox LinuxSeccomp with execution error: sandbox denied exec error, exit code: 101, stdout: ${'test a ... ok\n'.repeat(90)}`,
      ),
    ])
    const results = messages.filter(({ role }) => role === 'tool')
    expect(results.map(({ is_error, refused }) => [is_error, refused])).toEqual([
      [true, undefined],
      [true, undefined],
      [true, true],
      [true, undefined],
    ])
  })

  it('have an output as the client wrote it, and have failed where it says so, also in the JSON of older versions', () => {
    const old = (exit_code: number, output: string) =>
      JSON.stringify({ output, metadata: { exit_code, duration_seconds: 0.3 } })
    const outputs = [old(0, '[main 1a2b3c4] Add it\n'), old(1, '1 failed')]
    const { messages } = read([
      ...[meta(), typed('u1', 'Look'), ...['1', '2'].map((id) => call(id, 'shell'))],
      ...outputs.map((one, index) => output(`${index + 1}`, one)),
    ])
    const results = messages.filter(({ role }) => role === 'tool')
    expect(results.map(textOf)).toEqual(outputs)
    expect(results.map((one) => one.is_error)).toEqual([undefined, true])
  })

  it('have the name of their MCP server, and those that a script ran are calls too', () => {
    const patch = { '/p/a': { type: 'add', content: 'x\n\ny\n' }, '/p/b': { type: 'delete' } }
    const { messages, facts } = read([
      ...[meta(), typed('u1', 'Look'), call('1', 'find', { namespace: 'mcp__notes' })],
      line('response_item', {
        type: 'custom_tool_call',
        id: 'c',
        call_id: '2',
        name: 'exec',
        input: 'await 1',
      }),
      item('CommandExecution', {
        id: 'exec-1',
        command: ['sh', '-c', 'ls'],
        aggregated_output: 'a\n',
        exit_code: 0,
      }),
      item('FileChange', { id: 'exec-2', changes: patch, stdout: 'Success.' }),
      output('2', [{ type: 'input_text', text: 'Script completed' }]),
    ])
    expect(facts.mcpTools).toEqual(['mcp__notes__find'])
    expect(messages.flatMap(({ tool_calls = [] }) => tool_calls)).toMatchObject([
      { name: 'mcp__notes__find' },
      { name: 'exec', arguments: { input: 'await 1' } },
      { name: 'exec_command', arguments: { cmd: 'ls' } },
      {
        name: 'apply_patch',
        arguments: {
          input: '*** Begin Patch\n*** Add File: /p/a\n+x\n+\n+y\n*** Delete File: /p/b\n*** End Patch\n',
        },
      },
    ])
    expect(messages.filter(({ role }) => role === 'tool').map(textOf)).toEqual([
      'a\n',
      'Success.',
      'Script completed',
    ])
  })
})

describe('the running turn', () => {
  const bytesOf = (lines: readonly object[]) =>
    Buffer.from(lines.map((one) => `${JSON.stringify(one)}\n`).join(''))
  const begun = (id: string) => line('event_msg', { type: 'task_started', turn_id: id })
  const ended = (type: string) => line('event_msg', { type })

  it('begins where Codex says, and at the end of the file when no turn runs', () => {
    const before = [meta(), begun('1'), typed('u1', 'one'), ended('task_complete')]
    const start = bytesOf(before).length
    expect(codex.reading.turnStart(bytesOf(before))).toBe(start)
    const running = [...before, begun('2'), typed('u2', 'two'), call('1')]
    expect(codex.reading.turnStart(bytesOf(running))).toBe(start)
    const whole = bytesOf([...running, ended('turn_aborted')])
    expect(codex.reading.turnStart(whole)).toBe(whole.length)
  })
})

it('an answer stays a final one when the next turn has begun, until something is said in it', () => {
  const turn = (type: string, id: string) => line('event_msg', { type, turn_id: id })
  const lines = [meta(), turn('task_started', '1'), typed('u1', 'one'), answered('a1', 'said')]
  const begun = [...lines, turn('task_complete', '1'), turn('task_started', '2')]
  expect(read(lines.slice(0, 3)).facts.settled).toBe(false)
  expect(read(begun).facts.settled).toBe(true)
  expect(read([...begun, typed('u2', 'two')]).facts.settled).toBe(false)
})

describe('what an editor or the app has put before a prompt', () => {
  it.each([
    '# Context from my IDE setup:\n\n## Open tabs:\n- a.ts: src/a.ts',
    '# Files mentioned by the user:\n\n## notes: /tmp/n.txt',
  ])('is no word of the person, and stays behind the prompt: %s', (editor) => {
    const { messages, script } = read([
      meta(),
      typed('u', `\n${editor}\n\n## My request for Codex:\nread it\n`),
      answered('a', 'Read.', { phase: 'final_answer' }),
    ])
    expect(script).toEqual(['user: read it', `tool: ${editor}`, 'assistant: Read.'])
    expect(messages[1]).toMatchObject({ tool_name: 'editor-selection' })
  })

  it('is what the person said if they said nothing else', () => {
    const text = '# Files mentioned by the user:\n\n## My request for Codex:\n'
    expect(read([meta(), typed('u', text)]).script).toEqual([`user: ${text}`])
  })
})

describe('a review', () => {
  const review = [
    {
      ...line('session_meta', { id: 'side', source: { subagent: 'review' } }),
      timestamp: '2026-01-01T10:00:01.000Z',
    },
    typed('r1', 'Review the changes.'),
    answered('r2', 'One bug.', { phase: 'final_answer' }),
  ]
  const at = (timestamp: string) => ({ ...line('event_msg', { type: 'entered_review_mode' }), timestamp })
  const bytes = (lines: readonly object[]) =>
    Buffer.from(lines.map((one) => `${JSON.stringify(one)}\n`).join(''))
  const subagents = (begun: string) =>
    codex.reading.read({
      nativeId: 'thread',
      bytes: bytes([meta(), typed('u', 'go'), at(begun)]),
      sideFiles: ['review-side.jsonl'],
      readSideFile: () => bytes(review),
    }).subagents

  it('that the person has chosen from the menu is their command, and its prompt is the client’s', () => {
    const chosen = (target: object, hint: string) =>
      line('event_msg', { type: 'entered_review_mode', target, user_facing_hint: hint })
    const said = (text: string) => line('event_msg', { type: 'user_message', message: text })
    const preset = 'Review the code changes against the base branch.'
    const shown = said(preset)
    const { script, messages } = read([
      ...[meta(), chosen({ type: 'baseBranch', branch: 'main' }, "changes against 'main'")],
      ...[shown, shown, said('thanks')],
      ...[chosen({ type: 'custom', instructions: 'look at pears' }, 'look at pears'), said('look at pears')],
    ])
    expect(script).toEqual([
      "user: /review changes against 'main'",
      `tool: ${preset}`,
      'user: thanks',
      'user: look at pears',
    ])
    expect(messages[1]?.tool_name).toBe('review-preset')
  })

  it('is done by a subagent whose thread began with it', () => {
    expect(subagents('2026-01-01T10:00:00.000Z').side?.map(textOf)).toEqual([
      'Review the changes.',
      'One bug.',
    ])
    expect(subagents('2026-01-01T11:00:00.000Z')).toEqual({})
  })
})

describe('a session file of the first Codex CLI, one object, becomes the lines that came after it', () => {
  const session = { timestamp: '2025-08-23T11:00:55.382Z', id: 'thread', instructions: '' }
  const readOlder = (items: readonly object[]) => {
    const text = codex.reading.fromExport?.(JSON.stringify({ session, items }, undefined, 2)) ?? ''
    expect(codex.reading.sessionId?.(Buffer.from(text))).toBe('thread')
    const lines = text.trim().split('\n')
    return read(lines.map((one) => JSON.parse(one)))
  }
  const given = '{"command":["bash","-lc","ls"]}'
  const output = '{"output":"a.ts","metadata":{"exit_code":0}}'

  it.each([
    [
      'items of the Responses API',
      [
        { role: 'user', content: [{ type: 'input_text', text: 'why does it fail?' }], type: 'message' },
        { type: 'function_call', call_id: 'c1', name: 'shell', arguments: given },
        { type: 'function_call_output', call_id: 'c1', output },
        { id: 'm', type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'A typo.' }] },
      ],
    ],
    [
      'messages of the chat API',
      [
        { role: 'user', content: [{ type: 'text', text: 'why does it fail?' }] },
        {
          ...{ role: 'assistant', content: '', reasoning: 'We look.' },
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'shell', arguments: given } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: output },
        { role: 'assistant', content: [{ type: 'text', text: 'Switched approval mode to auto-edit' }] },
        { role: 'assistant', content: 'A typo.', reasoning: 'It is a typo.' },
      ],
    ],
  ])('%s', (_, items) => {
    const { script, messages } = readOlder(items)
    expect(script).toEqual([
      'user: why does it fail?',
      'assistant: ',
      `tool: ${output}`,
      'assistant: A typo.',
    ])
    expect(messages[1]?.tool_calls).toMatchObject([{ id: 'c1', name: 'shell', arguments: JSON.parse(given) }])
    expect(messages[2]?.tool_call_id).toBe('c1')
    if (items.length > 4)
      expect(messages.map(({ reasoning }) => reasoning)).toEqual([
        undefined,
        'We look.',
        undefined,
        'It is a typo.',
      ])
  })

  it('with the pictures of a prompt, and with an answer that only sounds like a notice of the client', () => {
    const url = 'data:image/png;base64,iVBORw0KGgo='
    const { messages, script } = readOlder([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'see' },
          { type: 'image_url', image_url: { url } },
        ],
      },
      { role: 'assistant', content: 'Switched model to o3' },
    ])
    expect(messages[0]?.attachments).toHaveLength(1)
    expect(script[1]).toBe('assistant: Switched model to o3')
  })

  it('and no other text does', () => {
    expect(codex.reading.fromExport?.('{"session":1}')).toBeUndefined()
    expect(codex.reading.fromExport?.('{')).toBeUndefined()
  })
})
