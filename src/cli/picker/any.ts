import type { NativeSession } from '../../clients/contract/sessions.ts'
import { clientOf } from '../../clients/index.ts'
import { CortextError } from '../../errors.ts'
import { askProgram } from '../../io/ask-program.ts'
import type { Environment } from '../../io/environment.ts'
import { findProgram } from '../../io/run.ts'
import { withTemporaryFolder } from '../../io/temporary-folder.ts'
import { fullNumberOf } from '../../session/names.ts'
import { oneLine } from '../../text/line.ts'
import { paste } from '../../text/paste.ts'
import { relativeTime } from '../../text/relative-time.ts'
import type { Workspace } from '../../workspace/open.ts'
import { labelsOf, placedNumbers, shortPath } from '../everywhere.ts'
import { note } from '../print.ts'
import type { ResumeOptions } from '../verbs/resume/index.ts'
import { authorsIn } from './authors.ts'
import { type FirstScreen, GO_ON } from './first-screen.ts'
import { type Offer, pick } from './index.ts'
import { clientsFor, idOfClient, nameOfClient, previewOfKept } from './kept.ts'
import { isPlaced, type Kept, type KeptOffer, keptOffer, type NativeAsJson, type Offered } from './offered.ts'

/** A session of a client that no conversation holds. */
interface NativeOffer extends Offer {
  native: NativeSession
}

/**
 * Lets a person go on with anything that is kept, with a session that is not, or with something new. Returns false where
 * there is nothing. `first` is what they see already.
 */
export async function pickAny(
  environment: Environment,
  ws: Workspace | undefined,
  offered: Offered,
  first: FirstScreen,
): Promise<boolean> {
  const stop = new AbortController()
  const later = askForSessions(environment, stop.signal)
  try {
    if (offered.kept.length === 0 && (await later).offers.length === 0) {
      note([(await later).note].filter((line) => line !== ''))
      return false
    }
    await offer(environment, ws, offered, later, first)
    return true
  } finally {
    stop.abort()
    await later
  }
}

async function offer(
  environment: Environment,
  ws: Workspace | undefined,
  { kept, among, find }: Offered,
  later: ReturnType<typeof askForSessions>,
  first: FirstScreen,
): Promise<void> {
  const labels = labelsOf(kept.filter(isPlaced))
  const now = environment.now()
  const authorOf = authorsIn(kept)
  const numbers = placedNumbers(kept, among)
  const offers = kept.map((one) =>
    keptOffer(one, now, nameOfClient, {
      number: numbers.get(one),
      where: one.root === undefined ? undefined : labels.get(one.root),
      author: () => authorOf(one),
    }),
  )
  const placeOf = ({ root = '', path }: Kept) => `${root} ${path}`
  const byPlace = new Map(offers.map((one) => [placeOf(one.kept), one]))
  const picked = await pick<KeptOffer | NativeOffer>(environment, {
    message: GO_ON,
    first,
    offers,
    later: { note: 'asking the clients for their own sessions', offers: later },
    find: async (typed) => (await find(typed)).flatMap((one) => byPlace.get(placeOf(one)) ?? []),
    preview: async (one) =>
      'kept' in one
        ? previewOfKept(environment, one)
        : [one.title, `A session of ${one.client} that is not kept.`],
    clients: (one) => ('kept' in one ? clientsFor(environment, one) : [one.client]),
    ...(ws === undefined ? {} : { archive: (one) => archive(ws, one) }),
    offersNew: ws !== undefined,
  })
  if (picked === 'quit') return
  if (picked === 'new') return resume(environment, [], { new: true })
  await goOn(environment, picked.one, picked.client)
}

async function goOn(environment: Environment, one: KeptOffer | NativeOffer, client?: string): Promise<void> {
  if ('native' in one) {
    const { runNative } = await import('../../journeys/resuming/launch.ts')
    process.exitCode = await runNative(environment, one.native)
    return
  }
  const { root, path } = one.kept
  if (root !== undefined) note(`In ${shortPath(root, environment)}:`)
  const id = client === undefined ? undefined : idOfClient(client)
  await resume(
    root === undefined ? environment : { ...environment, cwd: root },
    [path],
    id === undefined ? {} : { in: id },
  )
}

async function archive(ws: Workspace, one: KeptOffer | NativeOffer): Promise<string> {
  if (!('kept' in one)) throw new CortextError('refused', 'a session of a client cannot be archived')
  const { editConversation } = await import('../../conversation/edit.ts')
  await editConversation(ws, one.kept.path, { archived: true }, false)
  return paste`archived; back by: cortext edit ${fullNumberOf(one.kept)} --unarchive`
}

/** The import loads what starts a client, while the person still chooses. */
async function resume(environment: Environment, words: string[], options: ResumeOptions): Promise<void> {
  const { resumeVerb } = await import('../verbs/resume/index.ts')
  await resumeVerb(environment, words, options)
}

/** Longer than the slowest client may take to list its sessions. */
const PATIENCE_MS = 15_000

/**
 * The sessions of the clients that are not kept, from another process: some clients have to be asked, which takes
 * seconds, and the picker is there meanwhile. Never rejects.
 */
async function askForSessions(
  environment: Environment,
  stop: AbortSignal,
): Promise<{ offers: NativeOffer[]; note: string }> {
  const { env, cwd } = environment
  const program = process.argv[1]!
  // What a client that is stopped in the middle leaves in the temporary folder goes with it.
  const answer = await withTemporaryFolder([], (folder) =>
    askProgram(process.execPath, [program, '--json', '--not-kept'], {
      env: { ...env, TMPDIR: folder },
      ...{ cwd, stop, patience: PATIENCE_MS },
    }),
  )
  const told = typeof answer === 'string' || answer.code !== 0 ? undefined : answer
  const native = told && nativeIn(told.said)
  if (native === undefined) return { offers: [], note: 'the clients did not tell their own sessions' }
  const offers = native
    .filter(({ client }) => findProgram(client, env) !== undefined)
    .map((one) => nativeOffer(environment, one))
  return { offers, note: oneLine(told!.complained) }
}

/** Undefined where the answer was cut, as one of more than a megabyte is. */
function nativeIn(said: string): NativeAsJson[] | undefined {
  try {
    return (JSON.parse(said) as { native: NativeAsJson[] }).native
  } catch {
    return undefined
  }
}

function nativeOffer(
  environment: Environment,
  { client, native_id: nativeId, title, last_active, bytes }: NativeAsJson,
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
