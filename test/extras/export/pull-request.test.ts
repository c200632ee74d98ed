import fc from 'fast-check'
import { expect, test } from 'vitest'
import { historyOf } from '../../../src/context/select-strategy.ts'
import { MAX_PULL_REQUEST_LENGTH, pullRequestText } from '../../../src/extras/export/pull-request.ts'
import { orderMessages } from '../../../src/session/message-order.ts'
import type { Message, SessionFile } from '../../../src/session/schema.ts'
import { TOOLS } from '../../context/tools.ts'
import { nativeSessions, rewound, said, session, text } from '../../session/conversations.ts'

function made(messages: Message[], more: Partial<SessionFile> = {}): string {
  const history = historyOf({ messages, project: 'p', tools: TOOLS })
  return pullRequestText({ session: session(more), messages, history, leftOut: ['It had 7 messages.'] })
}

function call(id: string, name: string, given: object, answer: Partial<Message>): Message[] {
  return [
    said(id, { role: 'assistant', content: '', tool_calls: [{ id: `c${id}`, name, arguments: given }] }),
    said(`${id}r`, { role: 'tool', tool_call_id: `c${id}`, ...answer }),
  ]
}

// promise: The text for a pull
test('the text shows the request, and folds decisions, dropped attempts and files', () => {
  const shown = made([
    said('a', { content: 'Add a rate limit to the API' }),
    said('b', { role: 'assistant', content: 'We decided to use a token bucket.' }),
    said('c', { content: 'Try it with Redis' }),
    said('d', { role: 'assistant', content: 'Redis is in.' }),
    rewound('b'),
    said('e', { content: 'Keep it in memory. It must never block a request.' }),
    ...call('f', 'Write', { file_path: 'src/limit.ts' }, { content: 'created' }),
    ...call('g', 'Bash', { command: 'rm -rf /' }, { content: 'no', refused: true, is_error: true }),
    ...call('h', 'Bash', { command: 'npm test' }, { content: '1 failed', is_error: true }),
    ...call('i', 'Bash', { command: 'git commit -m x' }, { content: '[main 1a2b3c4] Add a limit' }),
    said('j', { role: 'assistant', content: 'The sliding window did not work.' }),
  ])
  const fold = (title: string) =>
    new RegExp(`<summary>${title} \\(.*?\\)</summary>\\n\\n([\\s\\S]*?)\\n\\n</details>`).exec(shown)?.[1]
  expect(shown).toContain('**Asked:** Add a rate limit to the API\n')
  expect(fold('Asked on the way')).toBe('- Keep it in memory. It must never block a request.')
  expect(fold('Decided')).toBe('- We decided to use a token bucket.')
  expect(fold('Asked to keep to')).toContain('- It must never block a request.')
  expect(fold('Tried and dropped')).toBe(
    '- Taken back: Try it with Redis\n- Refused: rm `-rf /`\n- The sliding window did not work.',
  )
  expect(fold('Files')).toBe('- `src/limit.ts` (created)')
  expect(fold('Commits')).toBe('- `1a2b3c4 Add a limit (main)`')
  expect(fold('Still failing')).toContain('npm test')
  expect(shown).toContain('It had 7 messages.</sub>')
  expect(shown).not.toContain('Redis is in.')
})

test('each request is in the text once, also if the first one is a command alone', () => {
  const shown = made([
    said('a', { content: '/workspace.brainstorm' }),
    said('b', { role: 'assistant', content: 'About what?' }),
    said('c', { content: 'A rate limit' }),
    said('d', { role: 'assistant', content: 'Well.' }),
    said('e', { content: 'In memory' }),
  ])
  expect(shown).toContain('**Asked:** A rate limit\n')
  expect(shown.match(/A rate limit/g)).toHaveLength(1)
  expect(shown.match(/In memory/g)).toHaveLength(1)
})

test('a request whose first one was pruned is in the text', () => {
  const messages = [
    said('c', { content: 'And with Redis' }),
    said('d', { role: 'assistant', content: 'Yes.' }),
  ]
  const history = { ...historyOf({ messages, project: 'p', tools: TOOLS }), task: 'Add a rate limit' }
  const shown = pullRequestText({ session: session(), messages, history, leftOut: [] })
  expect(shown).toContain('**Asked:** Add a rate limit\n')
  expect(shown).toContain('- And with Redis')
})

test('the text of a long conversation keeps the newest items and says that there are more', () => {
  const shown = made(
    Array.from({ length: 400 }, (_, n) => said(`m${n}`, { content: `Request ${n}: ${'word '.repeat(60)}` })),
  )
  expect(shown.length).toBeLessThanOrEqual(MAX_PULL_REQUEST_LENGTH)
  expect(shown).toContain('Request 399')
  expect(shown).toContain('of 399)')
  expect(shown).toContain('Not all is listed of: asked on the way')
})

// promise: makes a text whose recorded
test('law: any text fits, contains only complete HTML of cortext, and begins no line with a recorded word', () => {
  fc.assert(
    fc.property(nativeSessions, text, text, (sessions, title, summary) => {
      const shown = made(orderMessages(sessions.flat()), { title, context_summary: summary })
      expect(shown.length).toBeLessThanOrEqual(MAX_PULL_REQUEST_LENGTH)
      expect(Buffer.byteLength(shown)).toBeLessThan(65_536)
      const tags = shown.replace(/`[^`\n]+`/g, '').match(/<[^>]*>/g) ?? []
      const open = tags.filter((tag) => tag === '<details>').length
      expect(new Set(tags).size).toBeLessThanOrEqual(6)
      expect(tags.filter((tag) => tag === '</details>')).toHaveLength(open)
      expect(tags.filter((tag) => !/^<\/?(?:details|summary|sub)>$/.test(tag))).toEqual([])
      for (const line of shown.split('\n'))
        expect(line).toMatch(
          /^(?:|- .*|<\/?details>|<summary>.*|<sub>.*|\*\*(?:Conversation|Asked|Outcome):\*\* .*)$/u,
        )
    }),
  )
})
