import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Client, PackCommand } from '../../../src/clients/client.ts'
import { hookCommand } from '../../../src/clients/setup/hook-command.ts'
import { addHookEntries, removeHookEntries } from '../../../src/clients/setup/hook-entries.ts'
import { commandBody, launch } from './launch.ts'
import { locate, transcriptPath } from './locate.ts'
import { read } from './read.ts'
import { turnStart } from './turn-start.ts'

const HOOKS = {
  client: 'tiny',
  name: 'Tiny Chat',
  files: '.tiny/settings.json',
  commands: { Said: hookCommand('tiny'), Answered: hookCommand('tiny') },
}

/**
 * A fourth client that lives in the tests, as small as the contract allows: sessions are files of
 * `{"id","role","content","time"}` lines in `~/.tiny/<folder>/`, commands are plain text. It proves that a client is
 * one folder and one word in a list, and that the contract's tests can be kept by a client that they do not know.
 */
export const tiny: Client = {
  id: 'tiny',
  name: 'Tiny Chat',
  tested: ['1.0.0'],
  install: 'npm install -g tiny-chat',
  shellOutputLimit: 10_000,
  locate,
  transcriptPath,
  hasSession: (environment, folder, nativeId) => existsSync(transcriptPath(environment, folder, nativeId)),
  sideFolder: (transcript) => transcript.replace(/\.jsonl$/, ''),
  insideOf: (env) => env.TINY_SESSION || undefined,
  turnStart,
  mcpServers: () => [],
  read,
  renderCommand: ({ name, body }: PackCommand) => ({
    path: join('.tiny', 'commands', `${name}.txt`),
    content: `${body.trim()}\n`,
  }),
  commandBody,
  settingsFile: () => '.tiny/settings.json',
  addHooks: (settings) => addHookEntries(settings, HOOKS),
  removeHooks: (settings) => removeHookEntries(settings, HOOKS.client),
  launch,
}
