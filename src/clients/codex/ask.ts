import type { AskSpec, Question } from '../contract/questions.ts'
import { answerOf, objectIn, withMentions, withoutMentions } from '../shared/setup/question.ts'

/**
 * Asks with `codex exec`, which reads the prompt from stdin. Codex uses no tools, hooks, plugins or rules, runs in a
 * read-only sandbox and saves no thread (0.169.0). The person's settings apply, because they say which model to ask and
 * how. So we turn off each MCP server in these settings by its name, if the name is a bare TOML key. An empty table of
 * servers would change nothing, because Codex would merge it with the person's table. Pure.
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
      ...DISABLED_FEATURES.flatMap((feature) => ['--disable', feature]),
      ...mcpServers
        .filter((name) => /^[\w-]+$/.test(name))
        .flatMap((name) => ['-c', `mcp_servers.${name}.enabled=false`]),
      ...SETTINGS.flatMap((setting) => ['-c', setting]),
      // Every JSON string is a TOML string. This setting replaces Codex's own instructions.
      ...['-c', `instructions=${JSON.stringify(system)}`],
      '-',
    ],
    env: {},
    files: [],
    input: withoutSkills(withoutMentions(user)),
    answer: answerIn,
  }
}

/** Features that give the model a tool, run another program or ask another server. */
const DISABLED_FEATURES = [
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

/** Keeps Codex from adding the skills that a prompt mentions (`$name`), by writing `$` in its full-width form. */
function withoutSkills(text: string): string {
  return text.replaceAll('$', '＄')
}

function withSkills(text: string): string {
  return text.replaceAll('＄', '$')
}

/**
 * Finds the answer in the output. Each line is an event:
 * `{"type":"item.completed","item":{"type":"agent_message","text":"…"}}`,
 * `{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":2}}` or `{"type":"turn.failed"}`.
 */
function answerIn(stdout: string) {
  const events = stdout.split('\n').map(objectIn)
  if (!events.some(({ type }) => type === 'turn.completed')) return undefined
  const items = events.filter(({ type }) => type === 'item.completed').map(({ item }) => objectIn(item))
  const texts = items.filter(({ type }) => type === 'agent_message').map(({ text }) => text)
  const usage = events.filter(({ type }) => type === 'turn.completed').map((event) => objectIn(event.usage))
  return answerOf(withMentions(withSkills(texts.join('\n'))), {
    read: usage.map(({ input_tokens }) => input_tokens),
    wrote: usage.map(({ output_tokens }) => output_tokens),
  })
}
