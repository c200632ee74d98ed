import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RECAP_TOKENS, type RecapFacts, recapOf } from '../../src/context/recap.ts'
import { historyOf } from '../../src/context/select-strategy.ts'
import type { Message, SessionFile } from '../../src/session/schema.ts'
import { OBEYED } from '../../src/text/line.ts'
import { wellFormed } from '../../src/text/whole-characters.ts'
import { said, session, text } from '../session/conversations.ts'
import { conversation, exact, tokenizer } from './building.ts'
import { TOOLS } from './tools.ts'

const recap = (messages: readonly Message[], about: Partial<SessionFile> = {}, changed: string[] = []) =>
  recapOf(
    {
      session: session({ message_count: 0, title: 'API design', ...about }),
      history: historyOf({ messages, project: 'p', tools: TOOLS }),
      now: new Date('2026-11-24T12:00:00Z'),
      changed,
    } satisfies RecapFacts,
    tokenizer.count,
  )
const user = (content: string, more: Partial<Message> = {}) => said(`u${content}`, { content, ...more })
const agent = (content: string) => said(`a${content}`, { role: 'assistant', content })
const did = (id: string, name: string, args: object, content: string): Message[] => [
  said(id, { role: 'assistant', content: '', tool_calls: [{ id, name, arguments: args }] }),
  said(`${id}r`, { role: 'tool', content, tool_call_id: id }),
]

test('a recap says where the work stood, what was said last, what is open and what has changed since', () => {
  const told = recap(
    [
      user('/workspace.plan API design'),
      ...did(
        '1',
        'TodoWrite',
        { todos: ['Sketch `GET /orders`', 'Ask the teams', 'Write it down'].map(open) },
        'ok',
      ),
      ...did('2', 'Bash', { command: 'npm test' }, 'FAIL test/api.test.ts\n2 failed'),
      agent('Begun.'),
      user('Which fields\n\ndo they need?'),
      agent(
        `They need **three**.\n\n\`\`\`ts\nget('/orders')\n\`\`\`\n\n${'It is a long story. '.repeat(20)}\n\nShall we try it?`,
      ),
    ],
    { conversation_type: 'plan', context_summary: 'Leaning toward REST. (Last said: Which fields)' },
    ['the instructions of /workspace.plan', '3 commits', 'src/api.ts'],
  )
  expect(told.split('\n')).toEqual([
    '`[Resuming "API design"]` plan, 6 messages, 3 days ago',
    '',
    '- Where it stood: `Leaning toward REST.`',
    '- You said last: `"Which fields do they need?"`',
    '- The answer: `"They need three. … Shall we try it?"`',
    "- Not ticked off: `Sketch 'GET /orders'; Ask the teams; Write it down`",
    '- Failing: `npm test: 2 failed`',
    '- Changed since: `the instructions of /workspace.plan; 3 commits; src/api.ts`',
  ])
})

test('a recap names the branch, and the words of the person without the question that they answer', () => {
  const status = (branch: string) => did('b', 'Bash', { command: 'git status' }, `On branch ${branch}\nclean`)
  const talk = [user('Test it'), agent('How?'), user('> How?\n\nWith vitest'), agent('It passes.')]
  const told = recap([...status('wip/`reader`'), ...talk])
  expect(told.split('\n')[0]).toMatch(/ago, on `wip\/'reader'`$/)
  expect(told).toContain('- You said last: `"With vitest"`')
  expect(recap([...status('main'), ...talk]).split('\n')[0]).toMatch(/ago$/)
})

test('a recap calls no run failing that passed, however long its command is', () => {
  const files = Array.from({ length: 40 }, (_, n) => `test/long/folder/file-${n}.test.ts`).join(' ')
  const talk = [
    user('Test it'),
    ...did('1', 'Bash', { command: `npx vitest run ${files}` }, '9 passed'),
    agent('Done.'),
  ]
  expect(recap(talk)).not.toContain('Failing')
  const failed = did('2', 'Bash', { command: `npx vitest run ${files} test/other.test.ts` }, '2 failed')
  expect(recap([...talk, ...failed])).toContain('\n- Failing: `vitest test/long')
})

test('a recap says that an answer is missing, and shows the one before', () => {
  const acted = recap([
    user('One?'),
    agent('One.'),
    user('Two?'),
    ...did('1', 'Bash', { command: 'ls' }, 'a'),
  ])
  expect(acted).toContain('said last: `"Two?"` (no answer in words)\n')
  const told = recap([user('One?'), agent('One.'), user('Two?', { author: 'Ann `x` [y](z)' })])
  expect(told).toContain('\n- Ann x y z said last: `"Two?"` (no answer)\n- The answer before: `"One."`')
})

test('a recap says that the work broke off, and shows the answer before and the last step, not the step as an answer', () => {
  const call = said('c', {
    ...{ role: 'assistant', content: 'I look at my mail.' },
    tool_calls: [{ id: 'x', name: 'Bash', arguments: { command: 'mail' } }],
  })
  const told = recap([user('One?'), agent('One.'), user('Add the beads'), call])
  expect(told).toContain(
    '\n- You said last: `"Add the beads"` (no final answer)\n- The answer before: `"One."`\n- Last step: `"I look at my mail."`',
  )
})

test('a recap shows the last request, not the small talk after it, and the words of the person as they were typed', () => {
  const talk = [user('Can you add the labels?'), agent('Four labels.'), user('continue'), agent('Done.')]
  const small = [
    user('Could you make\nit nicer, please?'),
    agent('It has icons.'),
    user('thanks'),
    agent('Welcome!'),
  ]
  expect(
    recap([...talk, ...small], { context_summary: '' })
      .split('\n')
      .slice(2),
  ).toEqual([
    '- Asked for first: `"Can you add the labels?"`',
    '- You asked last: `"Could you make it nicer, please?"`',
    '- The answer: `"It has icons."`',
  ])
  expect(recap([user('continue'), ...talk, user('push')], { context_summary: '' })).toContain(
    '- Asked for: `"Can you add the labels?"`',
  )
  const picture = [{ type: 'text', text: 'Like\n> one\nthis' }, { type: 'image' }]
  expect(recap([said('p', { content: picture })])).toContain(
    '- You said last: `"Like … this" [image]` (no answer)',
  )
})

test('without a written summary, a recap has the first request and what was done, and no guess at what is next', () => {
  const talk = [
    user('/workspace.plan Move the wiki'),
    ...did('1', 'Edit', { file_path: 'wiki/index.md', old_string: 'x' }, 'ok'),
    agent('It is moved.'),
    user('Good'),
    agent('Perfect! Next we move the mails.'),
  ]
  for (const summary of ['', 'Last said: Good', 'From the record: asked "Move the wiki"'])
    expect(recap(talk, { context_summary: summary }).split('\n').slice(2)).toEqual([
      '- Asked for first: `"Move the wiki"`',
      '- Done: `changed index.md`',
      '- You said last: `"Good"`',
      '- The answer: `"Next we move the mails."`',
    ])
  expect(recap(talk, { context_summary: '', title: 'Move the wiki' })).not.toContain('Asked for first')
})

test('a recap leaves out control turns, and is one line for a conversation of nothing else', () => {
  const stop = [user('/workspace.stop-conversation'), agent('Saved.')]
  expect(recap([user('One?'), agent('One.'), ...stop])).toContain(
    '- You said last: `"One?"`\n- The answer: `"One."`',
  )
  expect(recap(stop, { context_summary: '' })).toBe(
    '`[Resuming "API design"]` brainstorm; nothing was said yet',
  )
  expect(recap([], { context_summary: '' })).toBe(
    '`[Resuming "API design"]` brainstorm; nothing was said yet',
  )
})

/** Nine lines of it would be a page; in these scripts a character is a token or more. */
const LONG = fc
  .constantFrom('many words ', '漢字かな', '👩‍👩‍👧‍👦', 'ﷺ\u0f3a', '`[a](b) **c** ')
  .map((one) => one.repeat(300))
const words = fc.oneof({ weight: 3, arbitrary: text }, LONG)

test('whatever was said, a recap has at most ten lines, fits a small screen and its tokens, and nothing in it poses, ends a line or is obeyed', () => {
  const turn = fc
    .tuple(words, words, words)
    .map(([asked, subject, answer]) => [
      user(asked, { author: subject }),
      ...did('t', 'TodoWrite', { todos: [open(subject), open(answer)] }, 'ok'),
      ...did('b', 'Bash', { command: 'npm test' }, `FAIL ${asked}\n2 failed`),
      agent(answer),
    ])
  const messages = fc.oneof(conversation, turn)
  fc.assert(
    fc.property(
      messages,
      words,
      words,
      words,
      fc.array(words, { maxLength: 5 }),
      (said, title, type, summary, changed) => {
        const about = { title, conversation_type: type, context_summary: summary }
        const told = recap(said, about, changed)
        expect(recap(said, about, changed)).toBe(told)
        expect(exact(told)).toBeLessThanOrEqual(RECAP_TOKENS)
        expect(wellFormed(told)).toBe(told)
        expect(told).not.toMatch(OBEYED)
        expect(told).not.toMatch(/\[\s*(?:END\s+RESUMED\s+CONTEXT|RESUMED\s+CONVERSATION)\s*\]/i)
        const [head, blank = '', ...items] = told.split('\n')
        expect(blank).toBe('')
        expect(items.length).toBeLessThanOrEqual(7)
        const rows = told
          .split('\n')
          .map((line) =>
            Math.max(1, Math.ceil(line.replace(/\p{Script=Han}|\p{Script=Hiragana}/gu, '12').length / 68)),
          )
        expect(
          rows.reduce((sum, n) => sum + n),
          'all of it is on a small screen',
        ).toBeLessThanOrEqual(13)
        // Outside of code there are only words of ours, a type and a name.
        expect(head).toMatch(
          /^`\[Resuming "[^`]*"\]` [\p{L}\p{N}_ -]*(?:, \d+ messages?, [\w ]+|; nothing was said yet)$/u,
        )
        for (const line of items)
          expect(line).toMatch(
            /^- [\p{L}\p{M}\p{N} .'-]+: `[^`]+`(?: \(no (?:final answer|answer|answer in words)\))?$/u,
          )
      },
    ),
  )
})

function open(content: string) {
  return { content, status: 'pending' }
}

test('a recap shows an only turn that also stopped the conversation, and a summary where nothing was said', () => {
  const stopping = said('s', {
    role: 'assistant',
    content: '',
    tool_calls: [{ id: 'c', name: 'Bash', arguments: { command: 'cortext agent stop --summary "x"' } }],
  })
  const once = recap([user('/workspace.plan API design'), stopping, agent('By REST.')], {
    context_summary: 'REST it is.',
  })
  expect(once).toContain('- Where it stood: `REST it is.`')
  expect(once).toContain('- The answer: `"By REST."`')
  expect(once).not.toContain('nothing was said yet')
  const none = recap([], { context_summary: 'REST it is.' }, ['3 commits'])
  expect(none.split('\n').slice(1)).toEqual([
    '',
    '- Where it stood: `REST it is.`',
    '- Changed since: `3 commits`',
  ])
})
