import { it } from 'vitest'
import { qwen } from '../../src/clients/qwen/index.ts'
import { versionsOf } from '../e2e/install.ts'
import { openWorkspaceLab, type QwenWorkspaceLab, qwenShell } from '../e2e/qwen.ts'
import { text, thinking, tool } from '../e2e/reply.ts'
import { promptAgain } from '../e2e/take-back.ts'
import { keep } from './keep.ts'

it.each(versionsOf('qwen'))('Qwen Code %s', async (version) => {
  await using lab = await openWorkspaceLab({ version })
  await talk(lab)
  const [transcript] = lab.transcripts()
  const nativeId = /([^/]+)\.jsonl$/.exec(transcript!)![1]!
  keep({ client: qwen, version, lab, transcript: transcript!, nativeId })
})

async function talk(lab: QwenWorkspaceLab): Promise<void> {
  script(lab)
  const terminal = await lab.interactive()
  const say = async (typed: string, answer: Parameters<typeof terminal.waitFor>[0]) => {
    await terminal.submit(typed, { after: 500 })
    await terminal.waitFor(answer, { timeout: 20_000 })
    await pause(600)
  }
  await say('/workspace.brainstorm API design', 'Let us begin.')
  await say('read the note', 'It says THE NOTE.')
  await say('two at once', 'Both done.')
  await say('one that fails', 'It failed.')
  await say('send an agent', 'The agent is back.')
  await say('see @note.txt please', 'Seen.')
  await say('to be taken back', 'Not for long.')
  terminal.press('Escape')
  await pause(200)
  terminal.press('Escape')
  // The menu opens at the last prompt.
  await terminal.waitFor('› #7 to be taken back')
  terminal.press('Enter')
  await terminal.waitFor('› Restore conversation only')
  terminal.press('Enter')
  await promptAgain(terminal, ['Not for long.', 'Restore'])
  await say('said instead', 'Better.')
  await say('/compress', 'history compressed')
  await say('after compaction', 'Going on.')
  await say('never answered', 'Half an answer.')
  terminal.press('Escape')
  await terminal.waitFor('Request cancelled')
  terminal.press('C-u')
  await say('last words', 'Goodbye.')
  await lab.leave(terminal)
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function script({ model, put, project }: QwenWorkspaceLab): void {
  put('note.txt', 'THE NOTE\n')
  const read = (name: string) => tool('read_file', { file_path: `${project}/${name}` })
  model.when(/^\[\/workspace/, 'Let us begin.')
  model.when(
    'read the note',
    [thinking('It lies there.'), text('I read it.'), read('note.txt')],
    'It says THE NOTE.',
  )
  model.when('two at once', [read('note.txt'), qwenShell('echo second')], 'Both done.')
  model.when('one that fails', read('missing.txt'), 'It failed.')
  const agent = { description: 'look', prompt: 'look around', subagent_type: 'general-purpose' }
  model.when('send an agent', tool('agent', { ...agent, run_in_background: false }), 'The agent is back.')
  model.when('look around', read('note.txt'), 'I looked around.')
  model.when('see @note.txt please', 'Seen.')
  model.when('to be taken back', 'Not for long.')
  model.when('said instead', 'Better.')
  model.when('after compaction', 'Going on.')
  model.when(/state_snapshot/, '<state_snapshot>A scripted summary.</state_snapshot>')
  model.when('never answered', { blocks: [text('Half an answer.')], until: new Promise(() => {}) })
  model.when('last words', 'Goodbye.')
}
