import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import type { ClientFacts } from '../contract/client.ts'
import { AGENT_CALL } from '../shared/setup/allowed-calls.ts'
import { descriptionOf, fillIn, markdownFile } from '../shared/setup/command-file.ts'
import { type OurHooks, personalHooks, projectHooks } from '../shared/setup/hook-entries.ts'
import { serverEntry, serversIn } from '../shared/setup/mcp-entry.ts'
import { readSettings } from '../shared/setup/settings-files.ts'
import { SHOWN, skillFile } from './hook-events.ts'

/** Copilot CLI's own folder, `~/.copilot`. */
export function ownFolder({ env, home }: Environment): string {
  return env.COPILOT_HOME || join(home, '.copilot')
}

/**
 * The client gives these lines to a shell. A hook of PreToolUse that fails, such as a missing program, would refuse the
 * tool, so it never fails. Another hook that exits with 2 shows its stderr to the person; the turn goes on (1.0.102).
 */
const LINE = 'cortext hook copilot'
const NEVER_FAILS = `${LINE} || exit 0`
const MAY_SHOW = `${LINE}; [ $? -ne ${SHOWN} ] || exit 2`

const HOOKS: OurHooks = {
  client: 'copilot',
  name: 'Copilot CLI',
  // The client reads every file of this folder, so ours contains nothing else. It has no file for one person's hooks.
  file: '.github/hooks/cortext.json',
  // The timeout is in seconds. There is no hook of SessionStart: the client runs it at the first prompt, perhaps after the
  // hook of that prompt.
  hooks: {
    UserPromptSubmit: { command: MAY_SHOW, timeout: 20 },
    PreToolUse: { command: NEVER_FAILS, timeout: 5 },
    Stop: { command: MAY_SHOW, timeout: 20 },
    SessionEnd: { command: MAY_SHOW, timeout: 5 },
  },
  // The name that hooks of this form get for the shell, whatever the client calls it.
  matchers: { PreToolUse: 'Bash|PowerShell' },
}

export const facts: ClientFacts = {
  id: 'copilot',
  name: 'Copilot CLI',
  tested: ['1.0.102'],
  install: 'npm install -g @github/copilot',
  // `doctor` asks for the version with an empty home. Without the person's cache, Copilot would unpack itself there: some
  // seconds and 235 MB (1.0.102).
  versionVariables: ({ env, home }) => ({ XDG_CACHE_HOME: env.XDG_CACHE_HOME || join(home, '.cache') }),
  tools: {
    vocabulary: {
      view: { reads: 'path' },
      create: { writes: 'path' },
      edit: { edits: 'path' },
      str_replace_editor: { edits: 'path' },
      // The argument is the patch itself (1.0.72).
      apply_patch: { patches: 'input' },
      grep: { searches: 'path' },
      glob: { searches: 'path' },
      bash: { shell: 'command' },
      powershell: { shell: 'command' },
    },
    // The client moves an output of more than 20 KiB into a file, and gives its agent the first 500 characters (1.0.102).
    shellOutput: { bytes: 19_000 },
    mcpServers: (environment, folder) =>
      serversIn(
        [join(folder, '.mcp.json'), join(ownFolder(environment), 'mcp-config.json')].map(readSettings),
      ),
  },
  pack: {
    folders: ['.github/skills'],
    // A dot stays in the name, and the person types it (1.0.102). Copilot CLI also reads Claude Code's commands. Of two
    // with one name it takes the skill in this folder, so each command is there once. The first line of the body names
    // the command, because the hook before a turn gets only the expanded text.
    command: (command) =>
      markdownFile(
        skillFile(command.name),
        // Only the person runs these commands: the client does not offer them to the model.
        { name: command.name, ...descriptionOf(command), 'disable-model-invocation': true },
        `[/${command.name}] $ARGUMENTS\n\n${fillIn(command.body.trim(), '$ARGUMENTS')}`,
      ),
    commandBody: ({ body }, args) => fillIn(body.trim(), args),
  },
  // Our hook before a tool allows them (hook-events.ts).
  unasked: AGENT_CALL,
  settings: {
    file: HOOKS.file,
    trustQuestion:
      'Copilot CLI runs no hook before you have said that you trust the folder: start `copilot` here once and choose "Yes, and remember this folder"',
    blank: { version: 1 },
    ...projectHooks(HOOKS),
  },
  // The client runs these hooks in every folder, trusted or not. Where there are two commands of one name, it takes the
  // project's, if it trusts the project (1.0.102).
  personal: {
    folder: ownFolder,
    place: (path) => path.replace(/^\.github\//, ''),
    settings: {
      file: 'hooks/cortext.json',
      blank: { version: 1 },
      ...personalHooks(HOOKS, '~/.copilot/hooks/cortext.json'),
    },
  },
  // Copilot CLI reads it in a trusted project (1.0.102).
  mcpEntry: serverEntry('copilot', { file: '.mcp.json' }),
}
