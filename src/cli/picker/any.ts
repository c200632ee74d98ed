import type { NativeSession } from '../../clients/contract/sessions.ts'
import { clientOf, isImportOnly } from '../../clients/index.ts'
import { CortextError } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { findProgram } from '../../io/program.ts'
import { withTemporaryFolder } from '../../io/temporary-folder.ts'
import { hiddenWords } from '../../session/resumable-lines.ts'
import { oneLine } from '../../text/line.ts'
import { paste } from '../../text/paste.ts'
import { relativeTime } from '../../text/relative-time.ts'
import type { Workspace } from '../../workspace/open.ts'
import { shortPath } from '../everywhere.ts'
import { note } from '../print.ts'
import type { ResumeOptions } from '../verbs/resume/index.ts'
import { type FirstScreen, PICKER_MESSAGE } from './first-screen.ts'
import { pick } from './index.ts'
import { clientsFor, idOfClient, offersOf, previewOfKept } from './kept.ts'
import type { Offer } from './offer.ts'
import type { KeptOffer, NativeAsJson, Offered } from './offered.ts'

/** A client's own session that is in no conversation. */
interface NativeOffer extends Offer {
  native: NativeSession
}

/**
 * Lets a person continue a kept conversation or a session that is not saved, or begin something new. Returns false if
 * there is nothing to offer. `first` is the screen that is already shown.
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
  { kept, find, hidden }: Offered,
  later: ReturnType<typeof askForSessions>,
  first: FirstScreen,
): Promise<void> {
  const picked = await pick<KeptOffer | NativeOffer>(environment, {
    message: PICKER_MESSAGE,
    ...(hidden.size > 0 ? { hidden: hiddenWords(hidden) } : {}),
    first,
    ...offersOf(environment, kept, find),
    later: { note: 'asking the clients for their own sessions', offers: later },
    preview: async (one) =>
      'kept' in one
        ? previewOfKept(environment, one)
        : [one.title, `A session of ${one.client} that is not saved.`],
    clients: (one) => ('kept' in one ? clientsFor(environment, one) : [one.client]),
    ...(ws === undefined ? {} : { archive: (one) => archive(ws, one) }),
    offersNew: ws !== undefined,
  })
  if (picked === 'quit') return
  if (picked === 'new') return resume(environment, [], { new: true })
  await continueIn(environment, picked.one, picked.client)
}

async function continueIn(
  environment: Environment,
  one: KeptOffer | NativeOffer,
  client?: string,
): Promise<void> {
  if ('native' in one) {
    const { runClient } = await import('../../journeys/resuming/start-client.ts')
    process.exitCode = await runClient(environment, clientOf(one.native.client), one.native)
    return
  }
  const { root, path } = one.kept
  if (root !== undefined) note(`In ${shortPath(root, environment)}:`)
  const there = root === undefined ? environment : { ...environment, cwd: root }
  await resume(there, [path], { in: idOfClient(client) })
}

async function archive(ws: Workspace, one: KeptOffer | NativeOffer): Promise<string> {
  if (!('kept' in one)) throw new CortextError('refused', 'a session of a client cannot be archived')
  const { editConversation } = await import('../../conversation/edit.ts')
  await editConversation(ws, one.kept.path, { archived: true }, false)
  return paste`archived; undo: cortext edit ${one.kept.name} --unarchive`
}

/** Loads the resume verb, with the code that starts clients, only after the person has chosen. */
async function resume(environment: Environment, words: string[], options: ResumeOptions): Promise<void> {
  const { resumeVerb } = await import('../verbs/resume/index.ts')
  await resumeVerb(environment, words, options)
}

/** The longest wait for the clients' lists of sessions. */
const MAX_WAIT_MS = 15_000

/**
 * Lists the clients' own sessions that are not saved. Some clients take seconds to answer, so another process asks them
 * while the picker is already usable. If that process fails, `note` says so.
 */
async function askForSessions(
  environment: Environment,
  stop: AbortSignal,
): Promise<{ offers: NativeOffer[]; note: string }> {
  const { env, cwd } = environment
  const program = process.argv[1]!
  const { askProgram } = await import('../../io/run.ts')
  // A client that is stopped midway may leave temporary files. So all of them go into one folder, which is removed at
  // the end.
  const answer = await withTemporaryFolder([], (folder) =>
    askProgram(process.execPath, [program, '--json', '--not-saved'], {
      env: { ...env, TMPDIR: folder },
      ...{ cwd, stop, timeoutMs: MAX_WAIT_MS },
    }),
  )
  const output = typeof answer === 'string' || answer.code !== 0 ? undefined : answer
  const native = output && parseSessions(String(output.stdout))
  if (native === undefined) return { offers: [], note: 'the clients did not list their own sessions' }
  const offers = native
    .filter(({ client }) => !isImportOnly(client) && findProgram(client, env) !== undefined)
    .map((one) => nativeOffer(environment, one))
  return { offers, note: oneLine(output!.stderr) }
}

/** Returns undefined if the text is not complete JSON. */
function parseSessions(text: string): NativeAsJson[] | undefined {
  try {
    return (JSON.parse(text) as { native: NativeAsJson[] }).native
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
    type: 'not saved',
    when: relativeTime(lastActive, environment.now()),
    client: name,
    words: nativeId,
  }
}
