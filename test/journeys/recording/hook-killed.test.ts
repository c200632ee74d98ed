import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Chance } from '../../faults/chance.ts'
import { GeminiPlayer } from '../../faults/gemini-player.ts'
import { openWorld } from '../../faults/world.ts'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { type Lab, type Shown, shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'

const DYING = fileURLToPath(new URL('../../helpers/dying.cjs', import.meta.url))

/** Killed as soon as it has written down which conversation a session belongs to. */
const KILLED = { NODE_OPTIONS: `--require ${DYING}`, DIE_BEHIND: '/bindings/[^/]+$' }

const said = async (lab: Lab, id: string) =>
  talk(await shown(lab, id)).filter((line) => line.startsWith('user') && !line.includes('/workspace.'))

test('E-16: a resume that is killed while it changes conversations leaves no turn unrecorded', async () => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'One')
  await claude.command('workspace.plan', 'Two')
  await claude.command('workspace.resume', '001', async () => {
    const ran = await lab.cortext(['agent', 'resume', '001'], { env: { ...claude.env, ...KILLED } })
    expect(ran.code).toBeNull()
    return ran
  })
  await claude.turn('and then?')
  expect([...(await said(lab, '001')), ...(await said(lab, '002'))]).toEqual(['user: and then?'])
})

test('E-16: a /clear that is killed leaves no turn unrecorded: the conversation continues after it', async () => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'One')
  const dying: Lab = {
    ...lab,
    cortext: (args, more) => lab.cortext(args, { ...more, env: { ...more?.env, ...KILLED } }),
  }
  const ended = await new ClaudeSession(dying, lab.root, claude.id).hook('SessionEnd', { reason: 'clear' })
  expect(ended.code).toBeNull()
  const cleared = new ClaudeSession(lab)
  await cleared.hook('SessionStart', { source: 'clear' })
  await cleared.turn('and then?')
  expect(await said(lab, '001')).toEqual(['user: and then?'])
})

test('E-16: the session that a /clear begins is recorded from its first words if its hook was killed at the start', async () => {
  const { lab, cleared } = await clearedInVain()
  await cleared.turn('and then?')
  await cleared.turn('and after that?')
  expect(await said(lab, '001')).toEqual(['user: and then?', 'user: and after that?'])
})

test('E-16: a session that was there before the /clear is not recorded for it', async () => {
  const { lab, earlier, cleared } = await clearedInVain()
  await earlier.turn('private too')
  expect(await said(lab, '001')).toEqual([])
  await cleared.turn('and then?')
  expect(await said(lab, '001')).toEqual([])
})

test('E-16: nothing is recorded after a /clear whose conversation was stopped meanwhile, nor after a command of another one', async () => {
  const { lab, cleared } = await clearedInVain()
  await lab.cortext(['stop', '001'])
  await cleared.turn('and then?')
  expect(await said(lab, '001')).toEqual([])
  const second = await clearedInVain()
  await second.cleared.command('workspace.plan', 'Two')
  await second.lab.cortext(['stop', '002'])
  await second.cleared.hook('SessionEnd', { reason: 'clear' })
  const next = new ClaudeSession(second.lab)
  await next.hook('SessionStart', { source: 'clear' })
  await next.turn('and then?')
  expect([...(await said(second.lab, '001')), ...(await said(second.lab, '002'))]).toEqual([])
})

test.each(['paused by a pause of the client', 'reopened'])(
  'E-16: a conversation that was %s before goes on after a /clear',
  async (how) => {
    const lab = await workspaceLab()
    const claude = new ClaudeSession(lab)
    await claude.command('workspace.brainstorm', 'One')
    await claude.turn('first')
    if (how === 'reopened') {
      await claude.hook('SessionEnd', { reason: 'prompt_input_exit' })
      await lab.cortext(['save', '001'])
      await claude.hook('SessionStart', { source: 'resume' })
    } else await lab.cortext(['list'], { env: { CLOCK_AHEAD: `${10 * 60_000}` } })
    await claude.turn('second')
    await claude.hook('SessionEnd', { reason: 'clear' })
    const cleared = new ClaudeSession(lab)
    await cleared.hook('SessionStart', { source: 'clear' })
    await cleared.turn('third')
    await lab.cortext(['save', '001'])
    const { messages } = await lab.json<{ messages: { content: string }[] }>([
      'show',
      '001',
      '--messages',
      '--json',
    ])
    expect(messages.map(({ content }) => content).join()).toMatch(/first.*second.*third/s)
  },
)

/** After a `/clear` of a recorded session, the hook of the next session was killed before it could bind it. */
async function clearedInVain(): Promise<{ lab: Lab; earlier: ClaudeSession; cleared: ClaudeSession }> {
  const lab = await workspaceLab()
  const earlier = new ClaudeSession(lab)
  await earlier.turn('private')
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'One')
  await claude.hook('SessionEnd', { reason: 'clear' })
  const dying: Lab = {
    ...lab,
    cortext: (args, more) =>
      lab.cortext(args, { ...more, env: { ...more?.env, ...KILLED, DIE_BEHIND: '/locks/[^/]+$' } }),
  }
  const cleared = new ClaudeSession(lab)
  const started = await new ClaudeSession(dying, lab.root, cleared.id).hook('SessionStart', {
    source: 'clear',
  })
  expect(started.code).toBeNull()
  return { lab, earlier, cleared }
}

test('E-22: turns of a reopened session that no hook noted stay in its conversation when another one begins', async () => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'One')
  await claude.hook('SessionEnd', { reason: 'prompt_input_exit' })
  claude.say('nobody told')
  await claude.command('workspace.plan', 'Two')
  await lab.json(['save', '001', '--json'])
  expect(await said(lab, '001')).toEqual(['user: nobody told'])
  expect(await said(lab, '002')).toEqual([])
})

describe('a killed hook in Gemini CLI, whose shells do not know their session', () => {
  const killed = { kind: 'killed', at: 1 } as const

  test('leaves its turn in the conversation where it was said when another one is resumed', async () => {
    const { gemini, prompts } = await begun()
    await gemini.turn({ prompt: 'last words', answer: 'heard' }, { end: killed })
    const ran = await gemini.call({ typed: 'workspace.resume', args: '001', answer: 'So.', shell: '' })
    expect(ran.stdout, ran.stderr).toContain('[RESUMED CONVERSATION]')
    await gemini.turn({ prompt: 'and then?', answer: 'this' })
    expect(await prompts('002')).toEqual(['last words'])
    expect(await prompts('001')).toEqual(['and then?'])
  })

  test('leaves its turn there also when the agent resumes in a turn without a hook, with the words of that turn', async () => {
    const { gemini, prompts } = await begun()
    await gemini.turn({ prompt: 'last words', answer: 'heard' }, { end: killed })
    const shell = 'cortext agent resume --query "001"'
    const ran = await gemini.call({ typed: 'go-on', args: '', answer: 'So.', shell, promptFault: killed })
    expect(ran.stdout, ran.stderr).toContain('[RESUMED CONVERSATION]')
    await gemini.turn({ prompt: 'and then?', answer: 'this' })
    expect(await prompts('002')).toEqual(['last words', '/go-on'])
    expect(await prompts('001')).toEqual(['and then?'])
  })

  async function begun() {
    const world = await openWorld()
    onTestFinished(() => world.end())
    const gemini = await new GeminiPlayer(world, new Chance(1), world.root).begin()
    await gemini.start('One', 'Well.')
    await gemini.start('Two', 'Well.')
    const prompts = async (id: string) => {
      const { messages } = await world.json<{ messages: Shown[] }>(['show', id, '--messages', '--json'])
      const typed = messages.filter(({ role, event }) => role === 'user' && event === undefined)
      return typed.map(({ content }) => String(content)).filter((text) => !text.startsWith('/workspace.'))
    }
    return { gemini, prompts }
  }
})
