import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ClaudeSession } from '../helpers/claude-session.ts'
import { ejected } from '../helpers/ejected.ts'
import { filesBelow, type Lab, shown, talk, workspaceLab } from '../helpers/workspace-lab.ts'

const exchange = (prompt: string) => [`user: ${prompt}`, `assistant: answer to ${prompt}`]
const begun = exchange('/workspace.debug Topic')

/** A recorded conversation with two turns. */
async function recorded(lab: Lab, cwd = lab.root): Promise<ClaudeSession> {
  const claude = new ClaudeSession(lab, cwd)
  await claude.command('workspace.debug', 'Topic')
  await claude.turn('first question')
  return claude
}

/** The agent runs a verb, in a turn that no hook has marked. */
async function unmarked(lab: Lab, claude: ClaudeSession, prompt: string, args: string[]): Promise<void> {
  claude.user(prompt)
  const call = { type: 'tool_use', id: `toolu_${prompt}`, name: 'Bash', input: { command: 'cortext' } }
  claude.assistant([call], 'tool_use')
  const { code, stderr } = await lab.cortext(args, { env: claude.env })
  expect(code, stderr).toBe(0)
  claude.assistant([{ type: 'text', text: 'done' }])
}

/** What is recorded of a turn that stops in the person's own words. */
const stopping = ['user: please stop', 'assistant: ']

describe('a mark of an earlier turn cuts nothing off', () => {
  test('when the hooks vanish during the talk', async () => {
    const lab = await workspaceLab()
    const claude = await recorded(lab)
    claude.say('said without hooks')
    await unmarked(lab, claude, 'please stop', ['stop'])
    const all = [...begun, ...exchange('first question'), ...exchange('said without hooks'), ...stopping]
    expect(talk(await shown(lab, '001'))).toEqual(all)
  })

  test('when it was of another conversation in the same session', async () => {
    const lab = await workspaceLab()
    const claude = await recorded(lab)
    const stop = () => lab.cortext(['stop'], { env: claude.env })
    await claude.command('workspace.stop-conversation', '', stop)
    await unmarked(lab, claude, 'begin another', ['start', 'plan', 'Second'])
    claude.say('said without hooks')
    await unmarked(lab, claude, 'please stop', ['stop'])
    expect(talk(await shown(lab, '002')).slice(-4)).toEqual([...exchange('said without hooks'), ...stopping])
  })
})

describe('what a session writes after its last hook', () => {
  test('still belongs to its conversation, and to no second one', async () => {
    const lab = await workspaceLab()
    const claude = await recorded(lab)
    await claude.hook('UserPromptSubmit', { prompt: 'last question' })
    claude.user('last question')
    await claude.hook('SessionEnd', { reason: 'prompt_input_exit' })
    claude.assistant([{ type: 'text', text: 'late answer' }])
    await claude.hook('SessionStart', { source: 'resume' })
    await claude.turn('once more')
    const late = ['user: last question', 'assistant: late answer']
    const all = [...begun, ...exchange('first question'), ...late, ...exchange('once more')]
    expect(talk(await shown(lab, '001'))).toEqual(all)
    expect(readdirSync(join(lab.root, 'conversations')).length).toBe(1)
  })
})

describe('two work trees', () => {
  test('S1-005c: do not write or stop each other’s quiet conversations, unless one is named', async () => {
    const lab = await workspaceLab()
    lab.git('add', '--all')
    lab.git('commit', '--quiet', '--message=workspace')
    const other = join(lab.root, '..', 'other')
    lab.git('worktree', 'add', '--quiet', '-b', 'other', other)
    quietFor6Minutes(await recorded(lab))
    await lab.cortext(['list'], { cwd: other })
    expect(existsSync(join(other, 'conversations'))).toBe(false)
    expect((await lab.cortext(['stop'], { cwd: other })).code).toBe(1)
    // In its own tree it is.
    expect((await lab.cortext(['list'])).stderr).toContain('nothing was said for a while')
  })
})

function quietFor6Minutes({ transcript }: ClaudeSession): void {
  const then = new Date(Date.now() - 6 * 60_000)
  utimesSync(transcript, then, then)
}

describe('stop', () => {
  // promise: opens, saves, pauses or completes
  test('S0-NG1: does not end another session that writes into the same conversation, and keeps its words', async () => {
    const lab = await workspaceLab()
    const claude = await recorded(lab)
    const two = new ClaudeSession(lab)
    const resume = () => lab.cortext(['agent', 'resume', '001'], { env: two.env })
    await two.command('workspace.resume', '1', resume)
    await two.turn('said in the second')
    const discard = () => lab.cortext(['stop', '--discard'], { env: claude.env })
    await claude.command('workspace.stop-conversation', '', discard)
    await two.turn('said in it later')
    expect(talk(await shown(lab, '001')).slice(-4)).toEqual([
      ...exchange('said in the second'),
      ...exchange('said in it later'),
    ])
  })

  test('--discard in a session that is not recorded makes no conversation', async () => {
    const lab = await workspaceLab()
    const claude = new ClaudeSession(lab)
    await claude.turn('nobody recorded this')
    const { code, stderr } = await lab.cortext(['stop', '--discard'], { env: claude.env })
    expect(code).toBe(1)
    expect(stderr).toContain('nothing to throw away')
    expect(filesBelow(join(lab.root, 'conversations'))).toEqual({})
  })

  test('says so when nothing was recorded', async () => {
    const lab = await workspaceLab()
    const claude = new ClaudeSession(lab)
    // As `claude -p --no-session-persistence`: hooks run, no transcript is written.
    const typed = { expansion_type: 'slash_command', command_name: 'workspace.debug', command_args: 'Topic' }
    await claude.hook('UserPromptExpansion', typed)
    const { stderr } = await lab.cortext(['stop'], { env: claude.env })
    expect(stderr).toContain('Nothing was recorded')
  })
})

test('S1-005c: after the client rewrote its transcript, talk is still saved when the session goes quiet', async () => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.debug', 'Topic')
  await claude.turn('a long one', 'x'.repeat(20_000))
  await claude.hook('Stop')
  claude.rewrite()
  await claude.turn('after the rewrite')
  await lab.json(['save', '001', '--json'])
  await claude.turn('the last thing')
  quietFor6Minutes(claude)
  expect((await lab.cortext(['list'])).stderr).toContain('nothing was said for a while')
})

test('a deleted conversation leaves no word of it on this machine', async () => {
  const lab = await workspaceLab()
  const claude = await recorded(lab)
  claude.rewrite()
  await claude.turn('very private')
  const journal = join(lab.root, '.git/cortext/journal')
  expect(Object.values(filesBelow(journal)).join('')).toContain('very private')
  expect((await lab.cortext(['delete', '001', '--yes'])).code).toBe(0)
  expect(filesBelow(journal)).toEqual({})
})

test('when a conversation cannot be made, the open one stays as it was, and is still recorded', async () => {
  const lab = await workspaceLab()
  const claude = await recorded(lab)
  const registry = ejected(lab.root, 'templates/registry.json')
  const { types, ...rest } = JSON.parse(readFileSync(registry, 'utf8'))
  const odd = { command: '/workspace.odd', folder: 'conversations', template: 'odd', session_support: true }
  writeFileSync(registry, JSON.stringify({ ...rest, types: { ...types, odd } }))
  await claude.command('workspace.odd', 'has no instructions')
  await claude.turn('still here')
  expect(talk(await shown(lab, '001')).slice(-2)).toEqual(exchange('still here'))
  expect(readdirSync(join(lab.root, 'conversations')).length).toBe(1)
})
