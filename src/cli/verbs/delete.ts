import { CortextError } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { type DeletePreview, deleteConversation, lookBeforeDelete } from '../../journeys/editing/delete.ts'
import { called } from '../../journeys/finding/find.ts'
import type { Listed } from '../../journeys/finding/list.ts'
import { countOf } from '../../text/count-of.ts'
import { paste } from '../../text/paste.ts'
import { confirm } from '../ask.ts'
import { say, sayJson } from '../print.ts'
import { openToChange } from '../which.ts'

/** Shows what would be lost, asks for confirmation, and deletes the conversation. With `--yes`, asks nothing. */
export async function deleteVerb(
  environment: Environment,
  query: string,
  options: { yes?: boolean; json?: boolean },
): Promise<void> {
  const { ws, found } = await openToChange(environment, 'delete', query)
  const doomed = await lookBeforeDelete(ws, found)
  const isPrivate = ws.config.visibility === 'private'
  const facts = factsOf(found, doomed, isPrivate)
  if (!options.yes && !environment.interactive)
    throw new CortextError('refused', [`deleting ${called(found)} needs a yes`, ...facts].join('\n'), {
      // A shorter name may mean another conversation once this one is deleted.
      fix: paste`cortext delete ${found.path} --yes`,
    })
  if (!options.json) say(called(found), ...facts)
  const sure = options.yes || (await confirm('Delete it, and what this machine has of it?'))
  if (!sure) throw new CortextError('cancelled', 'nothing was deleted')
  deleteConversation(ws, found.path)
  if (options.json)
    return sayJson({ deleted: found.path, title: found.title, ...doomed, last: doomed.last ?? null })
  say(
    `Deleted: ${found.path}`,
    ...(doomed.git?.held ? ['Its commits stay in the history of the repository.'] : []),
  )
}

function factsOf(
  { live, native }: Listed,
  { messages, last, git }: DeletePreview,
  isPrivate: boolean,
): string[] {
  const said = last === undefined ? '' : `; the last words (${last.role}): "${last.text}"`
  return [
    `  ${countOf(messages, 'message')}${said}`,
    `  ${inGit(git, isPrivate)}${live ? '; it is being recorded now, and what was said since its last save is in no commit' : ''}`,
    ...(native.length === 0 ? [] : ['  What its client has of it stays there, and can be imported again.']),
  ]
}

function inGit(git: DeletePreview['git'], isPrivate: boolean): string {
  if (git === undefined) return 'No git here, or git failed: it may be lost for good'
  if (!git.held && isPrivate)
    return 'Lost for good with its earlier versions, unless a commit of yours has it'
  if (!git.held) return 'Not in the last commit: lost for good, unless another commit has it'
  const left = [
    ...(git.changed > 0 ? [`${git.changed} changed since`] : []),
    ...(git.ignored > 0 ? [`${git.ignored} ignored by git`] : []),
  ]
  return left.length === 0 ? 'All of it is committed' : `Committed, except some files: ${left.join(', ')}`
}
