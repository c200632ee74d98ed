import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { redactText } from '../../redact/index.ts'
import { changeStatus } from '../../session/lifecycle.ts'
import { isTalk } from '../../session/live-path.ts'
import type { SavePlan } from '../../session/reconcile.ts'
import type { SessionFile, Status } from '../../session/schema.ts'
import { mechanicalSummary } from '../../session/summary.ts'
import { oneLine } from '../../session/title.ts'
import { stretchesOf } from '../../store/machine/list-bindings.ts'
import { type CommitOutcome, commitMessage, commitPaths } from '../../workspace/git/commit.ts'
import type { Workspace } from '../../workspace/open.ts'
import { promptPath } from '../../workspace/pack/commands.ts'
import { type Published, publish } from '../conversation/publish.ts'
import { catchUp } from '../conversation/read-segment.ts'
import { unbind } from './bind.ts'
import type { NativeHere } from './current-session.ts'
import { endOfTalk } from './said-in-session.ts'

export interface StopRequest {
  /** Workspace-relative path of the conversation. */
  path: string
  /** The native session that the stop was asked for in. */
  here: NativeHere | undefined
  complete?: boolean
  summary?: string | undefined
  commit?: boolean
  /** Drop what was not yet published. */
  discard?: boolean
}

export interface Stopped extends Published {
  commit: CommitOutcome
  discarded: boolean
}

/** Publishes, pauses or completes, commits (one commit, only this conversation's paths), and ends the binding. */
export async function stop(ws: Workspace, request: StopRequest): Promise<Stopped> {
  endBindings(ws, request)
  const summary = request.summary === undefined ? undefined : publicText(ws, request.summary)
  const to: Status = request.complete === true ? 'completed' : 'paused'
  const published = await publish(ws, request.path, (session, plan) =>
    withSummary(changeStatus(session, to), plan, summary),
  )
  const commit =
    request.commit === false || ws.config.commit !== 'auto' || ws.config.visibility === 'private'
      ? { notCommitted: whyNot(ws, request), ignored: [] }
      : await commitConversation(ws, published)
  return { ...published, commit, discarded: request.discard === true }
}

/** Published as paused, no commit: how a conversation ends that nobody stopped. */
export function pause(ws: Workspace, path: string): Promise<Published> {
  return publish(ws, path, (session, plan) => ({
    ...withSummary(session, plan),
    status: session.status === 'active' ? 'paused' : session.status,
  }))
}

/** One commit with the conversation's markdown and its `.session/`. */
export function commitConversation(ws: Workspace, { path, session }: Published): Promise<CommitOutcome> {
  return commitPaths({
    root: ws.root,
    env: ws.place.env,
    // The snapshot of its instructions belongs to it: session.json names it by hash.
    paths: [path, ...promptOf(ws, session)],
    message: (paths) => commitMessage({ type: session.conversation_type, title: session.title, paths }),
  })
}

function promptOf(ws: Workspace, { agent_config: agent }: SessionFile): string[] {
  const path = promptPath(agent.system_prompt_hash)
  return path !== undefined && existsSync(join(ws.root, path)) ? [path] : []
}

function whyNot(ws: Workspace, request: StopRequest): string {
  if (request.commit === false) return 'asked not to'
  return ws.config.visibility === 'private'
    ? 'the workspace is private: git does not track it'
    : `commit is "${ws.config.commit}" in .workspace/config.json`
}

/** A session that stops its own conversation leaves another one that writes into it alone: both are recorded whole. */
function endBindings(ws: Workspace, { path, here, discard }: StopRequest): void {
  const own = here?.live?.conversation === path
  for (const { binding, stretch } of stretchesOf(ws.local, path)) {
    if (stretch.to !== undefined) continue
    const isHere = here?.client === binding.client && here.nativeId === binding.native_id
    if (own && !isHere) continue
    const end = isHere ? Math.max(endOfTalk(ws, here), stretch.from) : catchUp(ws, binding).size
    const to = discard === true ? (stretch.published_to ?? stretch.from) : end
    unbind(ws, { client: binding.client, nativeId: binding.native_id }, { to, by: 'stop' })
  }
}

/** The summary that was given; else, where more was said since the last one, one made from the record. */
function withSummary(session: SessionFile, plan: SavePlan, given?: string): SessionFile {
  if (given !== undefined && given !== '') return { ...session, context_summary: given }
  if (session.context_summary !== '' && !plan.append.some(isTalk)) return session
  return { ...session, context_summary: mechanicalSummary(plan.messages, session.context_summary) }
}

function publicText(ws: Workspace, text: string): string {
  const line = oneLine(text)
  return ws.config.redact ? redactText(line).text : line
}
