import { crypto } from '../../hash.ts'
import type { Handoff } from '../contract/launch.ts'
import { givenIn, jsonLines, SEED_TIME } from '../shared/setup/seed.ts'
import { typed } from './pack.ts'
import { SEED, SEED_TURN } from './read/rules.ts'

/** The seed has the format of this version's rollouts. */
const FORMAT_VERSION = '0.169.0'

/**
 * Makes the rollout of a thread that has one turn:
 * * The screen shows only lines with an event: the command as a person types it, and the recap.
 * * The model reads every `response_item` once, in this order.
 * * The instructions, the resume block and the history are one message. A compaction keeps the beginning and the end of
 *   a long message, so it keeps the instructions. It would drop a `<skill>` (0.169.0).
 * * The message's role is `user` and not `developer`, because the record may come from a stranger.
 * * The thread is paginated. In any other, a rewind fails.
 * * The model's provider is left out: `place` asks Codex for it.
 */
export function seed(handoff: Handoff): string {
  const { nativeId, cwd, command, args, recap } = handoff
  const time = new Date(timeOf(nativeId)).toISOString()
  const turn = { turn_id: `${SEED_TURN}${nativeId}` }
  const typedText = `${typed(command)}${args === '' ? '' : ` ${args}`}`
  const meta = { id: nativeId, session_id: nativeId, timestamp: time, cwd, originator: 'cortext' }
  const id = (number: number) => `${SEED}${nativeId}_${number}`
  const message = (number: number, role: 'user' | 'assistant', texts: string[]) => {
    const type = role === 'user' ? 'input_text' : 'output_text'
    const content = texts.map((text) => ({ type, text }))
    return { type: 'response_item', payload: { type: 'message', id: id(number), role, content } }
  }
  const event = (type: string, fields: object) => ({
    type: 'event_msg',
    payload: { type, ...turn, ...fields },
  })
  const itemEvent = (item: object) => event('item_completed', { thread_id: nativeId, item })

  const lines = [
    {
      type: 'session_meta',
      payload: { ...meta, cli_version: FORMAT_VERSION, source: 'cli', history_mode: 'paginated' },
    },
    event('task_started', {}),
    message(1, 'user', [typedText]),
    itemEvent({
      type: 'UserMessage',
      id: id(2),
      content: [{ type: 'text', text: typedText, text_elements: [] }],
    }),
    // An answer has one id in its item and its message; a prompt has two.
    message(3, 'user', givenIn(handoff)),
    itemEvent({ type: 'AgentMessage', id: id(4), content: [{ type: 'Text', text: recap }] }),
    message(4, 'assistant', [recap]),
    event('task_complete', {}),
  ]
  return jsonLines(lines.map((line, ordinal) => ({ timestamp: time, ordinal, ...line })))
}

/** Makes an id in Codex's form, a UUID of version 7: its first 48 bits are the time in milliseconds. */
export function newSessionId(now: Date): string {
  const time = now.getTime().toString(16).padStart(12, '0')
  const random = crypto().randomUUID()
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`
}

/** The time in an id of Codex's form, in milliseconds; a fixed time for any other id. */
export function timeOf(nativeId: string): number {
  const [, high, low] = /^([0-9a-f]{8})-([0-9a-f]{4})-7/i.exec(nativeId) ?? []
  return high === undefined ? Date.parse(SEED_TIME) : Number.parseInt(`${high}${low}`, 16)
}
