import { type Fields, fieldsOf, textOf } from '../../shared/transcript/fields.ts'
import type { Line } from '../../shared/transcript/lines.ts'
import type { Before } from './before.ts'

/** A prompt in the queue, with the record that told of it last. */
export interface Queued {
  prompt: string
  line: Line
  record: Fields
  /** Whether the agent worked when it was typed. */
  busy: boolean
}

/**
 * Follows prompts that were typed while the agent worked. Each of them passes through this queue. Most leave it by
 * `dequeue` and then stand in a user record. What was given to the agent within the turn leaves it by `remove`; a
 * `queued_command` attachment may tell of it, before or after that (2.1.133 and newer). Other versions (seen: 2.0.64 to
 * 2.1.42, 2.1.91) leave only this trace of such a prompt, also where they write attachments of other kinds.
 */
export class PromptQueue {
  #waiting: Queued[] = []
  /** How many left the queue, and the record that holds them has not come yet. */
  #leaving = 0
  /**
   * Prompts that were given to the agent. They count as said when the agent goes on and no other record has told of
   * it.
   */
  #absorbed: Queued[] = []
  /** Prompts of attachments that came before the prompts left the queue. */
  #told: string[] = []
  readonly #before: Before
  /** Whether the client has written a `queued_command` attachment so far; undefined before it was looked for. */
  #hasAttachments: boolean | undefined

  constructor(before: Before) {
    this.#before = before
  }

  step(line: Line, record: Fields, busy: boolean): void {
    const operation = textOf(record.operation)
    const prompt = textOf(record.content)
    // A notification can leave the queue without a trace.
    if (operation === 'enqueue' && !isNotification(prompt)) this.#waiting.push({ prompt, line, record, busy })
    else if (operation === 'dequeue') this.#leaving++
    else if (operation === 'popAll') this.#waiting = []
    else if (operation === 'remove') this.#remove(line, record, prompt)
  }

  /** Another record told what was said: it is no matter of the queue any more. */
  told(prompt: string, byAttachment: boolean): void {
    if (byAttachment) this.#hasAttachments = true
    const absorbed = this.#absorbed.findIndex((one) => one.prompt === prompt)
    if (absorbed !== -1) this.#absorbed.splice(absorbed, 1)
    else if (this.#leaving > 0) this.#leave(prompt)
    else if (byAttachment) this.#told.push(prompt)
  }

  /** Prompts that were given to the agent and that no other record contains, now that the talk goes on. */
  goOn(): Queued[] {
    return this.#absorbed.splice(0)
  }

  /** Prompts that were left when the client ended while the agent worked. An idle agent is given a prompt at once. */
  rest(): Queued[] {
    return [...this.goOn(), ...this.#waiting.filter(({ prompt, busy }) => busy && isTalk(prompt))]
  }

  #leave(prompt: string): void {
    this.#leaving--
    const at = this.#waiting.findIndex((one) => one.prompt === prompt)
    // The client can word a prompt anew, as where it holds an image.
    if (at !== -1 || !isNotification(prompt)) this.#waiting.splice(Math.max(at, 0), 1)
  }

  #remove(line: Line, record: Fields, content: string): void {
    const at = content === '' ? 0 : this.#waiting.findIndex(({ prompt }) => prompt === content)
    const [one] = at === -1 ? [] : this.#waiting.splice(at, 1)
    if (one === undefined || !isTalk(one.prompt)) return
    const told = this.#told.indexOf(one.prompt)
    if (told !== -1) this.#told.splice(told, 1)
    else if (!this.#isWithdrawn(record)) this.#absorbed.push({ ...one, line, record })
  }

  /** A person can withdraw a prompt. Newer versions tell why it left; others tell of what they gave to the agent. */
  #isWithdrawn({ reason }: Fields): boolean {
    if (reason !== undefined) return reason !== 'absorbed_mid_turn'
    this.#hasAttachments ??= this.#before.linesWith('"queued_command"').some(isQueuedCommand)
    return this.#hasAttachments
  }
}

function isQueuedCommand(record: Fields): boolean {
  return fieldsOf(record.attachment).type === 'queued_command'
}

function isNotification(prompt: string): boolean {
  return prompt.startsWith('<task-notification>')
}

/** Whether the prompt is neither a command to the client nor one of the client's own notes. */
function isTalk(prompt: string): boolean {
  return prompt.trim() !== '' && !prompt.startsWith('/') && !prompt.startsWith('<')
}
