import type { Client } from '../../clients/contract/client.ts'
import type { OwnSettings } from '../../clients/contract/settings.ts'

/**
 * The files of a client that hold entries of ours, each once: its settings, and with `mcp` where it names MCP servers.
 * If both are one file, both kinds of entries go in and come out together; with `mcp` false our server goes out of it
 * as our other entries go in.
 */
export function ownSettings(client: Client, mcp: boolean | undefined): OwnSettings[] {
  const { settings, mcpEntry } = client
  if (mcp === undefined || mcpEntry === undefined) return settings === undefined ? [] : [settings]
  if (settings === undefined) return mcp ? [mcpEntry] : []
  if (namesServersBesides(client)) return mcp ? [settings, mcpEntry] : [settings]
  return [mcp ? together(settings, mcpEntry) : without(settings, mcpEntry)]
}

/** Whether a client has a file for servers that holds no other entries of ours. */
export function namesServersBesides({ settings, mcpEntry }: Client): boolean {
  if (settings === undefined || mcpEntry === undefined) return mcpEntry !== undefined
  return [true, false].some((shared) => settings.file(shared) !== mcpEntry.file(shared))
}

function without(one: OwnSettings, other: OwnSettings): OwnSettings {
  return { ...one, add: (settings, shared) => one.add(other.remove(settings), shared) }
}

function together(one: OwnSettings, other: OwnSettings): OwnSettings {
  return {
    file: one.file,
    ...(one.haveComments ? { haveComments: true } : {}),
    add: (settings, shared) => other.add(one.add(settings, shared), shared),
    remove: (settings) => one.remove(other.remove(settings)),
  }
}
