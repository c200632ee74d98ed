import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Client } from '../../src/clients/contract/client.ts'
import type { PackCommand } from '../../src/clients/contract/pack.ts'
import { tempFolder } from './repository.ts'

const PACK: Record<string, string> = {
  'commands/workspace.brainstorm.md':
    '---\ndescription: Think together\nargument-hint: <topic>\n---\nYou are a partner.\n\nTopic: $ARGUMENTS\n',
  'commands/workspace.resume.md':
    '---\ndescription: "Continue: pick one"\nargument-hint: <words>\n---\n$ARGUMENTS\n',
  'templates/brainstorm.md': '# {{title}}\n\n## Ideas\n',
  'templates/constitution.md': '# How I work\n',
  'templates/registry.json': `${JSON.stringify(
    {
      version: '1.0',
      types: {
        brainstorm: {
          command: '/workspace.brainstorm',
          folder: 'conversations',
          template: 'brainstorm',
          session_support: true,
          description: 'Think together',
        },
      },
    },
    undefined,
    2,
  )}\n`,
}

/** A small prompt pack in a new folder. `changes` replace or add files, as another version of the pack does. */
export function tempPack(changes: Record<string, string> = {}): string {
  const folder = tempFolder()
  for (const [path, content] of Object.entries({ ...PACK, ...changes })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}

const HOOK = 'cortext hook tiny'

/** A client with the parts of the contract that an installation uses. The other parts throw. */
export function tinyClient(id = 'tiny'): Client {
  const unused = (): never => {
    throw new Error('an installation does not need this')
  }
  return {
    id,
    name: id,
    tested: ['1.0.0'],
    install: `npm install --global ${id}`,
    sessions: { locate: unused, hasSession: unused, transcriptPath: unused },
    reading: { read: unused, turnStart: unused },
    tools: { vocabulary: {}, shellOutput: { bytes: 1000 } },
    pack: {
      folders: [`.${id}/commands`],
      command: (command: PackCommand) => ({
        path: `.${id}/commands/${command.name}.md`,
        content: `---\ndescription: ${JSON.stringify(command.description)}\n---\n${command.body}`,
      }),
      commandBody: unused,
    },
    hooks: { parse: unused, contextFor: unused, messageFor: unused, shellsNameSession: true },
    launch: { seed: unused, native: unused },
    settings: {
      file: `.${id}/settings.local.json`,
      add: (settings) => {
        const hooks = asHooks(settings.hooks)
        const others = (hooks.Stop ?? []).filter((hook) => hook !== HOOK)
        return { ...settings, hooks: { ...hooks, Stop: [...others, HOOK] } }
      },
      remove: (settings) => {
        const { Stop = [], ...hooks } = asHooks(settings.hooks)
        const others = Stop.filter((hook) => hook !== HOOK)
        const left = others.length > 0 ? { ...hooks, Stop: others } : hooks
        const { hooks: _hooks, ...rest } = settings
        return Object.keys(left).length > 0 ? { ...rest, hooks: left } : rest
      },
    },
  }
}

function asHooks(value: unknown): Record<string, string[]> {
  return (value ?? {}) as Record<string, string[]>
}
