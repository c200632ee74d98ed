import { isDeepStrictEqual } from 'node:util'
import { CortextError } from '../../../errors.ts'
import { paste } from '../../../text/paste.ts'
import type { OwnServer, OwnSettings } from '../../contract/settings.ts'
import { fieldsOf, isObject } from '../transcript/fields.ts'

type Settings = Record<string, unknown>

/** How a client's file names MCP servers. */
interface ServerForm {
  /** The key of the object that contains the servers by their names. */
  servers: string
  /** The client's entry that starts `cortext mcp`. */
  entry: Settings
  /**
   * The entry's key for variables. `{}` under this key records that the file already had an empty object of servers.
   */
  variables: string
}

/** The form that most clients have in common. */
const USUAL: ServerForm = {
  servers: 'mcpServers',
  entry: { command: 'cortext', args: ['mcp'] },
  variables: 'env',
}

const SERVER_NAME = 'cortext'

/**
 * Adds our server to a client's file under the name `cortext`, and removes it. Our server is recognised by the command
 * that it starts. So keys that the person adds to our entry stay until we remove the entry. Another server of that name
 * is not touched. `add` throws `refused` when the servers do not have the documented shape.
 */
export function serverEntry(
  client: string,
  file: Omit<OwnSettings, 'add' | 'remove'>,
  { servers: key, entry, variables } = USUAL,
): OwnServer {
  const isOurs = (found: unknown) =>
    isObject(found) && isDeepStrictEqual([found.command, found.args], [entry.command, entry.args])
  return {
    ...file,
    add(settings) {
      const before = settings[key]
      if (before !== undefined && !isObject(before)) throw unknownShape(key, file.file, client)
      if (before !== undefined && Object.hasOwn(before, SERVER_NAME)) return settings
      const wasEmpty = before !== undefined && Object.keys(before).length === 0
      const own = wasEmpty ? { ...entry, [variables]: {} } : entry
      return { ...settings, [key]: { ...before, [SERVER_NAME]: own } }
    },
    remove(settings) {
      const servers = settings[key]
      if (!isObject(servers) || !isOurs(servers[SERVER_NAME])) return settings
      const { [SERVER_NAME]: own, ...others } = servers
      const wasEmpty = isObject(own) && isDeepStrictEqual(own[variables], {})
      if (Object.keys(others).length > 0 || wasEmpty) return { ...settings, [key]: others }
      const { [key]: _, ...rest } = settings
      return rest
    },
    findServer(settings) {
      const servers = settings[key]
      if (!isObject(servers) || !Object.hasOwn(servers, SERVER_NAME)) return undefined
      return { starts: startsOf(servers[SERVER_NAME]), ours: isOurs(servers[SERVER_NAME]) }
    },
  }
}

/** Returns the command line of a server, or the address of one that runs elsewhere. */
function startsOf(server: unknown): string {
  const { command, args, httpUrl, url } = isObject(server) ? server : {}
  const words = [command, args, httpUrl, url].flat().filter((word) => typeof word === 'string')
  return words.length > 0 ? words.join(' ') : 'nothing'
}

function unknownShape(key: string, file: string, client: string): CortextError {
  return new CortextError('refused', `"${key}" in ${file} is not an object; left as it is`, {
    fix: paste`mend "${key}" in ${file}, then run: cortext init --mcp --in ${client}`,
  })
}

/** The names of the MCP servers in a client's files. */
export function serversIn(files: readonly Settings[], key = USUAL.servers): string[] {
  return [...new Set(files.flatMap((file) => Object.keys(fieldsOf(file[key]))))]
}
