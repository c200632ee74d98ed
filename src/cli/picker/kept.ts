import { clientList, isImportOnly, readerList } from '../../clients/index.ts'
import { CortextError } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { findProgram } from '../../io/program.ts'
import type { Listed } from '../../journeys/finding/list.ts'
import { oneLine, shortLine } from '../../text/line.ts'
import { openWorkspace } from '../../workspace/open.ts'
import { authorsIn } from './authors.ts'
import { pick } from './index.ts'
import { type KeptOffer, keptOffer } from './offered.ts'

/** The chosen conversation, and the client to continue it in, if the person chose a client too. */
export interface Chosen<T> {
  one: T
  client?: string
}

export interface PickOptions {
  /** The names of the workspaces by their roots, if the conversations come from several workspaces. */
  labels?: ReadonlyMap<string, string>
  /** Whether a client is started after the choice. If so, the person may also choose the client. */
  starts?: boolean
}

/** Lets a person choose one of several conversations. Throws `cancelled` if the person chooses none. */
export async function pickKept<T extends Listed & { root?: string }>(
  environment: Environment,
  candidates: readonly T[],
  find: (typed: string) => Promise<readonly T[]>,
  { labels = new Map(), starts = true }: PickOptions = {},
): Promise<Chosen<T>> {
  const now = environment.now()
  const authorOf = authorsIn(candidates)
  const offers = new Map(
    candidates.map((one) => [
      one,
      keptOffer(one, now, nameOfClient, {
        where: one.root === undefined ? undefined : labels.get(one.root),
        author: () => authorOf(one),
      }),
    ]),
  )
  const picked = await pick<KeptOffer>(environment, {
    message: starts ? 'Which conversation would you like to continue?' : 'Which conversation?',
    offers: [...offers.values()],
    find: async (typed) => (await find(typed)).flatMap((one) => offers.get(one) ?? []),
    preview: (one) => previewOfKept(environment, one),
    ...(starts ? { clients: (one) => clientsFor(environment, one) } : {}),
    offersNew: false,
  })
  if (typeof picked === 'string') throw new CortextError('cancelled', 'cancelled')
  const one = candidates.find((candidate) => offers.get(candidate) === picked.one)!
  const client = picked.client === undefined ? undefined : idOfClient(picked.client)
  return { one, ...(client === undefined ? {} : { client }) }
}

/** Returns the lines of the preview of a conversation. If the record cannot be read, one of the lines is the error. */
export async function previewOfKept(
  environment: Environment,
  { kept }: KeptOffer,
): Promise<readonly string[]> {
  const { title, type, summary, tags, messages } = kept
  const head = [
    oneLine(title),
    `${oneLine(type)}, ${messages} message${messages === 1 ? '' : 's'}, ${kept.name}`,
  ]
  const marked = tags.length === 0 ? [] : [`Tags: ${oneLine(tags.join(', '))}`]
  const { previewOf } = await import('../../journeys/resuming/preview.ts')
  try {
    const there = kept.root === undefined ? environment : { ...environment, cwd: kept.root }
    const ws = openWorkspace(there, there.cwd, { looks: true })
    const lines = await previewOf(ws, kept.path, kept.folder)
    const about =
      lines.length > 0 ? lines : [oneLine(summary) || 'A long conversation: cortext show has more.']
    return [...head, ...about, ...marked]
  } catch (error) {
    return [...head, oneLine(error instanceof Error ? error.message : String(error)), ...marked]
  }
}

/**
 * The names of the clients that may continue a conversation: its last client first, then the other installed clients.
 */
export function clientsFor(environment: Environment, { kept }: KeptOffer): string[] {
  const last = kept.native.at(-1)?.client ?? kept.client
  const own = isImportOnly(last) ? [] : [nameOfClient(last)]
  return [...new Set([...own, ...installedNames(environment)])]
}

let installed: readonly string[] | undefined

function installedNames({ env }: Environment): readonly string[] {
  installed ??= clientList()
    .filter(({ id }) => findProgram(id, env) !== undefined)
    .map(({ name }) => name)
  return installed
}

/** A record may name any client. */
const MAX_CLIENT = 20

export function nameOfClient(id: string): string {
  return readerList().find((client) => client.id === id)?.name ?? shortLine(id, MAX_CLIENT)
}

/** The id of a client by its name. */
export function idOfClient(name: string): string | undefined {
  return clientList().find((client) => client.name === name)?.id
}
