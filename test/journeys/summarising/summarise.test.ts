import { spawnSync } from 'node:child_process'
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clients } from '../../../src/clients/index.ts'
import { readConversation } from '../../../src/conversation/read.ts'
import { summarise } from '../../../src/journeys/summarising/summarise.ts'
import type { SummaryFile } from '../../../src/session/summary-file.ts'
import { openWorkspace } from '../../../src/workspace/open.ts'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { putProgram } from '../../helpers/stand-ins.ts'
import {
  conversationNamed,
  type Lab,
  type Run,
  type Shown,
  workspaceLab,
} from '../../helpers/workspace-lab.ts'

/** A stopped conversation of so many turns, and a stand-in for Claude Code. */
async function held(turns = 30, more = ''): Promise<Lab & { path: string; session: string }> {
  const name = `held-${turns}-${more.length}`
  const lab = await workspaceLab({ begun: { name, by: (lab) => talkAndStop(lab, turns, more) } })
  const path = conversationNamed(lab, '001-brainstorm-api-design')
  return { ...lab, path, session: join(lab.root, path, '.session') }
}

async function talkAndStop(lab: Lab, turns: number, more: string): Promise<void> {
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'API Design')
  for (let n = 0; n < turns; n += 1)
    claude.say(`Question ${n}${n === 3 ? more : ''} ${'about the interface '.repeat(12)}`)
  await claude.command('workspace.stop-conversation', '', () => lab.cortext(['stop'], { env: claude.env }))
}

/** The program keeps what it was given in files of the home: arguments, folder, standard input. */
const KEEP =
  'printf "%s\\n" "$@" >"$HOME/args"; pwd >"$HOME/cwd"; cat >>"$HOME/input"; echo x >>"$HOME/count"'

function answering(text: string): string {
  const usage = { input_tokens: 900, cache_read_input_tokens: 100, output_tokens: 50 }
  const models = { small: { outputTokens: 1 }, 'model-x': { outputTokens: 50 } }
  const answer = JSON.stringify({ type: 'result', is_error: false, result: text, usage, modelUsage: models })
  return `${KEEP}\ncat <<'END'\n${answer}\nEND`
}

/** `cortext context` within 2,000 tokens, with this for Claude Code. */
async function ask(lab: Lab, program: string, ...more: string[]): Promise<Run> {
  const bin = putProgram(join(lab.home, 'clients'), 'claude', program)
  const args = ['context', '001', '--budget', '2000', '--summarize-with', 'claude', ...more]
  return lab.cortext(args, { env: { PATH: `${bin}:${lab.env.PATH}` } })
}

const files = (session: string): string[] => {
  try {
    return readdirSync(join(session, 'summaries')).map((name) => join(session, 'summaries', name))
  } catch {
    return []
  }
}
const home = (lab: Lab, name: string) => readFileSync(join(lab.home, name), 'utf8')

// promise: prints exactly what a resume
// promise: lets that client's model summarise what does not fit, which costs tokens.
// promise: One command sends a conversation to a model by itself
test('X-14 Q-15 S4-P3-13 S4-P3-18 S4-P3-20 S4-P3-21 S4-DS-5 E-18: a model is asked for a summary once, on request, the cost is shown, and the summary is kept', async () => {
  const lab = await held()
  const record = readFileSync(join(lab.session, 'messages.jsonl'))
  const without = await lab.cortext(['context', '001', '--budget', '2000'])
  expect(without.stdout).not.toContain('Summary of the first')
  const first = await ask(lab, answering('They chose REST, and JSON for @all.'))
  expect(first).toMatchObject({ code: 0 })
  expect(first.stdout).toMatch(
    /Summary of the first \d+ messages, by model-x:\n They chose REST, and JSON for @all\.\n/,
  )
  expect(first.stderr).toMatch(
    /^Asking Claude Code for a summary of the first \d+ messages: about \d+ tokens are sent to its model\. Ctrl-C cancels\.\nmodel-x read 1000 tokens and wrote 50 \(by the count of Claude Code\); kept in conversations\/.*\/\.session\/summaries\/[0-9a-f]{16}\.json\nContext: \d+ of 2000 tokens \(o200k\), strategy recent-plus-summary; messages: .*\d+ in a summary by model-x/,
  )
  expect(home(lab, 'args')).toContain('PRESERVE in your summary:')
  expect(home(lab, 'args')).not.toContain('Question')
  expect(home(lab, 'input')).toMatch(
    /^Target length: approximately \d+ tokens\.\n\nCONVERSATION TO SUMMARIZE:\n\nUSER: \/workspace.brainstorm API Design\n\nASSISTANT: [\s\S]*USER: Question 0/,
  )
  expect(home(lab, 'cwd')).not.toContain(lab.root)

  const [file] = files(lab.session)
  const kept = JSON.parse(readFileSync(file!, 'utf8')) as SummaryFile
  const { messages } = await lab.json<{ messages: Shown[] }>(['show', '001', '--messages', '--json'])
  const live = messages.filter(({ event }) => event === undefined)
  expect(kept).toMatchObject({
    version: '1.0',
    range: { startMessageId: live[0]!.id, startSeq: live[0]!.seq },
    hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    summary: { content: 'They chose REST, and JSON for @all.', model: 'model-x' },
  })
  expect(kept.range.endMessageId).toBe(live[kept.range.messageCount - 1]!.id)
  expect(kept.compressionRatio).toBeCloseTo(kept.summary.tokens / kept.originalTokens, 3)

  const second = await ask(lab, answering('Another one.'))
  expect(second.stdout).toBe(first.stdout)
  expect(second.stderr).toContain('no model was asked, no tokens were used')
  expect(home(lab, 'count')).toBe('x\n')
  // Without asking it is used all the same, by a resume too; and nothing was done to the record.
  expect((await lab.cortext(['context', '001', '--budget', '2000'])).stdout).toBe(first.stdout)
  const resumed = await lab.cortext(['resume', '001', '--print', '--mode', 'handoff', '--budget', '2000'])
  expect(resumed.stdout).toContain('They chose REST, and JSON for @all.')
  expect(readFileSync(join(lab.session, 'messages.jsonl'))).toEqual(record)
  expect(lab.git('status', '--porcelain', '--untracked-files=all', 'conversations').trim()).toMatch(
    /^\?\? conversations\/.*\/\.session\/summaries\/[0-9a-f]{16}\.json$/,
  )
})

test('S4-P3-13 a summary is stale, and made again, if the record now says something else', async () => {
  const lab = await held()
  await ask(lab, answering('They chose REST.'))
  const path = join(lab.session, 'messages.jsonl')
  writeFileSync(path, readFileSync(path, 'utf8').replace('Question 2 about', 'Question two about'))
  expect((await lab.cortext(['context', '001', '--budget', '2000'])).stdout).not.toContain('They chose REST.')
  const again = await ask(lab, answering('They chose GraphQL.'))
  expect(again.stdout).toContain('They chose GraphQL.')
  expect(files(lab.session)).toHaveLength(2)
})

test('when a longer conversation leaves more out, the earlier summary replaces its part in the prompt', async () => {
  const lab = await held()
  await ask(lab, answering('They chose REST.'))
  const record = join(lab.session, 'messages.jsonl')
  const last = JSON.parse(readFileSync(record, 'utf8').trim().split('\n').at(-1)!)
  for (let n = 0; n < 30; n += 1) {
    const words = `Question ${30 + n} ${'about the interface '.repeat(12)}`
    const more = {
      id: `later-${n}`,
      native_id: `later-${n}`,
      role: 'user',
      content: words,
      seq: last.seq + 1 + n,
    }
    appendFileSync(record, `${JSON.stringify({ ...last, ...more })}\n`)
  }
  const longer = ['context', '001', '--budget', '2000', '--summarize-with', 'claude', '--json']
  putProgram(join(lab.home, 'clients'), 'claude', answering('They chose REST and JSON.'))
  writeFileSync(join(lab.home, 'input'), '')
  const done = await lab.json<{ summary: object }>(longer, {
    env: { PATH: `${join(lab.home, 'clients')}:${lab.env.PATH}` },
  })
  expect(done.summary).toMatchObject({ outcome: 'made', asked: 1, cost: { read: 1000, wrote: 50 } })
  expect(home(lab, 'input')).toMatch(
    /CONVERSATION TO SUMMARIZE:\n\nSYSTEM: \[Summary of an earlier part\] They chose REST\.\n\n(USER|ASSISTANT): /,
  )
  expect(home(lab, 'input')).not.toContain('Question 0 ')
})

test('a secret in a model’s summary is not kept', async () => {
  const lab = await held()
  await ask(lab, answering(`The token is ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}.`))
  expect(readFileSync(files(lab.session)[0]!, 'utf8')).toContain('[REDACTED:')
})

test('X-14 no model is asked if everything fits, or if there is no room for a summary', async () => {
  const lab = await held(10)
  const { stderr } = await ask(lab, answering('Never asked.'), '--budget', '20000')
  expect(stderr).toContain('No model was asked, no tokens were used')
  const tight = await ask(lab, answering('Never asked.'), '--budget', '450')
  expect(tight.stderr).toContain('the strategy is minimal-state')
  expect(files(lab.session)).toEqual([])
})

test.each([
  [
    'an error',
    `${KEEP}; echo 'Please run /login' >&2; exit 1`,
    'client-failed',
    'it ended with 1 (Please run /login)',
  ],
  [
    'its own error',
    `${KEEP}; echo '{"is_error":true,"result":"Invalid API key"}'`,
    'client-failed',
    'Invalid API key',
  ],
  ['nothing', KEEP, 'client-failed', 'an empty answer'],
  ['white space', answering('   '), 'client-failed', 'an empty answer'],
  ['other words', `${KEEP}; echo Hello`, 'client-failed', 'Hello'],
  ['an end without reading', `echo no >&2; exit 3`, 'client-failed', 'it ended with 3 (no)'],
  ['E-24 more than it was given', answering('and more of it '.repeat(5000)), 'refused', 'not shorter'],
])('%s for an answer changes nothing', async (_, program, code, words) => {
  const lab = await held()
  const done = await ask(lab, program, '--json')
  expect(done.code).toBe(1)
  expect(JSON.parse(done.stdout)).toMatchObject({
    error: { code, message: expect.stringContaining(words) },
  })
  expect(files(lab.session)).toEqual([])
  expect(readdirSync(lab.home).filter((name) => name.startsWith('cortext-ask'))).toEqual([])
})

test('a summary is refused for a client that is not installed, or not known', async () => {
  const lab = await held()
  const args = ['context', '001', '--budget', '2000', '--summarize-with']
  expect(await lab.cortext([...args, 'gemini'], { env: { PATH: join(lab.home, 'none') } })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Gemini CLI (gemini) is not installed'),
  })
  expect(await lab.cortext([...args, 'nobody'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no client is called "nobody"'),
  })
})

test('a client that never answers is ended after its time, with what it has started', async () => {
  const lab = await held()
  const bin = putProgram(join(lab.home, 'clients'), 'claude', 'sleep 600 & echo $! >"$HOME/child"; wait')
  const environment = { ...lab.environment, env: { ...lab.environment.env, PATH: `${bin}:${lab.env.PATH}` } }
  const ws = openWorkspace(environment)
  const asked = summarise(ws, readConversation(ws, lab.path), {
    budget: 2000,
    client: clients.claude,
    patience: 1500,
  })
  await expect(asked).rejects.toMatchObject({ code: 'client-failed' })
  const child = Number(home(lab, 'child'))
  await expect.poll(() => isAlive(child)).toBe(false)
  expect(files(lab.session)).toEqual([])
})

// promise: Exit codes: 0 done, 1
test('Ctrl-C ends a summary with exit code 130, and nothing is kept', async () => {
  const lab = await held()
  const bin = putProgram(join(lab.home, 'clients'), 'claude', 'echo $$ >"$HOME/child"; exec sleep 600')
  const program = lab.begin(['context', '001', '--budget', '2000', '--summarize-with', 'claude'], {
    env: { PATH: `${bin}:${lab.env.PATH}` },
  })
  await expect.poll(() => tried(() => home(lab, 'child')), { timeout: 15_000 }).toMatch(/^\d+\n$/)
  program.kill('SIGINT')
  const code = await new Promise((resolve) => program.on('close', resolve))
  expect(code).toBe(130)
  await expect.poll(() => isAlive(Number(home(lab, 'child')))).toBe(false)
  expect(files(lab.session)).toEqual([])
})

test('talk that is too long for the window is summarised in parts, and then these summaries', async () => {
  const lab = await held(24, ` with a paste ${'of many words that say little '.repeat(12_000)}`)
  const config = join(lab.root, '.workspace/config.json')
  const now = JSON.parse(readFileSync(config, 'utf8'))
  writeFileSync(config, JSON.stringify({ ...now, windows: { claude: 45_000 } }))
  const done = await ask(lab, answering('A part.'), '--json')
  const { summary } = JSON.parse(done.stdout)
  expect(summary.asked).toBeGreaterThan(2)
  expect(summary.cost).toEqual({ read: 1000 * summary.asked, wrote: 50 * summary.asked, counted: true })
  expect(home(lab, 'count')).toBe('x\n'.repeat(summary.asked))
  const last = home(lab, 'input').split('CONVERSATION TO SUMMARIZE:').at(-1)
  expect(last).toMatch(
    /^\n\nSYSTEM: \[Summary of an earlier part\] A part\.\n\nSYSTEM: \[Summary of an earlier part\] A part\./,
  )
  expect(last).not.toContain('Question')
  expect(files(lab.session)).toHaveLength(1)
})

test('a broken summary file is reported, and is not fatal', async () => {
  const lab = await held()
  await ask(lab, answering('They chose REST.'))
  const [file] = files(lab.session)
  writeFileSync(file!, readFileSync(file!, 'utf8').slice(0, 100))
  const { code, stderr, stdout } = await lab.cortext(['context', '001', '--budget', '2000'])
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.not.stringContaining('They chose REST.') })
  expect(stderr).toMatch(
    /conversations\/.*\/\.session\/summaries\/[0-9a-f]{16}\.json cannot be read and is not used\./,
  )
  const doctor = await lab.cortext(['doctor', '--json'])
  expect(doctor.stdout).toContain('"summary-unreadable"')
})

function tried(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}

/** Not gone, nor a zombie that nobody has looked after. */
function isAlive(pid: number): boolean {
  return /^[^Z]/.test(spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim())
}
