import type { AskSpec, Question } from '../contract/questions.ts'
import { answerOf, objectIn } from '../shared/setup/question.ts'

const AGENT = 'cortext-summary'

/**
 * Asks with `opencode run`. OpenCode uses no tools or plugins, and gets the prompt unchanged from stdin (1.18.33). Our
 * settings in the empty folder define an agent for the question. We give a title, so OpenCode asks no model for one.
 * Pure.
 */
export function ask({ system, user }: Question): AskSpec {
  return {
    command: 'opencode',
    args: ['run', '--pure', '--format', 'json', '--agent', AGENT, '--title', AGENT],
    // Without this OpenCode would wait for npm when the machine is offline.
    env: { npm_config_offline: 'true', OPENCODE_PURE: '1' },
    files: [{ path: 'opencode.json', content: JSON.stringify(settings(system)) }],
    input: user,
    answer: answerIn,
  }
}

function settings(prompt: string) {
  const agent = { [AGENT]: { mode: 'primary', prompt, tools: { '*': false } } }
  return { share: 'disabled', autoupdate: false, agent }
}

/**
 * Finds the answer in the output. Each line is an event: `{"type":"text","part":{"text":"…"}}` or
 * `{"type":"step_finish","part":{"tokens":{"input":1,"output":2}}}`.
 */
function answerIn(stdout: string) {
  const events = stdout.split('\n').map(objectIn)
  if (events.some(({ type }) => type === 'error')) return undefined
  const parts = (wanted: string) =>
    events.filter(({ type }) => type === wanted).map(({ part }) => objectIn(part))
  const tokens = parts('step_finish').map((part) => objectIn(part.tokens))
  return answerOf(
    parts('text')
      .map(({ text }) => text)
      .join('\n'),
    {
      read: tokens.flatMap(({ input, cache }) => [input, objectIn(cache).read, objectIn(cache).write]),
      wrote: tokens.flatMap(({ output, reasoning }) => [output, reasoning]),
    },
  )
}
