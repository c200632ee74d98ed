import { isDeepStrictEqual } from 'node:util'
import { CortextError } from '../../../errors.ts'
import { paste } from '../../../text/paste.ts'
import type { OwnServer } from '../../contract/settings.ts'
import { isObject } from '../transcript/fields.ts'

type Settings = Record<string, unknown>

/** How a client's file names our MCP server. */
export interface OurServer {
  /** The client's id. */
  client: string
  /** The file, relative to the workspace root. */
  file: string
  haveComments?: true
  haveTrailingCommas?: true
  blank?: Settings
  /** The key of the object that contains the servers by their names. */
  servers: string
  /** The client's entry that starts `cortext mcp`. */
  entry: Settings
  /**
   * The entry's key for variables. `{}` under this key records that the file already had an empty object of servers.
   */
  variables: string
}

const SERVER_NAME = 'cortext'

/**
 * Adds our server to a client's file under the name `cortext`, and removes it. Our server is recognised by the command
 * that it starts. So keys that the person adds to our entry stay until we remove the entry. Another server of that name
 * is not touched. `add` throws `refused` when the servers do not have the documented shape.
 */
export function serverEntry(ours: OurServer): OwnServer {
  const { servers: key, entry, variables } = ours
  return {
    file: ours.file,
    ...(ours.haveComments ? { haveComments: true } : {}),
    ...(ours.haveTrailingCommas ? { haveTrailingCommas: true } : {}),
    ...(ours.blank ? { blank: ours.blank } : {}),
    add(settings) {
      const before = settings[key]
      if (before !== undefined && !isObject(before)) throw unknownShape(ours)
      if (before !== undefined && Object.hasOwn(before, SERVER_NAME)) return settings
      const wasEmpty = before !== undefined && Object.keys(before).length === 0
      const own = wasEmpty ? { ...entry, [variables]: {} } : entry
      return { ...settings, [key]: { ...before, [SERVER_NAME]: own } }
    },
    remove(settings) {
      const servers = settings[key]
      if (!isObject(servers) || !isOurs(servers[SERVER_NAME], ours)) return settings
      const { [SERVER_NAME]: own, ...others } = servers
      const wasEmpty = isObject(own) && isDeepStrictEqual(own[variables], {})
      if (Object.keys(others).length > 0 || wasEmpty) return { ...settings, [key]: others }
      const { [key]: _, ...rest } = settings
      return rest
    },
    findServer(settings) {
      const servers = settings[key]
      if (!isObject(servers) || !Object.hasOwn(servers, SERVER_NAME)) return undefined
      return { starts: startsOf(servers[SERVER_NAME]), ours: isOurs(servers[SERVER_NAME], ours) }
    },
  }
}

/** Returns the command line of a server, or the address of one that runs elsewhere. */
function startsOf(server: unknown): string {
  const { command, args, httpUrl, url } = isObject(server) ? server : {}
  const words = [command, args, httpUrl, url].flat().filter((word) => typeof word === 'string')
  return words.length > 0 ? words.join(' ') : 'nothing'
}

function isOurs(found: unknown, { entry }: OurServer): boolean {
  const starts = ({ command, args }: Settings) => ({ command, args })
  return isObject(found) && isDeepStrictEqual(starts(found), starts(entry))
}

function unknownShape({ servers, file, client }: OurServer): CortextError {
  return new CortextError('refused', `"${servers}" in ${file} is not an object; left as it is`, {
    fix: `mend "${servers}" in ${file}, then run: ${paste`cortext init --mcp --in ${client}`}`,
  })
}
