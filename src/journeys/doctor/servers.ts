import type { Client } from '../../clients/contract/client.ts'
import { findProgram } from '../../io/program.ts'
import { oneLine } from '../../text/line.ts'
import { paste } from '../../text/paste.ts'
import type { Workspace } from '../../workspace/open.ts'
import { readManifest } from '../../workspace/pack/manifest.ts'
import { namesServersBesides } from '../../workspace/pack/own-settings.ts'
import { readSettings } from '../../workspace/pack/settings.ts'
import { type Finding, note, ok } from './finding.ts'
import { inTheWay } from './setup.ts'

/**
 * Reports the MCP server `cortext` in each client's settings: which program it starts, and whether it is as `init
 * --mcp` writes it. A missing server is reported only if `init` has written it, and only for a client with a file of
 * its own for servers. Throws `corrupt` if the manifest is not valid.
 */
export function serverFindings(ws: Workspace, clients: readonly Client[]): Finding[] {
  const { settings } = readManifest(ws.root, ws.local)
  return clients.flatMap((client) => {
    try {
      return serverOf(ws, client, Object.keys(settings))
    } catch (error) {
      return [inTheWay(error, ws.root)]
    }
  })
}

function serverOf(ws: Workspace, client: Client, written: readonly string[]): Finding[] {
  const { id, name, mcpEntry } = client
  if (mcpEntry === undefined) return []
  const path = mcpEntry.file
  const hasOwnFile = namesServersBesides(client)
  // `init` has not written into this file, so all servers in it are the person's.
  if (hasOwnFile && !written.includes(path)) return []
  const found = mcpEntry.findServer(readSettings(ws.root, path, mcpEntry) ?? {})
  if (found?.ours)
    return [ok('server', `${name}: its server in ${path} starts ${found.starts}${whichOne(ws)}`)]
  if (found !== undefined)
    return [
      note(
        'other-server',
        `${name}: the server "cortext" in ${path} is not as init writes it: it starts ${oneLine(found.starts)}`,
        'if that is not intended: remove "cortext" there, then cortext init --mcp',
      ),
    ]
  if (!hasOwnFile) return []
  const message = `${name}: the server that init wrote into ${path} is not there any more`
  return [note('server-gone', message, paste`cortext init --mcp --in ${id}, or --no-mcp to leave it so`)]
}

function whichOne({ environment }: Workspace): string {
  const path = findProgram('cortext', environment.env)
  return path === undefined ? ', which is not on PATH' : ` (${path})`
}
