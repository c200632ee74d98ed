import type { Message } from '../schema.ts'

/**
 * The output of a command as people read it: the exit code, the time, the output. Codex CLI wrote the same facts as JSON
 * before (0.34.0, for patches up to 0.77.0): `{"output":"…","metadata":{"exit_code":0,"duration_seconds":0.3}}`. Any other
 * text stays as it is.
 */
export function plainOutput(text: string): string {
  if (!text.startsWith('{"output"')) return text
  const { output, metadata, ...others } = objectIn(text)
  const { exit_code: code, duration_seconds: seconds, ...more } = Object(metadata) as Record<string, unknown>
  const isWhole = Object.keys(others).length + Object.keys(more).length === 0
  if (typeof output !== 'string' || typeof code !== 'number' || !isWhole) return text
  const time = typeof seconds === 'number' ? `Wall time: ${seconds} seconds\n` : ''
  return `Exit code: ${code}\n${time}Output:\n${output}`
}

/** The result of a call with its output as people read it. The record has it as the client wrote it. */
export function withPlainOutput(result: Message): Message {
  if (typeof result.content !== 'string') return result
  const content = plainOutput(result.content)
  return content === result.content ? result : { ...result, content }
}

function objectIn(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text))
  } catch {
    // The text only begins like such an output.
    return {}
  }
}
