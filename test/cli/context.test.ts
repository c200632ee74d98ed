import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ClaudeSession } from '../helpers/claude-session.ts'
import { type Lab, workspaceLab } from '../helpers/workspace-lab.ts'

/** A stopped conversation of so many turns. */
async function held(lab: Lab, turns: number): Promise<void> {
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'API Design')
  for (let n = 0; n < turns; n += 1) await claude.turn(`Question ${n} ${'about the interface '.repeat(12)}`)
  await claude.command('workspace.stop-conversation', '', () => lab.cortext(['stop'], { env: claude.env }))
}

// promise: prints what it would be, and counts it.
// promise: prints exactly what a resume would give the agent, and its receipt
// promise: shows what it would be given
test('S4-P2-11 S4-DP4 context prints what a resume gives, to the byte, and the receipt on stderr', async () => {
  const lab = await workspaceLab()
  await held(lab, 3)
  const context = await lab.cortext(['context', '001'])
  expect(context.stdout).toMatch(/^\[RESUMED CONVERSATION\]\n[\s\S]*\n\[END RESUMED CONTEXT\]\n\n### User\n/)
  expect(context.stderr).toMatch(
    /^Context: \d+ of 60000 tokens \(o200k\), strategy full-history; messages: 8 whole\.\n/,
  )
  const { stdout: given } = await lab.cortext(['resume', '001', '--print', '--mode', 'handoff'])
  expect(given.endsWith(context.stdout)).toBe(true)
  const json = await lab.json<{ text: string; receipt: object }>(['context', '001', '--json'])
  expect(`${json.text}\n`).toBe(context.stdout)
  expect(json.receipt).toMatchObject({ strategy: 'full-history', whole: 8, messages: 8 })
})

// promise: context windows of models
// promise: `--full` uses it
test('S4-P2-6 X-13 context takes a budget, a strategy or the whole window, and resume takes the same', async () => {
  const lab = await workspaceLab()
  await held(lab, 30)
  const receipt = async (verb: string[], ...flags: string[]) =>
    (await lab.json<{ receipt: Record<string, unknown> }>([...verb, ...flags, '--json'])).receipt
  for (const verb of [
    ['context', '001'],
    ['resume', '001', '--dry-run'],
  ]) {
    expect(await receipt(verb, '--budget', '1600')).toMatchObject({
      strategy: 'recent-plus-summary',
      budget: 1600,
    })
    expect(await receipt(verb, '--strategy', 'minimal-state')).toMatchObject({
      strategy: 'minimal-state',
      budget: 60_000,
    })
    // The session names a model of Claude: its window, less the answer's quarter and the client's own need.
    expect(await receipt(verb, '--full')).toMatchObject({ strategy: 'full-history', budget: 120_000 })
  }
  const config = join(lab.root, '.workspace/config.json')
  writeFileSync(
    config,
    JSON.stringify({ ...JSON.parse(readFileSync(config, 'utf8')), windows: { claude: 80_000 } }),
  )
  expect(await receipt(['context', '001'], '--full')).toMatchObject({ budget: 30_000 })
  expect(await receipt(['context', '001'])).toMatchObject({ budget: 30_000 })
  // Nobody knows which model the other client is going to use.
  expect(await receipt(['resume', '001', '--dry-run', '--in', 'gemini'])).toMatchObject({ budget: 60_000 })
  expect(await receipt(['resume', '001', '--dry-run', '--in', 'gemini', '--full'])).toMatchObject({
    budget: 66_000,
  })
})

test('X-13 S1-003k a conversation of 45,000 tokens, the median of real ones, is given whole by default', async () => {
  const lab = await workspaceLab()
  const turns = Array.from({ length: 150 }, (_, at) => [
    { role: 'user', content: `Question ${at}: ${'what of it '.repeat(45)}` },
    { role: 'assistant', content: `Answer ${at}: ${'this of it '.repeat(45)}` },
  ])
  const input = turns.flat().map((message) => `${JSON.stringify(message)}\n`)
  await lab.json(['append', '--json'], { input: input.join('') })
  const { receipt } = await lab.json<{ receipt: { tokens: number } }>(['context', '001', '--json'])
  expect(receipt).toMatchObject({ strategy: 'full-history', messages: 300, whole: 300 })
  expect(receipt.tokens).toBeGreaterThan(40_000)
})

test('S4-P2-6 all strategies can be compared, and an unknown one is an error', async () => {
  const lab = await workspaceLab()
  await held(lab, 12)
  const { stdout } = await lab.cortext(['context', '001', '--compare', '--budget', '1000'])
  expect(stdout.split('\n').map((line) => line.trimEnd().split(/ {2,}/))).toEqual([
    ['Messages in a context of at most 1000 tokens (o200k):'],
    ['strategy', 'tokens', 'whole', 'shortened', 'summarised', 'left out'],
    ['full-history', 'does not fit'],
    ['pruned-tools', 'does not fit'],
    ['talk', 'does not fit'],
    ['recent-plus-summary', 'does not fit'],
    ['minimal-state', expect.stringMatching(/^\d+$/), '1', '0', '18', '7'],
    [''],
  ])
  expect(await lab.cortext(['context', '001', '--strategy', 'best'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('there is no strategy "best"'),
  })
})
