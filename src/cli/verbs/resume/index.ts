import { clientOf } from '../../../clients/index.ts'
import { receiptLines } from '../../../context/receipt.ts'
import { CortextError } from '../../../errors.ts'
import type { Environment } from '../../../io/environment.ts'
import { readConversation } from '../../../journeys/conversation/read.ts'
import { findConversations } from '../../../journeys/finding/find.ts'
import { isResumable, type Listed, listConversations } from '../../../journeys/finding/list.ts'
import { checkStart } from '../../../journeys/resuming/check-start.ts'
import { launchResume } from '../../../journeys/resuming/launch.ts'
import { planResume, type ResumePlan } from '../../../journeys/resuming/plan.ts'
import { nameOf } from '../../../session/names.ts'
import { cutAtWord, oneLine } from '../../../text/line.ts'
import { paste } from '../../../text/paste.ts'
import { openAgain, openWorkspace, type Workspace } from '../../../workspace/open.ts'
import { choose, confirm } from '../../ask.ts'
import { budgetOf, strategyOf } from '../../budget.ts'
import { chooseClient } from '../../choose-client.ts'
import { checkCompleted } from '../../completed.ts'
import { note } from '../../print.ts'
import { publishNotes } from '../../publish-notes.ts'
import { settle } from '../../settle.ts'
import { readStdin } from '../../stdin.ts'
import { resumeInRunningSession } from './in-session.ts'
import { describePlan, printPlan } from './print-plan.ts'

export interface ResumeOptions {
  list?: boolean
  last?: boolean
  new?: boolean
  in?: string
  mode?: 'native' | 'handoff'
  here?: boolean
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
  const ws = openWorkspace(environment, environment.cwd, { looks: onlyLooks(options) })
  if (ws.keepIndex) await settle(ws)
  const query = (options.queryStdin === true ? await readStdin(options.agent) : words.join(' ')).trim()
  if (options.here === true && ws.keepIndex) return resumeInRunningSession(ws, query, options)
  if (options.new === true) return startFresh(ws, options)
  const chosen = await pick(ws, query, options)
  if (chosen !== undefined) await resumeOne(ws, chosen, options)
}

/**
 * `--print` and `--dry-run` promise that no file changes and that nothing starts, whatever other options say. So nothing
 * is published for them and no cache is kept.
 */
function onlyLooks({ print, dryRun }: ResumeOptions): boolean {
  return print === true || dryRun === true
}

async function pick(ws: Workspace, query: string, options: ResumeOptions): Promise<Listed | undefined> {
  const { conversations } = listConversations(ws)
  const resumable = conversations.filter(isResumable)
  if (options.last === true) {
    if (resumable[0] === undefined) throw nothingResumable()
    return resumable[0]
  }
  if (query === '') {
    if (resumable.length === 0) throw nothingResumable()
    return choose(ws.environment, resumable, 'cortext resume <id>')
  }
  const { found, nearest } = await findConversations(ws, query)
  if (found.length === 1) return found[0]
  if (found.length > 1)
    return choose(ws.environment, found, paste`cortext resume ${nameOf(found[0]!, found)}`)
  const suggestions = nearest.map((one) => `  ${nameOf(one, nearest)}  ${cutAtWord(oneLine(one.title), 100)}`)
  throw new CortextError(
    'not-found',
    [
      `no conversation matches "${query}"`,
      ...(suggestions.length > 0 ? ['the nearest are:', ...suggestions] : []),
    ].join('\n'),
    {
      fix:
        nearest[0] === undefined
          ? 'cortext resume --list'
          : paste`cortext resume ${nameOf(nearest[0], nearest)}`,
    },
  )
}

function nothingResumable(): CortextError {
  return new CortextError('not-found', 'No resumable conversations exist.', {
    fix: 'start one: /workspace.brainstorm <topic> in your AI client, or: cortext start brainstorm <topic>',
  })
}

async function resumeOne(ws: Workspace, chosen: Listed, options: ResumeOptions): Promise<void> {
  const force = await allowed(ws, chosen, options)
  if (!force && chosen.status.status === 'completed') return
  const starts = options.print !== true && options.dryRun !== true
  const client = await chooseClient(ws, chosen, options.in, starts)
  const conversation = readConversation(ws, chosen.path)
  const plan = await planResume(ws, {
    path: chosen.path,
    known: conversation,
    client,
    mode: options.mode ?? (asksForContext(options) ? 'handoff' : undefined),
    budget: budgetOf(ws, conversation, options),
    strategy: strategyOf(options),
    about: options.about,
    force,
  })
  if (options.print === true) return printPlan(plan, options.json === true)
  if (options.dryRun === true) return describePlan(plan, options.json === true)
  checkStart(ws.environment, clientOf(plan.client))
  await carryOut(ws, plan, force, options)
}

async function carryOut(
  ws: Workspace,
  plan: ResumePlan,
  force: boolean,
  options: ResumeOptions,
): Promise<void> {
  const { name } = clientOf(plan.client)
  note(
    ...plan.notices,
    ...(plan.mode === 'handoff' ? receiptLines(plan.context.receipt) : [`Resuming natively in ${name}.`]),
  )
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
      ...publishNotes(ws, published),
    )
  process.exitCode = exitCode
}

function handedOver(
  ws: Workspace,
  { conversation, client }: ResumePlan,
  force: boolean,
  options: ResumeOptions,
): Promise<ResumePlan> {
  const budget = budgetOf(ws, conversation, options)
  return planResume(ws, { path: conversation.path, client, mode: 'handoff', budget, force })
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
  const { runClient } = await import('../../../journeys/resuming/launch.ts')
  process.exitCode = await runClient(ws.environment, {
    command: client,
    args: [],
    env: {},
    cwd: ws.root,
    files: [],
  })
}
