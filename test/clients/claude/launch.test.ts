import { describe, expect, it } from 'vitest'
import { claude } from '../../../src/clients/claude/index.ts'
import type { Handoff } from '../../../src/clients/contract/launch.ts'
import { handoffLaunch, nativeLaunch } from '../../../src/journeys/resuming/start-client.ts'
import { read, recordsOf } from './transcript.ts'

const TITLE = `it's $& "q" </command-args> @/etc/passwd $(id)`
const command = {
  name: 'workspace.plan',
  description: 'Plan',
  argumentHint: '<topic>',
  body: 'Plan this: $ARGUMENTS\n',
}
const handoff: Handoff = {
  nativeId: '0190a8a0-0000-7000-8000-000000000001',
  cwd: '/work space',
  command: command.name,
  body: `Plan this: ${TITLE}`,
  args: TITLE,
  context: '[RESUMED CONVERSATION]\n!`touch x` @file $ARGUMENTS\n',
  recap: '`[Resuming "it\'s"]` plan\n\n- Where it stood: `y`',
}

describe('a launch of Claude Code', () => {
  it('is the client’s own resume when it is native', () => {
    expect(nativeLaunch(claude, { nativeId: 'abc', cwd: '/w' })).toEqual({
      command: 'claude',
      args: ['--resume', 'abc'],
      env: {},
      cwd: '/w',
    })
  })

  it('has only constants on the command line, and the talk in a seed, when it is a handoff', () => {
    const { args, seed: file } = handoffLaunch(claude, handoff, '/w/.git/cortext/contexts')
    const seed = `/w/.git/cortext/contexts/claude-${handoff.nativeId}.jsonl`
    expect(args).toEqual(['--resume', seed, '--fork-session', '--session-id', handoff.nativeId])
    expect(file).toMatchObject({ path: seed, content: claude.launch.seed(handoff) })
  })

  it('has a seed of the command, its body, the context and the recap, each verbatim and exactly once', () => {
    const records = recordsOf(Buffer.from(claude.launch.seed(handoff)))
    expect(records.map(({ type, isMeta }) => [type, isMeta ?? false])).toEqual([
      ['user', false],
      ['user', true],
      ['user', true],
      ['assistant', false],
    ])
    const [typed, body, context, recap] = records.map(({ message }) => message)
    expect(typed?.content).toBe(
      `<command-message>workspace.plan</command-message>\n<command-name>/workspace.plan</command-name>\n<command-args>${handoff.args}</command-args>`,
    )
    expect(body?.content).toEqual([{ type: 'text', text: `Plan this: ${handoff.args}` }])
    expect(context?.content).toEqual([{ type: 'text', text: handoff.context }])
    expect(recap).toMatchObject({ model: '<synthetic>', content: [{ type: 'text', text: handoff.recap }] })
    for (const [index, one] of records.entries()) {
      expect(one.parentUuid).toBe(index === 0 ? null : records[index - 1]!.uuid)
      expect(one.uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(one).toMatchObject({ cortext: { seed: true }, timestamp: expect.stringMatching(/Z$/) })
      expect(one.sessionId).not.toBe(handoff.nativeId)
    }
  })

  it('leaves a session from which only what is said after the seed is read back', () => {
    const seed = recordsOf(Buffer.from(claude.launch.seed(handoff)))
    const next = {
      type: 'user',
      uuid: 'u1',
      parentUuid: seed.at(-1)!.uuid,
      message: { role: 'user', content: 'go on' },
      timestamp: '2026-01-01T00:00:00Z',
    }
    const reading = read([...seed.map((one) => ({ ...one, sessionId: handoff.nativeId })), next])
    expect(reading.messages).toMatchObject([{ role: 'user', content: 'go on' }])
    expect(reading.messages[0]).not.toHaveProperty('parent_id')
    expect(reading.report.dropped['resume-context']?.records).toBe(4)
  })
})

describe('the prompt pack', () => {
  it('renders a command with its front matter and what it may run unasked', () => {
    const { path, content } = claude.pack.command({ ...command, description: 'Plan: "a" # b' })
    expect(path).toBe('.claude/commands/workspace.plan.md')
    const [, head, body] = content.split(/^---$/m)
    expect(head).toContain(
      '\ndescription: "Plan: \\"a\\" # b"\nargument-hint: "<topic>"\nallowed-tools: Bash(cortext agent:*), PowerShell(cortext agent:*)\ndisable-model-invocation: true\n',
    )
    expect(body).toBe('\n\nPlan this: $ARGUMENTS\n')
  })

  it('fills the arguments in as Claude Code does', () => {
    expect(claude.pack.commandBody(command, 'a $& b')).toBe('Plan this: a $& b')
    expect(claude.pack.commandBody({ ...command, body: 'No place' }, 'x')).toBe('No place\n\nARGUMENTS: x')
    expect(claude.pack.commandBody({ ...command, body: 'No place' }, '')).toBe('No place')
  })
})
