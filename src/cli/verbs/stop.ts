import { join } from 'node:path'
import { clientOf } from '../../clients/index.ts'
import { committedSize, LARGE_RECORD_BYTES } from '../../conversation/record-size.ts'
import { CortextError } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { findExact } from '../../journeys/finding/find.ts'
import { idAndName } from '../../journeys/finding/list.ts'
import { importLostTalk } from '../../journeys/importing/import.ts'
import { activeConversation } from '../../journeys/recording/active-conversation.ts'
import { adopt, stoppedHere } from '../../journeys/recording/adopt.ts'
import { autoPause } from '../../journeys/recording/auto-pause.ts'
import {
  type CurrentSession,
  currentSession,
  sessionNamed,
} from '../../journeys/recording/current-session.ts'
import { type Stopped, stop } from '../../journeys/recording/stop.ts'
import { syncAfterSave } from '../../journeys/syncing/auto.ts'
import type { EffectiveStatus } from '../../session/lifecycle.ts'
import { byteSize, countOf } from '../../text/count-of.ts'
import { oneLine } from '../../text/line.ts'
import { putOnList } from '../../workspace/everywhere.ts'
import { NOTHING_TO_COMMIT } from '../../workspace/git/commit.ts'
import { openWorkspace, type Workspace } from '../../workspace/open.ts'
import { confirm } from '../ask.ts'
import { noteOtherPlace, noteUnsent, settleAfterGit } from '../first-step.ts'
import { inShort, note, noteAutoPaused, say, sayJson } from '../print.ts'
import { withProgress } from '../progress/index.ts'
import { notCommittedNote, noteWaiting, publishNotes } from '../publish-notes.ts'
import { readStdin } from '../stdin.ts'

interface StopOptions {
  complete?: boolean
  summary?: string
  summaryStdin?: boolean
  commit: boolean
  discard?: boolean
  /** An agent made the call without asking the person. */
  agent?: boolean
  json?: boolean
}

export async function stopVerb(
  environment: Environment,
  id: string | undefined,
  options: StopOptions,
): Promise<void> {
  const { complete = false, discard = false } = options
  const ws = openWorkspace(environment)
  putOnList(ws.root, environment)
  await settleAfterGit(ws)
  const summary = options.summaryStdin ? await readStdin() : options.summary
  const current = currentSession(ws)
  const named = id === undefined ? undefined : findExact(ws, id)
  const path = named?.path ?? (await target(ws, current, discard))
  // Outside of a recorded session, this saves quiet conversations and those of ended clients too. With `--discard` it
  // does not.
  if (current?.live === undefined && !discard) noteAutoPaused(await autoPause(ws))
  const request = {
    path,
    current,
    summary,
    complete,
    commit: await wantsCommit(ws, options),
    discard,
    hooks: !options.agent,
    onWaiting: noteWaiting,
  }
  const stopped = await withProgress('Saving what was said', () => stop(ws, request))
  syncAfterSave(ws)
  if (options.json) return sayJson({ ...idAndName(ws, stopped.path), ...asJson(stopped) })
  if (named !== undefined && summary === undefined && hasChangedNothing(named.status, stopped)) {
    const { title, status } = stopped.session
    return say(`"${oneLine(title)}" is ${status} already, and nothing was said in it since.`)
  }
  say(stopConfirmation(stopped))
  note(openNote(ws, stopped), publishNotes(ws, stopped), commitNote(stopped), growthNote(ws, stopped))
  if (options.agent) return
  noteUnsent(ws)
  noteOtherPlace(ws)
}

function hasChangedNothing(
  before: EffectiveStatus,
  { session, appended, discarded, commit }: Stopped,
): boolean {
  const isSame = before.status === session.status && !before.auto
  // A commit that failed is tried again, and its reason is told again.
  const isCommitted = 'notCommitted' in commit && (commit.chosen || commit.notCommitted === NOTHING_TO_COMMIT)
  return isSame && appended === 0 && !discarded && isCommitted === true
}

/**
 * A note for each client in which a session of the conversation is still open. That session shows the stop only at its
 * next prompt.
 */
function openNote(ws: Workspace, { open, path }: Stopped): string[] {
  if (open.length === 0) return []
  const called = idAndName(ws, path).name
  return open.map((id) => {
    const { name, pack } = clientOf(id)
    const resume = `${pack.typed?.('workspace.resume') ?? '/workspace.resume'} ${called}`
    return `The open session of ${name} is not recorded any more; ${resume} there goes on with it.`
  })
}

/**
 * Whether to commit. False for `--no-commit`. If the setting `commit` is `ask` and the person can be asked, the
 * person's answer. Otherwise undefined, so that the settings decide.
 */
async function wantsCommit(ws: Workspace, options: StopOptions): Promise<boolean | undefined> {
  if (!options.commit) return false
  const { commit, visibility } = ws.config
  const asks = commit === 'ask' && visibility === 'shared' && !options.agent && !options.json
  return asks && ws.environment.interactive ? confirm('Commit the conversation?') : undefined
}

/**
 * Finds the conversation to stop when the call names none. Outside of a session, it is the active conversation. Inside
 * a session, it is the first that exists of:
 * - the conversation of the session, even if the local folder was lost
 * - the conversation that an earlier stop in this session left uncommitted, if the settings let a stop commit
 * - a new conversation that adopts the session
 */
async function target(ws: Workspace, current: CurrentSession | undefined, discard: boolean): Promise<string> {
  if (current?.live !== undefined) return current.live.conversation
  if (current !== undefined && discard)
    throw new CortextError('refused', 'this session is not being recorded, so there is nothing to throw away')
  if (current === undefined) return activeConversation(ws, 'stop')
  const imported = await importLostTalk(ws, current)
  if (imported !== undefined) return imported
  // The session may now be bound again to the conversations that have its earlier talk.
  const bound = sessionNamed(ws, current)
  const { commit, visibility } = ws.config
  const uncommitted = commit === 'auto' && visibility === 'shared' ? await stoppedHere(ws, bound) : undefined
  return uncommitted ?? (await adopt(ws, bound)).path
}

/** The confirmation, in words that were asked for to the letter. */
export function stopConfirmation({ session, discarded, path }: Stopped): string[] {
  if (discarded)
    return [
      'Session closed; what was not saved yet was thrown away.',
      session.message_count === 0
        ? 'Nothing of it was saved, so nothing of it is left here. The client keeps its own session.'
        : `What was saved before stays: ${countOf(session.message_count, 'message')} in ${path}. The client keeps its own session.`,
    ]
  return [
    'Session saved.',
    '',
    `Conversation "${oneLine(session.title)}" has been ${session.status}.`,
    ...(session.status === 'completed' ? [] : ['You can continue later with /workspace.resume']),
    '',
    `Summary: ${oneLine(session.context_summary) || (session.message_count === 0 ? '(nothing was said)' : '(none)')}`,
  ]
}

function commitNote({ commit, path }: Stopped): string[] {
  const left = commit.ignored.filter((path) => !path.includes('/attachments'))
  return [
    ...('committed' in commit
      ? [...skippedHooksNote(commit.withoutHooks), ...hookChanges(commit.besides, commit.unlike)]
      : // A reason that the person has chosen or knows is not repeated at every stop.
        commit.chosen
        ? []
        : notCommittedNote(commit, path)),
    ...(left.length > 0 ? [`Ignored by git, so not in the commit: ${left.join(', ')}`] : []),
  ]
}

/** A note if the committed record is large, because every clone gets it and git's history keeps it. */
function growthNote(ws: Workspace, { commit, path }: Stopped): string[] {
  if (!('committed' in commit)) return []
  const bytes = committedSize(join(ws.root, path))
  if (bytes < LARGE_RECORD_BYTES) return []
  return [
    `Committed with a record of ${byteSize(bytes)}, which stays in git's history. To keep less of what tools print: "capture": {"toolOutput": 20000} in .workspace/config.json`,
  ]
}

function skippedHooksNote(hooks: readonly string[] = []): string[] {
  if (hooks.length === 0) return []
  return [
    `Committed without your git hooks (${hooks.join(', ')}): none runs when an agent stops. To run them: git commit --amend --no-edit`,
  ]
}

/** Notes on what the person's git hooks have changed in the commit. */
function hookChanges(besides: readonly string[] = [], unlike: readonly string[] = []): string[] {
  return [
    ...(besides.length > 0
      ? [
          `A git hook has put other files into the commit too: ${inShort(besides)}. To look at it: git show --stat`,
        ]
      : []),
    ...(unlike.length > 0
      ? [
          `A git hook has changed files of the conversation while they were committed, so git shows them as changed: ${inShort(unlike)}. The hook should skip the folders of conversations.`,
        ]
      : []),
  ]
}

function asJson(stopped: Stopped) {
  const { session, path, commit, appended } = stopped
  return {
    path,
    title: session.title,
    status: session.status,
    summary: session.context_summary,
    message_count: session.message_count,
    appended,
    ...commit,
  }
}
