import { basename, dirname, join } from 'node:path'
import { it } from 'vitest'
import { copilot } from '../../src/clients/copilot/index.ts'
import { type CopilotWorkspaceLab, interrupt, openWorkspaceLab, rewind, say } from '../e2e/copilot.ts'
import { versionsOf } from '../e2e/install.ts'
import { text, thinking, tool } from '../e2e/reply.ts'
import { keep } from './keep.ts'

it.each(versionsOf('copilot'))('Copilot CLI %s', async (version) => {
  await using lab = await openWorkspaceLab({ version })
  await talk(lab)
  const [transcript] = lab.transcripts()
  keep({ client: copilot, version, lab, transcript: transcript!, nativeId: basename(dirname(transcript!)) })
})

async function talk(lab: CopilotWorkspaceLab): Promise<void> {
  script(lab)
  const terminal = await lab.interactive(['--allow-all-tools'])
  await say(terminal, '/workspace.brainstorm API design', 'Let us begin.')
  await say(terminal, 'read the note', 'It says THE NOTE.')
  await say(terminal, 'two at once', 'Both done.')
  await say(terminal, 'one that fails', 'It failed.')
  await say(terminal, 'send an agent', 'The agent is back.')
  await say(terminal, '!echo by hand', 'by hand')
  await say(terminal, 'to be taken back', 'Not for long.')
  await rewind(terminal, 'to be taken back')
  await say(terminal, 'said instead', 'Better.')
  await say(terminal, '/compact', 'Compaction completed')
  await terminal.submit('never answered', { after: 400 })
  await terminal.waitFor('Half an answer.')
  await interrupt(terminal)
  await say(terminal, 'last words', 'Goodbye.')
  await lab.leave(terminal)
}

function script({ model, put, project }: CopilotWorkspaceLab): void {
  put('note.txt', 'THE NOTE\n')
  const view = (path: string) => tool('view', { path: join(project, path) })
  const shell = tool('bash', { command: 'echo second', description: 'a scripted command' })
  const agent = {
    agent_type: 'explore',
    description: 'look',
    prompt: 'look around',
    name: 'looker',
    mode: 'sync',
  }
  model.when(/./, 'Let us begin.')
  model.when(
    'read the note',
    [thinking('It lies there.'), text('I read it.'), view('note.txt')],
    'It says THE NOTE.',
  )
  model.when('two at once', [view('note.txt'), shell], 'Both done.')
  model.when('one that fails', view('missing.txt'), 'It failed.')
  model.when('send an agent', tool('task', agent), 'The agent is back.')
  model.when('look around', 'I looked around.')
  model.when('to be taken back', 'Not for long.')
  model.when('said instead', 'Better.')
  model.when(/respond only with the summary text/, 'A scripted summary.')
  model.when('never answered', { blocks: [text('Half an answer.')], until: new Promise(() => {}) })
  model.when('last words', 'Goodbye.')
}
