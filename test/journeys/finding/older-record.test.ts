import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { type Lab, shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'

/** The sample of the session design, word for word: metadata without a title, lines without an id. */
const SESSION = `{
  "version": "1.0",
  "conversation_id": "001-brainstorm-api-design",
  "conversation_type": "brainstorm",
  "status": "active",
  "created_at": "2025-11-22T10:30:00Z",
  "last_active": "2025-11-22T11:45:00Z",
  "message_count": 24,
  "agent_config": {
    "command": "/workspace.brainstorm",
    "system_prompt_hash": "sha256:abc123...",
    "model": "claude-sonnet-4-5-20250929",
    "tools": ["mcp__cortext__search_workspace", "mcp__cortext__get_context"]
  },
  "context_summary": "Discussing REST vs GraphQL for internal APIs, leaning toward REST for simplicity"
}
`
const LINES = `{"role": "user", "content": "Let's brainstorm API design", "timestamp": "2025-11-22T10:30:00Z"}
{"role": "assistant", "content": "Great! What's the core problem...", "timestamp": "2025-11-22T10:30:15Z"}
`
const PATH = 'conversations/2025-11-22/001-brainstorm-api-design'

test('S0-D2b S0-D3g X-10: the sample of the session design is read, listed, resumed and saved; its file stays', async () => {
  const lab = await older(LINES)
  const { conversations } = await lab.json<Listed>(['list', '--all', '--json'])
  expect(conversations).toMatchObject([{ id: '001-brainstorm-api-design', title: 'api design' }])
  expect(talk(await shown(lab, '001'))).toEqual([
    "user: Let's brainstorm API design",
    "assistant: Great! What's the core problem...",
  ])
  const { stdout } = await lab.cortext(['resume', '001', '--print'])
  expect(stdout).toContain("Great! What's the core problem...")
  const saved = await lab.json(['save', '001', '--json'])
  expect(saved).toMatchObject({ message_count: 2, appended: 0 })
  expect(messagesIn(lab)).toBe(LINES)
  expect((await lab.cortext(['search', 'core problem'])).stdout).toMatch(
    /^\[brainstorm\] api design {2}\(1, /,
  )
})

test('X-10: both forms of the design documents are read as messages, and a line of any other form stays in the file', async () => {
  const lines = [
    { role: 'user', content: 'a', timestamp: '2025-11-22T10:00:00Z', tool_calls: null, tokens: { count: 3 } },
    {
      ...{
        id: 'm2',
        seq: 1,
        parentId: null,
        timestamp: '2025-11-22T10:00:01Z',
        role: 'assistant',
        content: '',
      },
      assistant: { model: 'qwen', toolCalls: [{ id: 'c1', name: 'read', arguments: '{"path":"x"}' }] },
    },
    {
      ...{
        id: 'm3',
        seq: 2,
        parentId: 'm2',
        timestamp: '2025-11-22T10:00:02Z',
        role: 'tool',
        content: 'text of x',
      },
      tool: { callId: 'c1', name: 'read' },
    },
    { role: 'user', content: 'a', timestamp: '2025-11-22T10:00:00Z' },
    { role: 'user', content: 'no time' },
    { role: 'robot', content: 'b', timestamp: '2025-11-22T10:00:03Z' },
  ]
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  const lab = await older(text)
  const messages = await shown(lab, '001')
  expect(messages).toMatchObject([
    { role: 'user', content: 'a', tokens: 3 },
    { role: 'assistant', model: 'qwen', tool_calls: [{ id: 'c1', name: 'read', arguments: { path: 'x' } }] },
    { role: 'tool', content: 'text of x', tool_call_id: 'c1', tool_name: 'read', parent_id: 'm2' },
    { role: 'user', content: 'a' },
  ])
  expect(new Set(messages.map(({ id }) => id)).size).toBe(4)
  // Two lines could not be read, so the count of whoever wrote them is not lowered.
  const { stdout, stderr } = await lab.cortext(['save', '001', '--json'])
  expect(JSON.parse(stdout)).toMatchObject({ message_count: 24 })
  expect(stderr + (await lab.cortext(['doctor'])).stdout).toMatch(/messages\.jsonl.*\b5\b/)
  expect(messagesIn(lab)).toBe(text)
})

test('what is said after a resume of an older record is appended after the lines of the older form', async () => {
  const lab = await older(LINES)
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.resume', '001', () =>
    lab.cortext(['agent', 'resume', '001'], { env: claude.env }),
  )
  await claude.turn('REST?')
  await lab.cortext(['stop'], { env: claude.env })
  expect(talk(await shown(lab, '001')).slice(1)).toEqual([
    "assistant: Great! What's the core problem...",
    'user: REST?',
    'assistant: answer to REST?',
  ])
  expect(messagesIn(lab).startsWith(LINES)).toBe(true)
  expect((await lab.cortext(['fork', '001'])).code).toBe(0)
})

interface Listed {
  conversations: { id: string; title: string }[]
}

async function older(lines: string): Promise<Lab> {
  const lab = await workspaceLab()
  const folder = join(lab.root, PATH, '.session')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'session.json'), SESSION)
  writeFileSync(join(folder, 'messages.jsonl'), lines)
  return lab
}

function messagesIn(lab: Lab): string {
  return readFileSync(join(lab.root, PATH, '.session/messages.jsonl'), 'utf8')
}
