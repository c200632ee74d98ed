import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CLAUDE_VERSIONS } from './install.ts'
import { allText, toolResults } from './model-request.ts'
import { bash } from './reply.ts'
import { openWorkspaceLab, STOP_BODY, saidIn, stopWith } from './workspace-lab.ts'

const SUMMARY = "We lean toward REST; it's open how (mobile) batches & <more>."

describe.each(CLAUDE_VERSIONS)('Claude Code %s: a conversation is stopped', (version) => {
  // promise: it is saved and paused (`/workspace.stop-conversation done` completes it)
  it('S1-002b-f S1-001c S1-006b E-12: confirms in four lines, pauses, and commits it alone', async () => {
    await using lab = await openWorkspaceLab({ version })
    for (const name of ['staged', 'unstaged']) writeFileSync(join(lab.project, name), 'before\n')
    lab.git('add', '--all')
    lab.git('commit', '--quiet', '--message', 'files')
    for (const name of ['staged', 'unstaged']) writeFileSync(join(lab.project, name), 'after\n')
    lab.git('add', 'staged')
    lab.model.when(STOP_BODY, bash(stopWith(SUMMARY)), 'Saved.')

    const terminal = await lab.interactive()
    await terminal.submit('/workspace.brainstorm API Design Discussion')
    await terminal.waitFor('Scripted answer 1.')
    await terminal.submit('/workspace.stop-conversation')
    await terminal.waitFor('Saved.')

    expect(toolResults(lab.model.requests.at(-1)!)).toEqual([
      [
        'Session saved.',
        '',
        'Conversation "API Design Discussion" has been paused.',
        'You can continue later with /workspace.resume',
        '',
        `Summary: ${SUMMARY}`,
      ].join('\n'),
    ])
    expect(lab.session()).toMatchObject({ status: 'paused', context_summary: SUMMARY })
    const [folder] = lab.conversations()
    const [subject, ...paths] = lab
      .git('show', '--format=%s', '--name-only', 'HEAD')
      .split('\n')
      .filter(Boolean)
    expect(subject).toBe('[conversation] brainstorm: API Design Discussion (session state saved)')
    expect(paths).toEqual([
      `.workspace/prompts/${lab.session().agent_config.system_prompt_hash!.replace('sha256:', '')}.md`,
      `${folder}/.session/messages.jsonl`,
      `${folder}/.session/session.json`,
      `${folder}/brainstorm.md`,
    ])
    expect(lab.git('rev-list', '--count', 'HEAD')).toBe('3')
    expect(lab.status()).toEqual(['M  staged', ' M unstaged'])

    await terminal.submit('and this is said after it')
    await terminal.waitFor('Scripted answer 4.')
    await lab.leave(terminal)
    expect(lab.status()).toEqual(['M  staged', ' M unstaged'])
  })
})

describe('a session in which no conversation was begun', () => {
  it('S1-002a S0-D6a: is adopted whole, once; a second stop says that there is nothing new', async () => {
    await using lab = await openWorkspaceLab()
    lab.model.script((request) =>
      allText(request).includes(STOP_BODY) && toolResults(request).length === 0
        ? bash(stopWith(SUMMARY))
        : undefined,
    )
    const terminal = await lab.interactive()
    await terminal.submit('How do we name endpoints? It matters.')
    await terminal.waitFor('Scripted answer 1.')
    await terminal.submit('and versions?')
    await terminal.waitFor('Scripted answer 2.')
    await terminal.submit('/workspace.stop-conversation')
    await terminal.waitFor('Scripted answer 4.')
    const adopted = {
      title: 'How do we name endpoints? It matters.',
      status: 'paused',
      message_count: 4,
      context_summary: SUMMARY,
    }
    expect(lab.session()).toMatchObject(adopted)
    expect(saidIn(lab.messages())).toEqual([
      'user: How do we name endpoints? It matters.',
      'assistant: Scripted answer 1.',
      'user: and versions?',
      'assistant: Scripted answer 2.',
    ])
    await terminal.submit('/workspace.stop-conversation')
    await terminal.waitFor('Scripted answer 6.')
    expect(toolResults(lab.model.requests.at(-1)!).join()).toContain(
      `"${adopted.title}" is saved already; nothing was said here since`,
    )
    expect(lab.conversations()).toHaveLength(1)
    expect(lab.session()).toMatchObject(adopted)
    expect(lab.status()).toEqual([])
  })
})

describe('a secret that was said', () => {
  // promise: known kinds of secrets are
  it('E-20: is in no message, title, summary, folder name, commit', async () => {
    await using lab = await openWorkspaceLab()
    const secret = `AKIA${'Q3ZT7XK2PLMVN5RB'}`
    const call = bash(`echo ${secret}`)
    lab.model.when('what is in it', call, `It holds ${secret}.`)
    lab.model.when(STOP_BODY, bash(stopWith(`The key is ${secret}.`)), 'Saved.')
    const terminal = await lab.interactive(['--allowedTools=Bash'])
    await terminal.submit(`/workspace.debug rotate ${secret}`)
    await terminal.waitFor('Scripted answer 1.')
    await terminal.submit('what is in it')
    await terminal.waitFor('It holds')
    await terminal.submit('/workspace.stop-conversation')
    await terminal.waitFor('Saved.')

    const kept = [
      lab.conversations().join(),
      lab.git('log', '--patch', '--format=%B'),
      readFileSync(join(lab.project, lab.conversations()[0]!, '.session', 'messages.jsonl'), 'utf8'),
      JSON.stringify(lab.session()),
    ]
    for (const text of kept) expect(text.toUpperCase()).not.toContain(secret)
    const placeholders = JSON.stringify(lab.messages()).match(/\[REDACTED:[\w-]+:\w+\]/g)
    expect(new Set(placeholders).size).toBe(1)
    for (const text of [lab.session().title, lab.session().context_summary])
      expect(text).toContain(placeholders![0])
  })
})
