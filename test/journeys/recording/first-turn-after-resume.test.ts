import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { type Lab, type Run, recordLines, shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'

/** What the agent of a session does when the person picks a conversation by other words than a command. */
const PICKS = 'cortext agent resume --query "api"'

describe('between a resume in a session and the next prompt', () => {
  const publishing: [string, (lab: Lab, claude: ClaudeSession) => Promise<Run>][] = [
    ['save', (lab) => lab.cortext(['save', '001'])],
    ['a list after ten quiet minutes', (lab) => lab.cortext(['list'])],
    ['publishing after each turn', (_, claude) => claude.hook('Stop', { stop_hook_active: false })],
    ['a stop', (lab, claude) => lab.cortext(['stop'], { env: claude.env })],
    ['the end of the session', (_, claude) => claude.hook('SessionEnd', { reason: 'exit' })],
  ]

  test.each(publishing)('%s publishes nothing of what the resume brought', async (_, publish) => {
    const lab = await workspaceLab()
    await settings(lab, { capture: { publish: 'turn' }, autoPause: { minutes: 0.001 } })
    const path = await begun(lab)
    const before = recordLines(lab, path)
    const claude = await pickedIn(lab)
    await publish(lab, claude)
    await lab.cortext(['save', '001'])
    expect(recordLines(lab, path)).toEqual(before)
    expect(talk(await shown(lab, '001')).slice(2)).toEqual(['user: REST?', 'assistant: answer to REST?'])
    const { stdout } = await lab.cortext(['resume', '001', '--print'])
    expect(stdout).not.toContain('the one about the api')
  })
})

test('a resume of the conversation that is already open in the session is not part of it', async () => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'API')
  await claude.turn('REST?')
  await claude.command('workspace.resume', '001', () =>
    lab.cortext(['agent', 'resume', '--query', '001'], { env: claude.env }),
  )
  await claude.turn('GraphQL?')
  await lab.cortext(['stop'], { env: claude.env })
  expect(talk(await shown(lab, '001')).slice(2)).toEqual([
    'user: REST?',
    'assistant: answer to REST?',
    'user: GraphQL?',
    'assistant: answer to GraphQL?',
  ])
})

describe('the first turns after a resume, when the hook of their prompts fails', () => {
  const ends: [string, (lab: Lab, claude: ClaudeSession) => Promise<unknown>][] = [
    ['and the session ends', (_, claude) => claude.hook('SessionEnd', { reason: 'exit' })],
    ['and the conversation is stopped', (lab, claude) => lab.cortext(['stop'], { env: claude.env })],
    ['and a later one does not', (_, claude) => claude.turn('three')],
    ['and the session just goes on', async () => undefined],
    [
      'and another conversation begins',
      async (lab, claude) => {
        await claude.command('workspace.plan', 'Other')
        await lab.cortext(['save', '002'])
      },
    ],
  ]

  test.each(ends)('%s: they are in the record, once', async (name, end) => {
    const lab = await workspaceLab()
    const path = await begun(lab)
    const claude = await pickedIn(lab)
    for (const prompt of ['one', 'two']) {
      claude.say(prompt)
      await claude.hook('Stop', { stop_hook_active: false })
    }
    await end(lab, claude)
    await lab.cortext(['save', '001'])
    const said = ['REST?', 'one', 'two', ...(name.includes('later') ? ['three'] : [])]
    const wanted = said.flatMap((one) => [`user: ${one}`, `assistant: answer to ${one}`])
    expect(talk(await shown(lab, '001')).slice(2)).toEqual(wanted)
    const kept = recordLines(lab, path).map((line) => JSON.parse(line))
    expect(kept.filter(({ role }) => role === 'user' || role === 'assistant')).toHaveLength(2 + wanted.length)
  })

  test('the next verb saves them when the client is killed', async () => {
    const lab = await workspaceLab()
    await begun(lab)
    const wrap = ['sh', '-c', '"$@"; exit $?', 'sh']
    const dying = {
      ...lab,
      cortext: (args: string[], options = {}) => lab.cortext(args, { ...options, wrap }),
    }
    const claude = await pickedIn(lab, new ClaudeSession(dying))
    claude.say('one')
    await claude.hook('Stop', { stop_hook_active: false })
    await lab.cortext(['list'])
    expect(talk(await shown(lab, '001'))).toContain('user: one')
  })
})

async function begun(lab: Lab): Promise<string> {
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'API')
  await claude.turn('REST?')
  return (await lab.json<{ path: string }>(['stop', '001', '--json'])).path
}

/** A session in which the person was shown the list and has named one; its turn is over. */
async function pickedIn(lab: Lab, claude = new ClaudeSession(lab)): Promise<ClaudeSession> {
  await claude.command('workspace.resume', '', () => lab.cortext(['agent', 'resume'], { env: claude.env }))
  await claude.hook('UserPromptSubmit', { prompt: 'the one about the api' })
  claude.user('the one about the api')
  claude.assistant(
    [{ type: 'tool_use', id: 'toolu_pick', name: 'Bash', input: { command: PICKS } }],
    'tool_use',
  )
  const { stdout } = await lab.cortext(['agent', 'resume', '--query', 'api'], { env: claude.env })
  expect(stdout).toContain('[RESUMED CONVERSATION]')
  claude.user([{ type: 'tool_result', tool_use_id: 'toolu_pick', content: stdout }])
  claude.assistant([{ type: 'text', text: 'Where were we?' }])
  await claude.hook('Stop', { stop_hook_active: false })
  return claude
}

async function settings(lab: Lab, changed: object): Promise<void> {
  const file = join(lab.root, '.workspace/config.json')
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...changed }))
}
