import { readConversation } from '../../conversation/read.ts'
import { CortextError } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { type PrunePlan, planPrune, prune, restore } from '../../journeys/editing/prune.ts'
import type { Listed } from '../../journeys/finding/list.ts'
import type { Keep } from '../../session/pruning/cut.ts'
import { countOf } from '../../text/count-of.ts'
import { oneLine } from '../../text/line.ts'
import { asWord, paste } from '../../text/paste.ts'
import type { Workspace } from '../../workspace/open.ts'
import { confirm } from '../ask.ts'
import { openToChange } from '../named-conversation.ts'
import { note, say, sayJson } from '../print.ts'

interface PruneOptions {
  key?: string
  before?: string
  keep?: string
  restore?: boolean
  yes?: boolean
  json?: boolean
}

/** The number of turns that stay by default. */
const DEFAULT_KEEP = 10

/**
 * Shows what would move, asks, and moves the lines. With `--yes`, asks nothing. With `--restore`, undoes every prune.
 */
export async function pruneVerb(
  environment: Environment,
  query: string | undefined,
  options: PruneOptions,
): Promise<void> {
  const { ws, found } = await openToChange(environment, 'prune', query, options.key)
  return options.restore ? moveBack(ws, found, options) : moveOut(ws, found, options)
}

async function moveOut(ws: Workspace, { name, path, title }: Listed, options: PruneOptions) {
  const keep = keepOf(options)
  const conversation = readConversation(ws, path, { keepRaw: true })
  const plan = planPrune(conversation, keep)
  if (!options.json && plan !== undefined) say(planLines(oneLine(title), plan))
  if (!(await isConfirmed(ws, plan, options))) {
    if (options.json) return sayJson({ path, dry_run: true, pruned: null, would_move: plan ?? null })
    return plan === undefined
      ? say(nothingToPrune(title, keep))
      : note(
          'Nothing was moved. To do it:',
          `  cortext prune ${[asWord(name), ...argumentsOf(options)].join(' ')} --yes`,
        )
  }
  const done = await prune(ws, path, keep, conversation)
  if (options.json) return sayJson({ path, dry_run: false, pruned: done ?? null })
  if (done === undefined) return say(nothingToPrune(title, keep))
  say(
    `Moved: ${countOf(done.lines, 'line')} to ${done.archive}.`,
    paste`To take it back: cortext prune ${name} --restore`,
  )
}

async function moveBack(ws: Workspace, { path, title }: Listed, { json }: PruneOptions) {
  const { lines, archives, missing } = await restore(ws, path)
  if (json) return sayJson({ path, restored: { lines, archives, missing } })
  note(missing.map((archive) => `Cannot be restored, because it is not here: ${path}/.session/${archive}`))
  if (archives.length > 0) say(`Restored: ${countOf(lines, 'line')} of "${oneLine(title)}".`)
  else say(`Nothing to restore: "${oneLine(title)}" has no archive here.`)
}

function keepOf({ keep, before }: PruneOptions): Keep {
  if (before !== undefined) return { before }
  const turns = Number(keep ?? DEFAULT_KEEP)
  if (Number.isInteger(turns) && turns > 0) return { turns }
  throw new CortextError('usage', `"${keep}" is not a number of turns, 1 or more`, { fix: '--keep 10' })
}

function nothingToPrune(title: string, keep: Keep): string {
  const why =
    'before' in keep
      ? 'nothing comes before that message'
      : `it has no more than ${countOf(keep.turns, 'turn')}`
  return `Nothing to prune in "${oneLine(title)}": ${why}.`
}

async function isConfirmed(
  ws: Workspace,
  plan: PrunePlan | undefined,
  { yes, json }: PruneOptions,
): Promise<boolean> {
  if (yes) return true
  return plan !== undefined && !json && ws.environment.interactive && confirm('Move them?')
}

function planLines(title: string, { lines, messages, bytes, tokens, from, to, kept }: PrunePlan): string[] {
  return [
    `"${title}": ${countOf(lines, 'line')} would move to its archive, word for word.`,
    `  ${countOf(messages, 'message')}, ${countOf(bytes, 'byte')}, about ${countOf(tokens, 'token')}, from ${from} to ${to}`,
    `  ${countOf(kept, 'message')} ${kept === 1 ? 'stays' : 'stay'}, and a summary of what moved`,
  ]
}

function argumentsOf({ keep, before }: PruneOptions): string[] {
  if (before !== undefined) return ['--before', asWord(before)]
  return keep === undefined ? [] : ['--keep', asWord(keep)]
}
