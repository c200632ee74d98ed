import { historyState } from '../../conversation/keeping/open-history.ts'
import { CortextError } from '../../errors.ts'
import { readInside } from '../../io/inside.ts'
import { findProgram } from '../../io/program.ts'
import { localFiles, RECORD } from '../../store/layout.ts'
import type { Left } from '../../store/machine/git-checks.ts'
import { countOf } from '../../text/count-of.ts'
import { oneLine } from '../../text/line.ts'
import { paste } from '../../text/paste.ts'
import { commitObstacle } from '../../workspace/git/commit.ts'
import { attributesOf, ignoredAmong, leftOutOf, seenByGit } from '../../workspace/git/index.ts'
import { describeLock, indexLock } from '../../workspace/git/index-lock.ts'
import { hasBlock } from '../../workspace/merge/block.ts'
import { goneDriver } from '../../workspace/merge-driver.ts'
import type { Workspace } from '../../workspace/open.ts'
import { findRefused, findRepository } from '../../workspace/repository.ts'
import { findGitTop } from '../../workspace/root.ts'
import { leftInWords, lookAtMerges } from '../merging/look-at-merges.ts'
import { FIXABLE, type Finding, note, ok, problem, some } from './finding.ts'

/**
 * Checks whether git commits and merges conversations as it should. Our lines in git's files are checked in setup.ts.
 */
export async function gitFindings(ws: Workspace): Promise<Finding[]> {
  const found = findRefused(ws.root)
  if (findGitTop(ws.root) === undefined && found === undefined)
    return historyFindings(ws, 'no-git', 'not in a git repository: conversations are saved as files')
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
    // An error of ours says what is wrong, and what helps.
    if (error instanceof CortextError && error.code !== 'git')
      return [problem('git-fails', error.message, error.fix)]
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).trim().split('\n')
    return [problem('git-fails', `git failed: ${reason}`, 'git status')]
  }
}

/** Checks the history of a workspace that the project's git does not track. */
function historyFindings(ws: Workspace, name: string, what: string): Finding[] {
  const { history } = localFiles(ws.local)
  const state = historyState(ws)
  if (state === undefined) return [ok(name, `${what}, nothing is committed`)]
  if (state.problem === undefined)
    return [ok(name, `${what}; the history of this workspace is in a repository of its own`)]
  const why = `the history of this workspace cannot be read, so nothing is added to it: ${oneLine(state.problem)}`
  return [problem('history', why, paste`mv ${history} ${`${history}.broken`}`)]
}

async function privateFindings(ws: Workspace): Promise<Finding[]> {
  const folders = ['.workspace/', ...new Set([...ws.types.values()].map(({ folder }) => `${folder}/`))]
  const seen = await seenByGit(ws, folders)
  if (seen.length === 0) return historyFindings(ws, 'private', 'private: your repository has nothing of it')
  const what = `the workspace is private, and git sees files in ${some(seen)}: a .gitignore takes our lines in .git/info/exclude back`
  return [problem('private-seen', what, 'cortext init')]
}

/**
 * Checks the attributes that git gives to the record of this conversation. A later line or another file can replace
 * those from our lines.
 */
async function attributeFindings(ws: Workspace, conversation: string): Promise<Finding[]> {
  const messages = `${conversation}/${RECORD.messages}`
  const session = `${conversation}/${RECORD.session}`
  const { merge, filter, text } = await attributesOf(ws, messages, ['merge', 'filter', 'text'])
  const { merge: driver } = await attributesOf(ws, session, ['merge'])
  const wrong = [
    merge !== 'union' && `${said('merge', merge)}: ${LOSES} what was said`,
    filter !== 'unset' && filter !== 'unspecified' && `${said('filter', filter)}: git keeps something else`,
    text !== 'unset' && `${said('text', text)}: git may change its line endings`,
  ].filter((what) => what !== false)
  const about = (file: string, what: string) => `git's attributes for ${file} say ${what}`
  const command = paste`git check-attr merge filter text -- ${messages} ${session}`
  const one = about('session.json', `${said('merge', driver)}: ${LOSES} the title, summary and status`)
  return [
    ...wrong.map((what) => problem('attributes', about('messages.jsonl', what), command)),
    ...(driver === 'cortext' ? [] : [note('attributes', one, command)]),
  ]
}

const LOSES = 'a merge can stop at a conflict, or keep one side of'

function said(name: string, value: string | undefined): string {
  return value === 'unspecified' ? `nothing about ${name}` : `${name}=${value}`
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
  const samples = folders.map((folder) => `${folder}/2000-01-01/001-x`)
  const [ignored] = await ignoredAmong(
    ws,
    samples.map((sample) => `${sample}/${RECORD.session}`),
  )
  const attributes = hasBlock(readInside(root, '.gitattributes') ?? '')
    ? await Promise.all(samples.map((sample) => attributeFindings(ws, sample)))
    : []
  const findings = [
    ...lockFinding(ws),
    ...driverFinding(root),
    ...leftFindings(await lookAtMerges(ws)),
    ...(obstacle === undefined ? [] : [note('no-commit', `a stop saves, and does not commit: ${obstacle}`)]),
    ...attributes.flat(),
    ...(await sparseFinding(ws, folders)),
    ...(ignored === undefined
      ? []
      : [
          note(
            'session-ignored',
            'git ignores .session/: documents are committed, what was said is not, and another clone cannot resume',
            paste`git check-ignore --verbose --no-index ${ignored}`,
          ),
        ]),
  ]
  return findings.length > 0 ? findings : [ok('git', 'a stop commits')]
}
