import type { Attachment } from '../../../session/schema.ts'
import { plainOutput } from '../../../session/shell/output.ts'
import { type Body, contentOf, type Part } from '../../shared/transcript/body.ts'
import { type Fields, isObject, plainText, textOf } from '../../shared/transcript/fields.ts'
import { imagePart } from './content.ts'

/** Makes a body of a tool's output: a text, or a list of texts and images. */
export function outputBody(output: unknown, blobs: Map<string, Uint8Array>): Body {
  const attachments: Attachment[] = []
  if (!Array.isArray(output)) {
    const inner = isObject(output) ? (output.content ?? output) : (output ?? '')
    return { content: plainText(inner), attachments }
  }
  const body = output.map((part): Part => {
    if (!isObject(part)) return { type: 'text', text: plainText(part) }
    const url = textOf(part.image_url)
    if (url !== '') return imagePart(url, '', blobs, attachments)
    return typeof part.text === 'string'
      ? { type: 'text', text: part.text }
      : { ...part, type: textOf(part.type) || 'unknown' }
  })
  return { content: contentOf(body), attachments }
}

/** Codex's own note of a call, which may contain more than the model got. */
export interface Outcome {
  failed: boolean
  refused: boolean
  /** The output of a command. It may be longer than what the model got, but Codex may have cut it too. */
  output: string
}

export function outcomeOf(item: Fields): Outcome {
  const status = textOf(item.status)
  const code = item.exit_code
  return {
    failed: status === 'failed' || status === 'declined' || (typeof code === 'number' && code !== 0),
    refused: status === 'declined',
    output: textOf(item.aggregated_output),
  }
}

/** Restores a command's output that Codex has cut for the model, as far as Codex has kept it. */
export function wholeOutput(text: string, outcome: Outcome | undefined): string {
  const cut = CUT.exec(text)
  if (cut === null || outcome === undefined) return text
  const left = text.slice(cut.index + cut[0].length).replace(CUT_MARK, '')
  return outcome.output.length < left.length ? text : `${text.slice(0, cut.index)}${outcome.output}`
}

const CUT =
  /(?<=(?:^|\n)Output:\n)Warning: truncated output \(original token count: \d+\)\nTotal output lines: \d+\n\n/

/** Stands where Codex has cut the middle. */
const CUT_MARK = /…\d+ (?:tokens|chars) truncated…/

/** How versions of the year 2025 begin the output of a command that failed. */
const FAILED_IN_SANDBOX = /^failed in sandbox\b[^\n]{0,200}\bexit code: (-?\d+)\b/

/** Whether a command's output says that the command failed. For some calls there is no other sign. */
export function saysFailed(text: string): boolean {
  const code =
    FAILED_IN_SANDBOX.exec(text) ??
    /^(?:Chunk ID: \w+\n)?(?:Wall time: [^\n]*\n)?(?:Process exited with code|Exit code:) (-?\d+)\n/.exec(
      plainOutput(text),
    )
  return code !== null && code[1] !== '0'
}
