import { it } from 'vitest'
import { gemini } from '../../src/clients/gemini/index.ts'
import { recordsOf } from '../e2e/gemini.ts'
import {
  type GeminiWorkspaceLab,
  leave,
  openGeminiWorkspaceLab,
  say,
  shell,
} from '../e2e/gemini-workspace.ts'
import { versionsOf } from '../e2e/install.ts'
import { text, thinking, tool } from '../e2e/reply.ts'
import { GEMINI_REWIND, rewindTurn } from '../e2e/take-back.ts'
import type { Terminal } from '../e2e/terminal.ts'
import { keep } from './keep.ts'

it.each(versionsOf('gemini'))('Gemini CLI %s', async (version) => {
  await using lab = await openGeminiWorkspaceLab({ version })
  await talk(lab)
  const transcript = lab.transcripts()[0]!
  keep({ client: gemini, version, lab, transcript, nativeId: recordsOf(transcript)[0].sessionId })
})

async function talk(lab: GeminiWorkspaceLab): Promise<void> {
  script(lab)
  const terminal = await lab.interactive()
  await say(terminal, '/workspace.brainstorm API design', 'Let us begin.')
  await say(terminal, 'read the note', 'It says THE NOTE.')
  await say(terminal, 'two at once', 'Both done.')
  await say(terminal, 'one that fails', 'It failed.')
  await say(terminal, 'send an agent', 'The agent is back.')
  await say(terminal, 'to be taken back', 'Not for long.')
  await rewind(terminal)
  await say(terminal, 'said instead', 'Better.')
  terminal.type('!')
  await terminal.waitFor('shell mode enabled')
  await say(terminal, 'echo shelled', /^. shelled/m)
  terminal.press('Escape')
  await terminal.waitFor('Type your message')
  await say(terminal, '/compress', 'Chat history compressed')
  await say(terminal, 'after compaction', 'Going on.')
  await say(terminal, 'never answered', 'Half an answer.')
  terminal.press('Escape')
  await terminal.waitFor('Request cancelled')
  await say(terminal, 'last words', 'Goodbye.')
  await leave(terminal)
}

async function rewind(terminal: Terminal): Promise<void> {
  await say(terminal, '/rewind', GEMINI_REWIND.now)
  await rewindTurn(terminal, GEMINI_REWIND, 'to be taken back', 'Not for long.')
  await terminal.waitFor('Type your message')
}

function script({ model, put }: GeminiWorkspaceLab): void {
  put('note.txt', 'THE NOTE\n')
  const read = (name: string) => tool('read_file', { file_path: name })
  const agent = { agent_name: 'generalist', prompt: 'look around' }
  model.when(/^\[\/workspace/, 'Let us begin.')
  model.when(
    'read the note',
    [thinking('It lies there.'), text('I read it.'), read('note.txt')],
    'It says THE NOTE.',
  )
  model.when('two at once', [read('note.txt'), shell('cortext list --json')], 'Both done.')
  model.when('one that fails', read('missing.txt'), 'It failed.')
  model.when('send an agent', tool('invoke_agent', agent), 'The agent is back.')
  model.when('look around', tool('complete_task', { result: { response: 'I looked around.' } }))
  model.when('to be taken back', 'Not for long.')
  model.when('said instead', 'Better.')
  model.when('after compaction', 'Going on.')
  model.when('never answered', {
    blocks: [text('Half an answer.'), text(' Never sent.')],
    until: new Promise(() => {}),
  })
  model.when('last words', 'Goodbye.')
}
