import { existsSync } from 'node:fs'
import type { Client } from '../../../src/clients/contract/client.ts'
import type { PackCommand } from '../../../src/clients/contract/pack.ts'
import { markdownFile } from '../../../src/clients/shared/setup/command-file.ts'
import { projectHooks } from '../../../src/clients/shared/setup/hook-entries.ts'
import { tinyHooks } from './events.ts'
import { commandBody, launch } from './launch.ts'
import { locate, transcriptPath } from './locate.ts'
import { read } from './read.ts'
import { turnStart } from './turn-start.ts'

const HOOK = { command: 'cortext', args: ['hook', 'tiny'] }

const HOOKS = {
  client: 'tiny',
  name: 'Tiny Chat',
  file: '.tiny/settings.json',
  hooks: { Said: HOOK, Answered: HOOK },
}

/** A skill that other clients can read too: `.agents/skills/workspace-plan/SKILL.md`. */
function skillOf({ name, description, body }: PackCommand) {
  const skill = name.replaceAll('.', '-')
  const head = { name: skill, description: JSON.stringify(description) }
  return markdownFile(`.agents/skills/${skill}/SKILL.md`, head, body.trim())
}

/**
 * A further client for tests, as small as the contract allows. Its sessions are files of
 * `{"id","role","content","time"}` lines in `~/.tiny/<folder>/`, and its commands are skills in a folder that clients
 * share. It proves that a client is one folder and one word in a list, and that the contract's tests apply to a client
 * that they do not name.
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
    currentSession: (env) => env.TINY_SESSION || undefined,
  },
  reading: { read, turnStart },
  tools: {
    vocabulary: { put: { writes: 'where' }, look: { reads: 'where' }, run: { shell: 'line' } },
    shellOutput: { bytes: 10_000 },
  },
  pack: {
    folders: ['.agents/skills'],
    command: skillOf,
    commandBody,
  },
  hooks: tinyHooks,
  launch,
  settings: { file: HOOKS.file, ...projectHooks(HOOKS) },
}
