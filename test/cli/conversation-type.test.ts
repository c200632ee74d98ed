import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { loadCommand } from '../../src/workspace/pack/commands.ts'
import { ClaudeSession } from '../helpers/claude-session.ts'
import { filesBelow, type Lab, sessionFile, workspaceLab } from '../helpers/workspace-lab.ts'

interface Session {
  conversation_type: string
  title: string
  agent_config: { command?: string; system_prompt_hash?: string; unknown?: Record<string, string> }
}

const INSTRUCTIONS = 'thinking partner in a brainstorm'

/** Imports a session of Claude Code in which these prompts were typed. Returns the path of its conversation. */
async function imported(lab: Lab, prompts: string[], ...options: string[]): Promise<string> {
  const claude = new ClaudeSession(lab)
  for (const prompt of prompts) claude.say(prompt)
  const args = ['import', 'claude', claude.id, ...options, '--json']
  const { imported } = await lab.json<{ imported: { path: string }[] }>(args)
  return imported[0]!.path
}

function sessionOf(lab: Lab, path: string): Session {
  return JSON.parse(readFileSync(sessionFile(lab, path), 'utf8'))
}

const documents = (lab: Lab, path: string) =>
  Object.keys(filesBelow(join(lab.root, path))).filter((name) => name.endsWith('.md'))

const given = async (lab: Lab, path: string) => (await lab.cortext(['resume', path, '--print'])).stdout

// promise: Any other is a plain conversation, `chat`: without a command, instructions and a document.
test('S1-003i, S0-D3h, S0-D3i an import without a type is a plain conversation: no command, no instructions, no document', async () => {
  const lab = await workspaceLab()
  const path = await imported(lab, ['Why does checkout fail for guests?'])
  expect(basename(path)).toBe('001-chat-why-does-checkout-fail-for-guests')
  const session = sessionOf(lab, path)
  expect(session.conversation_type).toBe('chat')
  expect(session.agent_config).not.toHaveProperty('command')
  expect(session.agent_config).not.toHaveProperty('system_prompt_hash')
  expect(documents(lab, path)).toEqual([])
  const print = await lab.cortext(['resume', path, '--print'])
  expect(print.stdout).toMatch(/^\[RESUMED CONVERSATION\]/)
  expect(print.stdout + print.stderr).not.toMatch(/brainstorm|instructions|Document:/i)
  expect((await lab.cortext(['show', path])).stdout).not.toMatch(/Command|Document/)
  expect((await lab.cortext(['show', path, '--messages'])).stdout).toMatch(/^── imported · /m)
  expect((await lab.cortext(['list', '--type', 'chat'])).stdout).toContain('checkout')
  const { stdout } = await lab.cortext(['list', '--type', 'brainstorm'])
  expect(stdout).not.toContain('checkout')
})

// promise: A session in which a command such as `/workspace.debug` was typed has that type.
test('a session that typed the command of a type has this type; which version of the command ran is unknown', async () => {
  const lab = await workspaceLab()
  const path = await imported(lab, ['hello there', '/workspace.debug The cache is cold'])
  const { conversation_type, agent_config } = sessionOf(lab, path)
  expect(conversation_type).toBe('debug')
  expect(agent_config).toMatchObject({ command: '/workspace.debug', system_prompt_hash: 'unknown' })
  expect(agent_config.unknown?.system_prompt_hash).toBeTruthy()
  expect(documents(lab, path)).toEqual(['debug.md'])
  expect(sessionOf(lab, await imported(lab, ['/workspace.resume 1', 'go on'])).conversation_type).toBe('chat')
})

test('S1-003i a stop in a session that was never begun makes a plain conversation', async () => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  await claude.turn('Which queue do we take?')
  const stop = () => lab.cortext(['agent', 'stop', '--summary', 'Rabbit.'], { env: claude.env })
  await claude.command('workspace.stop-conversation', '', stop)
  const { conversations } = await lab.json<{ conversations: { path: string; type: string }[] }>([
    'list',
    '--json',
  ])
  expect(conversations.map(({ type }) => type)).toEqual(['chat'])
  expect(sessionOf(lab, conversations[0]!.path).agent_config).not.toHaveProperty('command')
  expect(documents(lab, conversations[0]!.path)).toEqual([])
})

test('a start from the beginning keeps the type that it names', async () => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  await claude.turn('Which queue do we take?')
  const start = ['start', 'plan', 'Queues', '--from-beginning', '--json']
  const { path } = await lab.json<{ path: string }>(start, { env: claude.env })
  await lab.json(['save', path, '--json'])
  expect(sessionOf(lab, path).agent_config.command).toBe('/workspace.plan')
})

// promise: `--type` says otherwise, and so does `cortext edit 001 --type plan` later
// promise: changes title, type, summary, status
test('S1-003g edit --type gives instructions from the next resume on, and a document; chat takes both away', async () => {
  const lab = await workspaceLab()
  const path = await imported(lab, ['Why does checkout fail?'])
  const { stdout } = await lab.cortext(['edit', path, '--type', 'brainstorm'])
  expect(stdout).toContain('The next resume gives the agent the instructions of /workspace.brainstorm.')
  expect(sessionOf(lab, path).agent_config).toMatchObject({ system_prompt_hash: 'unknown' })
  expect(documents(lab, path)).toEqual(['brainstorm.md'])
  expect(await given(lab, path)).toContain(INSTRUCTIONS)
  // Claude Code's own session does not have the instructions.
  expect((await lab.cortext(['resume', path, '--dry-run'])).stdout).toContain('handoff')
  await lab.cortext(['edit', path, '--type', 'chat'])
  expect(documents(lab, path)).toEqual([])
  expect(await given(lab, path)).toMatch(/^\[RESUMED CONVERSATION\]/)
  await lab.cortext(['edit', path, '--type', 'brainstorm'])
  writeFileSync(join(lab.root, path, 'brainstorm.md'), '# Mine\n')
  await lab.cortext(['edit', path, '--type', 'plan'])
  expect(documents(lab, path)).toEqual(['plan.md'])
  expect(readFileSync(join(lab.root, path, 'plan.md'), 'utf8')).toBe('# Mine\n')
  expect((await lab.cortext(['edit', path, '--type', 'nothing'])).stderr).toContain(
    'there is no conversation type',
  )
})

// promise: `--type` says otherwise, and so
test('a document that nobody has written into goes with its type, also under a heading of the person’s own and with CRLF', async () => {
  const lab = await workspaceLab()
  mkdirSync(join(lab.root, '.workspace/templates'), { recursive: true })
  writeFileSync(join(lab.root, '.workspace/templates/plan.md'), '# Plan: {{title}}!\n\nSteps\n')
  const { path } = await lab.json<{ path: string }>(['start', 'plan', 'Ship', '--json'])
  const document = join(lab.root, path, 'plan.md')
  expect(readFileSync(document, 'utf8')).toBe('# Plan: Ship!\n\nSteps\n')
  writeFileSync(document, '# Plan: Ship it!\r\n\r\nSteps\r\n')
  await lab.json(['edit', '1', '--type', 'debug', '--json'])
  expect(documents(lab, path)).toEqual(['debug.md'])
  expect(readFileSync(join(lab.root, path, 'debug.md'), 'utf8')).not.toContain('Steps')
  writeFileSync(join(lab.root, path, 'debug.md'), '# Plan: Ship!\n\nMine\n')
  await lab.json(['edit', '1', '--type', 'plan', '--json'])
  expect(readFileSync(document, 'utf8')).toBe('# Plan: Ship!\n\nMine\n')
})

test('S0-D3i the hash of a command is written when the command runs, at a resume in the client', async () => {
  const lab = await workspaceLab()
  const path = await imported(lab, ['Why does checkout fail?'], '--type', 'plan')
  const claude = new ClaudeSession(lab)
  const resume = () => lab.cortext(['agent', 'resume', basename(path)], { env: claude.env })
  await claude.command('workspace.resume', basename(path), resume)
  await claude.turn('go on')
  await claude.command('workspace.stop-conversation', '', () =>
    lab.cortext(['agent', 'stop'], { env: claude.env }),
  )
  const { hash } = loadCommand(lab.root, 'workspace.plan')
  expect(sessionOf(lab, path).agent_config).toMatchObject({ system_prompt_hash: hash })
  expect(sessionOf(lab, path).agent_config.unknown ?? {}).not.toHaveProperty('system_prompt_hash')
})

test('an import that a person called a brainstorm gets these instructions at each resume, not only at the first', async () => {
  const lab = await workspaceLab()
  const path = await imported(lab, ['Topic is API'], '--type', 'brainstorm')
  for (const words of ['', 'go on', 'and on']) {
    const claude = new ClaudeSession(lab)
    const resume = () => lab.cortext(['agent', 'resume', basename(path)], { env: claude.env })
    const ran = await claude.command('workspace.resume', basename(path), resume)
    expect(ran?.stdout).toContain(INSTRUCTIONS)
    expect((await lab.cortext(['doctor'])).stdout).not.toContain('--type chat')
    if (words === '') continue
    await claude.turn(words)
    await claude.command('workspace.stop-conversation', '', () =>
      lab.cortext(['agent', 'stop'], { env: claude.env }),
    )
  }
})

test.each(['shared', 'private'] as const)(
  'until the first save, folder, id and heading follow the title that the agent gives: %s',
  async (init) => {
    const lab = await workspaceLab({ init })
    const claude = new ClaudeSession(lab)
    const name = () =>
      lab.cortext(['agent', 'start', 'brainstorm', '--title', 'Cache design'], { env: claude.env })
    const ran = await claude.command('workspace.brainstorm', '', name)
    const id = '001-brainstorm-cache-design'
    expect(ran?.stdout).toContain('Already open: 1 "Cache design"\nDocument: conversations/')
    const document = join(lab.root, /Document: (.*)/.exec(ran!.stdout)![1]!)
    expect(readFileSync(document, 'utf8')).toMatch(
      new RegExp(`^# Cache design\\n\\nbrainstorm · .* · ${id}\\n`),
    )
    await claude.turn('Redis')
    await claude.command('workspace.stop-conversation', '', () =>
      lab.cortext(['agent', 'stop'], { env: claude.env }),
    )
    const { conversations } = await lab.json<{
      conversations: { id: string; path: string; message_count: number }[]
    }>(['list', '--json'])
    expect(conversations).toMatchObject([{ id, message_count: 5 }])
    expect(conversations[0]!.path).toMatch(new RegExp(`/${id}$`))
    expect(existsSync(document)).toBe(true)
    expect(lab.git('status', '--porcelain', 'conversations')).toBe('')
  },
)

test('a title from the first words names the folder at the stop; a folder that git has keeps its name', async () => {
  const lab = await workspaceLab()
  const stopped = async (between: () => Promise<unknown>) => {
    const claude = new ClaudeSession(lab)
    await claude.command('workspace.plan', '')
    await claude.turn('Move the events to the new queue')
    await between()
    await claude.command('workspace.stop-conversation', '', () =>
      lab.cortext(['agent', 'stop'], { env: claude.env }),
    )
  }
  await stopped(async () => {})
  await stopped(async () => {
    await lab.json(['save', '--json'])
    lab.git('add', 'conversations')
    lab.git('commit', '--quiet', '--message=mine')
  })
  const { conversations } = await lab.json<{ conversations: { id: string; title: string }[] }>([
    'list',
    '--json',
  ])
  const title = 'Move the events to the new queue'
  expect(conversations.toReversed()).toMatchObject([
    { id: '001-plan-move-the-events-to-the-new-queue', title },
    { id: '002-plan-untitled', title },
  ])
  expect(lab.git('status', '--porcelain', 'conversations')).toBe('')
})
