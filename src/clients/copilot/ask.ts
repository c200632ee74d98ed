import type { AskSpec, Question } from '../contract/questions.ts'
import { answerOf, objectIn, withMentions, withoutMentions } from '../shared/setup/question.ts'

/**
 * Asks with the prompt on stdin. The client uses no tools and MCP servers. Only a file in the folder can add
 * instructions to its own; those of the person for all folders stay too. It keeps a session of its own (1.0.102). Pure.
 */
export function ask({ system, user, mcpServers = [] }: Question): AskSpec {
  return {
    command: 'copilot',
    args: [...CLOSED, ...mcpServers.map((name) => `--disable-mcp-server=${name}`)],
    env: {},
    files: [{ path: 'AGENTS.md', content: system }],
    input: withoutMentions(user),
    answer: answerIn,
  }
}

const CLOSED = [
  ...['--output-format=json', '--available-tools=', '--no-ask-user', '--disable-builtin-mcps'],
  ...['--no-auto-update', '--no-remote'],
]

/**
 * Finds the answer in the output. Each line is an event; the last `{"type":"assistant.message","data":{"content":"…"}}`
 * has it, and `{"type":"assistant.usage","data":{"inputTokens":1,"outputTokens":2}}` the counts.
 */
function answerIn(stdout: string) {
  const events = stdout.split('\n').map(objectIn)
  if (events.some(({ type }) => type === 'session.error')) return undefined
  const answer = objectIn(events.findLast(({ type }) => type === 'assistant.message')?.data)
  const usage = events.filter(({ type }) => type === 'assistant.usage').map(({ data }) => objectIn(data))
  return answerOf(withMentions(typeof answer.content === 'string' ? answer.content : ''), {
    model: typeof answer.model === 'string' ? answer.model : undefined,
    read: usage.flatMap((one) => [one.inputTokens, one.cacheReadTokens, one.cacheWriteTokens]),
    wrote: usage.map(({ outputTokens }) => outputTokens),
  })
}
