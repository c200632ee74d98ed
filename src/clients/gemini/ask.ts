import type { AskSpec, Question } from '../contract/questions.ts'
import { answerOf, objectIn, withMentions, withoutMentions } from '../shared/setup/question.ts'

/**
 * Asks with `gemini`, which reads the prompt from stdin. It uses no tools, MCP servers, extensions or hooks (0.61.0).
 * Our settings in the empty folder turn off tools and hooks. A variable makes the client trust that folder for this
 * call only. Pure.
 */
export function ask({ system, user }: Question): AskSpec {
  return {
    command: 'gemini',
    args: ['--output-format', 'json', '--extensions', 'none', '--allowed-mcp-server-names', 'none'],
    env: { GEMINI_CLI_TRUST_WORKSPACE: 'true', GEMINI_SYSTEM_MD: 'system.md' },
    files: [
      { path: '.gemini/settings.json', content: JSON.stringify(SETTINGS) },
      { path: 'system.md', content: system },
    ],
    input: withoutMentions(user),
    answer: answerIn,
  }
}

const SETTINGS = { hooksConfig: { enabled: false }, tools: { core: [] } }

/**
 * Finds the answer in
 * `{"session_id":"…","response":"…","stats":{"models":{"<model>":{"tokens":{"prompt":1,"candidates":2},
 * "roles":{"main":{}}}}}}`.
 */
function answerIn(stdout: string) {
  const { response, stats } = objectIn(stdout)
  if (typeof response !== 'string') return undefined
  const models = objectIn(objectIn(stats).models)
  const tokens = Object.values(models).map((model) => objectIn(objectIn(model).tokens))
  return answerOf(withMentions(response), {
    model: mainOf(models),
    read: tokens.map(({ prompt }) => prompt),
    wrote: tokens.flatMap(({ candidates, thoughts }) => [candidates, thoughts]),
  })
}

/** The model that answered. The client may have asked another model which one to use. */
function mainOf(models: Record<string, unknown>): string | undefined {
  return Object.keys(models).find((name) => 'main' in objectIn(objectIn(models[name]).roles))
}
