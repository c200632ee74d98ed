import { readInside } from '../../io/inside.ts'
import { findProgram } from '../../io/program.ts'
import { RECORD } from '../../store/layout.ts'
import type { Left } from '../../store/machine/merge-check.ts'
import { countOf } from '../../text/count-of.ts'
import { commitObstacle } from '../../workspace/git/commit.ts'
import { attributesOf, ignoredAmong, leftOutOf, seenByGit } from '../../workspace/git/index.ts'
import { describeLock, indexLock } from '../../workspace/git/index-file.ts'
import { goneDriver } from '../../workspace/merge-driver.ts'
import type { Workspace } from '../../workspace/open.ts'
import { findRefused, findRepository } from '../../workspace/repository.ts'
import { findGitTop } from '../../workspace/root.ts'
import { leftInWords, lookAtMerges } from '../merging/look.ts'
import { FIXABLE, type Finding, note, ok, problem, some } from './finding.ts'

/**
 * Checks whether git commits and merges conversations as it should. Our lines in git's files are checked in setup.ts.
 */
export async function gitFindings(ws: Workspace): Promise<Finding[]> {
  const found = findRefused(ws.root)
  if (findGitTop(ws.root) === undefined && found === undefined)
    return [ok('no-git', 'not in a git repository: conversations are saved as files, nothing is committed')]
  if (findProgram('git', ws.environment.env) === undefined)
    return [
      problem(
        'git-missing',
        'this is a git repository, and git is not on PATH: nothing is committed',
        'git --version',
      ),
    ]
  if (found !== undefined)
    return [
      problem(
        'git-refuses',
        `${found.refused}: conversations are saved as files, nothing is committed`,
        found.fix,
      ),
    ]
  try {
    return await (ws.config.visibility === 'private' ? privateFindings(ws) : sharedFindings(ws))
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).trim().split('\n')
    return [problem('git-fails', `git failed: ${reason}`, 'git status')]
  }
}

async function privateFindings(ws: Workspace): Promise<Finding[]> {
  const folders = ['.workspace/', ...new Set([...ws.types.values()].map(({ folder }) => `${folder}/`))]
  const seen = await seenByGit(ws, folders)
  if (seen.length === 0) return [ok('private', 'private: nothing is committed')]
  const what = `the workspace is private, and git sees files in ${some(seen)}: a .gitignore takes our lines in .git/info/exclude back`
  return [problem('private-seen', what, 'cortext init')]
}

function hasOurLines(root: string): boolean {
  return (readInside(root, '.gitattributes') ?? '').includes('>>> cortext')
}

/**
 * Checks the attributes that git gives to messages.jsonl. A later line or another file can replace those from our
 * lines.
 */
function attributeFindings({ merge, filter, text }: Record<string, string>): Finding[] {
  const wrong = [
    ...(merge === 'union' ? [] : [`merge=${merge}: a merge keeps one side of what was said`]),
    ...(filter === 'unset' || filter === 'unspecified'
      ? []
      : [`filter=${filter}: git keeps something else in its place`]),
    ...(text === 'unset' ? [] : ['text: git may change its line endings']),
  ]
  const why = 'git check-attr merge filter text -- conversations/x/.session/messages.jsonl'
  return wrong.map((what) => problem('attributes', `git's attributes for messages.jsonl say ${what}`, why))
}

function sessionFinding({ merge }: Record<string, string>): Finding[] {
  if (merge === 'cortext') return []
  const what = `git's attributes for session.json say merge=${merge}: a merge can keep the title, summary and status of one side`
  return [note('attributes', what, 'git check-attr merge -- conversations/x/.session/session.json')]
}

/** Reports a lock of git's index that is older than 15 s. A younger lock may belong to a git that is working. */
function lockFinding({ root, environment }: Workspace): Finding[] {
  const now = environment.now()
  const lock = indexLock(root, now)
  if (lock === undefined || now.getTime() - lock.made.getTime() < LOCK_GRACE_MS) return []
  const { what, fix } = describeLock(lock, now)
  return [problem('index-locked', `${what}: nothing can be committed`, fix)]
}

const LOCK_GRACE_MS = 15_000

/**
 * Reports that the program of the merge driver is gone, for example because the person has updated node or cortext.
 * Then a merge needs cortext on git's PATH.
 */
function driverFinding(root: string): Finding[] {
  const common = findRepository(root)?.common
  const gone = common === undefined ? undefined : goneDriver(common)
  if (gone === undefined) return []
  const what = `the merge driver of session.json names ${gone}, which is gone: unless git finds cortext on its PATH, a merge stops at a conflict`
  return [problem('merge-driver', what, FIXABLE)]
}

/**
 * Reports the work that a merge has left. Only a note, because lists already show conversations as they are after this
 * work.
 */
function leftFindings(left: readonly Left[]): Finding[] {
  const words = leftInWords(left)
  if (words === undefined) return []
  const which = some(left.flatMap(({ what, path }) => (what === 'failed' ? [] : [path])))
  const what = `a merge has left ${words}: ${which}; the next save, stop or resume settles it`
  return [note('merge-left', what, FIXABLE)]
}

async function sparseFinding(ws: Workspace, folders: readonly string[]): Promise<Finding[]> {
  const leftOut = await leftOutOf(ws, folders)
  if (leftOut === undefined) return []
  const what = `your sparse checkout leaves out what git has of this workspace, with ${countOf(leftOut.conversations.length, 'conversation')}`
  return [note('sparse', what, leftOut.fix)]
}

async function sharedFindings(ws: Workspace): Promise<Finding[]> {
  const { root } = ws
  const obstacle = await commitObstacle(ws)
  const folders = [...new Set([...ws.types.values()].map(({ folder }) => folder))]
  const samples = folders.map((folder) => `${folder}/2000-01-01/001-x/.session/session.json`)
  const ignored = await ignoredAmong(ws, samples)
  const attributes = (path: string, names: readonly string[]) =>
    attributesOf(ws, `${folders[0]}/2000-01-01/001-x/${path}`, names)
  const findings = [
    ...lockFinding(ws),
    ...driverFinding(root),
    ...leftFindings(await lookAtMerges(ws)),
    ...(obstacle === undefined ? [] : [note('no-commit', `a stop saves, and does not commit: ${obstacle}`)]),
    ...(hasOurLines(root)
      ? [
          ...attributeFindings(await attributes(RECORD.messages, ['merge', 'filter', 'text'])),
          ...sessionFinding(await attributes(RECORD.session, ['merge'])),
        ]
      : []),
    ...(await sparseFinding(ws, folders)),
    ...(ignored.length === 0
      ? []
      : [
          note(
            'session-ignored',
            'git ignores .session/: documents are committed, what was said is not, and another clone cannot resume',
            `git check-ignore --verbose --no-index ${ignored[0]}`,
          ),
        ]),
  ]
  return findings.length > 0 ? findings : [ok('git', 'a stop commits')]
}
