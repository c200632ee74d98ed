import { readdirSync, readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { leaveCodex, rolloutOf } from './codex.ts'
import { type CodexWorkspaceLab, openCodexWorkspaceLab } from './codex-workspace.ts'
import { allText } from './model-request.ts'
import { text, tool } from './reply.ts'
import { say } from './say.ts'
import { saidIn } from './workspace-lab.ts'

const ANSWER = /^assistant: Scripted answer \d\.$/
const BEGUN = ['user: $workspace-brainstorm API', 'assistant: Let us begin.']

describe('a thread of Codex CLI that its background server holds', () => {
  // promise: every turn is kept, and the conversation counts as paused after a while
  // promise: After `/clear` a conversation does not go on.
  it('S1-004h S1-005c E-22: is paused by time, goes on, and has lost nothing when the server is killed in a turn', async () => {
    await using lab = await openCodexWorkspaceLab({ daemon: true })
    lab.model.when(/^\$workspace-brainstorm/, 'Let us begin.')
    const first = await lab.interactive()
    await say(first, '$workspace-brainstorm API', 'Let us begin.')
    // What is said in a thread of its own is not the conversation's.
    await first.waitFor('Worked for')
    await first.submit('/new', { after: 300 })
    // The first Enter may be the list's that has opened; on an empty prompt it does nothing.
    await sleep(1000)
    first.press('Enter')
    await first.waitFor('Ask Codex to do anything')
    await say(first, 'in a new thread', 'Scripted answer 2.')
    await first.waitFor('Worked for')
    await say(first, '/clear', 'Ask Codex to do anything')
    await say(first, 'after a clear', 'Scripted answer 3.')
    await leaveCodex(first)
    expect(await listed(lab)).toMatchObject([{ status: 'active' }])
    const [thread] = lab.transcripts()
    const earlier = Date.now() / 1000 - 600
    utimesSync(thread!, earlier, earlier)
    expect(await listed(lab)).toMatchObject([{ status: 'paused' }])
    expect(saidIn(lab.messages())).toEqual(BEGUN)

    const second = await lab.resume(['-c'])
    await say(second, 'and on', 'Scripted answer 4.')
    lab.model.when('held', { blocks: [text('Half of it'), text(' and more')], until: new Promise(() => {}) })
    await say(second, 'held', 'Half of it')
    await expect.poll(() => readFileSync(thread!, 'utf8')).toContain('Half of it')
    const pid = '$(sed \'s/.*"pid": *\\([0-9]*\\).*/\\1/\' ~/.codex/app-server-daemon/daemon.pid)'
    expect(await lab.run(['sh', '-c', `kill -9 ${pid}`])).toMatchObject({ code: 0, stderr: '' })
    second.close()
    expect(await listed(lab)).toMatchObject([{ status: 'paused' }])
    const said = [
      ...BEGUN,
      'user: and on',
      'assistant: Scripted answer 4.',
      'user: held',
      'assistant: Half of it',
    ]
    expect(saidIn(lab.messages())).toEqual(said)
    expect((await lab.cortext(['resume', '-c', '--dry-run'])).stdout).toContain('Client: Codex CLI, native')
    const third = await lab.resume(['-c'])
    await third.waitFor('Scripted answer 4.')
    await say(third, 'once more', /Scripted answer [56]\./)
    expect(allText(lab.model.requests.at(-1)!)).toContain('and on')
    await leaveCodex(third)
    await lab.cortext(['save', '001'])
    expect(saidIn(lab.messages()).slice(0, -1)).toEqual([...said, 'user: once more'])
    expect(lab.conversations()).toHaveLength(1)
  })
})

describe('a subagent of Codex CLI', () => {
  it('belongs to the call that started it, though its hooks name the thread of the person', async () => {
    await using lab = await openCodexWorkspaceLab()
    const agent = tool('spawn_agent', { message: '$workspace-plan look around', agent_type: 'default' })
    lab.model.when('send an agent', agent, 'The agent is sent.')
    lab.model.when('look around', 'I looked around.')
    const terminal = await lab.interactive()
    await say(terminal, '$workspace-brainstorm API', 'Scripted answer 1.')
    await say(terminal, 'send an agent', 'The agent is sent.')
    await expect.poll(() => lab.transcripts()).toHaveLength(2)
    await terminal.waitFor('Worked for')
    await say(terminal, 'go on', /Scripted answer \d\.\s[\s\S]*go on[\s\S]*Scripted answer \d\./)
    await leaveCodex(terminal)
    await lab.settled()
    const said = saidIn(lab.messages())
    // Where the agent is done before "go on" comes, Codex asks its model once more by itself.
    const byItself = said.length === 8 ? [expect.stringMatching(ANSWER)] : []
    expect(said).toEqual([
      'user: $workspace-brainstorm API',
      'assistant: Scripted answer 1.',
      'user: send an agent',
      'assistant: ',
      'assistant: The agent is sent.',
      ...byItself,
      'user: go on',
      expect.stringMatching(ANSWER),
    ])
    const call = lab.messages().flatMap((message) => message.tool_calls ?? [])[0]!.id
    await lab.cortext(['save', '001'])
    const beside = join(lab.project, lab.conversations()[0]!, '.session/subagents', `${call}.jsonl`)
    expect(saidIn(rolloutOf(beside))).toEqual([
      'user: $workspace-plan look around',
      'assistant: I looked around.',
    ])
    // One journal, which grew and never began anew.
    const journals = readdirSync(join(lab.project, '.git/cortext/journal/codex'))
    expect(journals.filter((name) => name.endsWith('.jsonl'))).toHaveLength(1)
    expect(lab.session().agent_sessions).toHaveLength(1)
  })
})

async function listed(lab: CodexWorkspaceLab) {
  return JSON.parse((await lab.cortext(['list', '--all', '--json'])).stdout).conversations
}
