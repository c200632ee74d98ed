import type { AskSpec, Question } from '../contract/questions.ts'
import { answerOf, objectIn, withMentions, withoutMentions } from '../shared/setup/question.ts'

/**
 * Asks with `claude -p`. The client uses no tools, MCP servers, hooks, slash commands or project settings, and saves no
 * session (2.1.197, 2.1.330). Pure.
 */
export function ask({ system, user }: Question): AskSpec {
  return {
    command: 'claude',
    args: [
      '--print',
      ...['--output-format', 'json'],
      '--no-session-persistence',
      '--strict-mcp-config',
      '--disable-slash-commands',
      ...['--setting-sources', 'user'],
      ...['--settings', '{"disableAllHooks":true}'],
      ...['--tools', ''],
      ...['--system-prompt', system],
    ],
    env: {},
    files: [],
    input: withoutMentions(user),
    answer: answerIn,
  }
}

/** Finds the answer in `{"type":"result","is_error":false,"result":"…","usage":{…},"modelUsage":{"<model>":{…}}}`. */
function answerIn(stdout: string) {
  const { is_error: failed, result, usage, modelUsage } = objectIn(stdout)
  if (failed === true || typeof result !== 'string') return undefined
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens } =
    objectIn(usage)
  return answerOf(withMentions(result), {
    model: mainModel(objectIn(modelUsage)),
    read: [input_tokens, cache_creation_input_tokens, cache_read_input_tokens],
    wrote: [output_tokens],
  })
}

/** The model that wrote the most tokens. The client may also have asked a small model for something else. */
function mainModel(models: Record<string, unknown>): string | undefined {
  const wrote = (name: string) => Number(objectIn(models[name]).outputTokens ?? 0)
  return Object.keys(models).sort((a, b) => wrote(b) - wrote(a))[0]
}
