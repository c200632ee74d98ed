import { sha256 } from '../../../hash.ts'
import { beforeControlTurn } from '../../../session/control-turns.ts'
import type { Message } from '../../../session/schema.ts'
import type { Bucket } from '../../shared/transcript/byte-ledger.ts'
import type { Line } from '../../shared/transcript/lines.ts'
import {
  type Content,
  idOfLine,
  type Role,
  TranscriptWriter,
} from '../../shared/transcript/transcript-writer.ts'

/** The messages and events of a thread. They are added in the order in which they were said. */
export class Talk extends TranscriptWriter {
  /** The message after which the talk continues; null before the first message. */
  tip: string | null = null
  readonly #hashes = new Map<string, string>()

  constructor(session: string) {
    super('codex', session)
  }

  /**
   * Whether an item with this id and the same words came before. Notes this item. Models of other makers may give one
   * id to several items, so an item with other words is not a repetition.
   */
  repeats(nativeId: string, words: string): boolean {
    const key = sha256(words)
    if (this.#hashes.get(nativeId) === key) return true
    this.#hashes.set(nativeId, key)
    return false
  }

  say(line: Line, nativeId: string, role: Role, content: Content, ...parts: string[]): Message {
    const message = this.add(line, nativeId, role, content, ...parts)
    this.tip = message.id
    return message
  }

  override keepUnknown(line: Line, raw: unknown, kind: string): Bucket {
    return super.keepUnknown(line, raw, kind, `unknown ${idOfLine(line)}`)
  }

  /**
   * Takes back what was said after the message `to`. If `to` is null, everything is taken back. `to` may be in a turn
   * that stops or resumes, which no record has: the event then names the message before that turn. The client itself
   * goes on from `to`.
   */
  goBack(line: Line, to: string | null, nativeId: string): void {
    const before = beforeControlTurn(this.messages, to)
    this.addEvent(line, nativeId, 'rewound').to = before
    this.tip = to
  }
}
