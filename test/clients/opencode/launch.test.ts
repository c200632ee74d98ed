import { describe, expect, it } from 'vitest'
import { parseOpenCodeEvent } from '../../../src/clients/opencode/events.ts'
import { opencode } from '../../../src/clients/opencode/index.ts'

const command = {
  name: 'workspace.plan',
  description: 'a "plan"',
  argumentHint: '',
  body: '\nDo $ARGUMENTS.\n',
}

describe('OpenCode is started', () => {
  it('with constants only on the command line (E-4)', () => {
    const title = '$(touch x) `y` "z"'
    const spec = opencode.launch({
      mode: 'handoff',
      nativeId: 'id',
      cwd: '/p',
      command,
      args: title,
      context: `BLOCK ${title}`,
      recap: '[R]',
      folder: '/c',
    })
    expect(spec).toMatchObject({ command: 'opencode', args: ['--prompt', '/workspace.plan '], cwd: '/p' })
    expect(spec.env.CORTEXT_RESUME).toBe(spec.files[0]!.path)
    expect(JSON.parse(spec.files[0]!.content)).toEqual({
      id: 'id',
      command: 'workspace.plan',
      body: `Do ${title}.`,
      context: `BLOCK ${title}`,
      recap: '[R]',
    })
    expect(opencode.launch({ mode: 'native', nativeId: 'ses_1', cwd: '/p' }).args).toEqual([
      '--session',
      'ses_1',
    ])
  })
})

describe('what OpenCode loads', () => {
  it('is a command in its folder, whatever is in the description', () => {
    expect(opencode.renderCommand(command)).toEqual({
      path: '.opencode/commands/workspace.plan.md',
      content: '---\ndescription: "a \\"plan\\""\n---\n\nDo $ARGUMENTS.\n',
    })
    expect(opencode.commandBody({ ...command, body: 'Do.' }, 'x')).toBe('Do.\n\nx')
  })
})

describe('where OpenCode keeps things', () => {
  const place = (env: Record<string, string>) => {
    return { cwd: '/p', home: '/h', env, now: () => new Date(), interactive: false }
  }

  it('has our transcripts in the data folder, and no path that climbs', () => {
    expect(opencode.transcriptPath(place({}), '/p', 'ses_1')).toBe(
      '/h/.local/share/cortext/opencode/ses_1.jsonl',
    )
    expect(() => opencode.transcriptPath(place({}), '/p', '../x')).toThrow('not an OpenCode session id')
  })

  it('knows its session by the variable of the plugin, in a shell of OpenCode only', () => {
    expect(opencode.insideOf({ OPENCODE: '1', CORTEXT_OPENCODE_SESSION: 'ses_1' })).toBe('ses_1')
    expect(opencode.insideOf({ CORTEXT_OPENCODE_SESSION: 'ses_1' })).toBeUndefined()
  })

  it('has no sessions where it never ran', () => {
    expect(opencode.locate(place({}), '/p')).toEqual([])
  })
})

describe('what the plugin tells the hook', () => {
  it('is an event; anything else is none', () => {
    const told = { event: 'command', session: 's', transcript: 't', directory: 'd', command: 'c', args: 'a' }
    expect(parseOpenCodeEvent(told)).toEqual({
      kind: 'command',
      nativeId: 's',
      transcript: 't',
      cwd: 'd',
      command: 'c',
      args: 'a',
    })
    for (const odd of [null, 1, 'x', [], {}, { event: 1 }])
      expect(parseOpenCodeEvent(odd)).toEqual({ kind: 'other', nativeId: '', transcript: '', cwd: '' })
  })
})
