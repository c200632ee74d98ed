import { type Change, editConversation } from '../../../conversation/edit.ts'
import { CortextError } from '../../../errors.ts'
import type { Environment } from '../../../io/environment.ts'
import { beginAnew } from '../../../journeys/agent-loop/append-turn.ts'
import { parseStatus } from '../../../session/lifecycle.ts'
import { oneLine } from '../../../text/line.ts'
import { paste } from '../../../text/paste.ts'
import { openWorkspace } from '../../../workspace/open.ts'
import { say, sayJson } from '../../print.ts'
import { settleAfterGit } from '../../settle.ts'
import { readStdin } from '../../stdin.ts'
import { checkNamed, whichExactly } from '../../which.ts'
import { type PruneOptions, pruneVerb, restoreVerb } from './prune.ts'

interface EditOptions extends PruneOptions {
  key?: string
  clear?: boolean
  title?: string
  titleStdin?: boolean
  summary?: string
  status?: string
  tag?: string[]
  untag?: string[]
  archive?: boolean
  unarchive?: boolean
  force?: boolean
}

export async function edit(
  environment: Environment,
  query: string | undefined,
  options: EditOptions,
): Promise<void> {
  checkNamed('edit', query, options.key)
  const ws = openWorkspace(environment)
  await settleAfterGit(ws)
  const found = whichExactly(ws, query, options.key)
  const { path } = found
  const change = await changeOf(options)
  checkAlone(options, Object.keys(change).length + Number(options.clear === true))
  if (options.prune === true) return pruneVerb(ws, found, options)
  if (options.restore === true) return restoreVerb(ws, found, options)
  if (Object.keys(change).length === 0 && options.clear !== true)
    throw new CortextError('usage', 'nothing to change', {
      fix: paste`cortext edit ${found.datedId} --title "…"`,
    })
  if (options.clear === true) await beginAnew(ws, path)
  const session = await editConversation(ws, path, change, options.force === true)
  if (options.json === true) return sayJson({ path, session })
  say(
    `Changed: "${oneLine(session.title)}", ${session.status}${session.archived_at === undefined ? '' : ', archived'}.`,
    change.archived === true
      ? [
          paste`Lists show it with --archived only. To take it back: cortext edit ${found.datedId} --unarchive`,
        ]
      : [],
  )
}

/** An option that moves lines must stand alone, because a yes to it is a yes to nothing else. */
function checkAlone(options: EditOptions, changes: number): void {
  const { archive, unarchive, prune, restore, keep, before, yes } = options
  if (archive === true && unarchive === true) throw new CortextError('usage', '--archive or --unarchive?')
  const moving = Number(prune === true) + Number(restore === true)
  if (moving + Math.min(changes, 1) > 1) throw new CortextError('usage', '--prune and --restore stand alone')
  if (prune !== true && (keep !== undefined || before !== undefined || (yes === true && restore !== true)))
    throw new CortextError('usage', '--keep, --before and --yes belong to --prune')
}

async function changeOf(options: EditOptions): Promise<Change> {
  const title = options.titleStdin === true ? await readStdin() : options.title
  return {
    ...(title === undefined ? {} : { title }),
    ...(options.summary === undefined ? {} : { summary: options.summary }),
    ...(options.status === undefined ? {} : { status: parseStatus(options.status) }),
    ...(options.tag === undefined ? {} : { tag: options.tag }),
    ...(options.untag === undefined ? {} : { untag: options.untag }),
    ...(options.archive === true ? { archived: true } : {}),
    ...(options.unarchive === true ? { archived: false } : {}),
  }
}
