import type { Body } from '../../shared/transcript/body.ts'
import type { Bucket } from '../../shared/transcript/byte-ledger.ts'
import { type Fields, listOf, textOf } from '../../shared/transcript/fields.ts'
import type { Line } from '../../shared/transcript/lines.ts'
import { imagesIn, typedBody } from './content.ts'
import { outputBody } from './results.ts'
import { kindOf, shellIn, splitEditor, textIn } from './rules.ts'
import type { Talk } from './talk.ts'

/** Words that the person typed, and messages that went to the model in their name. */
export class Typed {
  readonly #talk: Talk
  readonly #blobs: Map<string, Uint8Array>
  /** The last prompt as it went to the model. The item of that prompt follows. */
  #sent: { line: Line; images: string[]; text: string; messageCount: number } | undefined
  /** The number of shell commands that were read from an item. Their messages to the model have not come yet. */
  #expectedShells = 0
  #preset: string | undefined

  constructor(talk: Talk, blobs: Map<string, Uint8Array>) {
    this.#talk = talk
    this.#blobs = blobs
  }

  /**
   * Notes that the person has chosen a review from the menu of `/review`: Codex writes the prompt itself. `target`: what
   * the menu calls it, `changes against 'main'`.
   */
  choseReview(target: string): void {
    this.#preset = target
  }

  addPrompt(line: Line, id: string, parts: unknown[]): Bucket {
    const sent = this.#takeSent(textIn(parts))
    if (this.#talk.repeats(id, JSON.stringify(parts))) return 'derived'
    return this.#prompt(sent?.line ?? line, id, typedBody(parts, sent?.images ?? [], this.#blobs))
  }

  /** Reads a prompt that only the message to the model contains. */
  addRequestPrompt(line: Line, id: string, parts: unknown): Bucket {
    if (this.#talk.repeats(id, JSON.stringify(parts))) return 'derived'
    return this.#prompt(line, id, outputBody(parts, this.#blobs))
  }

  #prompt(line: Line, id: string, { content, attachments }: Body): Bucket {
    const preset = this.#preset
    this.#preset = undefined
    if (preset !== undefined) {
      this.#talk.say(line, id, 'user', `/review ${preset}`)
      this.#talk.say(line, id, 'tool', content, 'preset').tool_name = 'review-preset'
      return 'kept'
    }
    const { words, editor } = withoutEditor(content)
    const message = this.#talk.say(line, id, 'user', words)
    if (attachments.length > 0) message.attachments = attachments
    if (editor !== '') this.#talk.say(line, id, 'tool', editor, 'editor').tool_name = 'editor-selection'
    return 'kept'
  }

  /** Reads a shell command of the person, `!cmd`, from its item. */
  addShellItem(line: Line, item: Fields): Bucket {
    this.#expectedShells++
    return this.#shell(
      line,
      textOf(item.id),
      textOf(listOf(item.command).at(-1)),
      textOf(item.aggregated_output),
    )
  }

  /** Reads a message that went to the model. `keyOf` makes an id for a message without one. */
  readSent(line: Line, payload: Fields, keyOf: (kind: string, words: string) => string): Bucket {
    if (payload.role === 'assistant') return 'derived'
    const kind = kindOf(payload)
    if (payload.role !== 'user') return { dropped: kind === 'hook' ? 'hook-output' : 'system-text' }
    const text = textIn(payload.content)
    switch (kind) {
      case 'said': {
        const images = imagesIn(payload.content)
        this.#sent = { line, images, text, messageCount: this.#talk.messages.length }
        return images.length > 0 ? 'kept' : 'derived'
      }
      case 'shell': {
        const { command, output } = shellIn(text)
        const id = textOf(payload.id) || keyOf('shell', command)
        if (this.#expectedShells === 0) return this.#shell(line, id, command, output)
        this.#expectedShells--
        this.#talk.repeats(id, shellText(command, output))
        return 'derived'
      }
      case 'agent':
        return this.addReport(line, textOf(payload.id) || keyOf('agent', text), text)
      case 'aborted':
        return 'derived'
      default:
        return { dropped: DROPPED[kind] }
    }
  }

  /** Reads the report of a subagent that the agent did not wait for. */
  addReport(line: Line, id: string, text: string): Bucket {
    if (this.#talk.repeats(id, text)) return 'derived'
    this.#talk.say(line, id, 'tool', text).tool_name = 'task-notification'
    return 'kept'
  }

  #shell(line: Line, id: string, command: string, output: string): Bucket {
    if (this.#talk.repeats(id, shellText(command, output))) return 'derived'
    this.#talk.say(line, id, 'user', `!${command}`)
    this.#talk.say(line, id, 'tool', output, 'output').tool_name = SHELL_OUTPUT
    return 'kept'
  }

  /**
   * Takes the last message to the model, if it came right before the item with these words. In older files the message
   * comes after the event with the same words, so nothing is taken.
   */
  #takeSent(words: string) {
    const sent = this.#sent
    this.#sent = undefined
    return sent?.messageCount === this.#talk.messages.length && sent.text.endsWith(words) ? sent : undefined
  }
}

/** The tool of the message that follows a shell command of the person. */
export const SHELL_OUTPUT = 'bash-mode'

/** The rules that leave out messages to the model that the person did not type. */
const DROPPED = { skill: 'command-body', hook: 'hook-output', system: 'system-text' } as const

/** Takes what an editor or the app has put before the person's words from a prompt. */
function withoutEditor(content: Body['content']): { words: Body['content']; editor: string } {
  if (typeof content === 'string') {
    const { words, editor } = splitEditor(content)
    return words === '' ? { words: content, editor: '' } : { words, editor }
  }
  const [first, ...others] = content
  const { words, editor } = splitEditor(textOf(first?.text))
  if (editor === '' || (words === '' && others.length === 0)) return { words: content, editor: '' }
  return { words: [...(words === '' ? [] : [{ ...first!, text: words }]), ...others], editor }
}

function shellText(command: string, output: string): string {
  return `${command}\n${output}`
}
