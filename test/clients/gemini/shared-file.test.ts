import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { gemini } from '../../../src/clients/gemini/index.ts'
import { read, script } from './transcript.ts'

const SESSION = '44444444-1111-4111-8111-111111111111'
const TASK = `Your task is to do a deep investigation of the codebase to find all relevant files and insights to solve for the following user objective:
<objective>
Find how birds are drawn
</objective>`
const WARNING = 'You have exceeded the time limit. You have one final chance to complete the task.'
const CALL = {
  id: 'investigate-1',
  name: 'codebase_investigator',
  args: { objective: 'Find how birds are drawn' },
  result: [{ functionResponse: { id: 'investigate-1', response: { output: 'In birds.ts' } } }],
}

const user = (id: string, content: string) => ({ id, type: 'user', content })
const answer = (id: string, content: string, more: object = {}) => ({ id, type: 'gemini', content, ...more })
const file = (...messages: object[]) =>
  Buffer.from(JSON.stringify({ sessionId: SESSION, projectHash: 'x', messages }, undefined, 2))

const SUBAGENT = [user('t', TASK), answer('b', 'I read birds.ts.'), user('w', WARNING)]
const MAIN = [
  'user: Why do they not fly?',
  'assistant: I look.',
  'assistant: ',
  'tool: In birds.ts',
  'assistant: No wings.',
]
const SAID = [`user: ${TASK}`, 'assistant: I read birds.ts.', `user: ${WARNING}`, 'assistant: Done.']

describe('a subagent of the versions that wrote one object a file', () => {
  it('is no talk of the person where it shares the file of the session', () => {
    const shared = file(
      user('u', 'Why do they not fly?'),
      answer('a', 'I look.'),
      ...SUBAGENT,
      answer('d', 'Done.', { toolCalls: [CALL] }),
      answer('e', 'No wings.'),
    )
    const reading = read(shared, { nativeId: SESSION })
    expect(script(reading)).toEqual(MAIN)
    expect(script({ messages: reading.subagents['investigate-1']! })).toEqual(SAID)
    expect(reading.report).toMatchObject({ bytes: shared.length, kept: { records: 1 }, unknown: {} })
  })

  it('ends at the next prompt if it never came to an end', () => {
    const reading = read(file(user('u', 'Why?'), ...SUBAGENT, user('v', 'Never mind.')), {
      nativeId: SESSION,
    })
    expect(script(reading)).toEqual(['user: Why?', 'user: Never mind.'])
    expect(script({ messages: reading.subagents.t! })).toEqual(SAID.slice(0, 3))
  })

  it('comes with the session where it has a file of its own, and is no session itself', () => {
    const home = realpathSync(mkdtempSync(join(tmpdir(), 'cortext-gemini-')))
    const chats = join(home, '.gemini', 'tmp', 'slug', 'chats')
    mkdirSync(chats, { recursive: true })
    writeFileSync(join(home, '.gemini', 'projects.json'), JSON.stringify({ projects: { [home]: 'slug' } }))
    const main = file(
      user('u', 'Why do they not fly?'),
      answer('a', 'I look.'),
      answer('c', '', { toolCalls: [CALL] }),
      answer('e', 'No wings.'),
    )
    // The subagent's file is the longer one.
    const own = file(...SUBAGENT, answer('d', 'Done.'), answer('f', 'x'.repeat(5_000)))
    const transcript = join(chats, 'session-2025-12-11T10-00-44444444.json')
    writeFileSync(transcript, main)
    writeFileSync(join(chats, 'session-2025-12-11T10-01-44444444.json'), own)
    writeFileSync(
      join(chats, 'session-2025-12-11T10-02-44444444.json'),
      file(user('x', 'After a compression')),
    )

    const environment = { cwd: home, home, env: {}, now: () => new Date(), interactive: false }
    expect(gemini.sessions.locate(environment, home)).toMatchObject([{ transcript }])
    expect(gemini.reading.subagentOf?.(own)).toBe(SESSION)
    expect(gemini.reading.subagentOf?.(main)).toBeUndefined()
    const sides = gemini.sessions.sideFiles?.(transcript, SESSION) ?? []
    expect(sides.map(({ name }) => name)).toEqual(['session-2025-12-11T10-01-44444444.json'])

    const reading = read(main, { nativeId: SESSION, files: { [sides[0]!.name]: own } })
    expect(script(reading)).toEqual(MAIN)
    expect(script({ messages: reading.subagents['investigate-1']! }).slice(0, 4)).toEqual(SAID)
    rmSync(home, { recursive: true })
  })
})
