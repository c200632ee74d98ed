import { type Fields, fieldsOf, textOf } from '../../shared/transcript/fields.ts'
import type { Line } from '../../shared/transcript/lines.ts'
import type { Before } from './before.ts'
import { atHead, clientTextRule } from './rules.ts'
import { classifyText } from './typed.ts'

/** A prompt in the queue, with the last queue record about that prompt. */
export interface Queued {
  prompt: string
  line: Line
  record: Fields
  /** Whether the agent was working when the prompt was typed. */
  busy: boolean
}

/**
 * Follows prompts that were typed while the agent worked. The client puts each of them into a queue. Most leave the
 * queue by `dequeue`, and a user record contains them. A prompt that the agent gets within the turn leaves by `remove`.
 * In 2.1.133 and newer, a `queued_command` attachment before or after the `remove` may contain the prompt. Other
 * versions (seen: 2.0.64 to 2.1.42, 2.1.91) write only the `remove`, even if they write attachments of other kinds.
 */
export class PromptQueue {
  readonly #waiting: Queued[] = []
  /** The number of prompts that have left the queue and are in no other record yet. */
  #leaving = 0
  /**
   * Prompts that were given to the agent. They count as said if no other record contains them when the talk continues.
   */
  #absorbed: Queued[] = []
  /** Prompts that came in an attachment before they left the queue. */
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
    // Notifications are not followed, because they can leave the queue without a trace.
    if (operation === 'enqueue' && !isNotification(prompt)) this.#waiting.push({ prompt, line, record, busy })
    else if (operation === 'dequeue') this.#leaving++
    // The person took back what still waited. What had left the queue before is not among it.
    else if (operation === 'popAll') this.#waiting.splice(this.#leaving)
    else if (operation === 'remove') this.#remove(line, record, prompt)
  }

  /** Notes that another record contains a prompt, so that the queue does not return it. */
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
   * The prompts that are left when the client has ended. A waiting prompt counts as said only if it was typed while the
   * agent worked. An idle agent gets a prompt at once, so the record with it may still be written.
   */
  takeRest(): { said: Queued[]; unsent: Queued[] } {
    const left = this.#waiting.filter(({ prompt }) => isTalk(prompt))
    return {
      said: [...this.flush(), ...left.filter(({ busy }) => busy)],
      unsent: left.filter(({ busy }) => !busy),
    }
  }

  #leave(prompt: string): void {
    this.#leaving--
    const index = this.#waiting.findIndex((queued) => queued.prompt === prompt)
    // If the client reworded the prompt, for example one with an image, the first waiting prompt leaves.
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
   * Whether the person withdrew a prompt. Newer versions give a reason. Some older versions write a `queued_command`
   * attachment for each prompt that the agent gets. In these versions, a prompt without an attachment was withdrawn.
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

/** False for an empty prompt, for a command to the client, and for the client's own texts. */
function isTalk(prompt: string): boolean {
  const { rest } = atHead(prompt)
  if (rest.trim() === '' || /^\/[\w:.-]+(?:\s|$)/.test(rest)) return false
  const { kind } = classifyText(rest)
  return kind === 'prompt' ? clientTextRule({ type: 'text', text: rest }) === undefined : kind === 'note'
}
