import type { AskSpec, Question } from '../contract/questions.ts'
import { answerOf, objectIn, withMentions, withoutMentions } from '../shared/setup/question.ts'

/**
 * Asks with the prompt on stdin. The client uses no tools and no MCP servers. No option replaces its instructions, so ours
 * are added as a file in the folder; it also reads those that the person has for all folders. The client keeps
 * the session (1.0.102). Pure.
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

/** No tool is called `none`. Without a name, the option would allow all tools. */
const CLOSED = [
  ...['--output-format=json', '--available-tools=none', '--no-ask-user', '--disable-builtin-mcps'],
  ...['--no-auto-update', '--no-remote'],
]

/**
 * Finds the answer in the output. Each line is an event; the last `{"type":"assistant.message","data":{"content":"…"}}`
 * has it. The output has no counts of tokens.
 */
function answerIn(stdout: string) {
  const events = stdout.split('\n').map(objectIn)
  if (events.some(({ type }) => type === 'session.error')) return undefined
  const { content, model } = objectIn(events.findLast(({ type }) => type === 'assistant.message')?.data)
  return answerOf(withMentions(typeof content === 'string' ? content : ''), {
    model: typeof model === 'string' ? model : undefined,
    read: [],
    wrote: [],
  })
}
