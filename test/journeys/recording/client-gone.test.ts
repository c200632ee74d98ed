import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { type Lab, shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'

interface Listed {
  conversations: { id: string; status: string; auto: boolean; message_count: number }[]
}

/** A client whose process is gone after each of its hooks: as one that is killed behind the last of them. */
function killed(lab: Lab): ClaudeSession {
  const wrap = ['sh', '-c', '"$@"; exit $?', 'sh']
  return new ClaudeSession({ ...lab, cortext: (args, options) => lab.cortext(args, { ...options, wrap }) })
}

describe('a client that was killed', () => {
  test('E-22 S1-005c: has its conversation saved as paused by the next verb, with what was written last, and reported once', async () => {
    const lab = await workspaceLab()
    const claude = killed(lab)
    await claude.command('workspace.brainstorm', 'API')
    await claude.turn('one')
    claude.say('two')
    const { stderr, stdout } = await lab.cortext(['list', '--all', '--json'])
    expect(stderr).toMatch(/^Saved and paused, because its client is gone: .*001-brainstorm-api\n$/)
    expect((JSON.parse(stdout) as Listed).conversations).toMatchObject([{ status: 'paused', auto: false }])
    expect(talk(await shown(lab, '001')).slice(-2)).toEqual(['user: two', 'assistant: answer to two'])
    expect((await lab.cortext(['list', '--all'])).stderr).toBe('')
  })

  test('E-22: while its last hook ran, which the system then gave to another process, is gone all the same', async () => {
    const lab = await workspaceLab()
    const claude = killed(lab)
    await claude.command('workspace.brainstorm', 'API')
    claude.say('one')
    // Init is older than any client.
    await claude.hook('Stop', { stop_hook_active: false }, 1)
    const { stdout } = await lab.cortext(['list', '--all', '--json'])
    expect((JSON.parse(stdout) as Listed).conversations).toMatchObject([{ status: 'paused' }])
  })

  test('E-22: and turns out to be alive is still recorded, each word once', async () => {
    const lab = await workspaceLab()
    const claude = killed(lab)
    await claude.command('workspace.brainstorm', 'API')
    await claude.turn('one')
    await claude.hook('UserPromptSubmit', { prompt: 'two' })
    claude.user('two')
    await lab.cortext(['list'])
    claude.assistant([{ type: 'text', text: 'answer to two' }])
    await claude.hook('Stop', { stop_hook_active: false })
    await claude.turn('three')
    const said = talk(await shown(lab, '001'))
    for (const one of ['one', 'two', 'three'])
      expect(said.filter((line) => line.endsWith(` ${one}`))).toEqual([
        `user: ${one}`,
        `assistant: answer to ${one}`,
      ])
  })

  test('E-17: is not confused with a running client, whose session is not opened a second time', async () => {
    const lab = await workspaceLab()
    const claude = new ClaudeSession(lab)
    await claude.command('workspace.brainstorm', 'API')
    await claude.turn('one')
    const { conversations } = await lab.json<Listed>(['list', '--all', '--json'])
    expect(conversations).toMatchObject([{ status: 'active' }])
    const plan = await lab.json<{ mode: string; why: string }>(['resume', '001', '--dry-run', '--json'])
    expect(plan).toMatchObject({ mode: 'handoff', why: 'its session is open in another terminal' })
  })

  test('X-33: that is in fact still writing is reported with the first turn of a resume elsewhere, once', async () => {
    const lab = await workspaceLab()
    const first = new ClaudeSession(lab)
    await first.command('workspace.brainstorm', 'API')
    await first.turn('one')
    const second = new ClaudeSession(lab)
    await lab.cortext(['agent', 'resume', '001'], { env: second.env })
    const told = [
      await second.hook('UserPromptSubmit', { prompt: 'hi' }),
      await second.hook('UserPromptSubmit'),
    ]
    expect(told.map(({ stdout }) => stdout)).toEqual([
      expect.stringMatching(/Also open in Claude Code \(last write .*\); both sessions are recorded whole/),
      '',
    ])
  })
})

test('S1-003k S0-D5l: a context that is too long for one shell output comes in parts, which together are all of it', async () => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  const long = Array.from(
    { length: 900 },
    (_, n) => `Line ${n} of what was said, word for word, once upon a time.`,
  )
  await claude.command('workspace.brainstorm', 'API')
  await claude.turn('one', long.join('\n'))
  await lab.cortext(['stop', '001'])
  const current = { env: new ClaudeSession(lab).env }
  const first = (await lab.cortext(['agent', 'resume', '001'], current)).stdout
  expect(Buffer.byteLength(first)).toBeLessThan(30_000)
  const calls = first.match(/cortext agent resume --part \d/g) ?? []
  expect(calls.length).toBeGreaterThan(0)
  const rest = await Promise.all(calls.map((call) => lab.cortext(call.split(' ').slice(1), current)))
  const all = [first, ...rest.map(({ stdout }) => stdout)].join('\n')
  expect(long.filter((line) => all.split(` ${line}\n`).length !== 2)).toEqual([])
  const none = await lab.cortext(['agent', 'resume', '--part', '9'], current)
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('there is no part 9')])
  expect((await lab.cortext(['agent', 'resume', '--whole', '001'], current)).stdout).toContain(
    long.map((line) => ` ${line}`).join('\n'),
  )
})

test('E-22: the next list saves what the process behind the last hook could not save, because it was killed too', async () => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'API')
  await claude.turn('one')
  // The hook ends the binding. Then it can start nothing more.
  await lab.cortext(['hook', 'claude'], {
    input: JSON.stringify({
      hook_event_name: 'SessionEnd',
      session_id: claude.id,
      transcript_path: claude.transcript,
      cwd: lab.root,
    }),
    env: {
      ...claude.env,
      NODE_OPTIONS: `--require ${join(import.meta.dirname, '../../helpers/starts-nothing.cjs')}`,
    },
  })
  const { conversations } = await lab.json<Listed>(['list', '--all', '--json'])
  expect(conversations).toMatchObject([{ status: 'paused', message_count: 4 }])
  expect(talk(await shown(lab, '001')).slice(2)).toEqual(['user: one', 'assistant: answer to one'])
  // Nobody asked for a save, so git sees the document alone.
  expect(lab.git('status', '--porcelain', '-uall', 'conversations')).toMatch(/^\?\? \S+\/brainstorm\.md\n$/)
})
