import type { Message } from '../../../session/schema.ts'
import type { Bucket } from '../../shared/transcript/byte-ledger.ts'
import { type Fields, textOf } from '../../shared/transcript/fields.ts'
import type { Line } from '../../shared/transcript/lines.ts'
import { type Calls, callIn } from './calls.ts'
import type { Talk } from './talk.ts'

/**
 * Answers of the model. Thoughts, text and calls of one response become one message. A text or a thought that follows a
 * text or a call begins another message.
 */
export class Answers {
  /** Whether the last answer is final. */
  settled = false
  model: string | undefined
  readonly #talk: Talk
  readonly #calls: Calls
  /** The answer that is being written. */
  #answer: Message | undefined

  constructor(talk: Talk, calls: Calls) {
    this.#talk = talk
    this.#calls = calls
  }

  /** Ends the answer: what follows belongs to the next answer. */
  end(settled: boolean): void {
    this.#answer = undefined
    this.settled = settled
  }

  addText(line: Line, id: string, text: string, { phase }: Fields): Bucket {
    if (this.#talk.repeats(id, text)) return 'derived'
    this.#answerFor(line, id).content = text
    this.settled = phase !== 'commentary'
    return 'kept'
  }

  addThought(line: Line, id: string, text: string): Bucket {
    if (this.#talk.repeats(id, text)) return 'derived'
    const answer = this.#answerFor(line, id)
    answer.reasoning = answer.reasoning === undefined ? text : `${answer.reasoning}\n\n${text}`
    return 'kept'
  }

  /** Reads a call or the output of a call; undefined for any other item. */
  addCall(line: Line, payload: Fields): Bucket | undefined {
    if (textOf(payload.type).endsWith('_output')) {
      this.end(false)
      return this.#calls.output(line, payload)
    }
    const call = callIn(payload)
    if (call === undefined) return undefined
    const id = textOf(payload.id) || `${call.id} ${this.#talk.time}`
    if (this.#talk.repeats(id, JSON.stringify(call))) return 'derived'
    this.#calls.add(this.#answerFor(line, id, true), call)
    this.settled = false
    return 'kept'
  }

  /** Reads the token usage, which ends a response. */
  usage(tokens: unknown): Bucket {
    if (this.#answer !== undefined && typeof tokens === 'number') this.#answer.tokens = tokens
    this.#answer = undefined
    return { dropped: 'usage' }
  }

  /** The answer that is being written, if the text, thought or call belongs to it; else a new answer. */
  #answerFor(line: Line, id: string, isCall = false): Message {
    let answer = this.#answer
    if (answer === undefined || (!isCall && (answer.content !== '' || answer.tool_calls !== undefined))) {
      answer = this.#talk.say(line, id, 'assistant', '')
      if (this.model !== undefined) answer.model = this.model
    }
    this.#answer = answer
    this.#talk.touched.add(answer)
    return answer
  }
}
