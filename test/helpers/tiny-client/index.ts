import { existsSync } from 'node:fs'
import type { Client } from '../../../src/clients/contract/client.ts'
import { hookCommand } from '../../../src/clients/setup/hook-command.ts'
import { addHookEntries, removeHookEntries } from '../../../src/clients/setup/hook-entries.ts'
import { tinyHooks } from './events.ts'
import { commandBody, handoff, native } from './launch.ts'
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
  sessions: {
    locate,
    transcriptPath,
    hasSession: (environment, folder, nativeId) => existsSync(transcriptPath(environment, folder, nativeId)),
    insideOf: (env) => env.TINY_SESSION || undefined,
  },
  reading: { read, turnStart },
  tools: {
    vocabulary: { put: { writes: 'where' }, look: { reads: 'where' }, run: { shell: 'line' } },
    shellOutput: { bytes: 10_000 },
  },
  pack: {
    folders: ['.tiny/commands'],
    command: ({ name, body }) => ({ path: `.tiny/commands/${name}.txt`, content: `${body.trim()}\n` }),
    commandBody,
  },
  hooks: tinyHooks,
  launch: { native, handoff },
  settings: {
    file: () => '.tiny/settings.json',
    add: (settings) => addHookEntries(settings, HOOKS),
    remove: (settings) => removeHookEntries(settings, HOOKS.client),
  },
}
