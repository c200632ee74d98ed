import type { Client } from '../../clients/contract/client.ts'
import type { OwnSettings } from '../../clients/contract/settings.ts'
import type { JsonObject } from '../merge/json-file.ts'

/**
 * The files of a client that contain entries of ours: its settings, and with `mcp` the file with its MCP servers. These
 * may be one file. Then this file is returned once, and adds and removes both kinds of entries. With `mcp` false,
 * adding our entries removes our server from it. With `mcp` undefined, only the settings are returned.
 */
export function ownSettings(client: Client, mcp: boolean | undefined): OwnSettings[] {
  const { settings, mcpEntry } = client
  if (mcp === undefined || mcpEntry === undefined) return settings === undefined ? [] : [settings]
  if (settings === undefined) return mcp ? [mcpEntry] : []
  if (namesServersBesides(client)) return mcp ? [settings, mcpEntry] : [settings]
  return [mcp ? addBoth(settings, mcpEntry) : addFirstOnly(settings, mcpEntry)]
}

/**
 * The same for a client that the person has set up for all workspaces: no file of the workspace has its hooks, so only
 * our server is left. With `mcp` undefined, a server that is in the file of the hooks (`settings`) stays.
 */
export function ownServer(client: Client, mcp: boolean | undefined, settings: JsonObject): OwnSettings[] {
  const { settings: hooks, mcpEntry } = client
  if (mcpEntry === undefined) return []
  if (hooks === undefined || namesServersBesides(client)) return mcp ? [mcpEntry] : []
  const stays = mcp ?? mcpEntry.findServer(settings)?.ours === true
  return stays ? [{ ...mcpEntry, add: (before) => mcpEntry.add(hooks.remove(before)) }] : []
}

/** Whether a client has another file for MCP servers than for its settings. */
export function namesServersBesides({ settings, mcpEntry }: Client): boolean {
  if (settings === undefined || mcpEntry === undefined) return mcpEntry !== undefined
  return settings.file !== mcpEntry.file
}

function addFirstOnly(first: OwnSettings, second: OwnSettings): OwnSettings {
  return { ...first, add: (settings) => first.add(second.remove(settings)) }
}

function addBoth(first: OwnSettings, second: OwnSettings): OwnSettings {
  return {
    ...first,
    add: (settings) => second.add(first.add(settings)),
    remove: (settings) => first.remove(second.remove(settings)),
  }
}
