import { basename, join } from 'node:path'
import { it } from 'vitest'
import { opencode } from '../../src/clients/opencode/index.ts'
import { filesBelow } from '../clients/fixtures.ts'
import { versionsOf } from '../e2e/install.ts'
import { type OpenCodeWorkspaceLab, openWorkspaceLab } from '../e2e/opencode-workspace.ts'
import { text, thinking, tool } from '../e2e/reply.ts'
import { promptAgain } from '../e2e/take-back.ts'
import { keep } from './keep.ts'

it.each(versionsOf('opencode'))('OpenCode %s', async (version) => {
  await using lab = await openWorkspaceLab({ version })
  await talk(lab)
  // The plugin writes it.
  const store = join(lab.home, '.local', 'share', 'cortext', 'opencode')
  const transcript = join(store, filesBelow(store)[0]!)
  keep({ client: opencode, version, lab, transcript, nativeId: basename(transcript, '.jsonl') })
})

async function talk(lab: OpenCodeWorkspaceLab): Promise<void> {
  script(lab)
  const terminal = await lab.interactive()
  const idle = () => terminal.waitFor((screen) => !/esc( again to)? interrupt/.test(screen))
  const say = async (typed: string, answer: string) => {
    await terminal.submit(typed)
    await terminal.waitFor(answer)
    await idle()
  }
  await say('/workspace.brainstorm API design', 'Let us begin.')
  await say('read the note', 'It says THE NOTE.')
  await say('two at once', 'Both done.')
  await say('one that fails', 'It failed.')
  await say('send an agent', 'The agent is back.')
  await say('to be taken back', 'Not for long.')
  await terminal.submit('/undo')
  await promptAgain(terminal, ['Not for long.'])
  await say('said instead', 'Better.')
  await terminal.submit('/compact')
  await terminal.waitFor('A scripted summary.')
  await idle()
  await terminal.submit('never answered')
  await terminal.waitFor('Half an answer.')
  terminal.press('Escape')
  await terminal.waitFor('again to interrupt')
  terminal.press('Escape')
  await terminal.waitFor('· interrupted')
  await say('last words', 'Goodbye.')
  await lab.leave(terminal)
}

function script({ model, project, put }: OpenCodeWorkspaceLab): void {
  put('note.txt', 'THE NOTE\n')
  const read = (name: string) => tool('read', { filePath: join(project, name) })
  const shell = tool('bash', { command: 'echo second', description: 'a scripted command' })
  const agent = { description: 'looks', prompt: 'look around', subagent_type: 'general' }
  model.when(/./, 'Let us begin.')
  model.when(
    'read the note',
    [thinking('It lies there.'), text('I read it.'), read('note.txt')],
    'It says THE NOTE.',
  )
  model.when('two at once', [read('note.txt'), shell], 'Both done.')
  model.when('one that fails', read('missing.txt'), 'It failed.')
  model.when('send an agent', tool('task', agent), 'The agent is back.')
  model.when(/^look around$/, 'I looked around.')
  model.when('to be taken back', 'Not for long.')
  model.when('said instead', 'Better.')
  model.when('never answered', { blocks: [text('Half an answer.')], until: new Promise(() => {}) })
  model.when('last words', 'Goodbye.')
}
