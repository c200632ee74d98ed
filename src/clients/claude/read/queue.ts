import { type Fields, textOf } from '../../transcript/fields.ts'

/**
 * Follows prompts that were typed while the agent worked. Each of them passes through this queue. Most leave it by
 * `dequeue` and then stand in a user record. In newer versions a `queued_command` attachment tells what was given to
 * the agent within the turn. Versions that write no attachments (seen: 2.1.39) leave only this trace of such a prompt.
 */
export class PromptQueue {
  #waiting: string[] = []

  /** The prompt that left the queue for the running turn by this record, if no other record holds it. */
  step(record: Fields, writesAttachments: boolean): string | undefined {
    const operation = textOf(record.operation)
    const content = textOf(record.content)
    if (operation === 'enqueue') {
      // A notification leaves the queue without a trace.
      if (!content.startsWith('<task-notification>')) this.#waiting.push(content)
    } else if (operation === 'dequeue') this.#waiting.shift()
    else if (operation === 'popAll') this.#waiting = []
    else if (operation === 'remove') {
      const prompt = this.#take(content)
      const withdrawn = record.reason !== undefined && record.reason !== 'absorbed_mid_turn'
      if (prompt !== undefined && isTalk(prompt) && !withdrawn && !writesAttachments) return prompt
    }
    return undefined
  }

  #take(content: string): string | undefined {
    const at = content === '' ? 0 : this.#waiting.indexOf(content)
    return at === -1 ? undefined : this.#waiting.splice(at, 1)[0]
  }
}

/** Whether the prompt is neither a command to the client nor one of the client's own notes. */
function isTalk(prompt: string): boolean {
  return prompt.trim() !== '' && !prompt.startsWith('/') && !prompt.startsWith('<')
}
