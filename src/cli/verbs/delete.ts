import { join, relative } from 'node:path'
import { CortextError } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { withSlashes } from '../../io/slashes.ts'
import { type DeletePreview, deleteConversation, lookBeforeDelete } from '../../journeys/editing/delete.ts'
import { called } from '../../journeys/finding/find.ts'
import type { Listed } from '../../journeys/finding/list.ts'
import { dropNewsOf, syncsByItself } from '../../journeys/syncing/auto.ts'
import { sentTo } from '../../journeys/syncing/unsent.ts'
import { countOf } from '../../text/count-of.ts'
import { oneLine } from '../../text/line.ts'
import { asWord, paste } from '../../text/paste.ts'
import type { Workspace } from '../../workspace/open.ts'
import { findGitTop } from '../../workspace/root.ts'
import { confirm } from '../ask.ts'
import { noteIfSyncing, noteStillThere, syncRemoval } from '../first-step.ts'
import { openToChange } from '../named-conversation.ts'
import { say, sayJson } from '../print.ts'

type Doomed = Omit<DeletePreview, 'origin'>

/** Shows what would be lost, asks for confirmation, and deletes the conversation. With `--yes`, asks nothing. */
export async function deleteVerb(
  environment: Environment,
  query: string,
  options: { yes?: boolean; keepHistory?: boolean; json?: boolean },
): Promise<void> {
  const { ws, found } = await openToChange(environment, 'delete', query)
  const { origin, ...doomed } = await lookBeforeDelete(ws, found)
  const isPrivate = ws.config.visibility === 'private'
  const keepsHistory = options.keepHistory === true
  const place = await placeWith(ws, found.path)
  const facts = [
    ...factsOf(found, doomed, isPrivate, keepsHistory),
    ...(place === undefined ? [] : [alsoThere(ws, place)]),
  ]
  if (!options.yes && !environment.interactive)
    throw new CortextError('refused', [`deleting ${called(found)} needs a yes`, ...facts].join('\n'), {
      // A shorter name may mean another conversation once this one is deleted.
      fix: keepsHistory
        ? paste`cortext delete ${found.path} --keep-history --yes`
        : paste`cortext delete ${found.path} --yes`,
    })
  if (!options.json) say(called(found), ...facts)
  const question =
    place === undefined
      ? 'Delete it, and what this machine has of it?'
      : 'Delete it here, at its place and on your other machines?'
  const sure = options.yes || (await confirm(question))
  if (!sure) throw new CortextError('cancelled', 'nothing was deleted')
  noteIfSyncing(ws)
  await deleteConversation(ws, found.path, origin, { keepsHistory })
  dropNewsOf(ws, found.path)
  const there = place === undefined ? undefined : syncRemoval(ws)
  if (options.json)
    return sayJson({
      deleted: found.path,
      title: found.title,
      ...doomed,
      last: doomed.last ?? null,
      ...(there !== undefined && { place: there }),
    })
  say(`Deleted: ${found.path}`, ...whatStays(ws, doomed))
  if (there !== undefined) noteStillThere(ws, there, 'deleted')
}

/** The address of the place that has the conversation, as far as this machine knows. */
async function placeWith(ws: Workspace, path: string): Promise<string | undefined> {
  const address = sentTo(ws)
  if (address === undefined) return undefined
  // Loaded only here: most conversations are at no place.
  const { isAtPlace } = await import('../../journeys/syncing/sync.ts')
  return isAtPlace(ws, path) ? address : undefined
}

function alsoThere(ws: Workspace, place: string): string {
  const when = syncsByItself(ws) ? 'at once' : 'with the next sync'
  return `  It is at ${oneLine(place)} too: it is deleted there ${when}, and on your other machines when they sync, unless one of them has gone on with it`
}

/**
 * What the history of the project keeps, and git's own commands that take it out, as git-filter-branch(1) has them. They
 * rewrite commits of other people, so only a person may run them.
 */
function whatStays({ root, environment }: Workspace, { commits = 0, folders, unknown }: Doomed): string[] {
  if (commits === 0) return []
  const top = findGitTop(root) ?? root
  const wordsOf = (some: Doomed['folders']) =>
    some.map(({ path }) => asWord(withSlashes(relative(top, join(root, path))))).join(' ')
  const held = folders.filter((one) => one.held)
  const remove = `git rm -r -q --cached --ignore-unmatch -- ${wordsOf(folders)}`
  return [
    `Stays in the history of the repository: ${countOf(commits, 'commit')} with its files and title, here and in every clone.`,
    'These commands take them out. They make all later commits anew, and drop what is stashed:',
    ...(environment.cwd === top ? [] : [paste`  cd ${top}`]),
    ...(held.length > 0 ? [`  git commit --quiet -m 'Delete a conversation' -- ${wordsOf(held)}`] : []),
    paste`  git filter-branch --prune-empty --index-filter ${remove} --tag-name-filter cat -- --all`,
    "  git for-each-ref --format='delete %(refname)' refs/original | git update-ref --stdin",
    '  git reflog expire --expire=now --all && git gc --quiet --prune=now',
    ...(unknown ? ['Git could not say which names its folder had before: what has them stays.'] : []),
    'The message of a commit stays if it has other files too. Then push by force, and have other clones made anew.',
  ]
}

function factsOf(
  { live, native }: Listed,
  { messages, last, git }: Doomed,
  isPrivate: boolean,
  keepsHistory: boolean,
): string[] {
  const said = last === undefined ? '' : `; the last words (${last.role}): "${last.text}"`
  return [
    `  ${countOf(messages, 'message')}${said}`,
    `  ${inGit(git, isPrivate, keepsHistory)}${live ? '; it is being recorded now, and what was said since its last save is in no commit' : ''}`,
    ...(native.length === 0 ? [] : ['  What its client has of it stays there, and can be imported again.']),
  ]
}

function inGit(git: DeletePreview['git'], isPrivate: boolean, keepsHistory: boolean): string {
  if (git === undefined) return 'No git here, or git failed: it may be lost for good'
  if (!git.held && isPrivate && keepsHistory)
    return 'What the history of this workspace has of it stays there; the rest is lost for good'
  if (!git.held && isPrivate)
    return 'Lost for good with its earlier versions, unless a commit of yours has it'
  if (!git.held) return 'Not in the last commit: lost for good, unless another commit has it'
  const left = [
    ...(git.changed > 0 ? [`${git.changed} changed since`] : []),
    ...(git.ignored > 0 ? [`${git.ignored} ignored by git`] : []),
  ]
  return left.length === 0 ? 'All of it is committed' : `Committed, except some files: ${left.join(', ')}`
}
