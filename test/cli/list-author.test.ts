import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ClaudeSession } from '../helpers/claude-session.ts'
import { CountedGit } from '../helpers/counted-git.ts'
import { type Lab, workspaceLab } from '../helpers/workspace-lab.ts'

const titles = async (lab: Lab, author: string, ...more: string[]) => {
  const args = ['list', '--author', author, '--all', '--json', ...more]
  const { conversations } = await lab.json<{ conversations: { title: string }[] }>(args)
  return conversations.map(({ title }) => title).sort()
}

/** A person of this name begins a conversation, or goes on with one. */
async function speak(lab: Lab, name: string, title: string, { again = false, stops = true } = {}) {
  lab.env.GIT_AUTHOR_NAME = name
  const claude = new ClaudeSession(lab)
  await (again
    ? claude.command('workspace.resume', title, () =>
        lab.cortext(['agent', 'resume', title], { env: claude.env }),
      )
    : claude.command('workspace.plan', title))
  await claude.turn(`words of ${name}`)
  if (stops) await lab.json(['stop', '--json'], { env: claude.env })
  lab.env.GIT_AUTHOR_NAME = 'Ada'
}

async function begin(lab: Lab): Promise<void> {
  await speak(lab, 'Ada', 'By Ada')
  await speak(lab, 'Bob Stone', 'By Bob')
  await speak(lab, 'Ada', 'By both')
  await speak(lab, 'Bob Stone', 'By both', { again: true })
  await speak(lab, 'Björn', 'By another')
  const call = { id: 'c1', name: 'find', arguments: { author: 'Zoe' } }
  const turn = [
    { role: 'user', content: 'say "author":"Zoe"' },
    { role: 'assistant', content: '', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: '{"author":"Zoe"}' },
    { role: 'assistant', content: 'done' },
  ]
  await lab.json(['append', '--key', 'loop', '--json'], {
    input: turn.map((one) => `${JSON.stringify(one)}\n`).join(''),
  })
}

const aLab = () => workspaceLab({ begun: { name: 'authors', by: begin } })

// promise: only those in which this person said something, by a part of the name, or `me`
// promise: Those in which nobody is named count as yours
// promise: What was imported or appended names nobody, since anyone may have typed it.
test('list --author shows the conversations in which a person said something; me also those without a name', async () => {
  const lab = await aLab()
  expect(await titles(lab, 'bob')).toEqual(['By Bob', 'By both'])
  expect(await titles(lab, 'STONE')).toEqual(['By Bob', 'By both'])
  expect(await titles(lab, 'BJÖRN')).toEqual(['By another'])
  expect(await titles(lab, 'ada')).toEqual(['By Ada', 'By both'])
  expect(await titles(lab, 'me')).toEqual(['By Ada', 'By both', 'loop'])
  // Neither what a tool was given nor what was said is a name.
  expect(await titles(lab, 'zoe')).toEqual([])
  expect(await titles(lab, '')).toEqual([])
  lab.env.GIT_AUTHOR_NAME = 'Bob Stone'
  expect(await titles(lab, 'me')).toEqual(['By Bob', 'By both', 'loop'])
  // It narrows with the other options, and says what it looked for.
  expect(await titles(lab, 'bob', '--type', 'chat')).toEqual([])
  const { stdout } = await lab.cortext(['list', '--author', 'zoe'])
  expect(stdout).toBe('No conversations in which zoe said something.\n')
  await lab.json(['edit', '2', '--archive', '--json'])
  const { stderr } = await lab.cortext(['list', '--author', 'bob'])
  expect(stderr).toContain('1 not shown: 1 archived.')
})

test('list --author finds who is only among pruned messages, and me in what is not stopped yet', async () => {
  const lab = await aLab()
  await lab.json(['prune', '3', '--keep', '1', '--yes', '--json'])
  const { stdout } = await lab.cortext(['show', '3', '--messages'])
  expect(stdout, 'or the test would prove nothing').not.toContain('user (Ada)')
  expect(await titles(lab, 'ada')).toEqual(['By Ada', 'By both'])
  await speak(lab, 'Ada', 'By Bob', { again: true, stops: false })
  expect(await titles(lab, 'me')).toContain('By Bob')
  expect(await titles(lab, 'ada')).not.toContain('By Bob')
})

test('list --author --everywhere asks each workspace who that is', async () => {
  const lab = await aLab()
  const { stdout } = await lab.cortext(['list', '--everywhere', '--author', 'bob', '--all'], {
    cwd: lab.home,
  })
  expect(stdout).toContain('By Bob')
  expect(stdout).not.toContain('By Ada')
})

test('a list asks git for the name of me alone, and once', async () => {
  const lab = await aLab()
  lab.git('config', 'user.name', 'Ada')
  delete lab.env.GIT_AUTHOR_NAME
  const counted = new CountedGit(join(lab.home, 'counting'))
  const asksForName = async (...args: string[]) => {
    await lab.cortext(['list', ...args], { env: { PATH: counted.path } })
    return counted.starts().filter((line) => line.includes('user.name')).length
  }
  expect(await asksForName()).toBe(0)
  expect(await asksForName('--author', 'bob')).toBe(0)
  expect(await asksForName('--author', 'me')).toBe(1)
  expect(await titles(lab, 'me')).toEqual(['By Ada', 'By both', 'loop'])
})
