import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import type { ClientFacts } from '../contract/client.ts'
import { TOOLS } from '../shared/genai/facts.ts'
import { commandBody, namedPrompt } from '../shared/genai/named-command.ts'
import { AGENT_CALL } from '../shared/setup/allowed-calls.ts'
import { descriptionOf, markdownFile } from '../shared/setup/command-file.ts'
import { type OurHooks, personalHooks, projectHooks } from '../shared/setup/hook-entries.ts'
import { serverEntry, serversIn } from '../shared/setup/mcp-entry.ts'
import { absolute, readSettings } from '../shared/setup/settings-files.ts'

/** Qwen Code's own folder, `~/.qwen`. */
export function ownFolder(environment: Environment): string {
  const given = environment.env.QWEN_HOME
  return given ? absolute(environment, given, environment.cwd) : join(environment.home, '.qwen')
}

/** The settings files in order of precedence: the project's, then the person's. */
export function settingsFiles(environment: Environment, folder: string): string[] {
  return [join(folder, HOOKS.file), join(ownFolder(environment), 'settings.json')]
}

/**
 * The client gives these lines to bash, on Windows to cmd; they mean the same in both. A hook that exits with 2 would
 * block the prompt. The client shows what a hook writes to stderr, such as `cortext: command not found`, unless the hook
 * also gives an answer. It shall say so when a session is taken up again, so only the other hooks give one, which is
 * empty. Timeouts are in seconds.
 */
const LINE = 'cortext hook qwen || exit 0'
const QUIET_LINE = 'cortext hook qwen || echo {}'

const hook = (command: string, timeout = 20) => ({ name: 'cortext', command, timeout })

const HOOKS: OurHooks = {
  client: 'qwen',
  name: 'Qwen Code',
  // In Qwen Code a project has no settings file that belongs only to one person.
  file: '.qwen/settings.json',
  hooks: {
    SessionStart: hook(LINE),
    UserPromptSubmit: hook(QUIET_LINE),
    // It runs in a terminal only, where the client would ask the person (0.24.4).
    PermissionRequest: hook(QUIET_LINE, 5),
    Stop: hook(QUIET_LINE),
    // A turn that failed, for example at the limit of use.
    StopFailure: hook(QUIET_LINE),
    // It does not run without a terminal (0.24.4).
    SessionEnd: hook(QUIET_LINE, 5),
  },
  // At a plain start our hook has nothing to do and would only delay the client.
  matchers: { SessionStart: 'resume|clear|compact', PermissionRequest: 'run_shell_command' },
}

/** At its start the client writes this version into a settings file that has none (0.24.4). */
const FORM = { haveComments: true, blank: { $version: 4 } } as const

export const facts: ClientFacts = {
  id: 'qwen',
  name: 'Qwen Code',
  tested: ['0.24.4'],
  install: 'npm install -g @qwen-code/qwen-code',
  tools: {
    vocabulary: {
      ...TOOLS,
      edit: { edits: 'file_path' },
      notebook_edit: { edits: 'notebook_path' },
    },
    // Of more than 25,000 characters the model gets the beginning and the end (0.24.4).
    shellOutput: { bytes: 24_000, lines: 990 },
    // Qwen Code reads `.mcp.json` too.
    mcpServers: (environment, folder) =>
      serversIn([...settingsFiles(environment, folder), `${folder}/.mcp.json`].map(readSettings)),
  },
  pack: {
    folders: ['.qwen/commands'],
    // A dot stays in the name, and the person types it (0.24.4).
    command: (command) =>
      markdownFile(
        `.qwen/commands/${command.name}.md`,
        // Only the person runs these commands: the client does not offer them to the model.
        { ...descriptionOf(command), 'disable-model-invocation': true },
        namedPrompt(command),
      ),
    commandBody,
  },
  // By our hook, and in a terminal only. The client's rules compare only the beginning of a command, so a rule for our calls
  // would also allow `cortext agent list > file`.
  unasked: AGENT_CALL,
  settings: { file: HOOKS.file, ...FORM, ...projectHooks(HOOKS) },
  // Where there are two commands of one name, the client takes the project's (0.24.4).
  personal: {
    folder: ownFolder,
    place: (path) => path.replace(/^\.qwen\//, ''),
    settings: { file: 'settings.json', ...FORM, ...personalHooks(HOOKS, '~/.qwen/settings.json') },
  },
  mcpEntry: serverEntry('qwen', { file: HOOKS.file, ...FORM }),
}
