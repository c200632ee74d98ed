import { clientList } from '../../clients/index.ts'
import { pause } from '../../conversation/pause.ts'
import { publish } from '../../conversation/publish.ts'
import { removeUnfinished } from '../../conversation/unfinished.ts'
import { goneConversations, isOurs } from '../../conversation/worktrees.ts'
import { CortextError, withDefault } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { surveyBindings } from '../../store/machine/list-bindings.ts'
import { listLocks, removeStaleLock } from '../../store/machine/locks/lock.ts'
import { localDir } from '../../workspace/local-folder.ts'
import { openWorkspace, type Workspace } from '../../workspace/open.ts'
import { personalSetUps } from '../../workspace/pack/personal.ts'
import { settleMerges } from '../merging/look-at-merges.ts'
import { recordedNotSaved } from '../not-saved/recorded.ts'
import { autoPause } from '../recording/auto-pause.ts'
import { tidyJournals } from '../recording/tidy.ts'
import { install } from '../setup/install.ts'
import { setUpPersonal } from '../setup/personal.ts'
import { clientsSetUpHere } from '../setup/set-up-clients.ts'

export interface Fixed {
  /** Repairs that were made, one line each. */
  done: string[]
  /** Repairs that could not be made, with the reason. */
  failed: string[]
}

/**
 * Does what `init` does for the clients that are set up, and the work that a merge has left. Saves turns that are not
 * saved, and brings back conversations whose folders are gone. Removes dead locks, half-made conversations and journals
 * that are not needed any more. Removes nothing that a person made. If a step fails with a CortextError, the next steps
 * still run; any other error ends the repair.
 */
export async function fix(environment: Environment, root: string): Promise<Fixed> {
  const fixed: Fixed = { done: [], failed: [] }
  await attempt(fixed, () => bringUpToDate(environment, root))
  await attempt(fixed, () => removeLocks(openWorkspace(environment, root)))
  await attempt(fixed, () =>
    removeUnfinished(openWorkspace(environment, root)).map((path) => `removed ${path}, which was half made`),
  )
  await attempt(fixed, () => settleAfterGit(openWorkspace(environment, root)))
  await attempt(fixed, () => settleOpen(openWorkspace(environment, root)))
  await attempt(fixed, () => tidy(openWorkspace(environment, root)))
  for (const conversation of recorded(environment, root))
    await attempt(fixed, async () => {
      await pause(openWorkspace(environment, root), conversation)
      return [`saved ${conversation}`]
    })
  for (const path of gone(environment, root))
    await attempt(fixed, async () => {
      await publish(openWorkspace(environment, root), path)
      return [`brought back ${path}`]
    })
  return fixed
}

async function attempt(fixed: Fixed, step: () => Promise<string[]> | string[]): Promise<void> {
  try {
    fixed.done.push(...(await step()))
  } catch (error) {
    if (!(error instanceof CortextError)) throw error
    fixed.failed.push(error.message)
  }
}

/** Does what `init` does for the clients that are set up here, and for all workspaces. */
async function bringUpToDate(environment: Environment, root: string): Promise<string[]> {
  const personal = personalSetUps(environment, clientList()).map(({ client }) => client)
  const mine = setUpPersonal(environment, { clients: personal }).clients.flatMap(({ changes }) => changes)
  const clients = clientsSetUpHere({ root, local: localDir(root, environment, { looks: true }) })
  const here = clients.length === 0 ? [] : (await install(environment, { dir: root, clients })).changes
  return [...mine, ...here]
    .filter(({ state }) => state !== 'unchanged' && state !== 'kept')
    .map(({ state, path }) => `${state} ${path}`)
}

function removeLocks({ local }: Workspace): string[] {
  return listLocks(local)
    .filter(({ path, stale }) => stale && removeStaleLock(path))
    .map(({ path }) => `removed ${path}`)
}

async function settleAfterGit(ws: Workspace): Promise<string[]> {
  const { apart, joined, counted } = await settleMerges(ws)
  return [...apart, ...joined, ...counted].map(({ path }) => `joined or recounted after a merge: ${path}`)
}

async function tidy(ws: Workspace): Promise<string[]> {
  return (await tidyJournals(ws)).map(
    ({ binding: { client, native_id } }) =>
      `removed the raw copy of a session: ${client} ${native_id}; all of it is in the record and committed`,
  )
}

/** Auto-pauses the conversations whose client has gone quiet or has ended. */
async function settleOpen(ws: Workspace): Promise<string[]> {
  const { quiet, ended } = await autoPause(ws)
  return [...quiet, ...ended].map((conversation) => `saved ${conversation}`)
}

/**
 * Returns the conversations to bring back. Empty when the workspace cannot be opened; then an earlier step has reported
 * it.
 */
function gone(environment: Environment, root: string): string[] {
  return withDefault([], () => goneConversations(root, openWorkspace(environment, root).local))
}

/**
 * Returns the conversations to save. Empty when the workspace cannot be opened; then an earlier step has reported it.
 */
function recorded(environment: Environment, root: string): string[] {
  return withDefault([], () => {
    const ws = openWorkspace(environment, root)
    const ours = surveyBindings(ws.local).bindings.filter((binding) => isOurs(ws, binding))
    return recordedNotSaved(ws, ours).map(({ conversation }) => conversation)
  })
}
