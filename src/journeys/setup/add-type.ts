import type { Client } from '../../clients/contract/client.ts'
import { readInside, statInside, writeInside } from '../../io/inside.ts'
import { loadCommand } from '../../workspace/pack/commands.ts'
import { renderPack } from '../../workspace/pack/index.ts'
import type { FileChange } from '../../workspace/pack/manifest.ts'
import { shippedPack } from '../../workspace/pack/shipped.ts'
import { type ConversationType, checkNewType, REGISTRY, registerType } from '../../workspace/registry.ts'
import { PLAIN_TEMPLATE } from '../../workspace/template.ts'

export interface AddTypeReport {
  type: ConversationType
  changes: FileChange[]
}

/**
 * Adds a type of the person's own to the registry, and renders its command for the given clients. Makes a command and a
 * template for the person to edit; if one of them exists, it is used as it is. Throws `usage` for a name that is not
 * allowed, and `refused` for a name that exists; nothing is written then.
 */
export function addType(
  workspace: { root: string; local: string },
  name: string,
  clients: readonly Client[],
  { pack = shippedPack(), personal }: { pack?: string; personal?: ReadonlySet<string> } = {},
): AddTypeReport {
  const { root } = workspace
  checkNewType(root, name, pack)
  const made = [
    makeIfAbsent(root, `.workspace/commands/workspace.${name}.md`, () => plainCommand(name, pack)),
    makeIfAbsent(root, `.workspace/templates/${name}.md`, () => PLAIN_TEMPLATE),
  ]
  const { description } = loadCommand(root, `workspace.${name}`, pack).command
  const had = statInside(root, REGISTRY) !== undefined
  const type = registerType(root, name, { description }, pack)
  const registry: FileChange = { path: REGISTRY, state: had ? 'updated' : 'made' }
  return {
    type,
    changes: [...made, registry, ...renderPack(workspace, clients, { pack, ...(personal && { personal }) })],
  }
}

function makeIfAbsent(root: string, path: string, text: () => string): FileChange {
  if (statInside(root, path) !== undefined) return { path, state: 'unchanged' }
  writeInside(root, path, text())
  return { path, state: 'made' }
}

/** The text of a new command: some text for the person to replace, and the part that all shipped commands have. */
function plainCommand(name: string, pack: string): string {
  const model = readInside(pack, 'commands/workspace.brainstorm.md') ?? ''
  const start = model.indexOf('## In every conversation')
  const common = start === -1 ? '' : `\n${model.slice(start)}`
  return `---
description: A conversation of the type ${name}
argument-hint: <topic>
---
You are the person's partner in a conversation of the type ${name}. (Say here how you lead it: what you ask first, when you challenge, how you know that it is over.)

Topic: $ARGUMENTS
${common.replaceAll('cortext agent start brainstorm', `cortext agent start ${name}`)}`
}
