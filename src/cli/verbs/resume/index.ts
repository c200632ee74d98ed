import { clientOf } from '../../../clients/index.ts'
import { o200k } from '../../../context/tokens/index.ts'
import { readConversation } from '../../../conversation/read.ts'
import { CortextError } from '../../../errors.ts'
import type { Environment } from '../../../io/environment.ts'
import type { Listed } from '../../../journeys/finding/list.ts'
import { checkStart } from '../../../journeys/resuming/check-start.ts'
import { launchResume } from '../../../journeys/resuming/launch.ts'
import { planResume, type ResumePlan } from '../../../journeys/resuming/plan.ts'
import { oneLine } from '../../../text/line.ts'
import { paste } from '../../../text/paste.ts'
import { putOnList } from '../../../workspace/everywhere.ts'
import { openAgain, openWorkspace, type Workspace } from '../../../workspace/open.ts'
import { confirm } from '../../ask.ts'
import { budgetOf, strategyOf } from '../../budget.ts'
import { chooseClient } from '../../choose-client.ts'
import { shortPath, workspaceOrNone } from '../../everywhere.ts'
import { note } from '../../print.ts'
import { publishNotes } from '../../publish-notes.ts'
import { settle } from '../../settle.ts'
import { readStdin } from '../../stdin.ts'
import { checkCompleted } from './completed.ts'
import { resumeInRunningSession } from './in-session.ts'
import { pick } from './pick.ts'
import { pickEverywhere } from './pick-everywhere.ts'
import { describePlan, printPlan } from './print-plan.ts'
import { startLines } from './start-lines.ts'

export interface ResumeOptions {
  list?: boolean
  last?: boolean
  new?: boolean
  in?: string
  mode?: 'native' | 'handoff'
  here?: boolean
  /** From all workspaces of this machine. */
  everywhere?: boolean
  /** An agent called, without asking. */
  agent?: boolean
  whole?: boolean
  part?: string
  queryStdin?: boolean
  print?: boolean
  dryRun?: boolean
  budget?: string
  full?: boolean
  strategy?: string
  about?: string
  force?: boolean
  yes?: boolean
  verbose?: boolean
  archived?: boolean
  json?: boolean
}

export async function resumeVerb(
  environment: Environment,
  words: string[],
  options: ResumeOptions,
): Promise<void> {
  if (onlyLooks(options) && options.new === true)
    throw new CortextError('usage', '--new starts a client, so there is nothing to print', {
      fix: 'cortext resume --new',
    })
  if (options.everywhere === true && (options.new ?? options.here) === true)
    throw new CortextError('usage', '--everywhere finds a conversation to start a client with', {
      fix: 'cortext resume --everywhere',
    })
  const looks = onlyLooks(options)
  const staysHere = (options.new ?? options.here) === true
  const ws = staysHere
    ? openWorkspace(environment, environment.cwd, { looks })
    : workspaceOrNone(environment, { looks })
  if (ws?.keepIndex) await settle(ws, { here: options.here === true })
  const query = (options.queryStdin === true ? await readStdin(options.agent) : words.join(' ')).trim()
  if (ws === undefined || options.everywhere === true) return goThere(environment, ws, query, options)
  if (options.here === true && ws.keepIndex) return resumeInRunningSession(ws, query, options)
  if (options.new === true) return startFresh(ws, options)
  const { one, client } = await pick(ws, query, options.last === true)
  await resumeOne(ws, one, withClient(options, client))
}

/** A client that was named holds, whatever was chosen in the picker. */
function withClient(options: ResumeOptions, client: string | undefined): ResumeOptions {
  return client === undefined || options.in !== undefined ? options : { ...options, in: client }
}

/** Chooses among the conversations of all workspaces, and goes on as if called in the one that it lies in. */
async function goThere(
  environment: Environment,
  here: Workspace | undefined,
  query: string,
  options: ResumeOptions,
): Promise<void> {
  const looks = onlyLooks(options)
  const last = options.last === true
  const { one, client } = await pickEverywhere(environment, here, query, { looks, last })
  const { root, path } = one
  if (root !== here?.root) note(`In ${shortPath(root, environment)}:`)
  const there = { ...withClient(options, client), everywhere: false, last: false, queryStdin: false }
  await resumeVerb({ ...environment, cwd: root }, [path], there)
}

/**
 * `--print` and `--dry-run` promise that no file changes and that nothing starts, whatever other options say. So nothing
 * is published for them and no cache is kept.
 */
function onlyLooks({ print, dryRun }: ResumeOptions): boolean {
  return print === true || dryRun === true
}

async function resumeOne(ws: Workspace, chosen: Listed, options: ResumeOptions): Promise<void> {
  const force = await allowed(ws, chosen, options)
  if (!force && chosen.status.status === 'completed') return
  const starts = options.print !== true && options.dryRun !== true
  const client = await chooseClient(ws, chosen, options.in, starts)
  // Loaded before the record is read, so that what loading leaves behind makes room for the record.
  await o200k()
  const conversation = readConversation(ws, chosen.path)
  const plan = await planResume(ws, conversation, {
    client,
    mode: options.mode ?? (asksForContext(options) ? 'handoff' : undefined),
    budget: budgetOf(ws, conversation, options, client),
    strategy: strategyOf(options),
    about: options.about,
    force,
  })
  if (options.print === true) return printPlan(plan, options.json === true)
  if (options.dryRun === true) return describePlan(plan, options.json === true)
  checkStart(ws.environment, clientOf(plan.client))
  putOnList(ws.root, ws.environment)
  await carryOut(ws, plan, force, options)
}

async function carryOut(
  ws: Workspace,
  plan: ResumePlan,
  force: boolean,
  options: ResumeOptions,
): Promise<void> {
  const { name } = clientOf(plan.client)
  note(plan.notices, startLines(plan, options.verbose === true))
  const { exitCode, published, failed } = await launchResume(ws, plan, force)
  if (failed && options.mode !== 'native') {
    note(
      `${name} did not take up its own session (exit code ${exitCode}): it goes on in a new one, with the history.`,
    )
    const now = openAgain(ws)
    return carryOut(now, await handedOver(now, plan, force, options), force, options)
  }
  if (failed)
    note(
      `${name} did not take up its own session (exit code ${exitCode}).`,
      paste`To go on in a new one, with the history: cortext resume ${plan.conversation.session.conversation_id} --mode handoff`,
    )
  if (published !== undefined)
    note(
      `Saved: "${oneLine(published.session.title)}", ${published.session.message_count} messages, ${published.session.status}.`,
      publishNotes(ws, published),
    )
  process.exitCode = exitCode
}

function handedOver(
  ws: Workspace,
  { conversation: before, client }: ResumePlan,
  force: boolean,
  options: ResumeOptions,
): Promise<ResumePlan> {
  const conversation = readConversation(ws, before.path)
  const budget = budgetOf(ws, conversation, options, client)
  return planResume(ws, conversation, { client, mode: 'handoff', budget, force })
}

/** These options need a handoff, because only a handoff decides how much of the history the model gets, and how. */
function asksForContext({ budget, full, strategy, about }: ResumeOptions): boolean {
  return [budget, strategy, about].some((one) => one !== undefined) || full === true
}

/** A completed conversation gives a warning and needs a yes (S1-005e, f). */
async function allowed(ws: Workspace, chosen: Listed, options: ResumeOptions): Promise<boolean> {
  if (chosen.status.status !== 'completed' || options.force === true || options.yes === true)
    return options.force === true || options.yes === true
  if (!ws.environment.interactive) checkCompleted(chosen, false)
  return confirm(`"${oneLine(chosen.title)}" was marked complete. Take it up again?`)
}

async function startFresh(ws: Workspace, options: ResumeOptions): Promise<void> {
  const client = await chooseClient(ws, undefined, options.in)
  putOnList(ws.root, ws.environment)
  const { runClient } = await import('../../../journeys/resuming/launch.ts')
  process.exitCode = await runClient(ws.environment, {
    command: client,
    args: [],
    env: {},
    cwd: ws.root,
    files: [],
  })
}
