import { expect, test } from 'vitest'
import { startLines } from '../../src/cli/verbs/resume/print-plan.ts'
import type { ResumePlan } from '../../src/journeys/resuming/plan.ts'

const RECAP = '`[Resuming "API design"]` plan\n\n- Where it stood: `by REST`\n- Changed since: `3 commits`'

function lines(
  receipt: object,
  { client = 'claude', began = 'claude', mode = 'handoff', verbose = false, showsRecap = false } = {},
) {
  const agent_sessions = ['pi', began].map((id) => ({
    client: id,
    native_id: 'n',
    started_at: '2026-11-21T10:00:00Z',
  }))
  const session = { title: 'API\u001b[31m design', agent_sessions, agent_config: { client: began } }
  const plan = {
    ...{ client, mode, showsRecap, conversation: { session }, recap: RECAP },
    context: {
      receipt: { messages: 8, whole: 8, summarised: 0, shortened: 0, leftOut: 0, record: 'r', ...receipt },
    },
  }
  return startLines(plan as unknown as ResumePlan, verbose)
}

// promise: What a resume gives never
// promise: The block says what was
test.each([
  ['all of it', {}, {}, 'Resuming "API design" in Claude Code: every message.'],
  ['one', { messages: 1, whole: 1 }, {}, 'Resuming "API design" in Claude Code: its one message.'],
  ['nothing', { messages: 0, whole: 0 }, {}, 'Resuming "API design" in Claude Code: nothing was said yet.'],
  [
    'elsewhere',
    {},
    { began: 'opencode' },
    'Resuming "API design" in Claude Code: every message; the conversation was last in OpenCode.',
  ],
  [
    'a part of it',
    { messages: 61_668, whole: 364, summarised: 12, leftOut: 61_292 },
    {},
    'Resuming "API design" in Claude Code: 364 of 61,668 messages word for word, 12 in a summary; the agent knows where the rest is.',
  ],
])('what a person reads of %s', (_, receipt, how, line) => {
  expect(lines(receipt, how)).toEqual([line])
})

// promise: Codex CLI, Qwen Code and Copilot CLI cannot: there the terminal says so before they start
test('a native resume prints the recap before the client starts if the client shows none', () => {
  expect(lines({}, { mode: 'native', showsRecap: true })).toHaveLength(1)
  expect(lines({}, { mode: 'native' })).toEqual([
    'Resuming "API design" in Claude Code, in its own session.',
    '  Where it stood: by REST',
    '  Changed since: 3 commits',
  ])
})

test('--verbose prints tokens and strategy, too', () => {
  expect(lines({ tokens: 900, budget: 20_000, strategy: 'full-history' }, { verbose: true })[1]).toMatch(
    /^Context: 900 of 20000 tokens \(o200k\), strategy full-history/,
  )
})
