import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { SessionFile } from '../../src/session/schema.ts'
import { RECORD } from '../../src/store/layout.ts'
import { openWorkspace, type Workspace } from '../../src/workspace/open.ts'
import { workspaceLab } from '../helpers/workspace-lab.ts'
import { session } from '../session/conversations.ts'

export const PATH = 'conversations/2026-11-20/001-brainstorm-growing'

const STARTED_AT = '2025-01-01T00:00:00Z'

/** A new workspace with one conversation, to which one native session is bound. Nothing is published or recorded yet. */
export async function unpublished(
  client: string,
  nativeId: string,
  { title, ...segment }: { title: string; how: 'start' | 'import'; to?: number },
): Promise<Workspace> {
  const { environment } = await workspaceLab({ git: 'none' })
  const ws = openWorkspace(environment)
  put(join(ws.root, PATH, RECORD.session), JSON.stringify(emptySession(title)))
  const ended = segment.to === undefined ? {} : { ended_at: STARTED_AT, ended_by: 'stop' }
  put(
    join(ws.local, 'bindings', `${client}-${nativeId}.json`),
    JSON.stringify({
      ...{ client, native_id: nativeId, transcript: '', root: ws.root },
      segments: [
        {
          ...{ conversation: PATH, journal: `${nativeId}.jsonl`, from: 0, started_at: STARTED_AT },
          ...{ ...segment, ...ended },
        },
      ],
    }),
  )
  return ws
}

function emptySession(title: string): SessionFile {
  const agent_config = {
    ...{ client: 'unknown', command: 'unknown', system_prompt_hash: 'unknown', model: 'unknown', tools: [] },
  }
  return session({
    ...{ title, conversation_id: '001-brainstorm-growing', status: 'active', origin: '0123456789abcdef' },
    ...{
      created_at: STARTED_AT,
      last_active: STARTED_AT,
      message_count: 0,
      agent_config,
      context_summary: '',
    },
  })
}

export function put(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}
