import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readConversation, readOutlined } from '../../src/conversation/read.ts'
import { RECORD } from '../../src/store/layout.ts'
import { openWorkspace } from '../../src/workspace/open.ts'
import { workspaceLab } from '../helpers/workspace-lab.ts'

const PATH = 'conversations/2026-11-20/001-brainstorm-outlined'

test('law: read in outlines, a conversation has the same messages in the same order, repeated ids and rewinds included', async () => {
  const { environment, root } = await workspaceLab({ git: 'none' })
  const ws = openWorkspace(environment)
  mkdirSync(join(root, PATH, dirname(RECORD.session)), { recursive: true })
  const session = (title: string) => ({
    ...{ version: '1.0', conversation_id: '001-brainstorm-outlined', conversation_type: 'brainstorm', title },
    ...{ created_at: '2026-11-20T09:00:00Z', last_active: '2026-11-20T09:00:00Z' },
  })
  const lines = fc.array(
    fc.record(
      {
        id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
        role: fc.constantFrom('user', 'assistant', 'tool'),
        content: fc.oneof(
          fc.string(),
          fc.nat(900).map((length) => 'w '.repeat(length)),
        ),
        timestamp: fc.nat(9).map((second) => `2026-11-20T09:00:0${second}Z`),
        native_session: fc.constantFrom('one', 'two'),
        seq: fc.nat(5),
        event: fc.constantFrom('rewound', 'resumed'),
        to: fc.constantFrom('a', 'b'),
      },
      { requiredKeys: ['id', 'role', 'content', 'timestamp'] },
    ),
  )
  fc.assert(
    fc.property(lines, fc.constantFrom('Outlined', 'Untitled', ''), (some, title) => {
      writeFileSync(join(root, PATH, RECORD.session), JSON.stringify(session(title)))
      writeFileSync(
        join(root, PATH, RECORD.messages),
        some.map((line) => `${JSON.stringify(line)}\n`).join(''),
      )
      const outlined = readOutlined(ws, PATH)
      const read = readConversation(ws, PATH)
      expect(outlined.messages.map(outlined.whole)).toEqual(read.messages)
      expect(outlined.session).toEqual(read.session)
      expect(outlined.problems).toEqual(read.problems)
      outlined.close()
    }),
    { numRuns: 200 },
  )
})
