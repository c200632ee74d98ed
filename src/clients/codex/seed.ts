import { crypto } from '../../hash.ts'
import type { Handoff } from '../contract/launch.ts'
import { commandBody, typed } from './pack.ts'
import { SEED, SEED_TURN } from './read/rules.ts'

/** The version whose rollouts the seed is like. */
const WRITTEN_LIKE = '0.169.0'

/** The time of a seed whose id tells none. */
const SOME_TIME = Date.parse('2000-01-01T00:00:00.000Z')

/**
 * Makes the rollout of a thread of one turn. The screen shows the command as it was typed and the recap, which have
 * events; the model reads every `response_item` once, in this order. Instructions, resume block and history are one
 * message: a compaction keeps the begin and the end of a long one, and drops `<skill>`, so the instructions outlast it
 * (0.169.0). Its role is the person's and not the developer's, because a record may be a stranger's. The model's
 * provider is not in it: `prepare` asks Codex for that.
 */
export function seedOf({ nativeId, cwd, command, args, context, recap }: Handoff): string {
  const time = new Date(timeOf(nativeId)).toISOString()
  const turn = { turn_id: `${SEED_TURN}${nativeId}` }
  const asked = `${typed(command.name)}${args === '' ? '' : ` ${args}`}`
  const meta = { id: nativeId, session_id: nativeId, timestamp: time, cwd, originator: 'cortext' }
  const id = (number: number) => `${SEED}${nativeId}_${number}`
  const said = (number: number, role: 'user' | 'assistant', texts: string[]) => {
    const type = role === 'user' ? 'input_text' : 'output_text'
    const content = texts.map((text) => ({ type, text }))
    return { type: 'response_item', payload: { type: 'message', id: id(number), role, content } }
  }
  const event = (type: string, fields: object) => ({
    type: 'event_msg',
    payload: { type, ...turn, ...fields },
  })
  const shown = (item: object) => event('item_completed', { thread_id: nativeId, item })

  const lines = [
    {
      type: 'session_meta',
      payload: { ...meta, cli_version: WRITTEN_LIKE, source: 'cli', history_mode: 'paginated' },
    },
    event('task_started', {}),
    said(1, 'user', [asked]),
    shown({ type: 'UserMessage', id: id(2), content: [{ type: 'text', text: asked, text_elements: [] }] }),
    said(3, 'user', [commandBody(command, args), context]),
    shown({ type: 'AgentMessage', id: id(4), content: [{ type: 'Text', text: recap }] }),
    said(4, 'assistant', [recap]),
    event('task_complete', {}),
  ]
  return lines.map((line, ordinal) => `${JSON.stringify({ timestamp: time, ordinal, ...line })}\n`).join('')
}

/** Makes an id in Codex's form, a UUID of version 7: its first 48 bits are the time in milliseconds. */
export function newSessionId(now: Date): string {
  const time = now.getTime().toString(16).padStart(12, '0')
  const random = crypto().randomUUID()
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`
}

/** The time that an id of Codex's holds. */
export function timeOf(nativeId: string): number {
  const [, high, low] = /^([0-9a-f]{8})-([0-9a-f]{4})-7/i.exec(nativeId) ?? []
  return high === undefined ? SOME_TIME : Number.parseInt(`${high}${low}`, 16)
}
