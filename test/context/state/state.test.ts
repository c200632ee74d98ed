import { describe, expect, test } from 'vitest'
import { answersIn } from '../../../src/context/rendering/answers.ts'
import { extractState, type State } from '../../../src/context/state/index.ts'
import { isTalk, livePath } from '../../../src/session/live-path.ts'
import type { Message } from '../../../src/session/schema.ts'
import { everyFixture } from '../../clients/contract/every-client.ts'
import { said } from '../../session/conversations.ts'
import { TOOLS } from '../tools.ts'

let calls = 0
/** A call of a tool and what it answered. */
function did(name: string, args: object, content = 'ok', failed = false): Message[] {
  const id = `t${calls++}`
  return [
    said(`${id}a`, { role: 'assistant', content: '', tool_calls: [{ id, name, arguments: args }] }),
    said(`${id}r`, {
      role: 'tool',
      content,
      tool_call_id: id,
      tool_name: name,
      ...(failed ? { is_error: true } : {}),
    }),
  ]
}
const user = (content: string) => said(`u${calls++}`, { content })
const agent = (content: string) => said(`a${calls++}`, { role: 'assistant', content })

function stateOf(...messages: (Message | Message[])[]): State {
  const live = livePath(messages.flat())
  return extractState({ live, said: live.filter(isTalk), answers: answersIn(live, TOOLS), project: 'work' })
}

describe('S4-0-5, S4-P3-15: the state of a conversation', () => {
  test('has the task: the arguments of the command, else the first words', () => {
    expect(stateOf(user('/workspace.debug Login is broken'), user('Go on')).originalTask).toBe(
      'Login is broken',
    )
    expect(stateOf(user('/workspace.debug'), user('The login is broken')).originalTask).toBe(
      'The login is broken',
    )
    expect(stateOf().originalTask).toBe('')
  })

  test('has the files that the tools of all three clients changed', () => {
    const { modifiedFiles } = stateOf(
      did('Write', { file_path: 'new.ts' }),
      did('Edit', { file_path: 'new.ts' }),
      did('Read', { file_path: 'old.ts' }),
      did('Write', { file_path: 'old.ts' }),
      did('edit', { filePath: 'open.ts' }),
      did('write_file', { file_path: 'g.ts' }, 'Successfully overwrote file: g.ts'),
      did('replace', { file_path: 'g2.ts' }),
      did('apply_patch', {
        patchText: '*** Begin Patch\n*** Add File: p.ts\n+x\n*** Delete File: q.ts\n*** End Patch',
      }),
      did('Bash', { command: 'cd src && rm -f a.ts "$X" *.js && git rm b.ts' }),
      did('Write', { file_path: 'failed.ts' }, 'denied', true),
      did('mcp__fs__write_file', { path: 'm.ts' }),
    )
    expect(modifiedFiles).toEqual([
      { path: 'new.ts', action: 'created' },
      { path: 'old.ts', action: 'modified' },
      { path: 'open.ts', action: 'modified' },
      { path: 'g.ts', action: 'modified' },
      { path: 'g2.ts', action: 'modified' },
      { path: 'p.ts', action: 'created' },
      { path: 'q.ts', action: 'deleted' },
      { path: 'src/a.ts', action: 'deleted' },
      { path: 'src/b.ts', action: 'deleted' },
      { path: 'm.ts', action: 'created' },
    ])
  })

  test('has constraints of the person and decisions of both, each once and in order', () => {
    const state = stateOf(
      user('Build it. It must run on Node 20. Never touch the database.'),
      agent('You must be joking. We will use SQLite for the cache.'),
      user("Agreed, let's go with SQLite. It must run on Node 20."),
    )
    expect(state.constraints).toEqual(['Never touch the database.', 'It must run on Node 20.'])
    expect(state.keyDecisions).toEqual(['We will use SQLite for the cache.', "Agreed, let's go with SQLite."])
  })

  test('has a constraint that rules something out with a single word', () => {
    const state = stateOf(
      user('Add a rate limiter.'),
      user('Accuracy. But no Lua scripts, ops forbids them.'),
      user('No external services, please. And no new tables. The schema is a no-go.'),
      user('No problem. No, that is wrong. No idea. No need. No thanks, no worries. No that works.'),
    )
    expect(state.constraints).toEqual([
      'But no Lua scripts, ops forbids them.',
      'No external services, please.',
      'And no new tables.',
      'The schema is a no-go.',
    ])
  })

  test('has as blockers builds and tests that failed and were not done again, and no sentence about failures', () => {
    const state = stateOf(
      did('Bash', { command: 'npm test' }, 'x\nTests: 2 failed\n', true),
      did('Bash', { command: 'npm test' }, 'all green'),
      did('Bash', { command: 'npm run build' }, 'a\nerror TS2307: Cannot find module\nnpm ERR!', true),
      Array.from({ length: 9 }, () => agent('Fine.')),
      agent('The deploy is blocked by a missing token.'),
    )
    expect(state.blockers).toEqual(['Bash npm run build: error TS2307: Cannot find module'])
  })

  test('does not have a call that the person refused as a blocker', () => {
    const [call, result] = did('Bash', { command: 'git push' }, 'not allowed', true)
    const state = stateOf(user('Go'), [call!, { ...result!, refused: true }], agent('Fine.'))
    expect(state.blockers).toEqual([])
  })

  test.each([
    ['Should we go with date-fns or dayjs?', 'Which one would you choose?', 'Have you decided on a name?'],
    ['We have not decided between Rust and Go.', "That isn't agreed.", 'The name is yet to be decided.'],
    ["I don't know.", "I don't remember touching them.", "Thanks, don't worry about the rest."],
    ['Do you support dark mode?', 'Next.js 15 is in apps/web.', 'When is the next meeting?'],
    ['All tests pass now, no more errors.', 'The bug is fixed.', 'This fixes the crash.', '0 errors.'],
    ['Build succeeded without errors.', 'The tests no longer fail.', 'Let me know what is next.'],
  ])('makes no item of a sentence that only has the words of one: %j …', (...sentences) => {
    const state = stateOf(user('Go'), user(sentences.join(' ')), agent('Fine.'))
    expect(state).toMatchObject({ constraints: [], keyDecisions: [], blockers: [], nextStep: '' })
  })

  test('loses no item whose sentence says more', () => {
    const state = stateOf(
      user("Could you make sure that it works on Safari? Don't touch the form. Next, the map."),
      user('Not Redis: we decided on Postgres.'),
    )
    expect(state.constraints).toEqual([
      'Could you make sure that it works on Safari?',
      "Don't touch the form.",
    ])
    expect(state.keyDecisions).toEqual(['Not Redis: we decided on Postgres.'])
    expect(state.nextStep).toBe('Next, the map.')
  })

  test('E-23: of a huge last message only the beginning is read', () => {
    const { currentStatus } = stateOf(user('Go'), agent(`Done. ${'word '.repeat(1_000_000)}`))
    expect(currentStatus).toMatch(/^Done\. word .*…$/)
    expect(currentStatus.length).toBeLessThan(25_000)
  })

  test('has the current status and the next step', () => {
    const state = stateOf(
      user('Go'),
      agent('Done with the parser. The next step is the printer.'),
      did('Read', {}),
    )
    expect(state.currentStatus).toBe('Done with the parser. The next step is the printer.')
    expect(state.nextStep).toBe('The next step is the printer.')
  })
})

const recorded = everyFixture.filter(({ title }) => title.endsWith('/recorded'))

describe.each(recorded)(
  'S4-P3-15: the state of the talk that was recorded with $title',
  ({ client, raw }) => {
    const live = livePath(client.reading.read(raw).messages)
    const state = extractState({
      live,
      said: live.filter(isTalk),
      answers: answersIn(live, TOOLS),
      project: 'work',
    })

    test('is the same talk in each client', () => {
      expect(state.originalTask).toBe('API design')
      expect(state.currentStatus).toBe('Goodbye.')
      // A file that was not there, and a command that found nothing.
      expect(state.blockers).toEqual([])
    })
  },
)
