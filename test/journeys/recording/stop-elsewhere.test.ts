import { describe, expect, test } from 'vitest'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { type Lab, shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'

describe('a stop in a terminal while the agent answers', () => {
  // promise: The recording ends, in
  test('saves the answer when it comes, does not record what is said next, and the person is told', async () => {
    const { lab, claude } = await answering()
    const { stderr } = await lab.cortext(['stop'])
    expect(stderr).toContain('If the rest comes, it is saved too.')
    claude.assistant([{ type: 'text', text: 'the late answer' }])
    await claude.hook('Stop', { stop_hook_active: false })
    expect(talk(await shown(lab, '001')).at(-1)).toBe('assistant: the late answer')
    expect((await lab.json<Listed>(['list', '--all', '--json'])).conversations).toMatchObject([
      { status: 'paused' },
    ])
    const told = await claude.hook('UserPromptSubmit', { prompt: 'one more' })
    expect(JSON.parse(told.stdout).systemMessage).toContain('Not recorded any more: 1 "API" was stopped')
    claude.say('one more')
    await claude.hook('Stop', { stop_hook_active: false })
    await lab.cortext(['save', '1'])
    expect(talk(await shown(lab, '001')).slice(2)).toEqual([
      'user: long question',
      'assistant: the late answer',
    ])
  })

  test('saves the answer also if the session ends with it', async () => {
    const { lab, claude } = await answering()
    await lab.cortext(['stop'])
    claude.assistant([{ type: 'text', text: 'the late answer' }])
    await claude.hook('SessionEnd', { reason: 'exit' })
    await expect
      .poll(async () => talk(await shown(lab, '001')).at(-1), { timeout: 15_000 })
      .toBe('assistant: the late answer')
  })

  test('does not tell a person who has changed to another conversation that this one continues', async () => {
    const { lab, claude } = await answering()
    await lab.json(['start', 'plan', 'Other', '--json'])
    await lab.cortext(['stop', '001'])
    claude.assistant([{ type: 'text', text: 'the late answer' }])
    await claude.hook('Stop', { stop_hook_active: false })
    await lab.cortext(['agent', 'resume', '002'], { env: claude.env })
    expect((await claude.hook('UserPromptSubmit', { prompt: 'next' })).stdout).not.toContain(
      'stopped in a terminal',
    )
    claude.say('next')
    await claude.hook('Stop', { stop_hook_active: false })
    await lab.cortext(['stop'], { env: claude.env })
    expect(talk(await shown(lab, '002'))).toEqual(['user: next', 'assistant: answer to next'])
    expect(talk(await shown(lab, '001')).slice(-1)).toEqual(['assistant: the late answer'])
  })

  test('saves the answer by the next verb if no hook reports it', async () => {
    const { lab, claude } = await answering()
    await lab.cortext(['stop'])
    claude.assistant([{ type: 'text', text: 'the late answer' }])
    expect(talk(await shown(lab, '001'))).toContain('assistant: the late answer')
  })

  // After a prompt that no hook has reported, the turn of the stop is over.
  test.each([
    ['that a save finds', async ({ lab }: Answering) => lab.cortext(['save', '001'])],
    [
      'that a look finds',
      async ({ lab, claude }: Answering) => {
        expect(talk(await shown(lab, '001')).at(-1)).toBe('assistant: the late answer')
        claude.say('a third')
      },
    ],
    ['after which a hook comes', async ({ claude }: Answering) => claude.turn('a third')],
    [
      'in a session that is opened again',
      async ({ claude }: Answering) => claude.hook('SessionStart', { source: 'resume' }),
    ],
  ])('adds nothing of a later turn without hooks %s', async (_, then) => {
    const { lab, claude } = await answering()
    await lab.cortext(['stop'])
    claude.assistant([{ type: 'text', text: 'the late answer' }])
    claude.say('not for the record')
    await then({ lab, claude })
    await lab.cortext(['save', '001'])
    expect(talk(await shown(lab, '001')).at(-1)).toBe('assistant: the late answer')
  })

  test('adds the running turn also if its prompt is written after the stop', async () => {
    const lab = await workspaceLab()
    const claude = new ClaudeSession(lab)
    await claude.command('workspace.brainstorm', 'API')
    await claude.hook('UserPromptSubmit', { prompt: 'long question' })
    await lab.cortext(['stop', '001'])
    claude.say('long question')
    claude.say('not for the record')
    await lab.cortext(['save', '001'])
    expect(talk(await shown(lab, '001')).slice(2)).toEqual([
      'user: long question',
      'assistant: answer to long question',
    ])
  })

  test('adds the answer to a completed conversation, and nothing that is said afterwards', async () => {
    const { lab, claude } = await answering()
    await lab.cortext(['stop', '--complete'])
    claude.assistant([{ type: 'text', text: 'the late answer' }])
    await claude.hook('Stop', { stop_hook_active: false })
    await claude.turn('something else')
    await lab.cortext(['save', '001'])
    expect(talk(await shown(lab, '001')).slice(2)).toEqual([
      'user: long question',
      'assistant: the late answer',
    ])
    expect((await lab.json<Listed>(['list', '--all', '--json'])).conversations).toMatchObject([
      { status: 'completed' },
    ])
  })

  test('adds nothing that is said after a stop in the session itself', async () => {
    const lab = await workspaceLab()
    const claude = new ClaudeSession(lab)
    await claude.command('workspace.brainstorm', 'API')
    await claude.turn('one')
    await claude.command('workspace.stop-conversation', '', () =>
      lab.cortext(['agent', 'stop'], { env: claude.env }),
    )
    await claude.turn('private')
    await lab.cortext(['save', '001'])
    expect(talk(await shown(lab, '001')).slice(2)).toEqual(['user: one', 'assistant: answer to one'])
  })
})

test('a stop that fails ends nothing: the words are kept, recording continues, and a second stop works', async () => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'API')
  await claude.turn('x'.repeat(20_000))
  const failed = await lab.cortext(['stop'], { env: claude.env, wrap: ['prlimit', '--fsize=16000'] })
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('messages.jsonl') })
  expect((await lab.json<Listed>(['list', '--all', '--json'])).conversations).toMatchObject([
    { status: 'active' },
  ])
  await claude.turn('two')
  const again = await lab.cortext(['stop'], { env: claude.env })
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('Session saved.') })
  expect(talk(await shown(lab, '001')).slice(-2)).toEqual(['user: two', 'assistant: answer to two'])
})

test('a stop in a session right after a stop from elsewhere ends the recording', async () => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'API')
  await claude.command('workspace.stop-conversation', '', async () => {
    await lab.json(['stop', '001', '--json'])
    const ran = await lab.cortext(['agent', 'stop'], { env: claude.env })
    expect(ran.stderr).toContain('is saved already')
    return ran
  })
  await claude.turn('not for the record')
  expect(talk(await shown(lab, '001')).join()).not.toContain('not for the record')
})

interface Answering {
  lab: Lab
  claude: ClaudeSession
}

interface Listed {
  conversations: { status: string }[]
}

/** A session in which the agent has not answered yet. */
async function answering(): Promise<Answering & { path: string }> {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'API')
  await claude.hook('UserPromptSubmit', { prompt: 'long question' })
  claude.user('long question')
  const { path } = await lab.json<{ path: string }>(['save', '001', '--json'])
  return { lab, claude, path }
}
