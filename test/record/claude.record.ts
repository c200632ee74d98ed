import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { it } from 'vitest'
import { claude } from '../../src/clients/claude/index.ts'
import { leaveByKeys } from '../e2e/claude.ts'
import { PINNED_CLAUDE } from '../e2e/install.ts'
import { bash, read, text, thinking, tool } from '../e2e/reply.ts'
import { CLAUDE_REWIND, rewindTurn } from '../e2e/take-back.ts'
import { openWorkspaceLab, type WorkspaceLab } from '../e2e/workspace-lab.ts'
import { keep } from './keep.ts'

it.each(PINNED_CLAUDE)('Claude Code %s', async (version) => {
  await using lab = await openWorkspaceLab({ version })
  await talk(lab)
  const transcript = lab.transcripts().at(-1)!
  keep({ client: claude, version, lab, transcript, nativeId: basename(transcript, '.jsonl') })
})

async function talk(lab: WorkspaceLab): Promise<void> {
  script(lab)
  const terminal = await lab.interactive([
    '/workspace.brainstorm API design',
    '--allowedTools=Bash,Read,Agent',
  ])
  const idle = () => terminal.waitFor((screen) => !screen.includes('esc to interrupt'))
  const say = async (typed: string, answer: string) => {
    await terminal.submit(typed)
    await terminal.waitFor(answer)
    await idle()
  }
  await terminal.waitFor('Go on.')
  await idle()
  await say('read the note', 'It says THE NOTE.')
  await say('two at once', 'Both done.')
  await say('one that fails', 'It failed.')
  await say('send an agent', 'The agent is back.')
  // 2.1.330 lets it work in the background; its end is a turn of its own.
  if (terminal.history().includes('Backgrounded')) await terminal.waitFor(/finished[\s\S]*● Go on\./)
  await idle()
  await say('to be taken back', 'Not for long.')
  await terminal.submit('/rewind')
  await rewindTurn(terminal, CLAUDE_REWIND, 'to be taken back', 'Not for long.')
  await say('said instead', 'Better.')
  await say('! echo shelled', 'I see.')
  await terminal.submit('/compact')
  await terminal.waitFor('Compacted')
  await idle()
  await terminal.submit('never answered')
  await terminal.waitFor('Half an answer.')
  terminal.press('Escape')
  await terminal.waitFor('Interrupted')
  await say('last words', 'Goodbye.')
  // What `/exit` writes is there now and then only.
  await leaveByKeys(terminal)
}

function script({ model, project }: WorkspaceLab): void {
  const note = join(project, 'note.txt')
  writeFileSync(note, 'THE NOTE\n')
  const agent = { description: 'looks', prompt: 'look around', subagent_type: 'general-purpose' }
  model.script(() => 'Go on.')
  model.when(
    'read the note',
    [thinking('It lies there.'), text('I read it.'), read(note)],
    'It says THE NOTE.',
  )
  model.when('two at once', [read(note), bash('sleep 0.5; echo second')], 'Both done.')
  model.when('one that fails', bash('echo broken >&2; exit 3'), 'It failed.')
  model.when('send an agent', tool('Agent', agent), 'The agent is back.')
  model.when('look around', 'I looked around.')
  model.when('to be taken back', 'Not for long.')
  model.when('said instead', 'Better.')
  model.when('shelled', 'I see.')
  model.when(/summary of (the|this) conversation|detailed summary/, '<summary>A scripted summary.</summary>')
  model.when('never answered', { blocks: [text('Half an answer.')], until: new Promise(() => {}) })
  model.when('last words', 'Goodbye.')
}
