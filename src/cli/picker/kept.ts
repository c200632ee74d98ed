import { clientList, installedClients, readerList } from '../../clients/index.ts'
import { CortextError } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { lastAuthor } from '../../journeys/finding/last-author.ts'
import { countOf } from '../../text/count-of.ts'
import { oneLine, shortLine } from '../../text/line.ts'
import { openWorkspace } from '../../workspace/open.ts'
import { pick } from './index.ts'
import { type Kept, type KeptOffer, keptOffers } from './offered.ts'

/** The chosen conversation, and the client to continue it in, if the person chose a client too. */
export interface Chosen<T> {
  one: T
  client?: string | undefined
}

/**
 * Lets a person choose one of several conversations, and if a client `startsNext`, also that client. Throws `cancelled`
 * if the person chooses none.
 */
export async function pickKept<T extends Kept>(
  environment: Environment,
  candidates: readonly T[],
  find: (typed: string) => Promise<readonly T[]>,
  startsNext = true,
): Promise<Chosen<T>> {
  const picked = await pick<KeptOffer<T>>(environment, {
    message: startsNext ? 'Which conversation would you like to continue?' : 'Which conversation?',
    ...offersOf(environment, candidates, find),
    preview: (one) => previewOfKept(environment, one),
    ...(startsNext ? { clients: (one) => clientsFor(environment, one) } : {}),
    offersNew: false,
  })
  if (typeof picked === 'string') throw new CortextError('cancelled', 'cancelled')
  return { one: picked.one.kept, client: idOfClient(picked.client) }
}

/** The offers of these conversations, and how a picker finds them by what was said. */
export function offersOf<T extends Kept>(
  { now }: Environment,
  kept: readonly T[],
  find: (typed: string) => Promise<readonly T[]>,
) {
  const offerOf = keptOffers(kept, now(), nameOfClient, authorsIn(kept))
  const offers = new Map(kept.map((one) => [one, offerOf(one)]))
  return {
    offers: [...offers.values()],
    find: async (typed: string) => (await find(typed)).flatMap((one) => offers.get(one) ?? []),
  }
}

/** At most this many of the newest conversations are read to find out whether several people talk here. */
const MAX_READ = 30

/**
 * Returns a function that finds out who typed last in a conversation. If the newest conversations name fewer than two
 * such people, the function always returns undefined.
 */
function authorsIn(kept: readonly Kept[]): (one: Kept) => string | undefined {
  const cache = new Map<Kept, string | undefined>()
  const authorOf = (one: Kept) => {
    if (!cache.has(one)) cache.set(one, lastAuthor(one.folder))
    return cache.get(one)
  }
  const people = new Set(kept.slice(0, MAX_READ).flatMap((one) => authorOf(one) ?? []))
  return people.size > 1 ? authorOf : () => undefined
}

/** Returns the lines of the preview of a conversation. If the record cannot be read, one of the lines is the error. */
export async function previewOfKept(
  environment: Environment,
  { kept }: KeptOffer,
): Promise<readonly string[]> {
  const { title, type, summary, tags, messages, live, worktree } = kept
  const head = [oneLine(title), `${oneLine(type)}, ${countOf(messages, 'message')}, ${kept.name}`]
  const marked = [
    ...(worktree === undefined ? [] : [`${live ? 'Open' : 'Last'} in ${oneLine(worktree)}`]),
    ...(tags.length === 0 ? [] : [`Tags: ${oneLine(tags.join(', '))}`]),
  ]
  const { previewOf } = await import('../../journeys/resuming/preview.ts')
  try {
    const there = kept.root === undefined ? environment : { ...environment, cwd: kept.root }
    // With `looks`, a preview writes nothing into a workspace that the person has only highlighted.
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
  const own = clientList().some(({ id }) => id === last) ? [nameOfClient(last)] : []
  installedNames ??= installedClients(environment).map(({ name }) => name)
  return [...new Set([...own, ...installedNames])]
}

/** Kept, because the picker asks for each conversation that is highlighted. */
let installedNames: readonly string[] | undefined

/** A record may name any client. */
const MAX_CLIENT = 20

export function nameOfClient(id: string): string {
  return readerList().find((client) => client.id === id)?.name ?? shortLine(id, MAX_CLIENT)
}

/** The id of a client by its name; undefined for one that cortext does not start. */
export function idOfClient(name: string | undefined): string | undefined {
  return clientList().find((client) => client.name === name)?.id
}
