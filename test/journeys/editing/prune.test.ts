import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { byteSize } from '../../../src/text/count-of.ts'
import { archives, asked, bytes, ID, long, prune, restore } from '../../helpers/long-conversation.ts'
import {
  filesBelow,
  type Lab,
  recordLines,
  sessionFile,
  shown,
  workspaceLab,
} from '../../helpers/workspace-lab.ts'

describe('prune without --yes', () => {
  test('X-4, S4-P4-10: without --yes it says what would move, and nothing is written', async () => {
    const { lab, claude, path } = await long()
    claude.say('not saved yet')
    const before = filesBelow(join(lab.root, 'conversations'))
    const run = await lab.cortext(['prune', ID, '--keep', '2'])
    expect(run).toMatchObject({ code: 0 })
    expect(run.stdout).toMatch(
      /"Long": 15 lines would move to its archive, word for word\.\n {2}13 messages, \d+ bytes, about \d+ tokens, from 20\S+Z to 20\S+Z\n {2}4 messages stay/,
    )
    expect(run.stderr).toContain('cortext prune 1 --keep 2 --yes')
    expect((await prune(lab, '--keep', '2')).would_move).toMatchObject({ lines: 15, messages: 13, kept: 4 })
    expect(filesBelow(join(lab.root, 'conversations'))).toEqual(before)
    expect((await prune(lab, '--keep', '2', '--yes')).pruned).toMatchObject({ lines: 15, messages: 13 })
    expect(archives(lab, path)).toHaveLength(1)
  })

  test('by default ten turns stay, and a conversation with nothing to prune says so', async () => {
    const { lab, path } = await long(9)
    const before = bytes(lab, path)
    const run = await lab.cortext(['prune', ID, '--yes'])
    expect([run.code, run.stdout]).toEqual([0, 'Nothing to prune in "Long": it has no more than 10 turns.\n'])
    expect(bytes(lab, path)).toBe(before)
  })

  test.each([
    [['--keep', '0'], 2],
    [['--keep', 'x'], 2],
    [['--before', '99'], 1],
  ])('%j is refused: exit %i', async (args, code) => {
    const { lab, path } = await long(1)
    const before = bytes(lab, path)
    expect(await lab.cortext(['prune', ID, ...args, '--json'])).toMatchObject({ code })
    expect(bytes(lab, path)).toBe(before)
  })
})

describe('a part that was pruned', () => {
  // promise: Pruning loses nothing: the lines move, word for word, into a file in `.session/archive/`,
  test('X-4, S4-DP1, S0-R1b, S2-10, S0-C4: is moved word for word, an event is in its place, and no other file is touched', async () => {
    const { lab, path } = await long()
    const before = recordLines(lab, path)
    const others = () =>
      Object.entries(filesBelow(join(lab.root, 'conversations'))).filter(
        ([file]) => !file.includes('.session'),
      )
    const documents = others()
    const { pruned } = await prune(lab, '--keep', '2', '--yes')
    const [event, ...left] = recordLines(lab, path)
    const old = readFileSync(join(lab.root, pruned!.archive), 'utf8')
    expect(`${old}${left.join('\n')}`).toBe(before.join('\n'))
    expect(JSON.parse(event!)).toMatchObject({
      role: 'system',
      event: 'pruned',
      archive: expect.stringMatching(/^archive\/001-[0-9a-f]{8}\.jsonl$/),
      lines: 13,
      messages: 11,
      places: [[0, 13]],
      summary: expect.stringContaining('Task: Long'),
    })
    expect(await asked(lab)).toEqual(['turn 5', 'turn 6'])
    expect(JSON.parse(readFileSync(sessionFile(lab, path), 'utf8'))).toMatchObject({
      message_count: 4,
      title: 'Long',
    })
    expect(others()).toEqual(documents)
  })

  test('S4-P3-15: has a summary with the first task of the conversation, even if it is a later part', async () => {
    const { lab, path } = await long()
    await prune(lab, '--keep', '3', '--yes')
    await prune(lab, '--keep', '1', '--yes')
    const events = recordLines(lab, path)
      .map((line) => JSON.parse(line))
      .filter(({ event }) => event === 'pruned')
    expect(events.map(({ summary }) => summary.split('\n')[0])).toEqual(['Task: Long', 'Task: Long'])
  })

  // promise: moves old messages out of the record, after saying what would move
  test('is restored byte for byte, and followed by what was said since', async () => {
    const { lab, claude, path } = await long()
    const before = bytes(lab, path)
    await prune(lab, '--keep', '3', '--yes')
    await prune(lab, '--keep', '1', '--yes')
    expect(archives(lab, path)).toHaveLength(2)
    claude.say('later')
    await lab.json(['save', ID, '--json'])
    expect(await asked(lab)).toEqual(['turn 6', 'later'])
    const added = recordLines(lab, path).slice(-2)
    await restore(lab)
    expect(bytes(lab, path)).toBe(`${before}${added.join('\n')}\n`)
    expect(existsSync(join(lab.root, path, '.session/archive'))).toBe(false)
    const again = await lab.cortext(['prune', ID, '--restore'])
    expect([again.code, again.stdout]).toEqual([0, 'Nothing to restore: "Long" has no archive here.\n'])
  })

  test('reads no transcript again: only what was published is moved, and later what is new is added', async () => {
    const { lab, claude, path } = await long(30)
    // The lab is a copy, and what is known of a record holds only for the same files.
    await lab.json(['save', ID, '--json'])
    // If a prune or a restore read the transcript from the beginning, it would find a message that the record lacks.
    const lines = readFileSync(claude.transcript, 'utf8').split('\n')
    const { uuid } = JSON.parse(lines.find((line) => line.includes('turn 1"'))!)
    const another = randomUUID()
    const journal = join(lab.root, '.git/cortext/journal/claude', `${claude.id}.jsonl`)
    for (const file of [claude.transcript, journal])
      writeFileSync(file, readFileSync(file, 'utf8').replaceAll(uuid, another))
    const before = bytes(lab, path)
    await prune(lab, '--keep', '10', '--yes')
    expect(recordLines(lab, path)).toHaveLength(1 + 10 * 2)
    expect(JSON.parse(readFileSync(sessionFile(lab, path), 'utf8'))).toMatchObject({ message_count: 20 })
    claude.say('later')
    await lab.json(['save', ID, '--json'])
    const added = recordLines(lab, path).slice(1 + 10 * 2)
    expect(added).toHaveLength(2)
    await restore(lab)
    expect(bytes(lab, path)).toBe(`${before}${added.join('\n')}\n`)
  })

  test('never separates a tool call from its result, even if the cut is in the middle of a turn', async () => {
    const { lab } = await long()
    const said = await shown(lab, ID)
    const result = said.findIndex(({ role }) => role === 'tool')
    await prune(lab, '--before', said[result]!.id, '--yes')
    const left = await shown(lab, ID)
    expect(left.filter(({ event }) => event === undefined)).toEqual(said.slice(result - 1))
  })

  // promise: A resume is given
  test('does not come back by saving, by an import here or by one into a clone', async () => {
    const { lab, claude, path } = await long()
    await lab.json(['stop', ID, '--json'])
    await prune(lab, '--keep', '2', '--yes')
    const after = bytes(lab, path)
    for (const args of [
      ['save', ID],
      ['import', 'claude', claude.id],
      ['import', 'claude', '--all'],
    ])
      await lab.json([...args, '--json'])
    rmSync(join(lab.root, '.git/cortext'), { recursive: true })
    await lab.json(['import', 'claude', claude.id, '--json'])
    expect(bytes(lab, path)).toBe(after)
    expect(
      (await lab.json<{ conversations: object[] }>(['list', '--all', '--json'])).conversations,
    ).toHaveLength(1)
  })

  // promise: What was pruned and what is not saved yet is searched too
  // promise: A resume is given
  test('S0-C4: is found by its words, and is in the markdown export, with its size', async () => {
    const { lab } = await long()
    await prune(lab, '--keep', '2', '--yes')
    const { size } = await lab.json<{ size: { archive: number } }>(['show', ID, '--json'])
    expect((await lab.cortext(['show', ID])).stdout).toContain(
      `, and ${byteSize(size.archive)} in its archive`,
    )
    const { hits } = await lab.json<{ hits: { total: number }[] }>(['search', 'turn 2', '--json'])
    expect(hits).toMatchObject([
      {
        inMetadata: false,
        messages: [{ excerpt: 'turn 2', file: expect.stringMatching(/^\.session\/archive\/001-/) }],
      },
    ])
    const { stdout } = await lab.cortext(['export', ID])
    expect(stdout).toMatch(/> 13 earlier lines .* were moved to archive\/001-/)
    expect(stdout).not.toContain('\nanswer 2\n')
  })

  // promise: A resume is given the summary and the path, `cortext search` still finds the words, and saving
  test('S4-P2-10, X-13: gives its summary to a resume, and both the agent and the person see where it is', async () => {
    const { lab } = await long()
    const { pruned } = await prune(lab, '--keep', '2', '--yes')
    const print = await lab.cortext(['resume', ID, '--print'])
    expect(print.stdout).toContain(
      `History: 4 messages (2 from you), included in full; 11 earlier messages in ${pruned!.archive}`,
    )
    expect(print.stdout.indexOf('Task: Long')).toBeGreaterThan(print.stdout.indexOf('[END RESUMED CONTEXT]'))
    expect(print.stdout.indexOf('### User\n turn 5')).toBeGreaterThan(print.stdout.indexOf('Task: Long'))
    expect(print.stderr).toMatch(
      /messages: 4 whole\.\nWhole history: \S+messages\.jsonl; 11 earlier messages in \S+\/archive\/001-/,
    )
    for (const budget of ['0', '50', '399', '400', '450', '700']) {
      const { receipt } = await lab.json<{ receipt: { tokens: number; pruned: object } }>([
        'resume',
        ID,
        '--print',
        '--json',
        '--budget',
        budget,
      ])
      expect(receipt.tokens).toBeLessThanOrEqual(Number(budget))
      expect(receipt.pruned).toEqual({ messages: 11, archives: [pruned!.archive] })
    }
  })

  test('still allows a native resume: the client has all of it, and all of it belongs to the conversation', async () => {
    const { lab } = await long()
    await lab.json(['stop', ID, '--json'])
    await prune(lab, '--keep', '2', '--yes')
    expect(await lab.json(['resume', ID, '--dry-run', '--in', 'claude', '--json'])).toMatchObject({
      mode: 'native',
    })
  })

  test('can be the target of a rewind, which takes back only what was said since', async () => {
    const { lab, claude } = await long()
    await prune(lab, '--keep', '2', '--yes')
    const lines = readFileSync(claude.transcript, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const answer = lines.find(({ message }) => JSON.stringify(message).includes('answer 4'))
    claude.user('another way', { parentUuid: answer.uuid })
    claude.assistant([{ type: 'text', text: 'so be it' }])
    await lab.json(['save', ID, '--json'])
    const print = await lab.cortext(['resume', ID, '--print'])
    expect(print.stdout).toContain('another way')
    expect(print.stdout).not.toContain('turn 5')
    await restore(lab)
    const whole = await lab.cortext(['resume', ID, '--print'])
    for (const text of ['turn 1', 'turn 4', 'another way']) expect(whole.stdout).toContain(text)
    expect(whole.stdout).not.toContain('turn 5')
  })
})

describe('a conversation with a key', () => {
  const append = (lab: Lab, ...messages: object[]) =>
    lab.cortext(['append', '--key', 'bot', '--json'], {
      input: messages.map((one) => JSON.stringify(one)).join('\n'),
    })
  const turn = (n: number) => [
    { id: `u${n}`, role: 'user', content: `turn ${n}` },
    { id: `a${n}`, role: 'assistant', content: `answer ${n}` },
  ]

  async function keyed() {
    const lab = await workspaceLab()
    for (let n = 1; n <= 4; n++) expect((await append(lab, ...turn(n))).stderr).toBe('')
    const [found] = (await lab.json<{ conversations: { id: string; path: string }[] }>(['list', '--json']))
      .conversations
    await lab.json(['prune', found!.id, '--keep', '1', '--yes', '--json'])
    return { lab, ...found! }
  }

  test('S3-T2: does not get a pruned message again, and refuses other words under its id', async () => {
    const { lab, path } = await keyed()
    const before = bytes(lab, path)
    expect(JSON.parse((await append(lab, ...turn(1))).stdout)).toMatchObject({ written: [] })
    const other = await append(lab, { id: 'u2', role: 'user', content: 'something else' })
    expect([other.code, other.stdout]).toEqual([1, expect.stringContaining('says something else')])
    expect(bytes(lab, path)).toBe(before)
  })

  test('has no context with what was pruned before a clear; the record still has it', async () => {
    const { lab, id } = await keyed()
    const told = async () => (await lab.cortext(['context', id])).stdout
    expect(await told()).toContain('Task: turn 1')
    await lab.json(['edit', id, '--clear', '--json'])
    await append(lab, ...turn(5))
    expect(await told()).not.toContain('Task: turn 1')
    expect(await told()).toContain('turn 5')
    await lab.json(['prune', id, '--restore', '--json'])
    expect(await asked(lab, id)).toEqual([1, 2, 3, 4, 5].map((n) => `turn ${n}`))
  })
})
