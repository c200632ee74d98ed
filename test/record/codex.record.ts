import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'vitest'
import { codex } from '../../src/clients/codex/index.ts'
import { type CodexLab, codexShell, leaveCodex, openCodexLab, rolloutOf } from '../e2e/codex.ts'
import { versionsOf } from '../e2e/install.ts'
import { text, thinking, tool } from '../e2e/reply.ts'
import type { Terminal } from '../e2e/terminal.ts'
import { keep } from './keep.ts'

it.each(versionsOf('codex'))('Codex CLI %s', async (version) => {
  await using lab = await openCodexLab({ version })
  await talk(lab)
  const isOwn = (path: string) => rolloutOf(path)[0].payload.thread_source === 'user'
  const transcript = lab.transcripts().filter(isOwn).at(-1)!
  keep({ client: codex, version, lab, transcript, nativeId: rolloutOf(transcript)[0].payload.id })
})

async function talk(lab: CodexLab): Promise<void> {
  script(lab)
  const terminal = await lab.interactive()
  await say(terminal, '$workspace-brainstorm API design', 'Let us begin.')
  await say(terminal, 'read the note', 'It says THE NOTE.')
  await say(terminal, 'two at once', 'Both done.')
  await say(terminal, 'one that fails', 'It failed.')
  await say(terminal, 'send an agent', 'The agent is back.')
  await say(terminal, 'to be taken back', 'Not for long.')
  await rewind(terminal)
  await say(terminal, 'said instead', 'Better.')
  await say(terminal, '!echo shelled', 'You ran echo shelled')
  await say(terminal, '/compact', 'Context compacted')
  await say(terminal, 'after compaction', 'Going on.')
  await say(terminal, 'never answered', 'Half an answer.')
  terminal.press('Escape')
  await terminal.waitFor('interrupted')
  terminal.press('C-u')
  await say(terminal, 'last words', 'Goodbye.')
  await leaveCodex(terminal)
}

async function say(terminal: Terminal, typed: string, answer: string): Promise<void> {
  await terminal.submit(typed, { after: 500 })
  await terminal.waitFor(answer, { timeout: 30_000 })
  // A key that is pressed before the turn has ended would interrupt it.
  if (!/^(?:never answered|[!/].*)$/.test(typed))
    await terminal.waitFor((screen) => screen.slice(screen.lastIndexOf(answer)).includes('Worked for'))
}

/** Takes the last turn back: its prompt is there again, to be typed otherwise. */
async function rewind(terminal: Terminal): Promise<void> {
  terminal.press('Escape')
  await terminal.waitFor('esc again')
  terminal.press('Escape')
  await terminal.waitFor('Browsing transcript')
  terminal.press('Enter')
  await terminal.waitFor('Conversation reverted')
  terminal.press('C-u')
}

function script({ model, put, project }: CodexLab): void {
  put('note.txt', 'THE NOTE\n')
  writeFileSync(join(project, DOT), Buffer.from(IMAGE, 'base64'))
  put('.agents/skills/workspace-brainstorm/SKILL.md', SKILL)
  const agent = { message: 'look around', agent_type: 'default' }
  model.when(/^\$workspace-brainstorm/, 'Let us begin.')
  model.when(
    'read the note',
    [thinking('It lies there.'), text('I read it.'), codexShell('cat note.txt')],
    'It says THE NOTE.',
  )
  model.when('two at once', [tool('view_image', { path: DOT }), codexShell('echo second')], 'Both done.')
  model.when('one that fails', codexShell('echo broken >&2; exit 3'), 'It failed.')
  model.when('send an agent', tool('spawn_agent', agent), 'The agent is back.')
  model.when('look around', 'I looked around.')
  model.when('to be taken back', 'Not for long.')
  model.when('said instead', 'Better.')
  model.when('after compaction', 'Going on.')
  model.when('never answered', {
    blocks: [text('Half an answer.'), text(' Never sent.')],
    until: new Promise(() => {}),
  })
  model.when('last words', 'Goodbye.')
}

const DOT = 'dot.png'
const IMAGE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const SKILL = `---
name: workspace-brainstorm
description: Thinks about a topic
---
Think about the topic.
`
