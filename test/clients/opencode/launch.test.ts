import { describe, expect, it } from 'vitest'
import { opencodeHooks } from '../../../src/clients/opencode/hook-events.ts'
import { opencode } from '../../../src/clients/opencode/index.ts'
import { handoffLaunch, nativeLaunch } from '../../../src/journeys/resuming/start-client.ts'
import { read } from './transcript.ts'

const command = {
  name: 'workspace.plan',
  description: 'a "plan"',
  argumentHint: '',
  body: '\nDo $ARGUMENTS.\n',
}

const title = '$(touch x) `y` "z"'
const handoff = {
  nativeId: 'ses_0123456789abcdefghijABCD',
  cwd: '/p',
  command: command.name,
  body: `Do ${title}.`,
  args: title,
  context: `BLOCK ${title}`,
  recap: '`[Resuming "y"]` plan\n\n- Where it stood: `x`',
}

describe('a launch of OpenCode', () => {
  it('has only constants on the command line, in both modes (E-4)', () => {
    const { args, seed, cwd } = handoffLaunch(opencode, handoff, '/c')
    expect({ args, cwd }).toEqual({ args: ['--session', handoff.nativeId], cwd: '/p' })
    expect(seed!.path).toBe(`/c/opencode-${handoff.nativeId}.json`)
    const native = nativeLaunch(opencode, { nativeId: 'ses_1', cwd: '/p' })
    expect(native.args).toEqual(['--session', 'ses_1'])
  })

  it('has a seed: the command is shown, its body, block and history are sent, and the recap comes last', () => {
    const { info, messages } = JSON.parse(opencode.launch.seed(handoff))
    expect(info).toMatchObject({ id: handoff.nativeId, title, metadata: { cortext: { seed: true } } })
    const parts = messages.flatMap((message: { parts: object[] }) => message.parts)
    expect(parts).toMatchObject([
      { text: `/workspace.plan ${title}`, ignored: true },
      { text: `Do ${title}.`, synthetic: true },
      { text: `BLOCK ${title}`, synthetic: true },
      { text: handoff.recap },
    ])
    expect(messages.map(({ info }: { info: { role: string } }) => info.role)).toEqual(['user', 'assistant'])
    expect(new Set(parts.map(({ id }: { id: string }) => id)).size).toBe(4)
  })

  it('has a seed that is not part of what was said', () => {
    const { info, messages } = JSON.parse(opencode.launch.seed(handoff))
    const records = messages.map((one: { info: { id: string } }) => ({
      type: 'message',
      id: one.info.id,
      ...one,
    }))
    const reading = read([{ type: 'session', id: info.id, info, mcp: [] }, ...records])
    expect(reading.messages).toEqual([])
    expect(reading.report.dropped['resume-context']?.records).toBe(2)
  })

  it('has an id in its own form, later ones before earlier ones, never twice', () => {
    const [early, again, late] = [1000, 1000, 2000].map((ms) => opencode.launch.newSessionId!(new Date(ms)))
    for (const id of [early, again, late]) expect(id).toMatch(/^ses_[0-9a-f]{12}[0-9A-Za-z]{14}$/)
    expect(early).not.toBe(again)
    expect(late! < early!).toBe(true)
  })
})

describe('what OpenCode loads', () => {
  it('is a command in its folder, whatever is in the description', () => {
    expect(opencode.pack.command(command)).toEqual({
      path: '.opencode/commands/workspace.plan.md',
      content: '---\ndescription: "a \\"plan\\""\n---\n\nDo $ARGUMENTS.\n',
    })
    expect(opencode.pack.commandBody({ ...command, body: 'Do.' }, 'x')).toBe('Do.\n\nx')
  })
})

describe('where OpenCode keeps things', () => {
  const environment = (env: Record<string, string>) => {
    return { cwd: '/p', home: '/h', env, now: () => new Date(), interactive: false }
  }

  // promise: its plugin writes such
  it('has our transcripts in the data folder, and no path that leaves it', () => {
    expect(opencode.sessions.transcriptPath(environment({}), '/p', 'ses_1')).toBe(
      '/h/.local/share/cortext/opencode/ses_1.jsonl',
    )
    expect(() => opencode.sessions.transcriptPath(environment({}), '/p', '../x')).toThrow(
      'not an OpenCode session id',
    )
  })

  it('names its session by the variable of the plugin, in a shell of OpenCode only', () => {
    expect(opencode.sessions.currentSession!({ OPENCODE: '1', CORTEXT_OPENCODE_SESSION: 'ses_1' })).toBe(
      'ses_1',
    )
    expect(opencode.sessions.currentSession!({ CORTEXT_OPENCODE_SESSION: 'ses_1' })).toBeUndefined()
  })

  it('has no sessions where it never ran', () => {
    expect(opencode.sessions.locate(environment({}), '/p')).toEqual([])
  })
})

describe('what the plugin gives the hook', () => {
  it('is an event; anything else is none', () => {
    const told = { event: 'command', session: 's', transcript: 't', directory: 'd', command: 'c', args: 'a' }
    expect(opencodeHooks.parse(told, {})).toEqual({
      kind: 'command',
      nativeId: 's',
      transcript: 't',
      cwd: 'd',
      command: 'c',
      args: 'a',
    })
    for (const odd of [null, 1, 'x', [], {}, { event: 1 }])
      expect(opencodeHooks.parse(odd, {})).toEqual({ kind: 'other', nativeId: '', transcript: '', cwd: '' })
  })
})
