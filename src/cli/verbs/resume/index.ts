import { clientOf } from '../../../clients/index.ts'
import { o200k } from '../../../context/tokens/index.ts'
import { bringBackDocument } from '../../../conversation/keeping/from-history.ts'
import { readConversation } from '../../../conversation/read.ts'
import type { Environment } from '../../../io/environment.ts'
import { idAndName, type Listed } from '../../../journeys/finding/list.ts'
import { launchResume } from '../../../journeys/resuming/launch.ts'
import { planResume, type ResumePlan } from '../../../journeys/resuming/plan.ts'
import { checkStart, runClient } from '../../../journeys/resuming/start-client.ts'
import { syncBeforeResume } from '../../../journeys/syncing/auto.ts'
import { countOf } from '../../../text/count-of.ts'
import { oneLine } from '../../../text/line.ts'
import { paste } from '../../../text/paste.ts'
import { putOnList } from '../../../workspace/everywhere.ts'
import { openAgain, openWorkspace, type Workspace } from '../../../workspace/open.ts'
import { confirm } from '../../ask.ts'
import { budgetOf, strategyOf } from '../../choose-budget.ts'
import { chooseClient } from '../../choose-client.ts'
import { shortPath, workspaceOrNone } from '../../everywhere.ts'
import { settle } from '../../first-step.ts'
import { note } from '../../print.ts'
import { publishNotes } from '../../publish-notes.ts'
import { readStdin } from '../../stdin.ts'
import { checkCompleted } from './completed.ts'
import { pick, pickEverywhere } from './pick.ts'
import { describePlan, printPlan, startLines } from './print-plan.ts'

export interface ResumeOptions {
  last?: boolean
  new?: boolean
  in?: string | undefined
  mode?: 'native' | 'handoff'
  /** Chooses from all workspaces of this machine. */
  everywhere?: boolean
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
  json?: boolean
}

export async function resumeVerb(
  environment: Environment,
  words: string[],
  options: ResumeOptions,
): Promise<void> {
  const looks = onlyLooks(options)
  const ws = options.new ? openWorkspace(environment) : workspaceOrNone(environment, { looks })
  if (ws?.mayWrite) await settle(ws)
  if (ws !== undefined && options.new) return startFresh(ws, options)
  const query = (options.queryStdin ? await readStdin() : words.join(' ')).trim()
  if (ws === undefined || options.everywhere) return resumeThere(environment, ws, query, options)
  if (!looks) note(await syncBeforeResume(ws, () => note('Looking for what your other machines have sent …')))
  const { one, client } = await pick(ws, query, options.last ?? false)
  await resumeOne(ws, one, withClient(options, client))
}

/** The client of `--in` takes precedence over the client that was chosen in the picker. */
function withClient(options: ResumeOptions, client: string | undefined): ResumeOptions {
  return client === undefined || options.in !== undefined ? options : { ...options, in: client }
}

/** Chooses a conversation of any workspace, and resumes it as if the verb had been called in that workspace. */
async function resumeThere(
  environment: Environment,
  here: Workspace | undefined,
  query: string,
  options: ResumeOptions,
): Promise<void> {
  const { last = false } = options
  const found = await pickEverywhere(environment, here, query, { looks: onlyLooks(options), last })
  const { one, client } = found
  const { root, path } = one
  if (root !== here?.root) note(`In ${shortPath(root, environment)}:`)
  const there = { ...withClient(options, client), everywhere: false, last: false, queryStdin: false }
  await resumeVerb({ ...environment, cwd: root }, [path], there)
}

/**
 * Whether the verb only looks. `--print` and `--dry-run` promise that no file changes and nothing starts. With them,
 * the verb publishes nothing and writes no cache.
 */
function onlyLooks({ print, dryRun }: ResumeOptions): boolean {
  return Boolean(print || dryRun)
}

async function resumeOne(ws: Workspace, chosen: Listed, options: ResumeOptions): Promise<void> {
  const force = await isForced(ws, chosen, options)
  if (!force && chosen.status.status === 'completed') return
  const client = await chooseClient(ws, chosen, options.in, !onlyLooks(options))
  // Loading the tokenizer needs memory that is free again afterwards. So the tokenizer is loaded before the record is
  // read.
  await o200k()
  const conversation = readConversation(ws, chosen.path)
  if (!onlyLooks(options)) bringBackDocument(ws, chosen.path, conversation.session)
  const plan = await planResume(ws, conversation, {
    client,
    mode: options.mode,
    budget: budgetOf(ws, conversation, options, client),
    strategy: strategyOf(options),
    about: options.about,
    force,
  })
  if (options.print) return printPlan(ws, plan, options)
  if (options.dryRun) return describePlan(ws, plan, options)
  if (!(await goesOnHere(ws, plan, options))) return
  checkStart(ws.environment, clientOf(plan.client))
  putOnList(ws.root, ws.environment)
  await carryOut(ws, plan, force, options)
}

/** Asks if the worktree is gone in which the conversation was held, and its branch is still there. */
async function goesOnHere(
  ws: Workspace,
  { elsewhere }: ResumePlan,
  { yes }: ResumeOptions,
): Promise<boolean> {
  if (elsewhere?.goThere === undefined || !elsewhere.isGone || yes || !ws.environment.interactive) return true
  const { root, branch, goThere } = elsewhere
  if (await confirm(`It was on ${branch} in ${root}, which is gone. Go on here?`)) return true
  note(`To go on there: ${goThere}`)
  return false
}

async function carryOut(
  ws: Workspace,
  plan: ResumePlan,
  force: boolean,
  options: ResumeOptions,
): Promise<void> {
  const { name } = clientOf(plan.client)
  note(plan.notices, startLines(plan, options.verbose ?? false))
  const { exitCode, published, failed } = await launchResume(ws, plan, force)
  if (failed && options.mode !== 'native') {
    note(
      `${name} could not resume its own session (exit code ${exitCode}). The conversation continues in a new session, with the history.`,
    )
    const now = openAgain(ws)
    return carryOut(now, await planHandoff(now, plan, force, options), force, options)
  }
  if (failed)
    note(
      `${name} could not resume its own session (exit code ${exitCode}).`,
      paste`To continue in a new session, with the history: cortext resume ${idAndName(ws, plan.conversation.path).name} --mode handoff`,
    )
  if (published !== undefined)
    note(
      `Saved: "${oneLine(published.session.title)}", ${countOf(published.session.message_count, 'message')}, ${published.session.status}.`,
      publishNotes(ws, published),
    )
  process.exitCode = exitCode
}

function planHandoff(
  ws: Workspace,
  { conversation: before, client }: ResumePlan,
  force: boolean,
  options: ResumeOptions,
): Promise<ResumePlan> {
  const conversation = readConversation(ws, before.path)
  const budget = budgetOf(ws, conversation, options, client)
  const { about } = options
  const strategy = strategyOf(options)
  return planResume(ws, conversation, { client, mode: 'handoff', budget, strategy, about, force })
}

/**
 * Whether the person allows a completed conversation to continue, by an option or by the answer to a question. For other
 * conversations: whether an option is given.
 */
async function isForced(ws: Workspace, chosen: Listed, options: ResumeOptions): Promise<boolean> {
  const said = Boolean(options.force || options.yes)
  if (chosen.status.status !== 'completed' || said) return said
  if (!ws.environment.interactive) checkCompleted(chosen, false)
  return confirm(`"${oneLine(chosen.title)}" was marked complete. Take it up again?`)
}

async function startFresh(ws: Workspace, options: ResumeOptions): Promise<void> {
  const client = clientOf(await chooseClient(ws, undefined, options.in))
  putOnList(ws.root, ws.environment)
  process.exitCode = await runClient(ws.environment, client, { cwd: ws.root })
}
