import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { type Lab, type Run, shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'

interface Words {
  prompt: string
  /** What the agent says in the message with its call. */
  says?: string
  /** What the agent runs, and how it ends. */
  command?: string
  run?: () => Promise<Pick<Run, 'stdout'>> | Pick<Run, 'stdout'>
  failed?: boolean
  answer?: string
}

/** The person says it, and the agent stops in the middle of its turn. */
async function inWords(lab: Lab, claude: ClaudeSession, words: Words): Promise<void> {
  const {
    prompt,
    says = 'So it is. Saving.',
    command = 'cortext agent stop --summary "We chose REST."',
  } = words
  const stop = () => lab.cortext(['agent', 'stop', '--summary', 'We chose REST.'], { env: claude.env })
  await claude.hook('UserPromptSubmit', { prompt })
  claude.user(prompt)
  const call = { type: 'tool_use', id: `toolu_${prompt}`, name: 'Bash', input: { command } }
  claude.assistant([...(says === '' ? [] : [{ type: 'text', text: says }]), call], 'tool_use')
  const { stdout } = await (words.run ?? stop)()
  const is_error = words.failed === true
  claude.user([{ type: 'tool_result', tool_use_id: call.id, content: stdout, is_error }])
  claude.assistant([{ type: 'text', text: words.answer ?? `${stdout}\nGoodbye!` }])
  await claude.hook('Stop')
}

async function begun(): Promise<{ lab: Lab; claude: ClaudeSession }> {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.debug', 'API')
  await claude.turn('Which is simpler?', 'REST is.')
  return { lab, claude }
}

/** Every place that speaks of words that are in no record says nothing. */
async function expectQuiet(lab: Lab): Promise<void> {
  expect(await lab.json(['list', '--json'])).toMatchObject({ not_saved: [] })
  const said = [['list'], ['doctor'], ['resume', '--list'], ['resume', '001', '--dry-run']].map((args) =>
    lab.cortext(args),
  )
  for (const { stdout, stderr } of await Promise.all(said))
    expect(stdout + stderr).not.toMatch(/import claude|in no conversation|not complete|after the stop/)
}

test('S0-D6c S0-D6d S1-005d: a stop in words leaves nothing unsaved, and hands on the decision and no goodbye', async () => {
  const { lab, claude } = await begun()
  let stopped: Run | undefined
  const run = async () => {
    stopped = await lab.cortext(['agent', 'stop', '--summary', 'We chose REST.'], { env: claude.env })
    return stopped
  }
  await inWords(lab, claude, { prompt: 'REST it is. Let us stop.', run })
  expect(stopped?.stdout).toContain('Session saved.')
  expect(stopped?.stderr).not.toContain('not complete')
  await expectQuiet(lab)
  expect(talk(await shown(lab, '001')).slice(-2)).toEqual([
    'user: REST it is. Let us stop.',
    'assistant: So it is. Saving.',
  ])
  for (const args of [[], ['--strategy', 'talk'], ['--strategy', 'minimal-state', '--budget', '900']]) {
    const { stdout } = await lab.cortext(['context', '001', ...args])
    expect(stdout).toContain('REST it is. Let us stop.')
    expect(stdout).not.toMatch(/Session saved|agent stop|Goodbye/)
  }
  // The person goes on in the same session: these words are unsaved, and are told as before.
  await claude.turn('One more thing')
  expect(await lab.json(['list', '--json'])).toMatchObject({ not_saved: [{ messages: 2 }] })
  expect((await lab.cortext(['list'])).stderr).toContain('2 messages said after the stop of 1')
})

test('S0-D6d: words that only take leave are recorded and not handed on, in whatever way the agent calls', async () => {
  const { lab, claude } = await begun()
  const prompt = 'let’s stop here, I need to go'
  await inWords(lab, claude, { prompt, says: '', command: 'cd . && cortext agent stop --json | cat' })
  await expectQuiet(lab)
  expect(talk(await shown(lab, '001'))).toContain(`user: ${prompt}`)
  const { stdout } = await lab.cortext(['context', '001'])
  expect(stdout).toContain('Which is simpler?')
  expect(stdout).not.toContain('I need to go')
})

test('S0-D6f: a stop that failed, or that the person refused, is no goodbye: all of it is recorded and handed on', async () => {
  const { lab, claude } = await begun()
  const failed = {
    failed: true,
    run: () => ({ stdout: 'The user does not want to proceed.' }),
    answer: 'Then we go on.',
  }
  await inWords(lab, claude, { prompt: 'Enough for today', ...failed })
  await claude.turn('No, stay: what of PUT?', 'PUT replaces.')
  const { stdout } = await lab.cortext(['context', '001'])
  for (const words of ['Enough for today', 'Then we go on.', 'PUT replaces.']) expect(stdout).toContain(words)
  await lab.json(['stop', '001', '--json'])
  expect(talk(await shown(lab, '001')).slice(-3)).toEqual([
    'assistant: Then we go on.',
    'user: No, stay: what of PUT?',
    'assistant: PUT replaces.',
  ])
})

test('S1-002a: a session that was never begun, and one whose local folder was lost, are stopped in words as well', async () => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  await claude.turn('How do we name endpoints?', 'By nouns.')
  await inWords(lab, claude, { prompt: 'Nouns it is. Let us stop.' })
  const said = ['user: Nouns it is. Let us stop.', 'assistant: So it is. Saving.']
  expect(talk(await shown(lab, '001')).slice(-2)).toEqual(said)
  await expectQuiet(lab)
  rmSync(join(lab.root, '.git/cortext'), { recursive: true })
  await expectQuiet(lab)

  const other = new ClaudeSession(lab)
  await other.command('workspace.plan', 'Other')
  await lab.json(['save', '002', '--json'])
  await other.turn('and versions?', 'In the path.')
  rmSync(join(lab.root, '.git/cortext'), { recursive: true })
  await inWords(lab, other, { prompt: 'In the path, then. Let us stop.' })
  expect(talk(await shown(lab, '002')).slice(-4)).toEqual([
    'user: and versions?',
    'assistant: In the path.',
    'user: In the path, then. Let us stop.',
    'assistant: So it is. Saving.',
  ])
  await expectQuiet(lab)
})

test('E-22: an import on another machine finds the messages that were recorded live', async () => {
  const { lab, claude } = await begun()
  await inWords(lab, claude, { prompt: 'REST it is. Let us stop.' })
  const live = talk(await shown(lab, '001'))
  const other = await workspaceLab()
  await other.json(['import', 'claude', '--file', claude.transcript, '--json'])
  expect(talk(await shown(other, '001'))).toEqual(live)
  expect((await other.cortext(['list', '--json'])).stdout).toContain('"not_saved": []')
})

test('a second goodbye changes nothing, and words that go with it are told', async () => {
  const { lab, claude } = await begun()
  await inWords(lab, claude, { prompt: 'REST it is. Let us stop.' })
  const again = async () => {
    const { stdout, stderr } = await lab.cortext(['agent', 'stop'], { env: claude.env })
    return { stdout: `Exit code 1\n${stdout}${stderr}` }
  }
  await inWords(lab, claude, { prompt: 'I really need to go now', run: again, failed: true })
  await expectQuiet(lab)
  await inWords(lab, claude, { prompt: 'And PUT for updates. Bye.', run: again, failed: true })
  expect(await lab.json(['list', '--json'])).toMatchObject({ not_saved: [{ messages: 3 }] })
})

test('S1-003t: another conversation is resumed in words: those words stay with the one that was open', async () => {
  const { lab, claude } = await begun()
  await lab.json(['start', 'plan', 'Pricing', '--json'])
  const run = () => lab.cortext(['agent', 'resume', '002'], { env: claude.env })
  const command = 'cortext agent resume 002'
  await inWords(lab, claude, {
    prompt: 'REST it is. On with the pricing.',
    command,
    run,
    answer: 'Here we were.',
  })
  await claude.turn('Ten euros', 'Ten it is.')
  await lab.json(['stop', '002', '--json'])
  expect(talk(await shown(lab, '001')).slice(-2)).toEqual([
    'user: REST it is. On with the pricing.',
    'assistant: So it is. Saving.',
  ])
  expect(talk(await shown(lab, '002'))).toEqual(['user: Ten euros', 'assistant: Ten it is.'])
  await expectQuiet(lab)
})

test('what is said after a stop begins its conversation with a prompt, not with the end of the turn that stopped', async () => {
  const { lab, claude } = await begun()
  await inWords(lab, claude, { prompt: 'REST it is. Let us stop.' })
  await claude.turn('One more: which queue?', 'Rabbit.')
  await lab.cortext(['agent', 'stop'], { env: claude.env })
  expect(talk(await shown(lab, '2'))).toEqual(['user: One more: which queue?', 'assistant: Rabbit.'])
})
