import { readFileSync } from 'node:fs'
import { toolVocabulary } from '../../../src/clients/all-tools.ts'
import type { ShownConversation } from '../../../src/extras/page/html/conversation-page.ts'
import { conversationPage } from '../../../src/extras/page/html/conversation-page.ts'
import type { Message } from '../../../src/session/schema.ts'
import { said, session } from '../../session/conversations.ts'

/** The page of some messages, as `cortext view` makes it. */
export function pageOfMessages(messages: Message[], more: Partial<ShownConversation> = {}): string {
  return conversationPage({
    path: 'conversations/2026-11-21/001-brainstorm-api-design',
    session: session(),
    messages,
    documents: [],
    read: () => undefined,
    tools: toolVocabulary(),
    clients: { claude: 'Claude Code', gemini: 'Gemini CLI', opencode: 'OpenCode' },
    zone: 'UTC',
    ...more,
  })
}

/** A conversation with one of everything that a page shows. */
export function example(): ShownConversation & { messages: Message[] } {
  const at = (minute: number) => `2026-11-21T10:${String(minute).padStart(2, '0')}:00Z`
  const user = (minute: number, content: string, more: Partial<Message> = {}) =>
    said(`u${minute}`, { content, timestamp: at(minute), client: 'claude', native_session: 's', ...more })
  const agent = (minute: number, content: string, more: Partial<Message> = {}) =>
    said(`a${minute}`, {
      role: 'assistant',
      content,
      timestamp: at(minute),
      client: 'claude',
      model: 'claude-sonnet-5',
      native_session: 's',
      ...more,
    })
  const result = (minute: number, call: string, content: string, more: Partial<Message> = {}) =>
    said(`r${minute}${call}`, {
      role: 'tool',
      content,
      tool_call_id: call,
      timestamp: at(minute),
      client: 'claude',
      native_session: 's',
      ...more,
    })
  const event = (minute: number, name: string, more: Partial<Message> = {}) =>
    said(`e${minute}${name}`, {
      role: 'system',
      content: '',
      event: name,
      timestamp: at(minute),
      client: 'claude',
      native_session: 's',
      ...more,
    })
  const messages = [
    event(0, 'started'),
    user(
      1,
      'The token check is slow for large tenants. Can you look at `src/auth/token.ts` and tell me why?',
      {
        author: 'Ann',
      },
    ),
    agent(2, 'I will read the file first, then measure.', {
      reasoning: 'The person asks about latency. Likely the **revocation list** is read for each request.',
      tool_calls: [
        { id: 'c1', name: 'Read', arguments: { file_path: 'src/auth/token.ts' } },
        {
          id: 'c2',
          name: 'Bash',
          arguments: { command: 'npm test -- token --reporter=dot', description: 'Run the tests' },
        },
      ],
    }),
    result(
      2,
      'c1',
      'export async function check(token: string) {\n  const list = await readRevoked()\n  return !list.includes(token)\n}\n',
    ),
    result(2, 'c2', '✗ 1 failed\nTypeError: revoked is not iterable', { is_error: true }),
    agent(
      4,
      [
        'Two things stand out.',
        '',
        '## What happens',
        '',
        '1. The revocation list is read **on every request**, and it is searched from its beginning.',
        '2. Nothing keeps it between requests, so the time grows with the tenant.',
        '',
        '| Tenant | Tokens | p95 |',
        '|:--|--:|--:|',
        '| small | 120 | 4 ms |',
        '| large | 48,000 | 212 ms |',
        '',
        'A `Set` that is kept for a minute is enough:',
        '',
        '```ts',
        "import { readRevoked } from './store.ts'",
        '',
        '/** Kept for a minute: a token that was revoked is refused within that time. */',
        'const MINUTE = 60_000',
        'let known: { at: number; tokens: Set<string> } | undefined',
        '',
        'export async function check(token: string): Promise<boolean> {',
        '  if (known === undefined || Date.now() - known.at > MINUTE) {',
        '    known = { at: Date.now(), tokens: new Set(await readRevoked()) }',
        '  }',
        '  return !known.tokens.has(token)',
        '}',
        '```',
        '',
        '> A token that was revoked is then accepted for up to a minute. Is that all right for you?',
        '',
        'The details are in the [RFC on revocation](https://www.rfc-editor.org/rfc/rfc7009).',
      ].join('\n'),
    ),
    user(6, 'Rewrite it in Rust then.'),
    agent(7, 'Rust it is: I would begin with the parser of the tokens.'),
    event(8, 'rewound', { to: 'a4' }),
    user(
      9,
      'A minute is fine. Please do it, and keep the tests green.\n\nHere is what the dashboard shows:',
      {
        author: 'Ann',
        attachments: [{ media_type: 'image/png', sha256: 'f'.repeat(64), bytes: 70, name: 'dashboard.png' }],
      },
    ),
    agent(10, 'Done. The change is small:', {
      tool_calls: [
        {
          id: 'c3',
          name: 'Edit',
          arguments: {
            file_path: 'src/auth/token.ts',
            old_string:
              'export async function check(token: string) {\n  const list = await readRevoked()\n  return !list.includes(token)\n}',
            new_string:
              'export async function check(token: string) {\n  const tokens = await revokedTokens()\n  return !tokens.has(token)\n}',
          },
        },
        { id: 'c4', name: 'mcp__jira__comment', arguments: { issue: 'AUTH-212', text: 'Fixed by a set.' } },
      ],
    }),
    result(10, 'c3', 'The file src/auth/token.ts has been updated.'),
    result(10, 'c4', 'The person did not allow this.', { refused: true, is_error: true }),
    agent(11, 'All 214 tests pass, and `p95` of the large tenant is now **6 ms**.'),
    event(12, 'compacted', {
      summary: 'Ann asked why the token check is slow. It read the list at every request.',
    }),
    event(13, 'resumed', { client: 'gemini', native_session: 'g' }),
    user(14, 'Which places use the old function still?', {
      client: 'gemini',
      native_session: 'g',
      author: 'Bob',
    }),
    agent(
      15,
      'None: `rg readRevoked` finds only the new module.\n\n- `src/auth/token.ts`\n- `src/auth/store.ts`',
      {
        client: 'gemini',
        model: 'gemini-3-pro',
        native_session: 'g',
      },
    ),
  ]
  return {
    path: 'conversations/2026-11-21/001-debug-token-check',
    session: session({
      title: 'Why the token check is slow',
      conversation_type: 'debug',
      tags: ['auth', 'latency'],
      context_summary:
        'The revocation list was read at every request. It is kept for a minute now; the large tenant went from 212 to 6 ms.',
    }),
    messages,
    documents: [
      {
        name: 'debug.md',
        text: '# Token check\n\n## Symptom\n\n`p95` of 212 ms for large tenants.\n\n## Cause\n\nThe list is read at every request.\n\n## Decision\n\n- [x] Keep a `Set` for a minute\n- [ ] Tell support\n\n```sh\nnpm test -- token\n```\n',
      },
    ],
    read: () => new Uint8Array(readFileSync(new URL('./dashboard.png', import.meta.url))),
    tools: toolVocabulary(),
    clients: { claude: 'Claude Code', gemini: 'Gemini CLI', opencode: 'OpenCode' },
    zone: 'UTC',
  }
}
