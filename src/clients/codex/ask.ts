import type { AskSpec, Question } from '../contract/questions.ts'
import { answerOf, objectIn, withMentions, withoutMentions } from '../shared/setup/question.ts'

/**
 * Runs `codex exec` with its prompt on stdin, without tools, hooks, plugins and rules, in a sandbox that may only read,
 * and without a thread of its own (0.169.0). What the person has set stays, for it says which model to ask and how; so
 * each MCP server in it is turned off by its name: a table with none would be merged and change nothing. Pure.
 */
export function ask({ system, user, mcpServers = [] }: Question): AskSpec {
  return {
    command: 'codex',
    args: [
      'exec',
      '--ephemeral',
      '--skip-git-repo-check',
      '--ignore-rules',
      '--json',
      ...['--sandbox', 'read-only'],
      ...OFF.flatMap((feature) => ['--disable', feature]),
      ...mcpServers
        .filter((name) => /^[\w-]+$/.test(name))
        .flatMap((name) => ['-c', `mcp_servers.${name}.enabled=false`]),
      ...SETTINGS.flatMap((setting) => ['-c', setting]),
      // Every JSON string is one of TOML. It takes the place of Codex's own words.
      ...['-c', `instructions=${JSON.stringify(system)}`],
      '-',
    ],
    env: {},
    files: [],
    input: withoutSkills(withoutMentions(user)),
    answer: answerIn,
  }
}

/** Features that give the model a tool, run something beside it or ask another server. */
const OFF = [
  ...['shell_tool', 'unified_exec', 'view_image', 'image_generation', 'sleep_tool', 'goals', 'multi_agent'],
  ...['apps', 'plugins', 'hooks', 'skill_search', 'tool_suggest', 'browser_use', 'computer_use'],
]

const SETTINGS = [
  'approval_policy="never"',
  'web_search="disabled"',
  'tools.experimental_request_user_input.enabled=false',
  'skills.include_instructions=false',
  'include_permissions_instructions=false',
  'include_environment_context=false',
]

/** Keeps Codex from adding the skills that a prompt mentions (`$name`), by writing the sign in its wide form. */
function withoutSkills(text: string): string {
  return text.replaceAll('$', '＄')
}

function withSkills(text: string): string {
  return text.replaceAll('＄', '$')
}

/**
 * Each line is an event: `{"type":"item.completed","item":{"type":"agent_message","text":"…"}}`,
 * `{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":2}}` or `{"type":"turn.failed"}`.
 */
function answerIn(stdout: string) {
  const events = stdout.split('\n').map(objectIn)
  if (!events.some(({ type }) => type === 'turn.completed')) return undefined
  const items = events.filter(({ type }) => type === 'item.completed').map(({ item }) => objectIn(item))
  const said = items.filter(({ type }) => type === 'agent_message').map(({ text }) => text)
  const usage = events.filter(({ type }) => type === 'turn.completed').map((event) => objectIn(event.usage))
  return answerOf(withMentions(withSkills(said.join('\n'))), {
    read: usage.map(({ input_tokens }) => input_tokens),
    wrote: usage.map(({ output_tokens }) => output_tokens),
  })
}
