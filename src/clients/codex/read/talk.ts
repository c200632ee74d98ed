import { sha256 } from '../../../crypto.ts'
import { besideControlTurns } from '../../../session/control-turns.ts'
import type { Message } from '../../../session/schema.ts'
import type { Line } from '../../shared/transcript/lines.ts'
import { uniqueAmong } from '../../shared/transcript/unique-id.ts'
import { messageId } from './ids.ts'

/** The messages and events of a thread, in the order in which they were said, as they are added one by one. */
export class Talk {
  readonly messages: Message[] = []
  /** The messages that the lines of the segment made or added to. */
  readonly touched = new Set<Message>()
  /** The message behind which the talk goes on; null before the first one. */
  tip: string | null = null
  /** When the line that is being read was written. */
  time = '1970-01-01T00:00:00.000Z'

  readonly #session: string
  readonly #ids = new Set<string>()
  readonly #said = new Map<string, string>()

  constructor(session: string) {
    this.#session = session
  }

  /**
   * Whether an item stood there before with the same words. Models of other makers may give one id to several items, so
   * other words are no repetition.
   */
  repeats(nativeId: string, words: string): boolean {
    const key = sha256(words)
    if (this.#said.get(nativeId) === key) return true
    this.#said.set(nativeId, key)
    return false
  }

  add(
    line: Line,
    nativeId: string,
    role: Message['role'],
    content: Message['content'],
    ...parts: string[]
  ): Message {
    const message = this.#push(line, nativeId, role, content, ...parts)
    this.tip = message.id
    return message
  }

  addEvent(line: Line, nativeId: string, event: string): Message {
    const message = this.#push(line, nativeId, 'system', '', event)
    message.event = event
    return message
  }

  /** Takes back what was said after a message; null takes back all. */
  goBack(line: Line, to: string | null, nativeId: string): void {
    const before = besideControlTurns(this.messages, to)
    this.addEvent(line, nativeId, 'rewound').to = before
    this.tip = to
  }

  #push(
    line: Line,
    nativeId: string,
    role: Message['role'],
    content: Message['content'],
    ...parts: string[]
  ): Message {
    const message: Message = {
      // Two items of one id, or damage.
      id: uniqueAmong(this.#ids, messageId(nativeId, ...parts)),
      role,
      content,
      timestamp: this.time,
      client: 'codex',
      native_id: nativeId,
      native_session: this.#session,
      seq: line.number,
    }
    this.messages.push(message)
    this.touched.add(message)
    return message
  }
}
