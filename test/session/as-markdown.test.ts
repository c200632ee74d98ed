import { expect, test } from 'vitest'
import { asMarkdown } from '../../src/session/as-markdown.ts'
import { rewound, said, session } from './conversations.ts'

test('the live talk as markdown, tool calls and results in fences that their content cannot close', () => {
  const call = said('b', {
    role: 'assistant',
    content: 'I look.',
    tool_calls: [{ id: 't', name: 'Bash', arguments: { command: 'cat x' } }],
  })
  const result = said('c', {
    role: 'tool',
    content: '```\n````js',
    tool_call_id: 't',
    tool_name: 'Bash',
    is_error: true,
  })
  const picture = said('d', { content: [{ type: 'image' }] })
  const markdown = asMarkdown(session(), [said('a'), call, result, picture, said('gone'), rewound('d')])
  expect(markdown).toBe(`# API Design Discussion

brainstorm, 2026-11-21T10:30:00Z to 2026-11-21T11:45:00Z, 24 messages, paused.

> Exploring REST vs GraphQL, leaning toward REST for simplicity

## User (2026-11-21T10:30:00Z)

said in a

## Assistant (2026-11-21T10:30:00Z)

I look.

**Bash**

\`\`\`json
{
  "command": "cat x"
}
\`\`\`

**Result of Bash, failed**

\`\`\`\`\`
\`\`\`
\`\`\`\`js
\`\`\`\`\`

## User (2026-11-21T10:30:00Z)

[image]
`)
})

test('a call without arguments is shown as one without arguments', () => {
  const call = said('a', {
    role: 'assistant',
    content: '',
    tool_calls: [{ id: 't', name: 'Now', arguments: undefined }],
  })
  expect(asMarkdown(session({ context_summary: '' }), [call])).toContain('**Now**\n\n```json\n{}\n```')
})
