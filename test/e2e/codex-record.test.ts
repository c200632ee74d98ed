import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { codexShell, rolloutOf } from './codex.ts'
import { leaveWorkspace, openCodexWorkspaceLab } from './codex-workspace.ts'
import { toolResults } from './model-request.ts'
import { type Block, text } from './reply.ts'
import { say } from './say.ts'
import { saidIn, stopped, stopWith, textIn } from './workspace-lab.ts'

const TITLE = `REST/GraphQL "v2" & $(touch x) it's`
const SUMMARY = `We lean toward REST; it's open how (mobile) batches & <more>.`
const PATCH = `*** Begin Patch\n*** Update File: note.txt\n@@\n-alpha\n+omega\n*** End Patch\n`

describe('what is said in Codex CLI', () => {
  it('S1-001h S1-001j S1-002b S0-D6g E-2 E-12 E-22: is recorded whole, once, in order and byte for byte; the stop commits it alone', async () => {
    await using lab = await openCodexWorkspaceLab()
    await lab.headless(`$workspace-brainstorm ${TITLE}`)
    expect(lab.session().title).toBe(TITLE)
    expect(existsSync(join(lab.project, 'x'))).toBe(false)
    const [byExec] = lab.conversations()
    for (const name of ['staged', 'unstaged']) writeFileSync(join(lab.project, name), 'before\n')
    writeFileSync(join(lab.project, 'note.txt'), 'alpha\n\tbeta  \n"γ" — 日本\n')
    lab.git('add', '--all')
    lab.git('commit', '--quiet', '--message', 'files')
    for (const name of ['staged', 'unstaged']) writeFileSync(join(lab.project, name), 'after\n')
    lab.git('add', 'staged')

    const calls = {
      read: codexShell('cat note.txt'),
      one: codexShell('printf "one\\n\\n  two\\t\\n"'),
      two: codexShell('echo "$((6 * 7))"; echo \'a "b" \\c\''),
      patch: codexShell(`apply_patch <<'EOF'\n${PATCH}EOF`),
      failing: codexShell('echo out; echo err >&2; exit 3'),
      stop: codexShell(stopWith(SUMMARY)),
    }
    lab.model.when(/^\$workspace-brainstorm tools/, 'Welcome.\n\n  What is *it* about?')
    lab.model.when('read the note', [text('I look.'), calls.read], 'Three lines.')
    lab.model.when('run two', [text('Both at once.'), calls.one, calls.two], 'Ran.')
    lab.model.when('patch it', calls.patch, 'Patched.')
    lab.model.when('fail now', calls.failing, 'It failed.\n')
    lab.model.when(/^\$workspace-stop-conversation/, calls.stop, 'Saved.')
    const terminal = await lab.interactive()
    await say(terminal, '$workspace-brainstorm tools', 'What is it about?')
    const [folder] = lab.conversations().filter((path) => path !== byExec)
    const begun = lab.status()
    expect(begun).toEqual(['M  staged', ' M unstaged', `?? ${folder}/brainstorm.md`])
    const patched = [' M note.txt', ...begun]
    for (const [typed, answer, after] of [
      ['read the note — "please"', 'Three lines.', begun],
      ['run two `commands` $(at) once', 'Ran.', begun],
      ['patch it', 'Patched.', patched],
      ['fail now', 'It failed.', patched],
    ] as const) {
      await say(terminal, typed, answer)
      expect(lab.status()).toEqual(after)
    }
    expect(existsSync(join(lab.project, folder!, '.session/messages.jsonl'))).toBe(false)
    await say(terminal, '$workspace-stop-conversation ', 'Saved.')

    const messages = lab.messages(folder).filter(({ event }) => event === undefined)
    expect(saidIn(messages)).toEqual([
      'user: $workspace-brainstorm tools',
      'assistant: Welcome.\n\n  What is *it* about?',
      'user: read the note — "please"',
      'assistant: I look.',
      'assistant: Three lines.',
      'user: run two `commands` $(at) once',
      'assistant: Both at once.',
      'assistant: Ran.',
      'user: patch it',
      'assistant: ',
      'assistant: Patched.',
      'user: fail now',
      'assistant: ',
      'assistant: It failed.\n',
    ])
    const called = [calls.read, calls.one, calls.two, calls.patch, calls.failing]
    expect(messages.flatMap((message) => message.tool_calls ?? [])).toEqual(called.map(asCall))
    const results = messages.filter(({ role }) => role === 'tool')
    // Each request holds the whole thread.
    const received = lab.model.requests.at(-1)!.messages.flatMap((one) => toolResults({ messages: [one] }))
    expect(results.map(({ content }) => textIn(content))).toEqual(received.slice(0, called.length))
    expect(results.map((result) => result.tool_call_id)).toEqual(called.map((call) => asCall(call).id))
    expect(results.map((result) => result.is_error === true)).toEqual([false, false, false, false, true])
    expect(lab.session(folder)).toMatchObject({
      status: 'paused',
      context_summary: SUMMARY,
      message_count: 14,
    })
    // Codex CLI puts lines of its own before what a command prints.
    expect(received.at(-1)!.split('\nOutput:\n').at(-1)).toBe(stopped('tools', SUMMARY))
    const [subject, ...paths] = lab
      .git('show', '--format=%s', '--name-only', 'HEAD')
      .split('\n')
      .filter(Boolean)
    expect(subject).toBe('[conversation] brainstorm: tools (session state saved)')
    expect(paths).toEqual([
      expect.stringMatching(/^\.workspace\/prompts\/[0-9a-f]{64}\.md$/),
      `${folder}/.session/messages.jsonl`,
      `${folder}/.session/session.json`,
      `${folder}/brainstorm.md`,
    ])
    expect(lab.git('rev-list', '--count', 'HEAD')).toBe('3')
    expect(lab.status()).toEqual([' M note.txt', 'M  staged', ' M unstaged'])
    await leaveWorkspace(lab, terminal)

    // A thread that no hook had to do with, though they are trusted.
    await lab.headless('How do we name endpoints?')
    const { id } = rolloutOf(lab.transcripts().at(-1)!)[0].payload
    lab.model.when(/^\$workspace-stop-conversation/, codexShell(stopWith('S')), 'Done.')
    await lab.headless('$workspace-stop-conversation', ['resume', id])
    const adopted = lab.conversations().find((path) => path.includes('endpoints'))
    expect(lab.session(adopted)).toMatchObject({ status: 'paused', message_count: 2, context_summary: 'S' })
    expect(saidIn(lab.messages(adopted))[0]).toBe('user: How do we name endpoints?')
    expect(lab.conversations()).toHaveLength(3)
  })
})

function asCall(call: Block) {
  if (call.type !== 'tool_use') throw new Error('not a call')
  return { id: call.id, name: call.name, arguments: call.input }
}
