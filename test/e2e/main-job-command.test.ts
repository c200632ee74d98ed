import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ejected } from '../helpers/ejected.ts'
import { allText } from './model-request.ts'
import { bodiesIn, openWorkspaceLab, type WorkspaceLab } from './workspace-lab.ts'

const TYPED = '/workspace.brainstorm API design'
const CHANGED = /The instructions of \/workspace\.brainstorm have changed since this conversation began/

describe('the instructions of a conversation were edited since', () => {
  it('S1-003n-p S0-D5n-p S0-R3a: says so in a line, and hands off with the new ones', async () => {
    await using lab = await openWorkspaceLab()
    await lab.headless([TYPED])
    editCommand(lab, (body) =>
      body.replace("You are the person's thinking partner in a brainstorm.", 'You are a rubber duck.'),
    )
    const received = await goOn(lab, CHANGED)
    expect(received.split('You are a rubber duck.')).toHaveLength(2)
    expect(bodiesIn(received)).toBe(0)
    expect(received).toMatch(/^\[RESUMED CONVERSATION\]$/m)
    expect(lab.conversations()).toHaveLength(1)
  })

  it('X-25: in white space only, it stays native and nothing is said', async () => {
    await using lab = await openWorkspaceLab()
    await lab.headless([TYPED])
    editCommand(lab, (body) => body.replaceAll('\n\n', '\n\n\n').replaceAll('. ', '.  '))
    const received = await goOn(lab, /^Resuming ".*" in Claude Code, in its own session\.$/m)
    expect(bodiesIn(received)).toBe(1)
    expect(received).not.toMatch(/^\[RESUMED CONVERSATION\]$/m)
  })
})

function editCommand(lab: WorkspaceLab, edit: (text: string) => string): void {
  const file = ejected(lab.project, 'commands/workspace.brainstorm.md')
  const before = readFileSync(file, 'utf8')
  expect(edit(before)).not.toBe(before)
  writeFileSync(file, edit(before))
}

/** Resumes and says something; what the model was sent then. The notice stands among the lines before the client's. */
async function goOn(lab: WorkspaceLab, notice: RegExp): Promise<string> {
  const terminal = await lab.resume(['-c'])
  expect(terminal.history().match(new RegExp(CHANGED, 'g')) ?? []).toHaveLength(notice === CHANGED ? 1 : 0)
  expect(terminal.history()).toMatch(notice)
  await terminal.submit('please go on')
  await terminal.waitFor('Scripted answer 2.')
  return allText(lab.model.requests[1]!)
}
