import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LONG } from '../helpers/long.ts'
import { codexShell } from './codex.ts'
import { type CodexWorkspaceLab, leaveWorkspace, openCodexWorkspaceLab } from './codex-workspace.ts'
import { keepFromClaude } from './kept.ts'
import { allText, toolResults } from './model-request.ts'
import { text, thinking } from './reply.ts'
import { say } from './say.ts'
import type { Terminal } from './terminal.ts'
import { bodiesIn, saidIn, stopWith } from './workspace-lab.ts'

const TITLE = `REST/GraphQL "v2" & $(touch x) it's`

// People have the server by default; the other Codex tests run without it.
describe.each(LONG ? [false, true] : [true])('Codex CLI in a terminal, background server: %s', (daemon) => {
  it('S1-002g E-2: a conversation is recorded whole, stopped, listed, and gone on with', async () => {
    await using lab = await openCodexWorkspaceLab({ daemon })
    writeFileSync(join(lab.project, 'notes.txt'), 'hello from notes\n')
    lab.model.when(
      'please read',
      [thinking('**Considering**\n\nA file.'), text('I will read it.'), codexShell('cat notes.txt')],
      'It says hello.',
    )
    lab.model.when(
      /^\$workspace-stop-conversation/,
      [codexShell(stopWith("REST it is; it's open how."))],
      'Saved.',
    )
    const terminal = await lab.interactive()
    await say(terminal, `$workspace-brainstorm ${TITLE}`, 'Scripted answer 1.')
    await say(terminal, 'please read notes.txt', 'It says hello.')
    await say(terminal, '$workspace-stop-conversation ', 'Saved.')
    await say(terminal, 'and this is not recorded', /Scripted answer \d+\./)
    await leaveWorkspace(lab, terminal)

    expect(lab.conversations().map((path) => path.split('/').at(-1))).toEqual([
      '001-brainstorm-rest-graphql-v2-touch-x-its',
    ])
    expect(existsSync(join(lab.project, 'x'))).toBe(false)
    expect(saidIn(lab.messages())).toEqual([
      `user: $workspace-brainstorm ${TITLE}`,
      'assistant: Scripted answer 1.',
      'user: please read notes.txt',
      'assistant: I will read it.',
      'assistant: It says hello.',
    ])
    const output = lab.messages().find(({ role }) => role === 'tool')
    expect(output?.tool_name).toBe('exec_command')
    expect(JSON.stringify(output?.content)).toContain('hello from notes')
    expect(lab.session()).toMatchObject({
      title: TITLE,
      status: 'paused',
      context_summary: "REST it is; it's open how.",
      agent_config: { client: 'codex', command: '/workspace.brainstorm', model: 'fake-model' },
    })
    expect(lab.git('log', '-1', '--format=%an: %s')).toMatch(
      /^Tess Tester: \[conversation\] brainstorm: REST\/GraphQL/,
    )
    const list = await lab.cortext(['list', '--json'])
    expect(JSON.parse(list.stdout)).toMatchObject({ conversations: [{ status: 'paused' }] })
    expect(lab.model.strays).toEqual([])

    const again = await lab.resume(['-c'])
    await say(again, 'we go on', /Scripted answer \d+\./)
    await leaveWorkspace(lab, again)
    expect(lab.conversations()).toHaveLength(1)
    expect(saidIn(lab.messages()).at(-2)).toBe('user: we go on')
  })
})

describe('$workspace-resume typed in a running Codex CLI', () => {
  it('S0-D4a S1-003a S1-003d S1-003e: shows the list, takes a number, and goes on in the same conversation', async () => {
    await using lab = await openCodexWorkspaceLab()
    await keepTwo(lab)
    lab.model.when(/^\$workspace-resume/, [codexShell("cortext agent resume --query ''")], 'THE LIST')
    lab.model.when(
      /^1$/,
      [codexShell("cortext agent resume --query '1'")],
      '[Resuming "API design"] We were at it.',
    )
    const terminal = await lab.interactive()
    await say(terminal, '$workspace-resume ', 'THE LIST')
    expect(allText(lab.model.requests.at(-1)!)).toMatch(
      /2\. \[debug\] Slow tests\n[\s\S]*1\. \[brainstorm\] API design/,
    )
    await say(terminal, '1', 'We were at it.')
    await goesOn(lab, terminal)
  })

  it('S1-003d S0-D4e: takes words that are typed behind it', async () => {
    await using lab = await openCodexWorkspaceLab()
    await keepTwo(lab)
    lab.model.when(
      /^\$workspace-resume/,
      [codexShell("cortext agent resume --query 'api'")],
      '[Resuming "API design"] We were at it.',
    )
    const terminal = await lab.interactive()
    await say(terminal, '$workspace-resume api', 'We were at it.')
    await goesOn(lab, terminal)
  })

  it('S1-003k S0-D5l: gives its agent a long history in parts, of which the client cuts none', async () => {
    await using lab = await openCodexWorkspaceLab()
    const paragraphs = Array.from(
      { length: 9 },
      (_, n) => `${n}: ${'Said word for word. '.repeat(110)}日本語 ${n}.`,
    )
    await keepFromClaude(lab, 'API design', [['Topic is API', paragraphs.join('\n')]])
    const parts = [2, 3, 4].map((n) => codexShell(`cortext agent resume --part ${n}`))
    lab.model.when(
      /^\$workspace-resume/,
      codexShell("cortext agent resume --query 'api'"),
      ...parts,
      'We were at it.',
    )
    const terminal = await lab.interactive()
    await say(terminal, '$workspace-resume api', 'We were at it.')
    terminal.close()
    const results = lab.model.requests.flatMap(toolResults)
    const [, count] = /\[Part 1 of (\d)\. The history goes on/.exec(results[0]!) ?? []
    expect(Number(count)).toBeGreaterThan(1)
    const given = results.slice(0, Number(count)).join('\n')
    for (const paragraph of paragraphs) expect(given.split(paragraph)).toHaveLength(2)
    expect(given).not.toContain('truncated')
  })
})

async function keepTwo(lab: CodexWorkspaceLab): Promise<void> {
  await keepFromClaude(lab, 'API design', [['Topic is API', 'I see the API.']])
  await keepFromClaude(lab, 'Slow tests', [['Why slow', 'Let us look.']], 'debug')
}

/** What the model was given, whole and once, and that the next turn, and only that, is the conversation's. */
async function goesOn(lab: CodexWorkspaceLab, terminal: Terminal): Promise<void> {
  const given = toolResults(lab.model.requests.at(-1)!).join('')
  expect(given).toMatch(
    /You are the person's thinking partner[\s\S]*\n\[RESUMED CONVERSATION\]\n[\s\S]*\n\[END RESUMED CONTEXT\]\n\n### User\n Topic is API\n\n### Assistant\n I see the API\./,
  )
  expect(given).not.toContain('truncated')
  lab.model.when('so we go on', 'On we go.')
  await say(terminal, 'so we go on', 'On we go.')
  expect(bodiesIn(allText(lab.model.requests.at(-1)!))).toBe(1)
  await leaveWorkspace(lab, terminal)
  const resumed = lab.conversations().find((path) => path.includes('api-design'))
  expect(lab.conversations()).toHaveLength(2)
  expect(saidIn(lab.messages(resumed))).toEqual([
    'user: Topic is API',
    'assistant: I see the API.',
    'user: so we go on',
    'assistant: On we go.',
  ])
  await expect.poll(() => lab.session(resumed).status, { timeout: 10_000 }).toBe('paused')
}
