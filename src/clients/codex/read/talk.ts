import { sha256 } from '../../../hash.ts'
import { besideControlTurns } from '../../../session/control-turns.ts'
import type { Message } from '../../../session/schema.ts'
import type { Line } from '../../shared/transcript/lines.ts'
import { TranscriptWriter } from '../../shared/transcript/transcript-writer.ts'

type Role = Message['role']

/** The messages and events of a thread, in the order in which they were said, as they are added one by one. */
export class Talk extends TranscriptWriter {
  /** The message after which the talk goes on; null before the first one. */
  tip: string | null = null
  readonly #said = new Map<string, string>()

  constructor(session: string) {
    super('codex', session)
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

  say(line: Line, nativeId: string, role: Role, content: Message['content'], ...parts: string[]): Message {
    const message = this.add(line, nativeId, role, content, ...parts)
    this.tip = message.id
    return message
  }

  /** Takes back what was said after a message; null takes back all. */
  goBack(line: Line, to: string | null, nativeId: string): void {
    const before = besideControlTurns(this.messages, to)
    this.addEvent(line, nativeId, 'rewound').to = before
    this.tip = to
  }
}
