import { describe, expect, test } from 'vitest'
import { historyOf } from '../../src/context/select-strategy.ts'
import { deedsOf } from '../../src/context/state/deeds.ts'
import { failedCalls } from '../../src/context/state/failed-calls.ts'
import { extractState } from '../../src/context/state/index.ts'
import { outcomeOf } from '../../src/context/state/runs/run-outcome.ts'
import { exitSpeaksOf } from '../../src/context/state/runs/shell-job.ts'
import { answerLine } from '../../src/context/state/said/telling-answer.ts'
import { standingCommits } from '../../src/context/state/standing-commits.ts'
import { asMarkdown } from '../../src/session/as-markdown.ts'
import { callKey } from '../../src/session/live-path.ts'
import { match } from '../../src/session/match.ts'
import { prunedEvents } from '../../src/session/pruning/event.ts'
import { neutralise } from '../../src/session/resume-block.ts'
import type { Message } from '../../src/session/schema.ts'
import { titleFrom } from '../../src/session/title.ts'
import { indent } from '../../src/text/indent.ts'
import { withoutInvisible } from '../../src/text/invisible.ts'
import { oneLine, removeControls } from '../../src/text/line.ts'
import { TOOLS } from '../context/tools.ts'
import { said, session } from '../session/conversations.ts'

/**
 * A text of a million signs is read in a moment when the work grows with its length, and not in an hour when it grows
 * with the square. No time is looked at: what is not done when the test ends has failed.
 */
const LENGTH = 1_000_000

const TEXTS: [string, (of: (unit: string) => string) => unknown][] = [
  ['C1 begins of a string that never ends', (of) => removeControls(of('\u009d'))],
  ['begins of a string by two signs', (of) => removeControls(of('\u001b]'))],
  ['begins of a sequence', (of) => removeControls(of('\u009b0 '))],
  ['begins of a sequence on a line', (of) => oneLine(of('\u001b[0\n'))],
  ['brackets and blanks', (of) => neutralise(of('[ ') + of(' '))],
  ['words of a mark', (of) => neutralise(of('[END RESUMED '))],
  ['lines', (of) => indent(of('\n\u2028a'))],
  ['characters that show nothing', (of) => withoutInvisible(`a${of('\u200b\ufe0f')}`)],
  ['joiners of emoji', (of) => withoutInvisible(of('😀\u200d'))],
  ['headings and fences', (of) => asMarkdown(session(), [said('u', { content: of('# a\n---\n```\n') })])],
  ['blanks before a heading', (of) => asMarkdown(session(), [said('u', { content: of('   ') })])],
  ['slashes of a query', (of) => match(`${of('/')}x`, [])],
  [
    'empty lines of an output',
    (of) =>
      Array.from({ length: 50 }, (_, n) => outcomeOf('npm test', said(`t${n}`, { content: of('\r\n') }))),
  ],
  ['marks of pictures in a prompt', (of) => titleFrom([said('u', { content: of('[Image ') })])],
  ['links in a prompt', (of) => titleFrom([said('u', { content: of('https://a ') })])],
  ['pieces of JSON before a word', (of) => titleFrom([said('u', { content: `{"a": 1${of(', a')}"` })])],
  [
    'dashes beside a link',
    (of) => titleFrom([said('u', { content: `fix this https://x.org/a/1 ${of('-')}` })]),
  ],
  [
    'a command of many names of git',
    (of) => {
      const run = (id: string, command: string) => [
        said(id, {
          ...{ role: 'assistant', content: '', client: 'claude' },
          tool_calls: [{ id: `c${id}`, name: 'Bash', arguments: { command } }],
        }),
        said(`r${id}`, { role: 'tool', content: '[main 1a2b3c4] Add x', tool_call_id: `c${id}` }),
      ]
      const messages = [...run('a', 'git commit -m x'), ...run('b', of('git '))]
      return deedsOf(historyOf({ messages, project: 'p', tools: TOOLS }))
    },
  ],
  ['an answer of marks', (of) => answerLine(of('!a'), 100)],
  ['texts that a command writes into a file', (of) => exitSpeaksOf(of('cat <<EOF\n'))],
  [
    'runs of backticks in an export',
    (of) => asMarkdown(session(), [said('t', { role: 'tool', content: of('` ') })]),
  ],
]

// promise: the work grows with the length of a record, not with its square.
test.each(TEXTS)('the time for a long text grows only with its length: %s', (_, read) => {
  read((unit) => unit.repeat(LENGTH / unit.length))
})

describe('a record of any length', () => {
  const events = (count: number, reads: { event: number }) =>
    Array.from({ length: count }, (_, n) => {
      const line = { ...said(`p${n}`), archive: `archive/${n}.jsonl`, places: [] }
      const get = () => {
        reads.event += 1
        return 'pruned'
      }
      return Object.defineProperty(line, 'event', { get, enumerable: true })
    })

  test('the pruned parts of a record are searched once, whatever their number', () => {
    const work = [500, 1000, 2000].map((count) => {
      const reads = { event: 0 }
      expect(prunedEvents(events(count, reads)).map(({ place }) => place)).toEqual([...Array(count).keys()])
      return reads.event
    })
    expect(work[1]! - work[0]!).toBeLessThanOrEqual((work[2]! - work[1]!) / 2)
  })

  test('the state of a record is made of its first and its newest messages', () => {
    const all = Array.from({ length: 40_000 }, (_, n) =>
      said(`m${n}`, { role: n % 2 ? 'assistant' : 'user', content: `We decided on plan ${n}.` }),
    )
    const answers = { results: new Map(), calls: new Map(), tools: TOOLS }
    const { keyDecisions } = extractState({ live: all, said: all, answers, project: 'x', task: undefined })
    expect(keyDecisions).toHaveLength(10_000)
    expect(keyDecisions[0]).toContain('plan 0.')
    expect(keyDecisions.at(-1)).toContain('plan 39999.')
  })

  test('each log of a record is compared with the commits that it names', () => {
    const runs = Array.from({ length: 30_000 }, (_, n) => ({
      command: `git commit -m "Add ${n}" && git log --oneline -1 && git checkout main`,
      output: `[main ${1_000_000 + n}] Add ${n}\n${1_000_000 + n} Add ${n}\nWarning: you are leaving 1 commit behind, not\nit:\n\n  ${1_000_000 + n} Add ${n}\n`,
      failed: false,
    }))
    expect(standingCommits(runs)).toHaveLength(30_000)
  })

  test('of the calls that failed, the state has the newest', () => {
    const live: Message[] = []
    const results = new Map<string, Message>()
    for (let n = 0; n < 1000; n += 1) {
      const call = { id: `c${n}`, name: 'Bash', arguments: { command: `make part-${n}` } }
      const message = said(`m${n}`, { role: 'assistant', content: '', client: 'claude', tool_calls: [call] })
      live.push(message)
      results.set(callKey(message, call.id), said(`r${n}`, { role: 'tool', content: 'no', is_error: true }))
    }
    const failed = failedCalls({ live, answers: { results, calls: new Map(), tools: TOOLS } })
    expect(failed).toHaveLength(200)
    expect(failed.at(-1)).toContain('part-999')
  })
})
