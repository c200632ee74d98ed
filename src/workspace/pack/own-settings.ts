import type { Client } from '../../clients/contract/client.ts'
import type { OwnSettings } from '../../clients/contract/settings.ts'

/**
 * The files of a client that hold entries of ours, each once: its settings, and with `mcp` where it names MCP servers.
 * Where both are one file, both kinds of entries go in and come out together.
 */
export function ownSettings({ settings, mcpEntry }: Client, mcp: boolean): OwnSettings[] {
  if (!mcp || mcpEntry === undefined) return settings === undefined ? [] : [settings]
  if (settings === undefined) return [mcpEntry]
  const sameFile = [true, false].every((shared) => settings.file(shared) === mcpEntry.file(shared))
  return sameFile ? [together(settings, mcpEntry)] : [settings, mcpEntry]
}

function together(one: OwnSettings, other: OwnSettings): OwnSettings {
  return {
    file: one.file,
    ...(one.haveComments ? { haveComments: true } : {}),
    add: (settings, shared) => other.add(one.add(settings, shared), shared),
    remove: (settings) => one.remove(other.remove(settings)),
  }
}
