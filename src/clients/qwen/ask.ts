import type { AskSpec, Question } from '../contract/questions.ts'
import { answerOf, objectIn, withMentions, withoutMentions } from '../shared/setup/question.ts'
import { jsonIn } from '../shared/transcript/fields.ts'

/**
 * Asks with `qwen`, which reads the prompt from stdin. It uses no tools, MCP servers, extensions, hooks or context files,
 * and keeps no session (0.24.4). Pure.
 */
export function ask({ system, user }: Question): AskSpec {
  return {
    command: 'qwen',
    args: [
      ...['--output-format', 'json', '--safe-mode', '--chat-recording=false', '--extensions', 'none'],
      ...['--approval-mode', 'plan', '--exclude-tools', TOOLS.join(','), '--system-prompt', system],
    ],
    env: {},
    files: [{ path: '.qwen/settings.json', content: JSON.stringify(SETTINGS) }],
    input: withoutMentions(user),
    answer: answerIn,
  }
}

/** All tools of the client (0.24.4): without `tool_search` it offers those too that it otherwise only names. */
const TOOLS = [
  ...['agent', 'artifact', 'ask_user_question', 'cron_create', 'cron_delete', 'cron_list', 'display_image'],
  ...['edit', 'enter_plan_mode', 'enter_worktree', 'exit_plan_mode', 'exit_worktree', 'get_goal', 'glob'],
  ...['grep_search', 'list_agents', 'list_directory', 'loop_wakeup', 'monitor', 'notebook_edit'],
  ...['propose_goal', 'read_file', 'read_mcp_resource', 'record_artifact', 'report_findings'],
  ...['run_shell_command', 'send_message', 'skill', 'task_stop', 'todo_write', 'tool_call', 'tool_search'],
  ...['update_goal', 'web_fetch', 'write_file', 'zoom_image'],
]

const SETTINGS = {
  $version: 4,
  disableAllHooks: true,
  memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false, enableAutoSkill: false },
}

/**
 * Finds the answer in the last `{"type":"result","is_error":false,"result":"…","usage":{"input_tokens":1,…}}` of a list.
 * The list begins with `{"type":"system","subtype":"init","model":"…"}`.
 */
function answerIn(stdout: string) {
  const output = jsonIn(stdout)
  const events = (Array.isArray(output) ? output : [output]).map(objectIn)
  const last = events.findLast(({ type }) => type === 'result')
  if (last === undefined || last.is_error === true || typeof last.result !== 'string') return undefined
  const { model } = events.find(({ type }) => type === 'system') ?? {}
  const usage = objectIn(last.usage)
  return answerOf(withMentions(last.result), {
    model: typeof model === 'string' ? model : undefined,
    read: [usage.input_tokens],
    wrote: [usage.output_tokens],
  })
}
