import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { filesBelow, type Lab, recordLines, shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'

test('a transcript that is cut short adds nothing from before the conversation, and loses nothing', async () => {
  const { lab, claude, path } = await afterPrivateTalk()
  const lines = linesOf(claude)
  writeFileSync(claude.transcript, lines.slice(0, -2).join(''))
  const cut = ClaudeSession.inLab(lab)
  await cut.turn('three')
  await inRecord(lab, path, ['one', 'two', 'three'])
})

test('a transcript that is cut short twice loses nothing', async () => {
  const { lab, claude, path } = await afterPrivateTalk()
  for (const prompt of ['three', 'four']) {
    writeFileSync(claude.transcript, linesOf(claude).slice(0, -2).join(''))
    await ClaudeSession.inLab(lab).turn(prompt)
  }
  await inRecord(lab, path, ['one', 'two', 'three', 'four'])
})

test('a transcript that is rewritten with the same records, and then continues, loses nothing', async () => {
  const { lab, claude, path } = await afterPrivateTalk()
  const [first = '', ...others] = linesOf(claude)
  const title = `${JSON.stringify({ type: 'summary', summary: 'S', leafUuid: randomUUID() })}\n`
  writeFileSync(claude.transcript, [title, first, ...others].join(''))
  await claude.turn('three')
  await inRecord(lab, path, ['one', 'two', 'three'])
})

test('messages of a transcript that begins again from the start come after the earlier messages', async () => {
  const { lab, claude, path } = await afterPrivateTalk()
  claude.rewrite()
  await claude.turn('three')
  await claude.turn('four')
  await inRecord(lab, path, ['one', 'two', 'three', 'four'])
})

test('the order stays when a transcript begins again twice, and in a session that was left and opened again', async () => {
  const { lab, claude, path } = await afterPrivateTalk()
  claude.rewrite()
  await claude.turn('three')
  await claude.hook('SessionEnd', { reason: 'prompt_input_exit' })
  await claude.hook('SessionStart', { source: 'resume' })
  await claude.turn('four')
  claude.rewrite()
  await claude.turn('five')
  await inRecord(lab, path, ['one', 'two', 'three', 'four', 'five'])
})

test('of a transcript that is cut short, pictures from before the conversation stay out of it', async () => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  const image = (data: string) => ({
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: Buffer.from(data).toString('base64') },
  })
  claude.user([image('private'), { type: 'text', text: 'look' }])
  claude.assistant([{ type: 'text', text: 'I see.' }])
  await claude.command('workspace.plan', 'Ship')
  claude.user([image('said'), { type: 'text', text: 'and this' }])
  await claude.turn('one')
  await claude.turn('two')
  writeFileSync(claude.transcript, linesOf(claude).slice(0, -2).join(''))
  await ClaudeSession.inLab(lab).turn('three')
  const { path } = await lab.json<{ path: string }>(['stop', '1', '--json'])
  const attachments = Object.values(filesBelow(join(lab.root, path, '.session/attachments')))
  expect(attachments).not.toContain('private')
})

test('talk in a transcript that begins again after its session had ended is found without a hook', async () => {
  const { lab, claude, path } = await afterPrivateTalk()
  await claude.hook('SessionEnd', { reason: 'prompt_input_exit' })
  claude.rewrite()
  await lab.cortext(['save', '001'])
  claude.say('three')
  await inRecord(lab, path, ['one', 'two', 'three'])
})

function linesOf({ transcript }: ClaudeSession): string[] {
  return readFileSync(transcript, 'utf8')
    .split(/(?<=\n)/)
    .filter((line) => line !== '')
}

async function afterPrivateTalk(): Promise<{ lab: Lab; claude: ClaudeSession; path: string }> {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  await claude.turn('nobody shall know')
  await claude.command('workspace.brainstorm', 'API')
  await claude.turn('one')
  await claude.turn('two')
  const { path } = await lab.json<{ path: string }>(['save', '001', '--json'])
  return { lab, claude, path }
}

async function inRecord(lab: Lab, path: string, prompts: string[]): Promise<void> {
  await lab.cortext(['save', '001'])
  await lab.cortext(['stop', '001'])
  const wanted = prompts.flatMap((one) => [`user: ${one}`, `assistant: answer to ${one}`])
  expect(talk(await shown(lab, '001')).slice(2)).toEqual(wanted)
  const ids = recordLines(lab, path).map((line) => JSON.parse(line).id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const [file, text] of Object.entries(filesBelow(lab.root)))
    if (!file.startsWith('.git/cortext/')) expect(text, file).not.toContain('nobody shall know')
}

describe('after another conversation of the session is deleted, its words and private talk stay out of one', () => {
  test('whose transcript was rewritten before', async () => {
    const { lab, claude, path } = await twoAfterPrivateTalk()
    const cut = await afterCut(lab, claude, 'three')
    await lab.json(['save', '2', '--json'])
    const before = recordLines(lab, path)
    await lab.cortext(['delete', '1', '--yes'])
    await cut.turn('four')
    await onlyBeta(lab, ['one', 'two', 'three', 'four'])
    const after = recordLines(lab, path)
    expect(after.slice(0, before.length)).toEqual(before)
    expect(after.slice(before.length).map((line) => JSON.parse(line).event)).not.toContain('started')
    for (const [file, text] of Object.entries(filesBelow(lab.root)))
      for (const word of ['nobody shall know', 'only in Alpha']) expect(text, file).not.toContain(word)
  })

  test('whose transcript is rewritten afterwards, twice', async () => {
    const { lab, claude } = await twoAfterPrivateTalk()
    await lab.cortext(['delete', '1', '--yes'])
    await afterCut(lab, claude, 'three')
    await lab.json(['save', '2', '--json'])
    await afterCut(lab, claude, 'four')
    await onlyBeta(lab, ['one', 'two', 'three', 'four'])
  })

  test('also if a third one has it from an import', async () => {
    const { lab, claude, path } = await twoAfterPrivateTalk()
    const cut = await afterCut(lab, claude, 'three')
    const other = await lab.json<{ path: string }>(['start', 'plan', 'Other', '--json'])
    await lab.json(['import', 'claude', claude.id, '--into', other.path, '--json'])
    const imported = recordLines(lab, other.path)
    await lab.cortext(['delete', '1', '--yes'])
    await cut.turn('four')
    await onlyBeta(lab, ['one', 'two', 'three', 'four'])
    expect(recordLines(lab, path).join()).not.toContain('nobody shall know')
    // So the whole of it is read again.
    rmSync(join(lab.root, '.git/cortext/published'), { recursive: true })
    await lab.json(['save', other.path, '--json'])
    expect(recordLines(lab, other.path)).toEqual(imported)
  })

  test('and the order of its messages stays, also where their numbers get another digit', async () => {
    const { lab, claude } = await twoAfterPrivateTalk()
    for (let n = 0; n < 20; n += 1) claude.say(`more of Beta ${n}`)
    await claude.turn('last')
    const cut = await afterCut(lab, claude, 'three')
    await cut.command('workspace.resume', '1', () => lab.cortext(['agent', 'resume', '1'], { env: cut.env }))
    const again = Array.from({ length: 30 }, (_, n) => `again in Alpha ${n}`)
    for (const prompt of again) cut.say(prompt)
    await lab.json(['save', '1', '--json'])
    await lab.cortext(['delete', '2', '--yes'])
    await cut.turn('more of Alpha')
    await lab.json(['stop', '1', '--json'])
    const said = talk(await shown(lab, '1')).filter((line) => /^user: (?!\/)/.test(line))
    expect(said).toEqual(['only in Alpha', ...again, 'more of Alpha'].map((one) => `user: ${one}`))
  })
})

test('the whole of a session can be imported after one of its conversations was deleted', async () => {
  const { lab, claude } = await twoAfterPrivateTalk()
  await lab.cortext(['delete', '1', '--yes'])
  const other = await lab.json<{ path: string }>(['start', 'plan', 'Other', '--json'])
  await lab.json(['import', 'claude', claude.id, '--into', other.path, '--json'])
  expect(talk(await shown(lab, other.path)).join()).toMatch(/nobody shall know.*only in Alpha/)
})

test('a stop after a rewrite takes no talk from before the rewrite into a new conversation', async () => {
  const { lab, claude, path } = await afterPrivateTalk()
  await lab.cortext(['stop', '001'])
  claude.rewrite()
  await lab.cortext(['agent', 'stop'], { env: claude.env })
  const { conversations } = await lab.json<{ conversations: { path: string }[] }>(['list', '--all', '--json'])
  for (const one of conversations)
    expect(recordLines(lab, one.path).join()).not.toContain('nobody shall know')
  expect(conversations.map((one) => one.path)).toEqual([path])
})

async function twoAfterPrivateTalk(): Promise<{ lab: Lab; claude: ClaudeSession; path: string }> {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  await claude.turn('nobody shall know')
  await claude.command('workspace.plan', 'Alpha')
  await claude.turn('only in Alpha')
  await claude.command('workspace.plan', 'Beta')
  await claude.turn('one')
  await claude.turn('two')
  const { path } = await lab.json<{ path: string }>(['save', '2', '--json'])
  return { lab, claude, path }
}

/** The session after its last turn was cut off, and with a new turn. */
async function afterCut(lab: Lab, claude: ClaudeSession, prompt: string): Promise<ClaudeSession> {
  writeFileSync(claude.transcript, linesOf(claude).slice(0, -2).join(''))
  const cut = ClaudeSession.inLab(lab)
  await cut.turn(prompt)
  return cut
}

async function onlyBeta(lab: Lab, prompts: string[]): Promise<void> {
  await lab.cortext(['save', '2'])
  await lab.cortext(['stop', '2'])
  expect(talk(await shown(lab, '2')).slice(2)).toEqual(
    prompts.flatMap((one) => [`user: ${one}`, `assistant: answer to ${one}`]),
  )
}

test.each(['the conversation', 'another one'])(
  'what came before a conversation can be imported into %s after a rewrite, once',
  async (where) => {
    const { lab, claude, path } = await afterPrivateTalk()
    writeFileSync(claude.transcript, linesOf(claude).slice(0, -2).join(''))
    await ClaudeSession.inLab(lab).turn('three')
    await lab.cortext(['save', '001'])
    const other = await lab.json<{ path: string }>(['start', 'plan', 'Other', '--json'])
    const into = where === 'the conversation' ? path : other.path
    const run = () =>
      lab.json<{ imported: { appended: number }[] }>([
        'import',
        'claude',
        claude.id,
        '--into',
        into,
        '--json',
      ])
    await run()
    const [again] = (await run()).imported
    expect(again?.appended).toBe(0)
    const saidIn = async (one: string) => talk(await shown(lab, one))
    const before = ['user: nobody shall know', 'assistant: answer to nobody shall know']
    expect((await saidIn(into)).slice(0, 2)).toEqual(before)
    const messages = recordLines(lab, into).map((line) => JSON.parse(line))
    const ids = messages.flatMap(({ id, event }) => (event === undefined ? [id] : []))
    expect(new Set(ids).size).toBe(ids.length)
    if (into !== path) expect((await saidIn(path)).join()).not.toContain('nobody shall know')
    expect((await saidIn(path)).slice(-6)).toEqual(
      ['one', 'two', 'three'].flatMap((one) => [`user: ${one}`, `assistant: answer to ${one}`]),
    )
  },
)
