import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { realFolder } from '../../io/real-folder.ts'
import type { ClientFacts } from '../contract/client.ts'
import { AGENT_CALL } from '../shared/setup/allowed-calls.ts'
import { descriptionOf, fillIn, markdownFile } from '../shared/setup/command-file.ts'
import { type OurHooks, personalHooks, projectHooks } from '../shared/setup/hook-entries.ts'
import { serverEntry, serversIn } from '../shared/setup/mcp-entry.ts'
import { readSettings } from '../shared/setup/settings-files.ts'
import { fieldsOf } from '../shared/transcript/fields.ts'
import { addPermissions, CALLS, PERSONAL_RULES, removePermissions } from './permissions.ts'

/** Claude Code's own folder, `~/.claude`. */
export function ownFolder({ env, home }: Environment): string {
  return env.CLAUDE_CONFIG_DIR || join(home, '.claude')
}

/**
 * The exec form: the client starts the program itself, without a shell, so it is the same on every system. Known since
 * 2.1.139. If the program is missing or fails, the client says so and goes on (2.1.197, 2.1.330).
 */
const HOOK = { command: 'cortext', args: ['hook', 'claude'], timeout: 20 }

export const HOOKS = {
  client: 'claude',
  name: 'Claude Code',
  file: '.claude/settings.local.json',
  hooks: {
    SessionStart: HOOK,
    UserPromptExpansion: HOOK,
    UserPromptSubmit: HOOK,
    // The hook is not async: at its end `claude -p` stops an async hook that still runs (observed).
    Stop: HOOK,
    // A turn that failed, for example at the limit of use. The client shows nothing of what this hook says.
    StopFailure: HOOK,
    // Without a timeout the client waits at most 1.5 s; otherwise it would wait as long as the timeout says.
    SessionEnd: { command: HOOK.command, args: HOOK.args },
  },
  // At these two events our hook runs only if the pattern matches. The client compares it with the kind of start
  // (SessionStart) or with the command's name (UserPromptExpansion).
  matchers: {
    // At a plain start (`startup`) our hook has nothing to do and would only delay the client. After `clear` a new
    // session may continue the conversation. We name the kinds of start, because Codex CLI can copy these hooks. At each
    // of its starts it would warn of a pattern such as `(?!startup)`.
    SessionStart: 'resume|fork|clear|compact',
    // Our hook runs only for our own commands, not for every command that a person types.
    UserPromptExpansion: 'workspace\\.',
  },
} satisfies OurHooks

const [ours, mine] = [projectHooks(HOOKS), personalHooks(HOOKS, '~/.claude/settings.json')]

export const facts: ClientFacts = {
  id: 'claude',
  name: 'Claude Code',
  tested: ['2.1.197', '2.1.330'],
  install: 'npm install -g @anthropic-ai/claude-code',
  tools: {
    vocabulary: {
      Read: { reads: 'file_path' },
      NotebookRead: { reads: 'notebook_path' },
      Write: { writes: 'file_path' },
      Edit: { edits: 'file_path', trims: true },
      MultiEdit: { edits: 'file_path', trims: true },
      NotebookEdit: { edits: 'notebook_path' },
      Grep: { searches: 'path' },
      Bash: { shell: 'command' },
      // Our reader gives this name to the shell commands that a person runs with `! cmd`.
      'bash-mode': { shell: 'command' },
    },
    // The client replaces an output of more than 30,000 characters by a preview of 2 KB and a path (2.1.197).
    shellOutput: { bytes: 29_000 },
    // The project may name servers in `.mcp.json`. This person may name them for the project or for all projects.
    mcpServers({ env, home }, folder) {
      const own = readSettings(join(env.CLAUDE_CONFIG_DIR || home, '.claude.json'))
      const project = fieldsOf(fieldsOf(own.projects)[realFolder(folder)])
      return serversIn([readSettings(join(folder, '.mcp.json')), own, project])
    },
  },
  pack: {
    folders: ['.claude/commands'],
    // A dot stays in the name, and the person types it (observed on 2.1.197).
    command: (command) =>
      markdownFile(
        `.claude/commands/${command.name}.md`,
        {
          ...descriptionOf(command),
          'allowed-tools': CALLS.join(', '),
          // Only the person runs these commands: the client does not offer them to the model.
          'disable-model-invocation': true,
        },
        command.body.trim(),
      ),
    commandBody: ({ body }, args) => fillIn(body.trim(), args, 'ARGUMENTS: '),
  },
  unasked: AGENT_CALL,
  settings: {
    file: HOOKS.file,
    add: (settings) => addPermissions(ours.add(settings)),
    remove: (settings) => removePermissions(ours.remove(settings)),
  },
  // Of two commands with one name, the client takes the person's (2.1.330).
  personal: {
    folder: ownFolder,
    place: (path) => path.replace(/^\.claude\//, ''),
    settings: {
      file: 'settings.json',
      add: (settings) => addPermissions(mine.add(settings), PERSONAL_RULES),
      remove: (settings) => removePermissions(mine.remove(settings), PERSONAL_RULES),
    },
  },
  // The client asks the person once whether the project's servers may be used (2.1.197).
  mcpEntry: serverEntry('claude', { file: '.mcp.json' }),
}
