import { it } from 'vitest'
import { pi } from '../../src/clients/pi/index.ts'
import { versionsOf } from '../e2e/install.ts'
import { openWorkspaceLab, type PiWorkspaceLab } from '../e2e/pi.ts'
import { text, thinking, tool } from '../e2e/reply.ts'
import { keep } from './keep.ts'

it.each(versionsOf('pi'))('Pi %s', async (version) => {
  await using lab = await openWorkspaceLab({ version })
  await talk(lab)
  const [transcript] = lab.transcripts()
  const nativeId = /_([^_]+)\.jsonl$/.exec(transcript!)![1]!
  keep({ client: pi, version, lab, transcript: transcript!, nativeId })
})

async function talk(lab: PiWorkspaceLab): Promise<void> {
  script(lab)
  const terminal = await lab.interactive()
  const idle = () => terminal.waitFor((screen) => !/Working/.test(screen))
  const say = async (typed: string, answer: string) => {
    await terminal.submit(typed, { after: 300 })
    await terminal.waitFor(answer)
    await idle()
  }
  await say('/workspace.brainstorm API design', 'Let us begin.')
  await say('read the note', 'It says THE NOTE.')
  await say('two at once', 'Both done.')
  await say('one that fails', 'It failed.')
  await say('!echo by hand', 'by hand')
  await say('!!echo in private', 'in private')
  await say('to be taken back', 'Not for long.')
  // The list of the tree begins at the last entry; a prompt that is chosen there is taken back.
  await terminal.submit('/tree', { after: 500 })
  await terminal.waitFor('Not for long.')
  terminal.press('Up')
  terminal.press('Enter')
  await terminal.waitFor(/[Ss]ummar/)
  terminal.press('Enter')
  await terminal.waitFor((screen) => !screen.includes('Not for long.'))
  for (let n = 0; n < 'to be taken back'.length; n++) terminal.press('BSpace')
  await say('said instead', 'Better.')
  await terminal.submit('/compact', { after: 300 })
  await terminal.waitFor(/Compacted from/i)
  await idle()
  await terminal.submit('never answered', { after: 300 })
  await terminal.waitFor('Half an answer.')
  terminal.press('Escape')
  await terminal.waitFor(/[Aa]borted/)
  await say('last words', 'Goodbye.')
  await lab.leave(terminal)
}

function script({ model, put }: PiWorkspaceLab): void {
  put('note.txt', 'THE NOTE\n')
  const read = (path: string) => tool('read', { path })
  model.when(/./, 'Let us begin.')
  model.when(
    'read the note',
    [thinking('It lies there.'), text('I read it.'), read('note.txt')],
    'It says THE NOTE.',
  )
  model.when('two at once', [read('note.txt'), tool('bash', { command: 'echo second' })], 'Both done.')
  model.when('one that fails', read('missing.txt'), 'It failed.')
  model.when('to be taken back', 'Not for long.')
  model.when('said instead', 'Better.')
  model.when('never answered', { blocks: [text('Half an answer.')], until: new Promise(() => {}) })
  model.when('last words', 'Goodbye.')
}
