import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import type { ClientFacts } from '../contract/client.ts'
import { AGENT_CALL } from '../shared/setup/allowed-calls.ts'
import { type OurHooks, personalHooks, projectHooks } from '../shared/setup/hook-entries.ts'
import { serversIn } from '../shared/setup/mcp-entry.ts'
import { readToml } from '../shared/setup/settings-files.ts'
import { pack } from './pack.ts'

/** The folder in which Codex CLI keeps its settings and its threads. */
export function ownFolder({ env, home }: Environment): string {
  return env.CODEX_HOME || join(home, '.codex')
}

/**
 * The client gives this line to the person's shell (`$SHELL -lc`), on Windows to cmd. If cortext is missing or fails, it
 * shows "Hook failed". It shall say so once, so only the line of SessionStart can fail.
 */
const LINE = 'cortext hook codex'
const QUIET_LINE = `${LINE} || exit 0`

/** By default the client cuts our context at 2,500 tokens; 0 means no limit. */
const WHOLE = { additionalContextLimit: 0 }

/**
 * The client trusts each hook by a hash of its entry. A change to one of these entries makes the client ask every
 * person again, so do not change them without need.
 */
export const HOOKS: OurHooks = {
  client: 'codex',
  name: 'Codex CLI',
  // In Codex CLI a project has no hooks that belong only to one person.
  file: '.codex/hooks.json',
  // The timeout is in seconds; the client gives SessionEnd at most 3 seconds.
  hooks: {
    SessionStart: { command: LINE, timeout: 20, ...WHOLE },
    UserPromptSubmit: { command: QUIET_LINE, timeout: 20, ...WHOLE },
    Stop: { command: QUIET_LINE, timeout: 20 },
    SessionEnd: { command: QUIET_LINE, timeout: 3 },
  },
  // Our hook has nothing to do at a plain start. The client's patterns have no look-around, so we name the other kinds
  // of start.
  matchers: { SessionStart: 'resume|fork|clear|compact' },
  // Our hooks for other clients in this file are copies that Codex CLI's `/import` made.
  replaces: '',
}

export const facts: ClientFacts = {
  id: 'codex',
  name: 'Codex CLI',
  tested: ['0.169.0'],
  install: 'npm install -g @openai/codex',
  tools: {
    vocabulary: {
      exec_command: { shell: 'cmd' },
      shell_command: { shell: 'command' },
      // The command is a program with its words (0.34.0 to 0.55.0).
      shell: { shell: 'command' },
      local_shell: { shell: 'command' },
      view_image: { reads: 'path' },
      apply_patch: { patches: 'input' },
      // Our reader gives this name to the shell commands that a person runs with `!cmd`.
      'bash-mode': { shell: 'command' },
    },
    // Codex cuts an output to 10,000 bytes for a model that it does not know, and to 10,000 tokens for others (0.169.0).
    shellOutput: { bytes: 9_000 },
    mcpServers: (environment, folder) =>
      serversIn(
        [join(folder, '.codex', 'config.toml'), join(ownFolder(environment), 'config.toml')].map(readToml),
        'mcp_servers',
      ),
  },
  pack,
  unasked: AGENT_CALL,
  settings: {
    file: HOOKS.file,
    trustQuestion:
      'Codex CLI runs no hook before you have said that you trust it: start `codex` here once and choose "Trust all and continue"',
    ...projectHooks(HOOKS),
  },
  personal: {
    folder: ownFolder,
    place: (path) => path.replace(/^\.codex\//, ''),
    settings: {
      file: 'hooks.json',
      trustQuestion:
        'Codex CLI runs no hook before you have said that you trust it. It asks once, when you next start `codex`: choose "Trust all and continue". Until then nothing is recorded by itself, and `codex exec` does not ask',
      ...personalHooks(HOOKS, '~/.codex/hooks.json'),
    },
  },
}
