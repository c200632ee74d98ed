import type { AskSpec, Question } from '../contract/questions.ts'
import { answerOf, objectIn } from '../shared/setup/question.ts'

/**
 * Asks with `pi -p`. Pi uses no tools, extensions, skills, commands, context files or MCP servers, keeps no session, and
 * gets the prompt unchanged from stdin (1.5.2). Pure.
 */
export function ask({ system, user }: Question): AskSpec {
  return {
    command: 'pi',
    args: [...CLOSED, '--system-prompt', system],
    env: {},
    files: [],
    input: user,
    answer: answerIn,
  }
}

const CLOSED = [
  ...['-p', '--mode', 'json', '--no-session', '--no-extensions', '--no-skills', '--no-prompt-templates'],
  ...['--no-context-files', '--no-tools', '--no-mcp', '--no-approve'],
]

/**
 * Finds the answer in the output. Each line is an event; the last
 * `{"type":"message_end","message":{"role":"assistant","content":[{"type":"text","text":"…"}],"usage":{…}}}` has it.
 */
function answerIn(stdout: string) {
  const answer = stdout
    .split('\n')
    .map(objectIn)
    .filter(({ type }) => type === 'message_end')
    .map(({ message }) => objectIn(message))
    .findLast(({ role }) => role === 'assistant')
  if (answer === undefined || answer.stopReason === 'error') return undefined
  const content = Array.isArray(answer.content) ? answer.content.map(objectIn) : []
  const usage = objectIn(answer.usage)
  return answerOf(
    content
      .filter(({ type }) => type === 'text')
      .map(({ text }) => text)
      .join('\n'),
    {
      model: typeof answer.model === 'string' ? answer.model : undefined,
      read: [usage.input, usage.cacheRead, usage.cacheWrite],
      wrote: [usage.output],
    },
  )
}
