import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Said = readonly [who: 'user' | 'assistant', text: string] | Edit

interface Edit {
  path: string
  from: string
  to: string
}

interface Talk {
  id: string
  title: string
  type: string
  client: string
  summary: string
  /** Days since something was said last. */
  days: number
  said: readonly Said[]
}

const TALKS: readonly Talk[] = [
  {
    ...{
      id: '2026-11-21/001-brainstorm-api-design',
      title: 'API design',
      type: 'brainstorm',
      client: 'claude',
    },
    summary: 'REST rather than GraphQL; field selection is open.',
    days: 3,
    said: [
      ['user', 'Three teams call us and each wants other fields.'],
      [
        'assistant',
        'Then the question is who decides what a response holds. Two ways fit here:\n\n| | REST | GraphQL |\n| --- | --- | --- |\n| caching | by URL | by hand |\n| fields | a list in the query | any |\n\nI lean to **REST**: your proxy caches it as it is.',
      ],
      ['user', 'REST, then. But how do they choose their fields?'],
      {
        path: 'src/api.ts',
        from: 'return order',
        to: 'const wanted = fieldsOf(query)\nreturn pick(order, wanted)',
      },
      [
        'assistant',
        'By a list in the query, `?fields=id,total`. Shall we try that on the two slowest calls first?',
      ],
    ],
  },
  {
    ...{ id: '2026-11-19/002-debug-login', title: 'Login fails on the second try', type: 'debug' },
    ...{ client: 'opencode', summary: 'The session cookie is set before the redirect.', days: 5 },
    said: [
      ['user', 'Why does the login fail on the second try only?'],
      ['assistant', 'The cookie is set before the redirect, and Safari drops it there.'],
    ],
  },
  {
    ...{ id: '2026-11-12/001-plan-release', title: 'Release plan', type: 'plan', client: 'gemini' },
    summary: 'Three steps, the migration first.',
    days: 12,
    said: [
      ['user', 'What has to be done before the release?'],
      ['assistant', 'The migration, the load test, the notes.'],
    ],
  },
  {
    ...{ id: '2026-10-30/001-learn-postgres', title: 'How does Postgres plan a join?', type: 'learn' },
    ...{ client: 'claude', summary: 'Nested loop, hash, merge; when which.', days: 25 },
    said: [
      ['user', 'How does Postgres choose between a hash join and a merge join?'],
      ['assistant', 'By estimated cost: sorted inputs make a merge join cheap.'],
    ],
  },
]

const DAY = 24 * 60 * 60_000

/** Writes four conversations into a workspace. With `now`, they were active some days before it; else on fixed days. */
export function writeTalks(root: string, now?: Date): void {
  for (const talk of TALKS) {
    const folder = join(root, 'conversations', talk.id)
    mkdirSync(join(folder, '.session'), { recursive: true })
    const begin = Date.parse(`${talk.id.slice(0, 10)}T09:30:00Z`)
    const last =
      now === undefined ? new Date(begin + 600_000) : new Date(now.getTime() - talk.days * DAY - 60_000)
    const said = now === undefined ? begin : last.getTime() - talk.said.length * 60_000
    const lines = talk.said.flatMap((one, at) => linesOf(talk, one, at, new Date(said + at * 60_000)))
    const session = {
      version: '1.0.0',
      conversation_id: talk.id.slice(11),
      conversation_type: talk.type,
      title: talk.title,
      status: 'paused',
      created_at: new Date(begin).toISOString(),
      last_active: last.toISOString(),
      message_count: talk.said.filter(Array.isArray).length,
      token_count: 1000,
      context_summary: talk.summary,
      agent_config: {
        ...{ client: talk.client, model: 'a-model', command: `/workspace.${talk.type}`, tools: [] },
        system_prompt_hash: 'unknown',
      },
      agent_sessions: [
        {
          ...{ client: talk.client, native_id: hash(talk.id), started_at: new Date(begin).toISOString() },
          ...{ last_active: last.toISOString(), message_count: talk.said.length },
        },
      ],
    }
    writeFileSync(join(folder, '.session/session.json'), `${JSON.stringify(session, null, 2)}\n`)
    writeFileSync(
      join(folder, '.session/messages.jsonl'),
      lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    )
    writeFileSync(join(folder, `${talk.type}.md`), `# ${talk.title}\n\n${talk.summary}\n`)
  }
}

function linesOf(talk: Talk, said: Said, at: number, time: Date): object[] {
  const base = (part: string) => ({
    ...{ id: hash(`${talk.id} ${at} ${part}`), timestamp: time.toISOString(), client: talk.client },
    ...{ native_session: hash(talk.id), seq: 2 * at + (part === 'result' ? 1 : 0) },
  })
  if (!('path' in said)) return [{ ...base('said'), role: said[0], content: said[1] }]
  const { path, from, to } = said
  const call = `call_${at}`
  return [
    {
      ...{ ...base('call'), role: 'assistant', content: '' },
      tool_calls: [
        { id: call, name: 'Edit', arguments: { file_path: path, old_string: from, new_string: to } },
      ],
    },
    {
      ...base('result'),
      role: 'tool',
      content: 'The file has been updated.',
      tool_call_id: call,
      tool_name: 'Edit',
    },
  ]
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
