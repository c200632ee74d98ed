import { fieldsOf, jsonIn } from '../../shared/transcript/fields.ts'

/** The kinds of texts of role user. Claude Code writes many texts of its own under that role, in tags. */
export type Typed =
  | { kind: 'prompt'; text: string }
  /** A slash command that was expanded and sent to the model. */
  | { kind: 'command'; text: string }
  /**
   * A slash command that ran in the client, or that the client refused. `hasWords`: the command has arguments. They are
   * words of the person.
   */
  | { kind: 'local-command'; text: string; hasWords: boolean }
  | { kind: 'local-command-output'; failed: boolean }
  /** `! cmd`: the client ran it and then showed it to the model. */
  | { kind: 'shell-input'; text: string }
  | { kind: 'shell-output'; text: string; failed: boolean }
  /** A program or another agent told the model something. */
  | { kind: 'note'; text: string }
  | { kind: 'caveat' }
  | { kind: 'interruption' }
  /** The client's text after a prompt that a hook has stopped. A person may type the same text. */
  | { kind: 'stopped-by-hook'; text: string }

/** Classifies one text. A text without a known tag is a prompt, byte for byte. */
export function classifyText(text: string): Typed {
  if (text.startsWith('[Request interrupted by user'))
    return /^\[Request interrupted by user(?: for tool use)?\]$/.test(text)
      ? { kind: 'interruption' }
      : { kind: 'prompt', text }
  if (/^Operation stopped by hook(?:: |$)/.test(text)) return { kind: 'stopped-by-hook', text }
  if (isNote(text)) return { kind: 'note', text }
  if (!text.startsWith('<')) return { kind: 'prompt', text }
  if (text.startsWith('<command-message>') || text.startsWith('<command-name>')) {
    const command = typedCommand(text)
    if (command !== undefined && text.startsWith('<command-message>'))
      return { kind: 'command', text: command }
    if (command !== undefined) return { kind: 'local-command', text: command, hasWords: /\s\S/.test(command) }
  }
  if (text.startsWith('<local-command-caveat>')) return { kind: 'caveat' }
  if (text.startsWith('<local-command-stdout>')) return { kind: 'local-command-output', failed: false }
  if (text.startsWith('<local-command-stderr>')) return { kind: 'local-command-output', failed: true }
  const input = /^<bash-input>([\s\S]*)<\/bash-input>\s*$/.exec(text)
  if (input !== null) return { kind: 'shell-input', text: `!${input[1]}` }
  const output =
    /^<bash-stdout>([\s\S]*)<\/bash-stdout>\s*(?:<bash-stderr>([\s\S]*)<\/bash-stderr>)?\s*$/.exec(text)
  if (output !== null) return shellOutput(output[1] ?? '', output[2] ?? '')
  const failure = /^<bash-stderr>([\s\S]*)<\/bash-stderr>\s*$/.exec(text)
  if (failure !== null) return shellOutput('', failure[1] ?? '')
  return { kind: 'prompt', text }
}

/**
 * Whether a program or an agent wrote a text: a background task that has ended, a teammate (2.1), the desktop app's watch
 * over checks. 2.1.45 to 2.1.50 write the note of a task as JSON.
 */
function isNote(text: string): boolean {
  if (/^<(?:task-notification|teammate-message|ci-monitor-event)[\s>]/.test(text)) return true
  return text.startsWith('{"task_id":') && Object.keys(fieldsOf(jsonIn(text))).length > 1
}

/**
 * Returns the command `/name args` as it was typed. Claude Code writes the name and the arguments raw. If there are no
 * arguments, it leaves out their tag.
 */
function typedCommand(text: string): string | undefined {
  const name = /<command-name>([^<]+)<\/command-name>/.exec(text)?.[1]?.trim()
  if (name === undefined) return undefined
  const args = /<command-args>([\s\S]*)<\/command-args>/.exec(text)?.[1] ?? ''
  const slashed = name.startsWith('/') ? name : `/${name}`
  return args === '' ? slashed : `${slashed} ${args}`
}

function shellOutput(stdout: string, stderr: string): Typed {
  const text = [stdout, stderr].filter((part) => part !== '').join('\n')
  return { kind: 'shell-output', text, failed: stdout === '' && stderr !== '' }
}
