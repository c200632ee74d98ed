import { describe, expect, it } from 'vitest'
import { allText, toolResults } from './model-request.ts'
import { bash } from './reply.ts'
import type { Terminal } from './terminal.ts'
import { openWorkspaceLab, RESUME_BODY, resumeInSession, saidIn, type WorkspaceLab } from './workspace-lab.ts'

const LIST =
  /^Here are your resumable conversations:\n\nThe last active one comes first\.\n\n2\. \[debug\] Slow tests\n\nLast active: .* \| Status: paused\nSummary: .*\n\n1\. \[brainstorm\] API design\n[\s\S]*\nWhich conversation would you like to continue\? \(number or search\)$/m

describe('/workspace.resume typed in a running client', () => {
  // promise: choose from the list; or `/workspace.resume <number or words>`
  // promise: continues a conversation in the running session, which belongs to it from then on.
  // promise: lists conversations, or gives the agent one and goes on with it in its session
  it('S1-003a S1-003c S1-003e S1-003s S0-D4a S0-D4b S0-D4d S0-G2: shows the list, takes a number, and goes on in the same conversation', async () => {
    await using lab = await openWorkspaceLab()
    await keepTwo(lab)
    lab.model.when(RESUME_BODY, 'THE LIST')
    lab.model.when(/^1$/, bash(resumeInSession('1')), '[Resuming "API design"] We were at it.')
    const terminal = await lab.interactive()
    await terminal.submit('/workspace.resume')
    await terminal.waitFor('THE LIST')
    // The hook has brought the list along: one request, no tool call.
    expect(allText(lab.model.requests.at(-1)!)).toMatch(LIST)
    await terminal.submit('1')
    await terminal.waitFor('We were at it.')
    await goesOn(lab, terminal)
    expect(lab.model.requests).toHaveLength(6)
  })

  // promise: Inside a client, `/workspace.resume api` does the same
  it('S1-003d S1-003u S0-D4e: takes words that are typed behind it, and has the agent say where it was and two ways on', async () => {
    await using lab = await openWorkspaceLab()
    await keepTwo(lab)
    lab.model.when(RESUME_BODY, bash(resumeInSession('api')), '[Resuming "API design"] We were at it.')
    const terminal = await lab.interactive()
    await terminal.submit('/workspace.resume api')
    await terminal.waitFor('We were at it.')
    const told = allText(lab.model.requests.at(-1)!)
    for (const part of ['`[Resuming "<title>"]`', 'two concrete ways on and "Something else?"'])
      expect(told).toContain(part)
    await goesOn(lab, terminal)
  })

  it('S1-003d: takes words as the answer to the list, in a session that another conversation is bound to', async () => {
    await using lab = await openWorkspaceLab()
    await keepTwo(lab)
    lab.model.when(RESUME_BODY, 'THE LIST')
    lab.model.when(/^the api one/, bash(resumeInSession('api')), '[Resuming "API design"] We were at it.')
    const terminal = await lab.interactive()
    await terminal.submit('/workspace.plan the week')
    await terminal.waitFor('Scripted answer 3.')
    await terminal.submit('/workspace.resume')
    await terminal.waitFor('THE LIST')
    await terminal.submit('the api one')
    await terminal.waitFor('We were at it.')
    const plan = lab.conversations().find((path) => path.includes('plan'))!
    expect(lab.session(plan)).toMatchObject({ title: 'the week', status: 'paused' })
    await goesOn(lab, terminal)
    expect(saidIn(lab.messages(plan)).slice(0, 2)).toEqual([
      'user: /workspace.plan the week',
      'assistant: Scripted answer 3.',
    ])
  })
})

/** Two conversations, of which the API design is the older one. */
async function keepTwo(lab: WorkspaceLab): Promise<void> {
  await lab.headless(['/workspace.brainstorm API design'])
  await lab.headless(['/workspace.debug Slow tests'])
}

/** What the model was given, and that the next turn, and only that, is the conversation's. */
async function goesOn(lab: WorkspaceLab, terminal: Terminal): Promise<void> {
  const [given] = toolResults(lab.model.requests.at(-1)!)
  expect(given).toMatch(
    /^You are the person's thinking partner[\s\S]*\n\[RESUMED CONVERSATION\]\n[\s\S]*\n\[END RESUMED CONTEXT\]\n\n### User\n \/workspace\.brainstorm API design\n\n### Assistant\n Scripted answer 1\./,
  )
  const before = lab.conversations().length
  lab.model.when('so we go on', 'On we go.')
  await terminal.submit('so we go on')
  await terminal.waitFor('On we go.')
  await lab.leave(terminal)
  const [resumed] = lab.conversations()
  expect(lab.conversations()).toHaveLength(before)
  expect(saidIn(lab.messages(resumed))).toEqual([
    'user: /workspace.brainstorm API design',
    'assistant: Scripted answer 1.',
    'user: so we go on',
    'assistant: On we go.',
  ])
  expect(lab.session(resumed)).toMatchObject({ status: 'paused', message_count: 4 })
}
