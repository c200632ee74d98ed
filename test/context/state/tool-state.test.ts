import { describe, expect, test } from 'vitest'
import { historyOf } from '../../../src/context/select-strategy.ts'
import { checkLine, commitLine, toolStateOf } from '../../../src/context/state/tool-state.ts'
import type { Message } from '../../../src/session/schema.ts'
import { said } from '../../session/conversations.ts'
import { build } from '../building.ts'
import { TOOLS } from '../tools.ts'

let calls = 0

function did(name: string, args: object, content = 'ok', more: Partial<Message> = {}): Message[] {
  const id = `t${calls++}`
  return [
    said(`${id}a`, { role: 'assistant', content: '', tool_calls: [{ id, name, arguments: args }] }),
    said(`${id}r`, { role: 'tool', content, tool_call_id: id, tool_name: name, ...more }),
  ]
}

const of = (...messages: Message[][]) =>
  toolStateOf(historyOf({ messages: messages.flat(), project: 'p', tools: TOOLS }))
const bash = (command: string, output = '', more: Partial<Message> = {}) =>
  did('Bash', { command }, output, more)

describe('where the work stands', () => {
  test('has open tasks of the last list, or of tasks that were added and changed by their numbers', () => {
    const list = (...todos: [string, string][]) => ({
      todos: todos.map(([content, status]) => ({ content, status, activeForm: 'x' })),
    })
    const first = did('TodoWrite', list(['Write it', 'in_progress'], ['Test it', 'pending']))
    const last = did(
      'todowrite',
      list(
        ['Write it', 'completed'],
        ['Test it', 'in_progress'],
        ['Ship it', 'pending'],
        ['No', 'cancelled'],
      ),
    )
    expect(of(first, last).open).toEqual(['Test it (in progress)', 'Ship it'])
    expect(of(did('write_todos', { todos: [{ description: 'Read', status: 'pending' }] })).open).toEqual([
      'Read',
    ])
    const made = (n: number, subject: string) =>
      did('TaskCreate', { subject, description: 'd' }, `Task #${n} created successfully: ${subject}`)
    const changed = (taskId: string, status: string) => did('TaskUpdate', { taskId, status }, 'Updated task')
    expect(
      of(
        made(1, 'One'),
        made(2, 'Two'),
        made(3, 'Three'),
        changed('1', 'completed'),
        changed('2', 'in_progress'),
        changed('3', 'deleted'),
      ).open,
    ).toEqual(['Two'])
  })

  test('has no open task that another agent has finished, as the last list shows', () => {
    const made = (n: number, subject: string) =>
      did('TaskCreate', { subject, description: 'd' }, `Task #${n} created successfully: ${subject}`)
    const two = [made(1, 'FQ-1: Sort (all)'), made(2, 'FQ-2')]
    const list = (text: string, more: Partial<Message> = {}) => did('TaskList', {}, text, more)
    expect(of(...two, list('#1 [completed] FQ-1: Sort (all) (ann)\n#2 [completed] FQ-2 (ben)')).open).toEqual(
      [],
    )
    expect(
      of(...two, list('#1 [in_progress] FQ-1: Sort (all) (ann)\n#3 [pending] Ship it (ben) [blocked by #1]'))
        .open,
    ).toEqual(['FQ-1: Sort (all)'])
    expect(of(...two, list('No tasks found')).open).toEqual([])
    expect(of(...two, list('Something else')).open).toHaveLength(2)
    expect(of(...two, list('No tasks found', { is_error: true })).open).toHaveLength(2)
  })

  test('has all commits, also more than a note lists; the note says of how many', () => {
    const many = Array.from({ length: 12 }, (_, n) =>
      bash('git commit -m x', `[main abc100${n % 10}] Add page ${n + 1}`),
    )
    expect(of(...many).commits).toHaveLength(12)
    const long = bash('cat big', 'line\n'.repeat(20_000))
    const { text } = build([said('u'), ...many.flat(), ...long, said('v', { role: 'assistant' })], 8000)
    expect(text).toContain('Commits made (the last 8 of 12):\n- abc1004 Add page 5 (main)\n')
    expect(text).toContain('- abc1001 Add page 12 (main)\n')
  })

  test('has no report of a subagent that has only begun, but the one in its notification', () => {
    const asked = (content: string, more: object = {}) =>
      did('Task', { description: 'Look', prompt: 'x', ...more }, content)
    const begun =
      'Async agent launched successfully.\nagentId: a11 (internal ID)\nThe agent is working in the background.'
    const note = (id: string, status = 'completed') => [
      said(`n${id}`, {
        role: 'tool',
        tool_name: 'task-notification',
        content: `<task-notification>\n<task-id>${id}</task-id>\n<status>${status}</status>\n<result>Three tables.\n\nNone has an index.</result>\n</task-notification>`,
      }),
    ]
    expect(of(asked(begun), note('a11')).reports).toEqual(['Look: None has an index.'])
    expect(of(asked(begun)).reports).toEqual([])
    expect(of(asked(begun), note('b22')).reports).toEqual([])
    expect(of(asked(begun), note('a11', 'failed')).reports).toEqual([])
    expect(of(asked('Spawned successfully.\nagent_id: x@team')).reports).toEqual([])
    const openCode = '<task_result>\nFirst.\n\nThe end.\n</task_result>'
    for (const report of [
      `task_id: ses_1 (for resuming)\n\n${openCode}`,
      `<task id="ses_1" state="completed">\n${openCode}\n\n</task>`,
    ])
      expect(of(asked(report)).reports).toEqual(['Look: The end.'])
    expect(of(did('Task', { prompt: 'x' }, 'API Error', { is_error: true })).reports).toEqual([])
  })

  test('has commits as git reports them, and nothing else in brackets', () => {
    const { commits } = of(
      bash('git add -A && git commit -m x', '[main 1a2b3c4] Add the reader\n 2 files changed'),
      bash('git commit --amend', '[wip/x (root-commit) 0123456789] Begin\n'),
      bash('cat notes', '[main 9999999] Not a commit'),
      bash('git commit -m y', 'nothing to commit'),
    )
    expect(commits.map(commitLine)).toEqual(['1a2b3c4 Add the reader (main)', '0123456789 Begin (wip/x)'])
    const amended = of(
      bash('git commit -m x', '[main 1a2b3c4] Add the reader'),
      bash('git commit --amend --no-edit', '[main 2a2b3c4] Add the reader'),
      bash('git commit --amend -m y', '[main 3a2b3c4] Add the fast reader'),
      bash('git commit -m z', '[main 4a2b3c4] Use it'),
    )
    expect(amended.commits.map(commitLine)).toEqual([
      '3a2b3c4 Add the fast reader (main)',
      '4a2b3c4 Use it (main)',
    ])
  })

  test('has the last run of each check, and its result', () => {
    const { checks } = of(
      bash('npm test', 'Tests: 2 failed', { is_error: true }),
      bash('npm run build', 'x\nerror TS2307: Cannot find module', { is_error: true }),
      bash('go test ./... | tail -5', '--- FAIL: TestX\nFAIL\texample/x'),
      bash('cd api && npm test 2>&1', 'Tests: 9 passed'),
      bash('npm run lint', 'fine', { refused: true, is_error: true }),
      bash('ls test', 'a'),
    )
    expect(checks.map(checkLine)).toEqual([
      'npm run build: failed: error TS2307: Cannot find module',
      expect.stringMatching(/^go test: failed: /),
      'npm test: ok',
    ])
  })

  test('never cuts the result of a check off its line, however long the command is', () => {
    const files = Array.from({ length: 30 }, (_, n) => `test/a/long/folder/file-${n}.test.ts`).join(' ')
    const { checks } = of(bash(`npx vitest run ${files}`, 'Tests: 9 passed'))
    expect(checks).toMatchObject([{ outcome: 'passed', why: '' }])
    expect(checkLine(checks[0]!)).toMatch(/…: ok$/)
  })

  test('names a check as it was typed, quotes and signs too', () => {
    const { checks } = of(bash('go test -run "TestA|TestB" ./api', 'ok', {}))
    expect(checks).toMatchObject([{ name: 'go test -run "TestA|TestB" ./api' }])
  })

  test('drops a failure that a later and wider run makes up for, and keeps one that it does not', () => {
    const part = bash('npx vitest run test/a.test.ts', 'Tests: 2 failed', { is_error: true })
    const build = bash('npm run build', 'error TS1', { is_error: true })
    const all = bash('npm test', 'Tests: 9 passed')
    expect(of(part, build, all).checks.map(checkLine)).toEqual([
      'npm run build: failed: error TS1',
      'npm test: ok',
    ])
    const before = of(all, part).checks
    expect(before.map(({ outcome }) => outcome)).toEqual(['passed', 'failed'])
  })

  test('has the branch of a short status, and takes no heading of a file for one', () => {
    const begun = bash('git checkout -b wip', "Switched to a new branch 'wip'")
    const branch = (command: string, output: string) => of(begun, bash(command, output)).branch
    expect(branch('git status -sb', '## main...origin/main [ahead 1]\n M a.ts')).toBe('main')
    expect(branch('git status -sb', '## feat/pears\n?? a.ts')).toBe('feat/pears')
    expect(branch('git status --short --branch', '## main')).toBe('main')
    expect(branch('git -C ../other status', 'On branch other')).toBe('wip')
    expect(branch('cat git.md', '## What\n\nA pear.')).toBe('wip')
    expect(branch('git status -s; cat a.md', ' M a.ts\n## What\n\nA pear.')).toBe('wip')
  })

  test('has accepted plans by their titles, the ends of subagents’ reports, and the branch that git named last', () => {
    const planned = (plan: string, more: Partial<Message> = {}) =>
      did('ExitPlanMode', { plan }, 'User has approved your plan.', more)
    const standing = of(
      planned('# Refused one\n\nx', { refused: true, is_error: true }),
      planned('# Read it twice\n\n1. x'),
      did(
        'Task',
        { description: 'Review it', prompt: 'long' },
        'First.\n\nIt lacks a test.\n\nagentId: abc (use it)',
      ),
      bash('git checkout -b wip/reader', "Switched to a new branch 'wip/reader'"),
      bash('git status', 'On branch wip/reader\nnothing to commit'),
      bash('cat x', 'On branch other'),
    )
    expect(standing).toMatchObject({
      plans: ['Read it twice'],
      reports: ['Review it: It lacks a test.'],
      branch: 'wip/reader',
    })
  })

  test('comes before a history that leaves tool calls out, in a small part of the room, and before no other', () => {
    const work = [
      bash('git commit -m x', '[main 1a2b3c4] Add the reader'),
      did('TodoWrite', { todos: [{ content: 'Ship it', status: 'pending' }] }),
      bash('npm test', `${'line\n'.repeat(4000)}Tests: 9 passed`),
    ].flat()
    const messages = [said('u'), ...work, said('v', { role: 'assistant' })]
    const note =
      '## Where the work stands (read from the tool calls)\nOpen tasks:\n- Ship it\nBranch:\n- main\nCommits made:\n- 1a2b3c4 Add the reader (main)\nLast runs of checks:\n- npm test: ok'
    expect(build(messages, 2500).text).toContain(note)
    expect(build(messages, 100_000).text).not.toContain('Where the work stands')
    expect(build(messages, 500).text).not.toContain('Where the work stands')
  })
})
