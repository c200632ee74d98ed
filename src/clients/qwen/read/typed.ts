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

/** The command that the person typed, from the record that the client writes before the expanded prompt (0.24.4). */
export function sentCommand(record: Fields): string | undefined {
  if (record.subtype !== 'slash_command') return undefined
  const { phase, sentToModel, rawCommand } = fieldsOf(record.systemPayload)
  return phase === 'invocation' && sentToModel === true ? textOf(rawCommand) || undefined : undefined
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
