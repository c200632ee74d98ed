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
  /** The key that holds servers by their names. */
  servers: string
  /** The client's entry that starts `cortext mcp`. */
  entry: Settings
  /** The entry's key for variables: an empty one remembers that the key of servers was there, and empty. */
  variables: string
}

const NAME = 'cortext'

/**
 * Our server in a client's file, under the name `cortext`. It is known by what it starts: what the person has added to
 * it stays as long as it is there, and another server of that name is left alone. `add` throws `refused` when the
 * servers do not have the documented shape.
 */
export function serverEntry(ours: OurServer): OwnServer {
  const { servers: key, entry, variables } = ours
  return {
    file: () => ours.file,
    ...(ours.haveComments ? { haveComments: true } : {}),
    ...(ours.haveTrailingCommas ? { haveTrailingCommas: true } : {}),
    ...(ours.blank ? { blank: ours.blank } : {}),
    add(settings) {
      const before = settings[key]
      if (before !== undefined && !isObject(before)) throw unknownShape(ours)
      if (before !== undefined && Object.hasOwn(before, NAME)) return settings
      const wasEmpty = before !== undefined && Object.keys(before).length === 0
      const own = wasEmpty ? { ...entry, [variables]: {} } : entry
      return { ...settings, [key]: { ...before, [NAME]: own } }
    },
    remove(settings) {
      const servers = settings[key]
      if (!isObject(servers) || !isOurs(servers[NAME], ours)) return settings
      const { [NAME]: own, ...others } = servers
      const wasEmpty = isObject(own) && isDeepStrictEqual(own[variables], {})
      if (Object.keys(others).length > 0 || wasEmpty) return { ...settings, [key]: others }
      const { [key]: _, ...rest } = settings
      return rest
    },
    named(settings) {
      const servers = settings[key]
      if (!isObject(servers) || !Object.hasOwn(servers, NAME)) return undefined
      return { starts: startsOf(servers[NAME]), ours: isOurs(servers[NAME], ours) }
    },
  }
}

/** A command line, or the address of a server that runs elsewhere. */
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
