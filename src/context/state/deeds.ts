import { textOf } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import type { RecordFacts } from '../../session/summary.ts'
import { commandOf } from '../../session/tool-use.ts'
import { cutAtWord, oneLine } from '../../text/line.ts'
import type { History } from '../strategy.ts'
import { type FileChange, filesChanged } from './files-changed.ts'
import { type Exchange, exchangesIn, splitByNote, stepOf, withoutSmallTalk } from './said/last-exchange.ts'
import { isFirstRequest, ownWords, tellingRequest, tellsAlone } from './said/own-words.ts'
import { announcesWork, answerLine, lastTellingAnswer, tellingSentences } from './said/telling-answer.ts'
import { toolStateOf } from './tool-state.ts'

type Work = Pick<History, 'live' | 'said' | 'interrupted' | 'answers' | 'project'>

const SUBJECT_LENGTH = 60
const MAX_FILES = 3
/** Notes of the agent, which are no part of the project. */
const NOTES = /[/\\]\.\w+[/\\](?:plans|projects)[/\\]/
/** A file below a folder for temporary files. */
const TEMPORARY =
  /^(?:\/(?:private\/)?(?:tmp|var\/tmp|var\/folders\/\w+\/\w+\/T)|(?:[A-Za-z]:|\/(?:mnt\/)?[A-Za-z])[/\\](?:.*[/\\]AppData[/\\]Local[/\\]Temp|Windows[/\\]Temp|te?mp)|%TEMP%|\$TMPDIR)[/\\](.+)$/i

/**
 * Returns the last commit, the last pull request and the names of changed files, in one line; '' when there are none. If
 * files were changed after the last commit, these are named: `then changed a.ts`.
 */
export function deedsOf(history: Pick<History, 'live' | 'answers' | 'project'>): string {
  const { commits, pullRequests } = toolStateOf(history)
  const subject = commits.length === 0 ? undefined : oneLine(commits.at(-1)!.subject)
  const since = subject === undefined ? [] : filesToName({ ...history, live: afterCommits(history) })
  const files = since.length > 0 ? since : filesToName(history)
  const names = namesOf(files.slice(-MAX_FILES).map(({ path }) => path))
  // No number of files is given, because some edits are undone later, and shell commands change files that are not in
  // the list.
  const hasMore =
    files.length > names.length ||
    (since.length === 0 && commits.some((commit) => (commit.files ?? 0) > files.length))
  return [
    ...(subject === undefined
      ? []
      : [`committed "${cutAtWord(subject, SUBJECT_LENGTH)}"${andMore(commits)}`]),
    ...(pullRequests.length === 0 ? [] : [`opened ${pullRequests.at(-1)}${andMore(pullRequests)}`]),
    ...(names.length === 0
      ? []
      : [`${since.length > 0 ? 'then ' : ''}changed ${names.join(', ')}${hasMore ? ' and more' : ''}`]),
  ].join('; ')
}

/** Returns the messages after the last call that may have made a commit. */
function afterCommits({ live, answers }: Pick<History, 'live' | 'answers'>): History['live'] {
  const last = live.findLastIndex(({ tool_calls: calls = [], client }) =>
    calls.some((call) => COMMITS.test(commandOf(answers.tools, call, client) ?? '')),
  )
  return live.slice(last + 1)
}

const COMMITS = /\bgit\b[^\n;&|]{0,200}? (?:commit|revert|cherry-pick|rebase|merge|am)(?![\w-])/

function andMore(all: readonly unknown[]): string {
  return all.length > 1 ? ` and ${all.length - 1} more` : ''
}

/**
 * Returns the changed files of the project. If there are none, returns those in a folder below the one for temporary
 * files, because somebody may work in a clone there.
 */
function filesToName(history: Pick<History, 'live' | 'answers' | 'project'>): FileChange[] {
  const files = filesChanged(history).filter(
    // Most deleted files belong to a build or existed only for a moment.
    ({ path, action }) => action !== 'deleted' && !NOTES.test(path),
  )
  const isOfProject = ({ path }: FileChange) => {
    const [, below] = TEMPORARY.exec(path) ?? []
    return below === undefined || (history.project !== '' && foldersOf(below).includes(history.project))
  }
  const own = files.filter(isOfProject)
  return own.length > 0 ? own : files.filter(({ path }) => isInClone(TEMPORARY.exec(path)![1]!))
}

function foldersOf(path: string): string[] {
  return path.split(/[/\\]/).slice(0, -1)
}

/** Whether a path below the folder for temporary files is in a folder that may be a clone, and no agent's notepad. */
function isInClone(below: string): boolean {
  const folders = foldersOf(below)
  return folders.length > 0 && !folders.includes('scratchpad')
}

/** Returns the names of files, each with its folder if another file has the same name. */
function namesOf(paths: readonly string[]): string[] {
  const parts = paths.map((path) => oneLine(path).split(/[/\\]/))
  return parts.map((one) => {
    const isAlone = parts.filter((other) => other.at(-1) === one.at(-1)).length === 1
    return one.slice(isAlone ? -1 : -2).join('/')
  })
}

/** Returns the facts for the summary of a whole conversation. */
export function recordFacts(history: Work): RecordFacts {
  const exchanges = withoutSmallTalk(exchangesIn(history.said, history.interrupted))
  const last = exchanges.at(-1)
  const request = tellingRequest(history.said)
  const asked = request?.words ?? ''
  // A mere "yes" or "continue" goes on with the request before it.
  const newest = exchanges.findLast(({ prompt }) => prompt !== undefined && tellsAlone(prompt))?.prompt
  const words = newest === undefined || newest === request?.message ? '' : ownWords(textOf(newest))
  const askedLast = words.startsWith(asked.slice(0, SAME_LENGTH)) ? '' : words
  const told = askedLast === '' ? request?.message : newest
  const isLast = told === undefined || told === last?.prompt
  const { next, checks, notRun } = toolStateOf(history)
  const failing = checks
    .filter(({ outcome, isOld }) => outcome === 'failed' && !isOld)
    .map(({ name }) => `${cutAtWord(name, MAX_CHECK)} failed`)
  if (notRun !== '') failing.push(`${cutAtWord(notRun, MAX_CHECK)} could not run`)
  const isUnfinished = last?.end === 'broken off' || (last?.end === 'acted' && isLast)
  const isStopped = last?.said.some((one) => history.interrupted.has(one)) === true
  const reported = last?.end === 'broken off' && !isStopped ? answerBeforeNote(last, history.live) : undefined
  const answered = reported === undefined ? exchanges.findLast(({ end }) => end === 'answered') : last
  const indexOf = (one: Message | undefined) => exchanges.findIndex(({ prompt }) => prompt === one)
  const isPaired = answered === last && request !== undefined
  const [answer = answered, later] =
    reported !== undefined ? [reported] : answerAndRest(answered, history.live)
  return {
    asked,
    isFirst: request !== undefined && isFirstRequest(history.said, request.message),
    done: deedsOf(history),
    askedLast,
    answered: answer === undefined ? '' : answerIn(answer, isPaired, later && LENGTH_OF_TWO),
    answeredLater: later === undefined ? '' : answerIn(later, false, LENGTH_OF_TWO),
    isEarlier: answered !== last && indexOf(answered?.prompt) < indexOf(told),
    isLast,
    step: last !== undefined && isUnfinished ? stepOf(last, history.interrupted) : '',
    open:
      (last?.prompt && OPEN[last.end](isLast ? '' : named(last.prompt))) ||
      [next, ...failing.slice(0, 1)].filter(Boolean).join(', '),
  }
}

/** The answer to the person, and what the agent said after a program's note, if it said something. */
function answerAndRest(answered: Exchange | undefined, live: readonly Message[]): readonly Exchange[] {
  const split = answered && splitByNote(answered, live)
  return split?.[1].end === 'answered' ? split : []
}

/** The last answer in an exchange that broke off after a program's note: a report before `Now let me commit.` */
function answerBeforeNote(exchange: Exchange, live: readonly Message[]): Exchange | undefined {
  const [answer, rest] = splitByNote(exchange, live) ?? []
  return rest && (answerBeforeNote(rest, live) ?? answer)
}

/** What is open after an exchange. `which`: the words of its request, if nothing else names it. */
const OPEN: Record<Exchange['end'], (which: string) => string> = {
  answered: () => '',
  'broken off': (which) => `the last request${which} has no final answer`,
  acted: (which) => `the last request${which} has no answer in words`,
  unanswered: (which) => `the last request${which} has no answer`,
}

function named(prompt: Message): string {
  return `, "${cutAtWord(ownWords(textOf(prompt)), MAX_NAMED)}",`
}

const MAX_NAMED = 30

/** Returns the answer of an exchange. A short one that only says `Done.` tells something if the request is known. */
function answerIn({ said }: Exchange, isRequestKnown: boolean, length = ANSWER_LENGTH): string {
  const answer = lastTellingAnswer(said)
  const tells = tellingSentences(answer).length > 0 || (isRequestKnown && !announcesWork(answer))
  return tells ? answerLine(answer, length) : ''
}

const ANSWER_LENGTH = 160
/** Of an answer and of what the agent said after a program's note. */
const LENGTH_OF_TWO = 110
/** A longer name of a check would leave no room for its result. */
const MAX_CHECK = 70
/** Prompts that begin with the same characters, such as those of a command's template, are told once. */
const SAME_LENGTH = 60
