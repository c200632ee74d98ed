import type { AskSpec, Question } from '../contract/questions.ts'
import { answerOf, objectIn } from '../setup/question.ts'

const AGENT = 'cortext-summary'

/**
 * `opencode run` with its prompt on stdin, which arrives as it is, without tools and plugins (1.18.33): an agent that
 * the settings of the empty folder define. A title is given, so that no model is asked for one. Pure.
 */
export function ask({ system, user }: Question): AskSpec {
  return {
    command: 'opencode',
    args: ['run', '--pure', '--format', 'json', '--agent', AGENT, '--title', AGENT],
    // Offline it would wait for npm.
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

/** A line each: `{"type":"text","part":{"text":"…"}}`, `{"type":"step_finish","part":{"tokens":{"input":1,"output":2}}}` */
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
