import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import type { ClientFacts } from '../contract/client.ts'
import { TOOLS } from '../shared/genai/facts.ts'
import { commandBody, namedPrompt } from '../shared/genai/named-command.ts'
import { AGENT_CALL } from '../shared/setup/allowed-calls.ts'
import { serverEntry, serversIn } from '../shared/setup/mcp-entry.ts'
import { readSettings } from '../shared/setup/settings-files.ts'
import {
  addHooks,
  addPersonalHooks,
  POLICY,
  policyFile,
  removeHooks,
  SETTINGS_FILE,
} from './hook-settings.ts'

/** The client's own folder, `~/.gemini`. */
export function ownFolder({ env, home }: Environment): string {
  return join(env.GEMINI_CLI_HOME || home, '.gemini')
}

/** The settings files in order of precedence: the project's, then the person's. */
export function settingsFiles(environment: Environment, folder: string): string[] {
  return [join(folder, SETTINGS_FILE), join(ownFolder(environment), 'settings.json')]
}

export const facts: ClientFacts = {
  id: 'gemini',
  name: 'Gemini CLI',
  tested: ['0.61.0'],
  install: 'npm install -g @google/gemini-cli',
  tools: {
    vocabulary: {
      ...TOOLS,
      replace: { edits: 'file_path' },
      // Our reader gives this name to the shell commands that a person runs with `!cmd`.
      'bash-mode': { shell: 'command' },
    },
    // Of more than 40,000 characters the model gets the first 8,000 and the last 32,000 (0.61.0).
    shellOutput: { bytes: 39_000 },
    mcpServers: (environment, folder) => serversIn(settingsFiles(environment, folder).map(readSettings)),
  },
  pack: {
    folders: ['.gemini'],
    // A dot stays in the name, and the person types it (0.61.0).
    command(command) {
      const prompt = `${namedPrompt(command)}${SHELL_OUTPUT[command.name] ?? ''}\n`
      const content = `description = ${tomlText(command.description)}\nprompt = ${tomlText(prompt)}\n`
      return { path: `.gemini/commands/${command.name}.toml`, content }
    },
    files: () => [policyFile()],
    commandBody,
  },
  unasked: AGENT_CALL,
  settings: { file: SETTINGS_FILE, haveComments: true, add: addHooks, remove: removeHooks },
  personal: {
    folder: ownFolder,
    // The client reads the policies in its own folder without a setting (0.61.0).
    place: (path) => (path === POLICY ? 'policies/cortext.toml' : path.replace(/^\.gemini\//, '')),
    clash: 'Gemini CLI renames commands that are in both places, so that none of them works',
    settings: { file: 'settings.json', haveComments: true, add: addPersonalHooks, remove: removeHooks },
  },
  mcpEntry: serverEntry('gemini', { file: SETTINGS_FILE, haveComments: true }),
}

/**
 * The end of a command's prompt. The client puts the output of our call there, so the model need not make that call.
 * The client inserts the arguments as one quoted word. It adds the output as it is, whatever its size, and expands
 * nothing in it.
 */
const SHELL_OUTPUT: Record<string, string> = {
  'workspace.resume': '\n\n[cortext] What that call says:\n\n!{cortext agent resume --whole -- {{args}}}',
}

/** Makes a TOML basic string. It is escaped as in JSON. DEL is escaped too, because TOML does not allow DEL raw. */
function tomlText(value: string): string {
  return JSON.stringify(value).replaceAll('\u007f', '\\u007f')
}
