import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { toolResults } from './model-request.ts'
import { bash, read, text } from './reply.ts'
import { openWorkspaceLab, STOP_BODY, saidIn, stopWith, textIn } from './workspace-lab.ts'

describe('what is said in a conversation', () => {
  // promise: keeps every conversation that you
  // promise: Works with Claude Code, OpenCode,
  // promise: a conversation begins; from here
  // promise: The record is the client's
  it('S1-001h S1-001j S0-D6g E-22: is recorded whole, once, in order and byte for byte, and git sees none of it before the stop', async () => {
    await using lab = await openWorkspaceLab()
    const note = join(lab.project, 'note.txt')
    writeFileSync(note, 'alpha\n\tbeta  \n"γ" — 日本\n')
    const calls = {
      read: read(note),
      one: bash('printf "one\\n\\n  two\\t\\n"'),
      two: bash('echo "$((6 * 7))"; echo \'a "b" \\c\''),
      failing: bash('echo out; echo err >&2; exit 3'),
      stop: bash(stopWith('Three turns with tools.')),
    }
    lab.model.when('Topic:', 'Welcome.\n\n  What is *it* about?')
    lab.model.when('read the note', [text('I look.'), calls.read], 'Three lines.')
    lab.model.when('run two', [text('Both at once.'), calls.one, calls.two], 'Ran.')
    lab.model.when('fail now', calls.failing, 'It failed.\n')
    lab.model.when(STOP_BODY, calls.stop, 'Saved.')

    const terminal = await lab.interactive(['--allowedTools=Bash,Read'])
    await terminal.submit('/workspace.brainstorm tools')
    await terminal.waitFor('Welcome.')
    const after = lab.status()
    const [folder] = lab.conversations()
    expect(after).toEqual([`?? ${folder}/brainstorm.md`, '?? note.txt'])
    for (const [typed, answer] of [
      ['read the note — "please"', 'Three lines.'],
      ['run two `commands` $(at) once', 'Ran.'],
      ['fail now', 'It failed.'],
    ] as const) {
      await terminal.submit(typed)
      await terminal.waitFor(answer)
      expect(lab.status()).toEqual(after)
    }
    expect(existsSync(join(lab.project, folder!, '.session/messages.jsonl'))).toBe(false)
    await terminal.submit('/workspace.stop-conversation')
    await terminal.waitFor('Saved.')

    const messages = lab.messages().filter(({ event }) => event === undefined)
    expect(saidIn(messages)).toEqual([
      'user: /workspace.brainstorm tools',
      'assistant: Welcome.\n\n  What is *it* about?',
      'user: read the note — "please"',
      'assistant: I look.',
      'assistant: Three lines.',
      'user: run two `commands` $(at) once',
      'assistant: Both at once.',
      'assistant: Ran.',
      'user: fail now',
      'assistant: ',
      'assistant: It failed.\n',
    ])
    const called = [calls.read, calls.one, calls.two, calls.failing]
    expect(messages.flatMap((message) => message.tool_calls ?? [])).toEqual(
      called.map(
        (call) => call.type === 'tool_use' && { id: call.id, name: call.name, arguments: call.input },
      ),
    )
    const results = messages.filter(({ role }) => role === 'tool')
    expect(results.map((result) => result.tool_call_id)).toEqual(
      called.map((call) => call.type === 'tool_use' && call.id),
    )
    const received = lab.model.requests.flatMap(toolResults).slice(0, called.length)
    expect(results.map(({ content }) => textIn(content))).toEqual(received)
    expect(results.map((result) => result.is_error === true)).toEqual([false, false, false, true])
    expect(lab.session().message_count).toBe(11)
  })
})
