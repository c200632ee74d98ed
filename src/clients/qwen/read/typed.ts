import { namedCommand } from '../../shared/genai/named-command.ts'
import { partsOf, textIn, withoutMentioned } from '../../shared/genai/parts.ts'
import { type Fields, fieldsOf, textOf } from '../../shared/transcript/fields.ts'

/** A prompt as the person typed it. */
export interface Prompt {
  text: string
  /** The parts of the prompt: what was typed, and images. */
  parts: Fields[]
  /** What the client has added, by the rule that leaves it out. */
  leftOut: { rule: string; text: string }[]
}

/**
 * The record that may say what the person typed, of two in the order of the file: the call of a command that the client
 * sends to the model (0.24.4), or the end of a command without output.
 */
export function commandRecord(before: Fields | undefined, record: Fields): Fields | undefined {
  if (isSent(record)) return record
  return isSilentEnd(record) && !isSent(before) ? record : before
}

/**
 * The command that the person typed, whose expansion a prompt is. Versions up to 0.14 do not say whether they send a
 * command to the model. They write the prompt right after its end; a person who closes a dialog of the client and types
 * needs longer.
 */
export function typedIn(command: Fields | undefined, prompt: Fields): string | undefined {
  const wait = Date.parse(textOf(prompt.timestamp)) - Date.parse(textOf(command?.timestamp))
  if (!isSent(command) && !(isSilentEnd(command) && wait >= 0 && wait <= RIGHT_AFTER_MS)) return undefined
  return textOf(fieldsOf(command?.systemPayload).rawCommand) || undefined
}

/** Between the two records were 50 to 100 ms. */
const RIGHT_AFTER_MS = 500

export function isSent(record: Fields | undefined): boolean {
  const { phase, sentToModel } = fieldsOf(record?.systemPayload)
  return record?.subtype === 'slash_command' && phase === 'invocation' && sentToModel === true
}

function isSilentEnd(record: Fields | undefined): boolean {
  const { phase, outputHistoryItems } = fieldsOf(record?.systemPayload)
  const isSilent = Array.isArray(outputHistoryItems) && outputHistoryItems.length === 0
  return record?.subtype === 'slash_command' && phase === 'result' && isSilent
}

/**
 * Reads what was typed: `typed` of the record before, what the client has kept (`displayText`; only of a prompt to which a
 * hook added context), the first line of a command of ours, or else the text. The client adds to it, in parts of their
 * own, the content of mentioned files and the context of hooks.
 */
export function promptOf(record: Fields, typed: string | undefined): Prompt {
  const { displayText } = fieldsOf(record.systemPayload)
  const parts = partsOf(fieldsOf(record.message).parts)
  const context = parts.filter(isHookContext)
  const { own, mentioned } = withoutMentioned(parts.filter((part) => !isHookContext(part)))
  const expanded = textIn(own)
  const text = typed ?? (textOf(displayText) || typedOfNamed(expanded))
  const isText = (part: Fields) => typeof part.text === 'string'
  const others = [...own, ...mentioned].filter((part) => !isText(part))
  const texts = text === expanded ? own.filter(isText) : [{ text }]
  return {
    text,
    parts: [...texts, ...others],
    leftOut: [
      { rule: 'command-body', text: text === expanded ? '' : expanded },
      { rule: 'mentioned-file', text: textIn(mentioned) },
      { rule: 'hook-output', text: textIn(context) },
    ].filter((one) => one.text !== ''),
  }
}

/** A command of ours as it was typed: its first line names it. */
function typedOfNamed(expanded: string): string {
  const named = namedCommand(expanded)
  return named === undefined ? expanded : `/${named.command}${named.args === '' ? '' : ` ${named.args}`}`
}

/** The client writes `<` as `&lt;` in the context, so its end is certain. */
function isHookContext({ text }: Fields): boolean {
  return /^<qwen:user-prompt-submit-context>[^<]*<\/qwen:user-prompt-submit-context>$/.test(textOf(text))
}
