import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { type Lab, type Run, shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'

/** What the person sees on the screen before their prompt is answered; '' when nothing. */
async function prompt(claude: ClaudeSession, words: string, pid = process.pid): Promise<string> {
  const { stdout } = await claude.hook('UserPromptSubmit', { prompt: words }, pid)
  claude.say(words)
  await claude.hook('Stop', { stop_hook_active: false }, pid)
  return said(stdout)
}

function said(stdout: string): string {
  if (stdout === '') return ''
  const { systemMessage, ...others } = JSON.parse(stdout)
  expect(others).toEqual({})
  return systemMessage
}

async function begun(): Promise<{ lab: Lab; claude: ClaudeSession }> {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'API design')
  await prompt(claude, 'one')
  return { lab, claude }
}

function stopIn(lab: Lab, claude: ClaudeSession): Promise<Run | undefined> {
  return claude.command('workspace.stop-conversation', '', () =>
    lab.cortext(['agent', 'stop'], { env: claude.env }),
  )
}

const NOT_ANY_MORE = 'Not recorded any more: 1 "API design" was stopped. /workspace.resume 1 goes on with it.'

describe('the first prompt after a stop', () => {
  test('shows a notice on the screen, once, and again in a later run of the client', async () => {
    const { lab, claude } = await begun()
    await stopIn(lab, claude)
    expect(await prompt(claude, 'two')).toBe(NOT_ANY_MORE)
    expect(await prompt(claude, 'three')).toBe('')
    expect(await prompt(claude, 'four', process.ppid)).toBe(NOT_ANY_MORE)
    expect(await prompt(claude, 'five', process.ppid)).toBe('')
    expect(talk(await shown(lab, '001')).join()).not.toContain('two')
  })

  test.each([
    ['nothing of it was saved', false],
    ['a part of it was saved', true],
  ])('shows the same notice if the local folder was deleted before the stop and %s', async (_, saved) => {
    const { lab, claude } = await begun()
    if (saved) await lab.json(['save', '001', '--json'])
    rmSync(join(lab.root, '.git/cortext'), { recursive: true })
    await prompt(claude, 'two')
    await stopIn(lab, claude)
    expect(await prompt(claude, 'three')).toBe(NOT_ANY_MORE)
    expect(await prompt(claude, 'four')).toBe('')
  })

  test('shows no notice while the person resumes, and shows it again after the next stop', async () => {
    const { lab, claude } = await begun()
    await stopIn(lab, claude)
    await claude.command('workspace.resume', '1', () =>
      lab.cortext(['agent', 'resume', '1'], { env: claude.env }),
    )
    expect(await prompt(claude, 'two')).toBe('')
    await stopIn(lab, claude)
    expect(await prompt(claude, 'three')).toBe(NOT_ANY_MORE)
    expect(talk(await shown(lab, '001')).join()).toContain('two')
  })

  test('shows the notice after a command of ours that resumed nothing', async () => {
    const { lab, claude } = await begun()
    await stopIn(lab, claude)
    const { stdout } = await claude.hook('UserPromptSubmit', { prompt: 'nothing yet' })
    expect(said(stdout)).toBe(NOT_ANY_MORE)
    await claude.command('workspace.resume', 'nothing like it', () =>
      lab.cortext(['agent', 'resume', 'nothing like it'], { env: claude.env }),
    )
    expect(await prompt(claude, 'two')).toBe(NOT_ANY_MORE)
  })

  // promise: The recording ends, in a client that is still open too
  test('shows the notice after a stop in a terminal too: the recording has ended, and the stop says so', async () => {
    const { lab, claude } = await begun()
    const { stderr } = await lab.cortext(['stop'])
    expect(stderr).toContain(
      'The open session of Claude Code is not recorded any more; /workspace.resume 1 there goes on with it.',
    )
    expect(await prompt(claude, 'two')).toBe(NOT_ANY_MORE)
    expect(await prompt(claude, 'three')).toBe('')
    await lab.cortext(['save', '1'])
    expect(talk(await shown(lab, '001')).slice(2)).toEqual(['user: one', 'assistant: answer to one'])
  })

  test('is not recorded in a reopened session whose conversation was stopped in a terminal', async () => {
    const { lab, claude } = await begun()
    await claude.hook('SessionEnd', { reason: 'exit' })
    const { stderr } = await lab.cortext(['stop', '1'])
    expect(stderr).not.toContain('is not recorded any more')
    await claude.hook('SessionStart', { source: 'resume' })
    expect(await prompt(claude, 'two')).toBe(NOT_ANY_MORE)
    expect(talk(await shown(lab, '001')).slice(2)).toEqual(['user: one', 'assistant: answer to one'])
  })

  test('shows a notice with the day if several days have the number', async () => {
    const lab = await workspaceLab()
    const claude = new ClaudeSession(lab)
    await claude.command('workspace.brainstorm', 'API design')
    await stopIn(lab, claude)
    const { path } = (await lab.json<{ conversations: { path: string }[] }>(['list', '--json']))
      .conversations[0]!
    const folder = join(lab.root, dirname(dirname(path)), '2026-01-02', '001-plan-earlier', '.session')
    mkdirSync(folder, { recursive: true })
    const session = JSON.parse(readFileSync(join(lab.root, path, '.session', 'session.json'), 'utf8'))
    const earlier = { ...session, conversation_id: '001-plan-earlier', title: 'Earlier', agent_sessions: [] }
    writeFileSync(join(folder, 'session.json'), JSON.stringify(earlier))
    const day = basename(dirname(path)).slice(5)
    expect(await prompt(claude, 'two')).toBe(
      `Not recorded any more: ${day}/1 "API design" was stopped. /workspace.resume ${day}/1 goes on with it.`,
    )
  })
})

test('the prompt after /clear shows, once, which conversation is still being recorded', async () => {
  const { lab, claude } = await begun()
  await claude.hook('SessionEnd', { reason: 'clear' })
  const next = new ClaudeSession(lab)
  await next.hook('SessionStart', { source: 'clear' })
  expect(await prompt(next, 'two')).toBe(
    'Still recording into 1 "API design" after /clear. /workspace.stop-conversation ends it.',
  )
  expect(await prompt(next, 'three')).toBe('')
  await stopIn(lab, next)
  expect(await prompt(next, 'four')).toBe(NOT_ANY_MORE)
  expect(talk(await shown(lab, '001')).join()).toContain('two')
})
