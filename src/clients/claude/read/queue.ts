import { type Fields, fieldsOf, textOf } from '../../shared/transcript/fields.ts'
import type { Line } from '../../shared/transcript/lines.ts'
import type { Before } from './before.ts'

/** A prompt in the queue, with the last queue record about that prompt. */
export interface Queued {
  prompt: string
  line: Line
  record: Fields
  /** Whether the agent was working when the prompt was typed. */
  busy: boolean
}

/**
 * Follows the client's queue, through which every prompt passes that was typed while the agent worked. Most prompts
 * leave the queue by `dequeue`, and a user record contains them later. A prompt that was given to the agent within the
 * turn leaves the queue by `remove`. In 2.1.133 and newer, a `queued_command` attachment before or after the `remove`
 * may contain the prompt. In other versions (seen: 2.0.64 to 2.1.42, 2.1.91) the `remove` is the only trace of such a
 * prompt, even if the version writes attachments of other kinds.
 */
export class PromptQueue {
  #waiting: Queued[] = []
  /** The number of prompts that left the queue by `dequeue` and are not in another record yet. */
  #leaving = 0
  /**
   * Prompts that left the queue by `remove` because the agent was given them. Such a prompt becomes a message when the
   * talk continues, unless another record has contained it.
   */
  #absorbed: Queued[] = []
  /** Prompts that an attachment contained before they left the queue. */
  #attachedEarly: string[] = []
  readonly #before: Before
  /** Whether the client has written a `queued_command` attachment so far; undefined until we have looked for one. */
  #hasAttachments: boolean | undefined

  constructor(before: Before) {
    this.#before = before
  }

  step(line: Line, record: Fields, busy: boolean): void {
    const operation = textOf(record.operation)
    const prompt = textOf(record.content)
    // A notification can leave the queue without a trace, so it is not followed.
    if (operation === 'enqueue' && !isNotification(prompt)) this.#waiting.push({ prompt, line, record, busy })
    else if (operation === 'dequeue') this.#leaving++
    else if (operation === 'popAll') this.#waiting = []
    else if (operation === 'remove') this.#remove(line, record, prompt)
  }

  /** Notes that another record contains a prompt. The queue then forgets the prompt. */
  seenElsewhere(prompt: string, byAttachment: boolean): void {
    if (byAttachment) this.#hasAttachments = true
    const absorbed = this.#absorbed.findIndex((queued) => queued.prompt === prompt)
    if (absorbed !== -1) this.#absorbed.splice(absorbed, 1)
    else if (this.#leaving > 0) this.#leave(prompt)
    else if (byAttachment) this.#attachedEarly.push(prompt)
  }

  /**
   * Takes the prompts that were given to the agent and that no other record contains. Called when the talk continues.
   */
  flush(): Queued[] {
    return this.#absorbed.splice(0)
  }

  /**
   * The prompts that are left when the client has ended. A waiting prompt counts only if it was typed while the agent
   * worked, because an idle agent gets a prompt at once.
   */
  takeRest(): Queued[] {
    return [...this.flush(), ...this.#waiting.filter(({ prompt, busy }) => busy && isTalk(prompt))]
  }

  #leave(prompt: string): void {
    this.#leaving--
    const index = this.#waiting.findIndex((queued) => queued.prompt === prompt)
    // The client can reword a prompt, for example one with an image.
    if (index !== -1 || !isNotification(prompt)) this.#waiting.splice(Math.max(index, 0), 1)
  }

  #remove(line: Line, record: Fields, content: string): void {
    const index = content === '' ? 0 : this.#waiting.findIndex(({ prompt }) => prompt === content)
    const [queued] = index === -1 ? [] : this.#waiting.splice(index, 1)
    if (queued === undefined || !isTalk(queued.prompt)) return
    const early = this.#attachedEarly.indexOf(queued.prompt)
    if (early !== -1) this.#attachedEarly.splice(early, 1)
    else if (!this.#isWithdrawn(record)) this.#absorbed.push({ ...queued, line, record })
  }

  /**
   * Whether the person withdrew a prompt. Newer versions give a reason. An older version that writes `queued_command`
   * attachments writes one for each prompt that the agent was given, so a prompt without such an attachment was
   * withdrawn.
   */
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
