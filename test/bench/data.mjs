// The data that the benchmark measures on: workspaces, records and transcripts of a given size, alike from run to run.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const WORDS =
  'the service reads a queue and writes each order once so we keep an outbox table beside it while retries stay idempotent'.split(
    ' ',
  )
const BEGIN = Date.UTC(2026, 0, 1)

/** An empty workspace in a git repository of its own. */
export function makeWorkspace(root) {
  mkdirSync(join(root, '.workspace'), { recursive: true })
  writeFileSync(join(root, '.workspace/config.json'), '{ "list": { "archiveAfterDays": 0, "maxOpen": 0 } }\n')
  execFileSync('git', ['init', '--quiet', root])
  return root
}

/** Where the machine's own files of a workspace lie. */
export function localFolder(root) {
  return join(root, '.git/cortext')
}

/** `count` conversations of `messages` messages each, a hundred a day. Returns their folders. */
export function addConversations(root, count, messages) {
  return Array.from({ length: count }, (_, at) => {
    const day = new Date(BEGIN + Math.floor(at / 100) * 86_400_000).toISOString().slice(0, 10)
    const id = `${String((at % 100) + 1).padStart(3, '0')}-brainstorm-question-${at}`
    const folder = join(root, 'conversations', day, id)
    const lines = Array.from({ length: messages }, (_, seq) => JSON.stringify(message(`${at}`, seq)))
    mkdirSync(join(folder, '.session'), { recursive: true })
    writeFileSync(
      join(folder, '.session/session.json'),
      `${JSON.stringify(session(id, at, messages), null, 2)}\n`,
    )
    writeFileSync(join(folder, '.session/messages.jsonl'), `${lines.join('\n')}\n`)
    return folder
  })
}

/** A Claude Code transcript of about `bytes` bytes: prompts, answers, and a tool call with its result for each. */
export function claudeTranscript(nativeId, bytes) {
  const lines = []
  let size = 0
  for (let turn = 0; size < bytes; turn++) {
    for (const record of claudeTurn(nativeId, turn)) {
      lines.push(JSON.stringify(record))
      size += lines.at(-1).length + 1
    }
  }
  return `${lines.join('\n')}\n`
}

/** One turn as Claude Code 2.1 writes it, hanging on the one before. */
export function claudeTurn(nativeId, turn) {
  const uuid = (step) => `${hash(`${nativeId}-${turn}`).slice(0, 30)}-${step}`
  const before = turn === 0 ? null : `${hash(`${nativeId}-${turn - 1}`).slice(0, 30)}-3`
  const call = `toolu_${turn}`
  const parts = [
    [before, 'user', { role: 'user', content: `Question ${turn}: ${prose(turn, 40)}` }],
    [
      uuid(0),
      'assistant',
      answer(turn, 'a', {
        type: 'tool_use',
        id: call,
        name: 'Read',
        input: { file_path: `/project/src/${turn}.ts` },
      }),
    ],
    [
      uuid(1),
      'user',
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: call, content: source(turn) }] },
    ],
    [
      uuid(2),
      'assistant',
      { ...answer(turn, 'b', { type: 'text', text: prose(turn + 7, 200) }), stop_reason: 'end_turn' },
    ],
  ]
  return parts.map(([parentUuid, type, said], step) => ({
    parentUuid,
    isSidechain: false,
    userType: 'external',
    cwd: '/project',
    sessionId: nativeId,
    version: '2.1.197',
    type,
    message: said,
    uuid: uuid(step),
    timestamp: at(turn * 4 + step),
  }))
}

function answer(turn, part, block) {
  return {
    id: `msg_${turn}${part}`,
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content: [block],
  }
}

function message(conversation, seq) {
  const base = {
    id: hash(`${conversation}-${seq}`).slice(0, 32),
    timestamp: at(seq),
    client: 'claude',
    native_session: `native-${conversation}`,
    seq,
  }
  return seq % 2 === 0
    ? { ...base, role: 'user', content: `Question ${seq}: ${prose(seq, 30)}` }
    : { ...base, role: 'assistant', content: `Answer ${seq}: ${prose(seq, 60)}`, model: 'claude-sonnet-4-5' }
}

function session(id, at_, messages) {
  return {
    version: '1.0',
    conversation_id: id,
    conversation_type: 'brainstorm',
    title: `Question ${at_}: ${prose(at_, 5)}`,
    status: 'paused',
    created_at: at(at_),
    last_active: at(at_ + messages),
    message_count: messages,
    token_count: messages * 60,
    agent_config: {
      client: 'claude',
      command: '/workspace.brainstorm',
      system_prompt_hash: 'unknown',
      model: 'claude-sonnet-4-5',
      tools: [],
    },
    context_summary: prose(at_, 20),
    agent_sessions: [
      {
        client: 'claude',
        native_id: `native-${at_}`,
        started_at: at(at_),
        last_active: at(at_ + messages),
        message_count: messages,
      },
    ],
  }
}

function prose(seed, words) {
  return Array.from(
    { length: words },
    (_, word) => WORDS[(seed * 7 + word * word + word) % WORDS.length],
  ).join(' ')
}

/** Source code of some 40 lines, with the assignments and strings that redaction has to look at. */
function source(seed) {
  return Array.from(
    { length: 40 },
    (_, row) =>
      `${row}\tconst value${row} = readSetting('${WORDS[(seed + row) % WORDS.length]}', ${seed * row})`,
  ).join('\n')
}

function at(second) {
  return new Date(BEGIN + second * 1000).toISOString()
}

function hash(text) {
  return createHash('sha256').update(text).digest('hex')
}
