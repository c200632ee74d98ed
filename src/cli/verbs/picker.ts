import type { NativeSession } from '../../clients/contract/sessions.ts'
import { clientOf } from '../../clients/index.ts'
import { askProgram } from '../../io/ask-program.ts'
import type { Environment } from '../../io/environment.ts'
import { findProgram } from '../../io/run.ts'
import {
  findEverywhere,
  listEverywhere,
  openEverywhere,
  type Placed,
} from '../../journeys/finding/everywhere.ts'
import { isResumable, type Listed, listConversations } from '../../journeys/finding/list.ts'
import { type Unimported, unimportedSessions } from '../../journeys/importing/unimported.ts'
import { runNative } from '../../journeys/resuming/launch.ts'
import { numbersOf } from '../../session/names.ts'
import { oneLine } from '../../text/line.ts'
import { paste } from '../../text/paste.ts'
import { relativeTime } from '../../text/relative-time.ts'
import type { Workspace } from '../../workspace/open.ts'
import { asTime, conversationsAsJson, conversationTable } from '../conversation-lines.ts'
import { labelsOf, noteUnread, placedTable, shortPath, workspaceOrNone } from '../everywhere.ts'
import { type Offer, pick } from '../picker/index.ts'
import { clientsFor, idOfClient, type KeptOffer, keptOffer, previewOfKept } from '../picker/kept.ts'
import { lineWidth, note, say, sayJson } from '../print.ts'
import { resumeVerb } from './resume/index.ts'

/** A session of a client that no conversation holds. */
interface NativeOffer extends Offer {
  native: NativeSession
}

/**
 * Runs for a bare `cortext`: shows the kept conversations, and below them the clients' own sessions of this folder, as
 * soon as the clients have told them. In a folder that is no workspace, those are the conversations of all workspaces.
 * Until a person archives one, it writes nothing in a workspace; a session of a client continues natively, as it is.
 */
export async function picker(environment: Environment, options: { json?: boolean }): Promise<void> {
  const ws = workspaceOrNone(environment)
  const { kept, find } = ws === undefined ? await offerOfAll(environment) : offerOf(ws)
  if (options.json === true) return tellAll(environment, ws, kept)
  if (!environment.interactive) return table(environment, ws, kept)
  const stop = new AbortController()
  const later = askForSessions(environment, stop.signal)
  try {
    if (kept.length === 0 && (await later).offers.length === 0) {
      note(...[(await later).note].filter((line) => line !== ''))
      return welcome(ws)
    }
    await offer(environment, ws, { kept, find }, later)
  } finally {
    stop.abort()
  }
}

async function offer(
  environment: Environment,
  ws: Workspace | undefined,
  { kept, find }: Offered,
  later: ReturnType<typeof askForSessions>,
): Promise<void> {
  const labels = labelsOf(kept.filter(isPlaced))
  const names = numbersOf(kept)
  const now = environment.now()
  const offers = kept.map((one) =>
    keptOffer(one, now, one.root === undefined ? undefined : labels.get(one.root)),
  )
  const byKept = new Map(offers.map((one) => [one.kept.datedId + (one.kept.root ?? ''), one]))
  const picked = await pick<KeptOffer | NativeOffer>(environment, {
    message: 'Go on with',
    offers,
    later: { note: 'asking the clients for their own sessions', offers: later },
    find: async (typed) =>
      (await find(typed)).flatMap((one) => byKept.get(one.datedId + (one.root ?? '')) ?? []),
    preview: async (one) =>
      'kept' in one
        ? previewOfKept(environment, one)
        : [one.title, `A session of ${one.client} that is not kept.`],
    clients: (one) => ('kept' in one ? clientsFor(environment, one) : [one.client]),
    ...(ws === undefined
      ? {}
      : { archive: (one) => archive(ws, one, 'kept' in one ? names.get(one.kept)! : '') }),
    offersNew: true,
  })
  if (picked === 'quit') return
  if (picked === 'new') return resumeVerb(environment, [], { new: true })
  await goOn(environment, picked.one, picked.client)
}

async function goOn(environment: Environment, one: KeptOffer | NativeOffer, client?: string): Promise<void> {
  if ('native' in one) {
    process.exitCode = await runNative(environment, one.native)
    return
  }
  const { root, datedId } = one.kept
  if (root !== undefined) note(`In ${shortPath(root, environment)}:`)
  const id = client === undefined ? undefined : idOfClient(client)
  await resumeVerb(
    root === undefined ? environment : { ...environment, cwd: root },
    [datedId],
    id === undefined ? {} : { in: id },
  )
}

async function archive(ws: Workspace, one: KeptOffer | NativeOffer, name: string): Promise<string> {
  if (!('kept' in one)) return 'a session of a client cannot be archived'
  const { editConversation } = await import('../../journeys/conversation/edit.ts')
  await editConversation(ws, one.kept.path, { archived: true }, false)
  return paste`archived; back by: cortext edit ${name} --unarchive`
}

interface Offered {
  kept: readonly Kept[]
  /** Those in which something was said that was asked for, best first. */
  find: (typed: string) => Promise<readonly Kept[]>
}

/** With `root` it lies in another folder. */
type Kept = Listed & { root?: string }

function offerOf(ws: Workspace): Offered {
  const kept = listConversations(ws).conversations.filter(isResumable)
  const byPath = new Map(kept.map((one) => [one.path, one]))
  return {
    kept,
    find: async (typed) => {
      const { searchConversations } = await import('../../journeys/finding/search.ts')
      const found = (await searchConversations(ws, typed))?.found ?? []
      return found.flatMap(({ candidate }) => byPath.get(candidate.path) ?? [])
    },
  }
}

async function offerOfAll(environment: Environment): Promise<Offered> {
  const everywhere = await openEverywhere(environment, undefined)
  const kept = (await listEverywhere(everywhere)).conversations.filter(isResumable)
  noteUnread(everywhere, environment)
  return { kept, find: async (typed) => (await findEverywhere(everywhere, kept, typed)).found }
}

/** Longer than the slowest client may take to list its sessions. */
const PATIENCE_MS = 15_000

/**
 * The sessions of the clients that are not kept, from another process: some clients have to be asked, which takes
 * seconds, and the picker is there meanwhile.
 */
async function askForSessions(
  environment: Environment,
  stop: AbortSignal,
): Promise<{ offers: NativeOffer[]; note: string }> {
  const { env, cwd } = environment
  const program = process.argv[1]!
  const answer = await askProgram(process.execPath, [program, '--json'], {
    env,
    cwd,
    stop,
    patience: PATIENCE_MS,
  })
  if (typeof answer === 'string' || answer.code !== 0)
    return { offers: [], note: 'the clients did not tell their own sessions' }
  const { native } = JSON.parse(answer.said) as { native: ReturnType<typeof asJson>[] }
  const offers = native
    .filter(({ client }) => findProgram(client, env) !== undefined)
    .map((one) => nativeOffer(environment, one))
  return { offers, note: oneLine(answer.complained) }
}

function nativeOffer(
  environment: Environment,
  { client, native_id: nativeId, title, last_active, bytes }: ReturnType<typeof asJson>,
): NativeOffer {
  const { cwd } = environment
  const { name, sessions } = clientOf(client)
  const lastActive = new Date(last_active ?? Number.NaN)
  const transcript = sessions.transcriptPath(environment, cwd, nativeId)
  return {
    native: { client, nativeId, title, cwd, lastActive, bytes, transcript },
    title: oneLine(title) || nativeId,
    type: 'not kept',
    when: relativeTime(lastActive, environment.now()),
    client: name,
    words: nativeId,
  }
}

function isPlaced(one: Kept): one is Placed {
  return one.root !== undefined
}

/** What there is, as one document. */
function tellAll(environment: Environment, ws: Workspace | undefined, kept: readonly Kept[]): void {
  const { sessions, silent } = unimportedSessions(environment, ws)
  noteSilent(silent)
  sayJson({ ...conversationsAsJson(kept, []), native: sessions.map(asJson) })
}

function noteSilent(silent: Unimported['silent']): void {
  note(
    ...silent.map(
      ({ name, fix }) => `${name} did not tell its sessions, so they are missing here. Try: ${fix}`,
    ),
  )
}

/** The kept conversations first: some clients take seconds to tell their sessions. */
function table(environment: Environment, ws: Workspace | undefined, kept: readonly Kept[]): void {
  const some = ws !== undefined || kept.length > 0
  if (ws !== undefined) say(...conversationTable(kept, environment.now(), lineWidth()))
  else if (some) say(...placedTable(kept.filter(isPlaced), environment))
  const { sessions: native, silent } = unimportedSessions(environment, ws)
  noteSilent(silent)
  if (native.length === 0 && !some) welcome(ws)
  if (native.length === 0) return
  say(
    ...(some ? [''] : []),
    'Sessions of this folder that are not kept:',
    ...native.map(
      (one) =>
        `  ${one.client}  ${one.nativeId}  ${relativeTime(one.lastActive, environment.now())}  ${oneLine(one.title)}`,
    ),
    '',
    ws === undefined
      ? 'Keep them: cortext init, then cortext import <client> --all'
      : 'Keep them: cortext import <client> <id>, or --all',
  )
}

function welcome(ws: Workspace | undefined): void {
  say(
    'Nothing here yet.',
    ...(ws === undefined ? ['Make this folder a workspace: cortext init'] : []),
    'See it work without any of it: cortext demo',
  )
}

function asJson(one: NativeSession) {
  return {
    client: one.client,
    native_id: one.nativeId,
    title: one.title,
    last_active: asTime(one.lastActive),
    bytes: one.bytes,
  }
}
