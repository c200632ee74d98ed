import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { findProgram } from '../../src/io/program.ts'
import { ClaudeSession } from '../helpers/claude-session.ts'
import { ended, filesBelow, type Lab, shown, talk, workspaceLab } from '../helpers/workspace-lab.ts'

test('S1-004b a resume without the client installed: exit 1, how to get it, and nothing has changed', async () => {
  const lab = await workspaceLab()
  await held(lab)
  const before = filesBelow(join(lab.root, 'conversations'))
  const run = await lab.cortext(['resume', '001'], { env: { PATH: programs(lab) } })
  expect(run).toMatchObject({ code: 1, stdout: '' })
  expect(run.stderr).toMatch(/^error: .*Claude Code.*\nfix: .*npm install/m)
  expect(filesBelow(join(lab.root, 'conversations'))).toEqual(before)
})

// promise: in its client (`--list`
// promise: Exit codes: 0 done, 1
test('S1-004b S1-004c S0-D5m the client gets command, block and history; what is said in it is saved; its exit code is ours', async () => {
  const lab = await workspaceLab()
  const said = await held(lab)
  const child = lab.begin(['resume', 'api desing'], { env: { PATH: programs(lab, FAKE) } })
  const run = ended(child)
  const args = await argumentsOf(lab)
  const [seed, id] = [args[args.indexOf('--resume') + 1]!, args[args.indexOf('--session-id') + 1]!]
  expect(args).toEqual(['--resume', seed, '--fork-session', '--session-id', id])
  expect(statSync(seed).mode & 0o777, 'the seed is for this user alone').toBe(0o600)
  const given = readFileSync(seed, 'utf8')
  const block = '[RESUMED CONVERSATION]\\nYou are continuing'
  const places = [
    '/workspace.brainstorm',
    block,
    '[END RESUMED CONTEXT]\\n',
    '### User',
    '"`[Resuming \\"API Design\\"]`',
  ]
  const found = places.map((text) => given.indexOf(text))
  expect(found).toEqual([...found].sort((a, b) => a - b))
  expect(found).not.toContain(-1)
  expect(given.indexOf('REST or GraphQL?', found[3])).toBeGreaterThan(0)

  // The client keeps the seed at the head of its own transcript; none of it is recorded again.
  const claude = new ClaudeSession(lab, lab.root, id)
  appendFileSync(claude.transcript, given.replaceAll(/"sessionId":"[^"]*"/g, `"sessionId":"${id}"`))
  await claude.turn('Then REST it is')
  writeFileSync(join(lab.home, 'go'), '')
  const { code, stderr } = await run
  expect(code, stderr).toBe(3)
  expect(stderr).toContain('Saved: "API Design"')
  expect(talk(await shown(lab, '001'))).toEqual([
    ...said,
    'user: Then REST it is',
    'assistant: answer to Then REST it is',
  ])
  const { session } = await lab.json<{ session: { status: string } }>(['show', '001', '--json'])
  expect(session.status).toBe('paused')
})

test('S0-D5m a session that a handoff began continues natively, until a newer message is in another session', async () => {
  const lab = await workspaceLab()
  await held(lab)
  const { run, claude, id } = await handedOver(lab)
  await claude.turn('Then REST it is')
  writeFileSync(join(lab.home, 'go'), '')
  await run
  const way = async (...flags: string[]) =>
    (await lab.cortext(['resume', '001', '--in', 'claude', '--dry-run', ...flags])).stdout
  expect(await way()).toContain(`Would run: claude --resume ${id}\n`)
  expect(await way('--budget', '5000')).toContain('Client: Claude Code, handoff\n')

  const other = new ClaudeSession(lab)
  await other.turn('What about versions?')
  await other.command('workspace.resume', '001', () =>
    lab.cortext(['agent', 'resume', '001'], { env: other.env }),
  )
  await other.turn('In the path')
  await lab.cortext(['save', '001'])
  expect(await way()).toContain('handoff (not native: ')
})

test('a session that began with /clear is not resumed natively: its model has not read what was said before', async () => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'API Design')
  await claude.turn('REST or GraphQL?')
  await claude.hook('SessionEnd', { reason: 'clear' })
  const next = new ClaudeSession(lab)
  await next.hook('SessionStart', { source: 'clear' })
  await next.turn('Then REST it is')
  await lab.json(['stop', '001', '--no-commit', '--json'])
  const { stdout } = await lab.cortext(['resume', '001', '--in', 'claude', '--dry-run'])
  expect(stdout).toContain('handoff (not native: parts of it were held in other sessions')
})

test('resume says that a client without our hooks is saved only at its end', async () => {
  const lab = await workspaceLab({ init: 'none' })
  await lab.cortext(['init', '--in', 'claude', '--shared'])
  await held(lab)
  const told = async (client: string) =>
    (await lab.cortext(['resume', '001', '--in', client, '--dry-run'])).stdout
  expect(await told('gemini')).toContain('Set it up: cortext init --in gemini')
  expect(await told('claude')).not.toContain('not set up')
})

test('what is said in a resumed session without hooks is saved when the client ends', async () => {
  const lab = await workspaceLab()
  const said = await held(lab)
  const { run, claude } = await handedOver(lab)
  claude.say('Nobody told cortext')
  writeFileSync(join(lab.home, 'go'), '')
  expect((await run).stderr).toContain('Saved: "API Design"')
  expect(talk(await shown(lab, '001'))).toEqual([
    ...said,
    'user: Nobody told cortext',
    'assistant: answer to Nobody told cortext',
  ])
})

test.each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)(
  'S4-P5-10, X-31: a %s to a resume ends the client with it; what was said is saved first, then it exits with %i',
  async (signal, code) => {
    const lab = await workspaceLab()
    const said = await held(lab)
    const { child, run, claude } = await handedOver(lab)
    claude.say('Nobody told cortext')
    child.kill(signal)
    expect(await run).toMatchObject({ code, stderr: expect.stringContaining('Saved: "API Design"') })
    await savedAndPaused(lab, [
      ...said,
      'user: Nobody told cortext',
      'assistant: answer to Nobody told cortext',
    ])
  },
)

test('X-31: a terminal that closes while the client starts leaves no client running', async () => {
  const lab = await workspaceLab()
  const said = await held(lab)
  const env = { PATH: programs(lab, FAKE), NODE_OPTIONS: `--require ${SIGNALLED}` }
  expect(await lab.cortext(['resume', '001'], { env })).toMatchObject({ code: 129 })
  await savedAndPaused(lab, said)
})

test('S4-P5-10, X-31: a Ctrl-C is the client’s: a resume waits for its end, and then saves', async () => {
  const lab = await workspaceLab()
  const said = await held(lab)
  const { child, run, claude } = await handedOver(lab)
  child.kill('SIGINT')
  claude.say('And on we go')
  writeFileSync(join(lab.home, 'go'), '')
  expect(await run).toMatchObject({ code: 3 })
  await savedAndPaused(lab, [...said, 'user: And on we go', 'assistant: answer to And on we go'])
})

test('a resume in which nothing is said leaves the conversation as it was', async () => {
  const lab = await workspaceLab()
  const said = await held(lab)
  writeFileSync(join(lab.home, 'go'), '')
  const { code } = await lab.cortext(['resume', '001'], { env: { PATH: programs(lab, FAKE) } })
  expect(code).toBe(3)
  expect(talk(await shown(lab, '001'))).toEqual(said)
  const { session } = await lab.json<{ session: { status: string; agent_sessions: object[] } }>([
    'show',
    '001',
    '--json',
  ])
  expect(session).toMatchObject({ status: 'paused' })
  expect(session.agent_sessions).toHaveLength(1)
})

async function savedAndPaused(lab: Lab, said: string[]): Promise<void> {
  expect(talk(await shown(lab, '001'))).toEqual(said)
  const { session } = await lab.json<{ session: { status: string } }>(['show', '001', '--json'])
  expect(session.status).toBe('paused')
}

const SIGNALLED = fileURLToPath(new URL('../helpers/signalled.cjs', import.meta.url))

/** Notes its arguments, runs until it is told to go, ends with 3. */
const FAKE = `#!/bin/sh
for arg in "$@"; do printf '%s\\n' "$arg"; done > "$HOME/args.new"
mv "$HOME/args.new" "$HOME/args"
while [ ! -e "$HOME/go" ]; do sleep 0.05; done
exit 3
`

/** A folder for PATH with git, a shell's needs and, if given, a client. */
function programs(lab: Lab, client?: string): string {
  const folder = join(lab.home, 'bin')
  mkdirSync(folder)
  for (const name of ['git', 'sh', 'mv', 'sleep'])
    symlinkSync(findProgram(name, process.env)!, join(folder, name))
  if (client !== undefined) {
    writeFileSync(join(folder, 'claude'), client)
    chmodSync(join(folder, 'claude'), 0o755)
  }
  return folder
}

/** A conversation that was stopped, and whose native session the client has deleted. */
async function held(lab: Lab): Promise<string[]> {
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'API Design')
  await claude.turn('REST or GraphQL?')
  await claude.command('workspace.stop-conversation', '', () => lab.cortext(['stop'], { env: claude.env }))
  rmSync(claude.transcript)
  return talk(await shown(lab, '001'))
}

/** A resume that has just begun: the client keeps the seed at the head of its own transcript. */
async function handedOver(lab: Lab) {
  const child = lab.begin(['resume', '001'], { env: { PATH: programs(lab, FAKE) } })
  const run = ended(child)
  const args = await argumentsOf(lab)
  const [seed, id] = [args[args.indexOf('--resume') + 1]!, args[args.indexOf('--session-id') + 1]!]
  const claude = new ClaudeSession(lab, lab.root, id)
  const given = readFileSync(seed, 'utf8')
  appendFileSync(claude.transcript, given.replaceAll(/"sessionId":"[^"]*"/g, `"sessionId":"${id}"`))
  return { child, run, claude, id }
}

async function argumentsOf(lab: Lab): Promise<string[]> {
  const file = join(lab.home, 'args')
  while (!existsSync(file)) await sleep(20)
  return readFileSync(file, 'utf8').trimEnd().split('\n')
}
