import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, delimiter, dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ClaudeSession } from '../helpers/claude-session.ts'
import { ejected, inPackage } from '../helpers/ejected.ts'
import { filesBelow, type Lab, shown, talk, workspaceLab } from '../helpers/workspace-lab.ts'

interface Listed {
  id: string
  path: string
  status: string
  auto: boolean
}

const list = async (lab: Lab, ...args: string[]) =>
  (await lab.json<{ conversations: Listed[] }>(['list', '--json', ...args])).conversations

/** A conversation whose last turn was so many minutes ago. */
async function quiet(minutes: number) {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.debug', 'Auth Token Expiry Issue')
  await claude.turn('where does it expire')
  const [one] = await list(lab, '--all')
  const then = new Date(Date.now() - minutes * 60_000)
  utimesSync(claude.transcript, then, then)
  const session = join(lab.root, one!.path, '.session/session.json')
  return { lab, claude, session, id: one!.id }
}

const config = (lab: Lab, value: object) =>
  writeFileSync(join(lab.root, '.workspace/config.json'), JSON.stringify({ visibility: 'shared', ...value }))

/** Programs on the PATH that only say how they were called. */
function fakeClient(lab: Lab, name: string): Record<string, string> {
  const bin = join(lab.home, 'bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, name), '#!/bin/sh\necho "ran: $0 $*"\nexit 7\n')
  chmodSync(join(bin, name), 0o755)
  return { PATH: [bin, lab.env.PATH].join(delimiter) }
}

describe('the status of a conversation', () => {
  test('S1-005c, S1-005d, S1-003v, X-19, X-34: is paused (auto) after more than five quiet minutes, saved, and reported', async () => {
    const { lab, session } = await quiet(6)
    const { conversations } = await lab.json<{ conversations: Listed[] }>(['resume', '--list', '--json'])
    expect(conversations[0]).toMatchObject({ status: 'paused', auto: true, message_count: 4 })
    // Saved on this machine: git sees nothing before a stop.
    expect(existsSync(session)).toBe(false)
  })

  test('S1-005c: is the same in the answer of edit as in the list', async () => {
    const { lab } = await quiet(6)
    await lab.cortext(['list'])
    const { stdout } = await lab.cortext(['edit', '001', '--tag', 'x'])
    expect(stdout).toMatch(/^Changed: ".*", paused \(auto\)\.\n$/)
  })

  test('S1-005d: is reported to the person in one line, once', async () => {
    const { lab } = await quiet(6)
    expect((await lab.cortext(['list'])).stderr).toMatch(
      /^Saved and paused, because nothing was said for a while: .*\n$/,
    )
    expect((await lab.cortext(['list'])).stderr).toBe('')
  })

  // promise: after so long without a turn a conversation counts as paused; 0: never
  test('X-19, S4-P5-12: changes after the minutes of a setting, 0 is off, and a short break changes nothing', async () => {
    const { lab, session } = await quiet(6)
    await lab.json(['save', '001', '--json'])
    const before = readFileSync(session, 'utf8')
    for (const minutes of [0, 10]) {
      config(lab, { autoPause: { minutes } })
      expect((await list(lab))[0]).toMatchObject({ status: 'active', auto: false })
    }
    expect(readFileSync(session, 'utf8')).toBe(before)
  })

  test('S1-005c: stays the same conversation for a person who comes back after an auto-pause', async () => {
    const { lab, claude, session } = await quiet(6)
    await lab.cortext(['list'])
    await claude.turn('back again')
    expect((await list(lab))[0]).toMatchObject({ status: 'active' })
    await lab.cortext(['save', '001'])
    expect(JSON.parse(readFileSync(session, 'utf8')).message_count).toBe(6)
  })

  test('S1-005e, S1-005f, X-7: completed allows a resume only with a yes, and the refusal says how', async () => {
    const { lab, id } = await quiet(1)
    await lab.cortext(['stop', id, '--complete', '--no-commit'])
    const refused = await lab.cortext(['resume', id, '--print'])
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/marked complete.*\nfix: cortext resume 1 --force/s),
    ])
    expect((await lab.cortext(['resume', id, '--print', '--force'])).stdout).toContain(
      '[RESUMED CONVERSATION]',
    )
    expect(await list(lab)).toEqual([])
    expect((await lab.cortext(['resume', '--list', '--json'])).stdout).toContain(id)
  })

  test('S0-D1h: archiving, pruning and restoring a conversation leaves every byte of others, and its own document', async () => {
    const { lab, claude, session, id } = await quiet(1)
    for (const words of ['one', 'two', 'three']) await claude.turn(words)
    await lab.cortext(['stop', id, '--no-commit'])
    const other = new ClaudeSession(lab)
    await other.command('workspace.plan', 'Release')
    for (const words of ['four', 'five']) await other.turn(words)
    await lab.cortext(['stop', '002', '--no-commit'])
    const own = `${relative(lab.root, session).slice('conversations/'.length, -'session.json'.length)}`
    const others = () =>
      Object.entries(filesBelow(join(lab.root, 'conversations'))).filter(([path]) => !path.startsWith(own))
    const before = others()
    expect(before.map(([path]) => basename(path)).sort()).toEqual(
      ['debug.md', 'messages.jsonl', 'plan.md', 'session.json'].sort(),
    )
    const record = readFileSync(join(session, '../messages.jsonl'), 'utf8')
    for (const change of [
      ['edit', '--archive'],
      ['prune', '--keep', '1', '--yes'],
      ['prune', '--restore'],
      ['edit', '--unarchive'],
    ]) {
      expect((await lab.cortext([...change, id])).code, change[1]).toBe(0)
      expect(others(), change[1]).toEqual(before)
      const pruned = change[1] === '--keep'
      expect(readFileSync(join(session, '../messages.jsonl'), 'utf8') === record, change[1]).toBe(!pruned)
    }
  })

  test('X-6, S4-P4-9, S0-D1h, E-19: archived is a date in addition to the status, hides, and deletes nothing', async () => {
    const { lab, session, id } = await quiet(1)
    await lab.cortext(['stop', id, '--no-commit'])
    const document = join(session, '../../debug.md')
    const before = readFileSync(document, 'utf8')
    await lab.cortext(['edit', id, '--archive'])
    expect(readFileSync(document, 'utf8')).toBe(before)
    expect(JSON.parse(readFileSync(session, 'utf8'))).toMatchObject({
      status: 'paused',
      archived_at: expect.any(String),
    })
    expect(await list(lab)).toEqual([])
    const all = await lab.cortext(['resume', '--list'])
    expect(all.stderr).toContain('1 archived')
    expect((await lab.cortext(['resume', '--list', '--archived'])).stdout).toMatch(/^1 /m)
    await lab.cortext(['edit', id, '--unarchive'])
    expect(await list(lab)).toHaveLength(1)
  })

  // promise: Nothing is ever deleted
  test('X-15, S4-P5-6, S4-P5-7, Q-5, E-19: old conversations are left out of lists, and found by name all the same', async () => {
    const { lab, session, id } = await quiet(1)
    await lab.cortext(['stop', id, '--no-commit'])
    const old = { ...JSON.parse(readFileSync(session, 'utf8')), last_active: '2020-01-01T00:00:00Z' }
    writeFileSync(session, JSON.stringify(old))
    rmSync(join(lab.root, '.git/cortext'), { recursive: true })
    // Where all are old, they are shown.
    expect((await list(lab)).map((one) => one.id)).toEqual([id])
    const another = await lab.json<{ id: string }>(['start', 'plan', 'Another', '--json'])
    expect((await list(lab)).map((one) => one.id)).toEqual([another.id])
    expect((await lab.cortext(['list'])).stderr).toContain('1 not shown')
    expect((await lab.cortext(['show', id])).code).toBe(0)
    config(lab, { list: { archiveAfterDays: 0, maxOpen: 0 } })
    expect(await list(lab)).toHaveLength(2)
  })
})

describe('the client of a resume', () => {
  test('X-23, S1-004b, X-16, Q-3: is the last one, started with its launch line; its exit code becomes ours', async () => {
    const { lab, id } = await quiet(1)
    await lab.cortext(['stop', id, '--no-commit'])
    const env = fakeClient(lab, 'claude')
    const run = await lab.cortext(['resume', '-c'], { env })
    expect(run.code).toBe(7)
    expect(run.stdout).toMatch(/ran: .*claude --resume/)
    const fresh = await lab.cortext(['resume', '--new', '--in', 'claude'], { env })
    expect([fresh.code, fresh.stdout]).toEqual([7, expect.stringMatching(/ran: .*claude\s*$/)])
  })

  test('S4-P4-1, S4-P4-2, S4-P4-4: gets the session that was active last with -c, that of an id, and none with -n', async () => {
    const { lab, claude, id } = await quiet(1)
    await lab.cortext(['stop', id, '--no-commit'])
    const later = new ClaudeSession(lab)
    await later.command('workspace.plan', 'Release')
    await lab.cortext(['stop', '002', '--no-commit'])
    const env = fakeClient(lab, 'claude')
    const started = async (...args: string[]) => {
      const { code, stdout } = await lab.cortext(['resume', ...args, '--in', 'claude'], { env })
      expect(code).toBe(7)
      return /ran: \S+(.*)/.exec(stdout)![1]!.trim()
    }
    for (const last of ['-c', '--last']) expect(await started(last)).toBe(`--resume ${later.id}`)
    expect(await started(id)).toBe(`--resume ${claude.id}`)
    for (const fresh of ['-n', '--new']) expect(await started(fresh)).toBe('')
  })

  test('X-23: that is not installed is refused with the command that installs it, and nothing has changed', async () => {
    const { lab, id, session } = await quiet(1)
    await lab.cortext(['stop', id, '--no-commit'])
    const before = readFileSync(session, 'utf8')
    const run = await lab.cortext(['resume', id], { env: { PATH: '/usr/bin:/bin' } })
    expect([run.code, run.stderr]).toEqual([1, expect.stringMatching(/not installed.*fix: npm install/s)])
    expect(readFileSync(session, 'utf8')).toBe(before)
    const unknown = await lab.cortext(['resume', id, '--in', 'nosuch'])
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('use one of: ')])
  })

  test('S3-O3: a session in which nothing was said leaves the conversation as it was', async () => {
    const { lab, id, session } = await quiet(1)
    await lab.cortext(['stop', id, '--no-commit'])
    const before = readFileSync(session, 'utf8')
    await lab.cortext(['resume', id], { env: fakeClient(lab, 'claude') })
    expect(readFileSync(session, 'utf8')).toBe(before)
  })

  test('S0-NG1, X-33: a resume of a conversation that is open elsewhere says who else is writing', async () => {
    const { lab, id } = await quiet(1)
    const plan = await lab.cortext(['resume', id, '--mode', 'handoff', '--dry-run'])
    expect(plan.stdout).toMatch(
      /Also open in Claude Code \(last write .* ago\); both sessions are recorded whole/,
    )
  })
})

describe('the context that an agent gets', () => {
  // promise: the agent has the same
  test('S0-P1, S0-G1, S0-D5a, S0-D5m, S1-003e, S2-W1, S2-6: has instructions, block and history, in this order', async () => {
    const { lab, id } = await quiet(1)
    const print = await lab.cortext(['resume', id, '--print'])
    const body = readFileSync(inPackage('commands/workspace.debug.md'), 'utf8')
    const first = body.split('---\n')[2]!.trim().split('\n')[0]!
    expect(print.stdout.startsWith(first)).toBe(true)
    expect(print.stdout.indexOf('[RESUMED CONVERSATION]')).toBeGreaterThan(first.length)
    expect(print.stdout.indexOf('### User\n where does it expire')).toBeGreaterThan(
      print.stdout.indexOf('[END RESUMED CONTEXT]'),
    )
  })

  test('S3-P4, S4-P2-11, S4-DP4, S4-P4-11, Q-1, X-13: has all of the history if it fits, and a receipt', async () => {
    const { lab, id } = await quiet(1)
    const print = await lab.cortext(['resume', id, '--print'])
    expect(print.stdout).toContain('### User\n where does it expire')
    expect(print.stderr).toMatch(
      /^Context: \d+ of 60000 tokens \(o200k\), strategy full-history; messages: 4 whole\.\nWhole history: conversations\//m,
    )
  })

  test('Q-1: has a long history word for word if it fits into the whole window of the model, or into a given budget', async () => {
    const { lab, claude, id } = await quiet(1)
    const asked = Array.from({ length: 60 }, (_, n) => `question ${n}: ${`why ${n} and how `.repeat(100)}`)
    for (const words of asked) claude.say(words)
    await claude.hook('Stop')
    for (const room of [['--full'], ['--budget', '120000']]) {
      const { stdout, stderr } = await lab.cortext(['resume', id, '--print', ...room])
      expect(stderr).toMatch(/strategy full-history; messages: 124 whole\./)
      for (const words of asked) expect(stdout).toContain(words.trim())
    }
    const less = await lab.cortext(['resume', id, '--print', '--budget', '10000'])
    expect(less.stderr).not.toContain('full-history')
    expect(less.stdout).toContain(asked.at(-1)!.slice(0, 13))
  })

  test('S4-0-2, S4-0-3, S4-DP5, S4-P2-10: keeps to any budget, and is only a receipt for 0', async () => {
    const { lab, id } = await quiet(1)
    for (const budget of ['0', '10', '100', '400', '4000']) {
      const { receipt, text } = await lab.json<{ receipt: { tokens: number }; text: string }>([
        'resume',
        id,
        '--print',
        '--json',
        '--budget',
        budget,
      ])
      expect(receipt.tokens).toBeLessThanOrEqual(Number(budget))
      if (budget === '0') expect(text.trimEnd()).not.toContain('RESUMED CONVERSATION]\nYou are')
    }
    expect((await lab.cortext(['resume', id, '--print', '--budget', 'many'])).code).toBe(2)
  })

  test('Q-2: names a tool that was called and whose server is not there any more', async () => {
    const { lab, claude, id } = await quiet(1)
    claude.user('look it up')
    for (const [call, name] of [
      ['t1', 'mcp__notes__look_up'],
      ['t2', 'mcp__other_server__find'],
    ]) {
      claude.assistant([{ type: 'tool_use', id: call, name, input: {} }], 'tool_use')
      claude.user([{ type: 'tool_result', tool_use_id: call, content: 'found' }])
    }
    claude.assistant([{ type: 'text', text: 'Found.' }])
    await claude.hook('Stop')
    writeFileSync(join(lab.root, '.mcp.json'), JSON.stringify({ mcpServers: { 'other.server': {} } }))
    const { stdout, stderr } = await lab.cortext(['resume', id, '--print'])
    expect(stderr.match(/^Missing here: .*$/gm)).toEqual([
      'Missing here: the tool mcp__notes__look_up, which this conversation used.',
    ])
    expect(stdout).toMatch(/^Tools missing: mcp__notes__look_up$/m)
  })

  test('S0-R3b, S0-D5n: has the current instructions, never the old ones', async () => {
    const { lab, id } = await quiet(1)
    const file = ejected(lab.root, 'commands/workspace.debug.md')
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^You are .*$/m, 'You are quite another.'))
    const print = await lab.cortext(['resume', id, '--print'])
    expect(print.stdout.startsWith('You are quite another.')).toBe(true)
    expect(print.stderr).toMatch(/instructions of \/workspace\.debug have changed/)
  })
})

describe('a stop in the person’s own words', () => {
  test('S0-D6c, S0-D6d: what was said before it in the turn is recorded, its confirmation is not, and a second stop is refused', async () => {
    const { lab, claude, id } = await quiet(1)
    await claude.hook('UserPromptSubmit', { prompt: 'It is the clock skew. Let us stop.' })
    claude.user('It is the clock skew. Let us stop.')
    claude.assistant([{ type: 'text', text: 'Then that is the cause. Saving.' }], 'tool_use')
    claude.assistant(
      [{ type: 'tool_use', id: 'toolu_stop', name: 'Bash', input: { command: 'cortext stop' } }],
      'tool_use',
    )
    const stopped = await lab.cortext(['stop', '--summary', 'Clock skew.'], { env: claude.env })
    expect(stopped.stdout).toContain('Summary: Clock skew.')
    claude.user([{ type: 'tool_result', tool_use_id: 'toolu_stop', content: stopped.stdout }])
    claude.assistant([{ type: 'text', text: 'Session saved.' }])
    await claude.hook('Stop')
    const said = talk(await shown(lab, id))
    expect(said.slice(-3)).toEqual([
      'user: It is the clock skew. Let us stop.',
      'assistant: Then that is the cause. Saving.',
      'assistant: ',
    ])
    const again = await claude.command('workspace.stop-conversation', '', () =>
      lab.cortext(['stop'], { env: claude.env }),
    )
    expect([again?.code, again?.stderr]).toEqual([1, expect.stringContaining('is saved already')])
    expect(await list(lab, '--all')).toHaveLength(1)
  })

  test('S0-D6f: saves and commits nothing if the person says no to a save, and everything is recorded later', async () => {
    const { lab, claude, session, id } = await quiet(1)
    lab.git('add', '--all')
    lab.git('commit', '--quiet', '--message=all')
    const before = [
      filesBelow(dirname(session)),
      lab.git('rev-parse', 'HEAD'),
      lab.git('status', '--porcelain'),
    ]
    await claude.turn("let's stop", 'Would you like me to save this session?')
    await claude.turn('No, go on.', 'Then on we go.')
    expect([
      filesBelow(dirname(session)),
      lab.git('rev-parse', 'HEAD'),
      lab.git('status', '--porcelain'),
    ]).toEqual(before)
    expect((await list(lab))[0]).toMatchObject({ id, status: 'active' })
    await claude.turn('one more')
    expect(talk(await shown(lab, id)).slice(-6)).toEqual([
      "user: let's stop",
      'assistant: Would you like me to save this session?',
      'user: No, go on.',
      'assistant: Then on we go.',
      'user: one more',
      'assistant: answer to one more',
    ])
  })

  test('S0-D6f: --discard is not combined with others, and is not an option of a command that an agent may run unasked', async () => {
    const { lab } = await quiet(1)
    for (const flags of [['--complete'], ['--summary', 'x']]) {
      const run = await lab.cortext(['stop', ...flags, '--discard'])
      expect([run.code, run.stderr]).toEqual([
        2,
        expect.stringContaining(`option '--discard' cannot be used with option '${flags[0]}`),
      ])
    }
    const agent = await lab.cortext(['agent', 'stop', '--discard'])
    expect([agent.code, agent.stderr]).toEqual([2, expect.stringContaining("unknown option '--discard'")])
  })
})
