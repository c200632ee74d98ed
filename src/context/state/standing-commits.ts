import { type ReportedCommit, reportedCommits } from '../../session/shell/commits.ts'
import { logLines, quietCommit, readsInput, type ShellRun, subjectIn } from './quiet-commit.ts'
import { partsOf, type Stage } from './runs/shell-line.ts'

/**
 * Returns the commits that shell commands made, without those that a later command took back: `git commit --amend`
 * replaces a commit, and `git reset HEAD~2` takes back two. A reverted commit stays, and so does the commit that reverts
 * it, because both are in the history. `runs`: oldest first.
 */
export function standingCommits(runs: readonly ShellRun[]): ReportedCommit[] {
  const made: Made[] = []
  /** The newest commit with each subject. */
  const newest = new Map<string, Made>()
  const begun = new Map<string, number>()
  let branch = ''
  for (const run of runs) {
    if (!/\bgit\b/.test(run.command)) continue
    for (const id of deletedBranches(run.output))
      takeBack(made, (commit) => commit.branch === '' && isSame(commit.id, id))
    const reported = reportedCommits(run.command, run.output)
    for (const step of stepsIn(run.command, reported.length)) {
      if (step.does === 'switches') {
        noteBegun(begun, step.words, made.length)
        branch = branchAfter(run, step.words, made) ?? branch
      } else if (step.does === 'moves') {
        moveBranch(made, step.words, begun)
        noteKept(begun, step.words, made.length)
      } else if (step.does === 'resets') {
        if (!hasRefused(run)) reset(made, branch, step.words, begun)
      } else {
        const commit = nextReported(reported, step, run.command) ?? quietCommit(run, step, branch)
        if (commit === undefined || (commit.branch === DETACHED && TRIES.test(run.command))) continue
        branch = commit.branch
        if (step.words.includes('--amend')) reset(made, branch, ['HEAD~1'])
        const one: Made = { commit, goneAt: undefined, isPicked: step.isPick }
        made.push(one)
        newest.set(commit.subject, one)
      }
    }
    leaveBehind(made, newest, run.output)
    if (SHOWS_LOG.test(run.command)) bringBack(newest, run.output)
  }
  const standing = new Set<Made>()
  newest.clear()
  for (const one of made) {
    const { commit, goneAt } = one
    if (goneAt !== undefined || REWRITTEN.test(commit.subject)) continue
    const before = newest.get(commit.subject)
    if (before !== undefined && isSameWork(before, one)) standing.delete(before)
    newest.set(commit.subject, one)
    standing.add(one)
  }
  return [...standing].map(({ commit }) => commit)
}

/** Whether a commit is an earlier one with this subject, made again somewhere else, as by `git cherry-pick`. */
function isSameWork({ commit: before }: Made, { commit, isPicked }: Made): boolean {
  return isPicked || before.branch !== commit.branch || before.id === '' || commit.id === ''
}

const DETACHED = 'detached HEAD'
/** Removes the worktree in which the same command has tried something. */
const TRIES = /\bgit\b[^\n;&|]{0,200} worktree remove\b/

/** A commit that `git rebase --autosquash` puts into another one. */
const REWRITTEN = /^(?:fixup|squash|amend)! /

interface Made {
  commit: ReportedCommit
  /** How many commits had been made when this one was taken back; undefined while it stands. */
  goneAt: number | undefined
  /** Whether `git cherry-pick` made it. */
  isPicked: boolean
}

interface Step {
  does: 'commits' | 'resets' | 'switches' | 'moves'
  /** The words after git's subcommand. */
  words: Stage
  /** Whether another program got its output. */
  isPiped: boolean
  isPick: boolean
  /** How many commits before it in the command read their message from a here-document. */
  input: number
}

const DOES: Readonly<Record<string, Step['does']>> = {
  commit: 'commits',
  revert: 'commits',
  'cherry-pick': 'commits',
  reset: 'resets',
  branch: 'moves',
  checkout: 'switches',
  switch: 'switches',
}

/**
 * Returns what a command does with commits and branches, in order. If it made more commits than it names, as a loop does,
 * they belong to its last step that commits.
 */
function stepsIn(command: string, commits: number): Step[] {
  const pipes = partsOf(command).flatMap((part) => part.pipes)
  let inputs = 0
  const steps = pipes.flatMap((pipe) =>
    pipe.flatMap((stage, at): Step[] => {
      const [subcommand = '', ...words] = afterGit(stage)
      if (!Object.hasOwn(DOES, subcommand)) return []
      const does = DOES[subcommand]!
      const input = inputs
      if (does === 'commits' && readsInput(words)) inputs += 1
      return [{ does, words, isPiped: at < pipe.length - 1, isPick: subcommand === 'cherry-pick', input }]
    }),
  )
  const last = steps.findLastIndex(({ does }) => does === 'commits')
  const missing = commits - steps.filter(({ does }) => does === 'commits').length
  for (let more = 0; more < missing; more += 1)
    steps.splice(last + 1, 0, { does: 'commits', words: [], isPiped: false, isPick: false, input: 0 })
  return steps
}

/** The words after `git` and its own options. */
function afterGit(stage: Stage): Stage {
  let at = stage.findIndex((word) => /(?:^|[\\/])git(?:\.exe)?$/.test(word)) + 1
  if (at === 0) return []
  while (stage[at]?.startsWith('-')) at += /^-[Cc]$/.test(stage[at]!) ? 2 : 1
  return stage.slice(at)
}

/** Takes the commit of a step from those that git reported. What was cut off by another program may not be there. */
function nextReported(
  reported: ReportedCommit[],
  { words, isPiped, input }: Step,
  command: string,
): ReportedCommit | undefined {
  const given = isPiped ? subjectIn(command, words, input) : undefined
  if (given === undefined) return reported.shift()
  const at = reported.findIndex(({ subject }) => subject === given)
  return at === -1 ? undefined : reported.splice(at, 1)[0]
}

/** Whether git refused a step of the command. */
function hasRefused({ failed, output }: ShellRun): boolean {
  return failed && /^(?:fatal|error): /m.test(output)
}

/** The branch after a command switched to one; undefined when nobody knows whether it did. */
function branchAfter(
  { output }: ShellRun,
  words: readonly string[],
  made: readonly Made[],
): string | undefined {
  const said = [...output.matchAll(/^(?:Switched to (?:a new )?branch|Already on) '([^']+)'/gm)].at(-1)?.[1]
  const named = words.find((word) => !word.startsWith('-'))
  return said ?? (made.some(({ commit }) => commit.branch === named) ? named : undefined)
}

/**
 * Notes the branch that a switch begins, with the number of commits made before it that it has: none if it begins
 * elsewhere, as `git checkout -B clean main` does.
 */
function noteBegun(begun: Map<string, number>, words: readonly string[], commits: number): void {
  const at = words.findIndex((word) => /^-[bBcC]$/.test(word))
  const name = words[at + 1]
  if (at !== -1 && name !== undefined) begun.set(name, words[at + 2] === undefined ? commits : 0)
}

/** Notes the branch that `git branch work` begins here without a switch, unless it only keeps a copy. */
function noteKept(begun: Map<string, number>, words: readonly string[], commits: number): void {
  const [name, ...rest] = words
  if (name !== undefined && rest.length === 0 && /^\w/.test(name) && !COPY.test(name))
    begun.set(name, commits)
}

const COPY = /backup|\bbak\b|safe|saved?\b|old\b|copy|before|orig/i

/** The ids of the commits at which branches were that git has deleted. */
function deletedBranches(output: string): string[] {
  return [...output.matchAll(/^Deleted branch \S+ \(was ([0-9a-f]{7,40})\)/gm)].map(([, id]) => id!)
}

/** Takes back the commits that a checkout left on no branch, as git says. */
function leaveBehind(made: readonly Made[], newest: ReadonlyMap<string, Made>, output: string): void {
  const [, list = ''] = LEFT_BEHIND.exec(output) ?? []
  for (const { id, subject } of logLines(list.replace(/^ +/gm, ''))) {
    const one = newest.get(subject)
    // A commit of which no id is known has the same subject.
    if (one !== undefined && isSame(one.commit.id, id)) one.goneAt ??= made.length
  }
}

const LEFT_BEHIND =
  /^Warning: you are leaving \d+ commits? behind[^\n]*\n[^\n]*\n\n((?: {2}[0-9a-f]{7,40} .*(?:\n|$))+)/m

/** Brings back the commits that a log shows under another id, as after a rebase that nobody saw. */
function bringBack(newest: ReadonlyMap<string, Made>, output: string): void {
  for (const { id, subject } of logLines(output)) {
    const one = newest.get(subject)
    if (one?.goneAt === undefined) continue
    one.goneAt = undefined
    one.commit = { ...one.commit, id }
  }
}

/** Shows the log of where one is, and not what git keeps besides. */
const SHOWS_LOG = /\bgit\b(?: -\S+)* log\b(?![^\n;&|]{0,200}(?:--all|--reflog|-g\b|ORIG_HEAD|@\{))/

/** Marks commits that no branch has any more. */
function takeBack(made: readonly Made[], isGone: (commit: ReportedCommit) => boolean): void {
  for (const one of made) if (one.commit.id !== '' && isGone(one.commit)) one.goneAt ??= made.length
}

/** Sets a branch to another one, as `git branch -f main clean` does: the commits of this one are on it from now on. */
function moveBranch(
  made: readonly Made[],
  words: readonly string[],
  begun: ReadonlyMap<string, number>,
): void {
  const [branch, target] = words.filter((word) => !word.startsWith('-'))
  if (!words.some((word) => /^(?:-f|--force)$/.test(word)) || branch === undefined || target === undefined)
    return
  reset(made, branch, [target], begun)
  for (const one of made) if (one.commit.branch === target) one.commit = { ...one.commit, branch }
}

/**
 * Marks the commits of a branch that a reset takes back. If its target is not known, all stay as they are, except if the
 * reset keeps their changes for a new commit: then it goes back to before the talk. Without that, commits that another
 * branch has are moved to it. `begun`: the branches that were begun in the talk (see `noteBegun`).
 */
function reset(
  made: readonly Made[],
  branch: string,
  words: readonly string[],
  begun?: ReadonlyMap<string, number>,
): void {
  const [target, ...files] = words
    .filter((word) => !/^-(?!-$)/.test(word))
    .map((word) => word.replace(/^"|"$/g, ''))
  // With names of files, a reset only changes the index.
  if (target === undefined || files.length > 0) return
  const keepsWork = !words.some((word) => /^--(?:hard|merge|keep)$/.test(word))
  const isCommit = words.includes('--soft') || IS_ID.test(target)
  const onBranch = made.filter(({ commit }) => commit.branch === branch)
  if (/^(?:ORIG_HEAD|HEAD@\{1\})$/.test(target)) {
    for (const one of onBranch) if (one.goneAt === made.length) one.goneAt = undefined
    return
  }
  const standing = onBranch.filter(({ goneAt }) => goneAt === undefined)
  const back = stepsBack(target)
  const before = target === branch ? undefined : begun?.get(target)
  const earlier = new Set(made.slice(0, before ?? 0))
  const named = standing.findIndex(({ commit }) => isSame(commit.id, target))
  const kept =
    back !== undefined
      ? standing.length - back
      : before !== undefined
        ? standing.filter((one) => earlier.has(one)).length
        : named + 1 || (keepsWork && isCommit && !target.endsWith(`/${branch}`) ? 0 : standing.length)
  const gone = new Set(standing.slice(Math.max(0, kept)))
  for (const [index, one] of made.entries()) {
    if (!gone.has(one)) continue
    const other = keepsWork ? undefined : branchWith(begun, index, branch)
    if (other === undefined) one.goneAt = made.length
    else one.commit = { ...one.commit, branch: other }
  }
}

/** Another branch that was begun when a commit had been made. */
function branchWith(
  begun: ReadonlyMap<string, number> | undefined,
  commit: number,
  branch: string,
): string | undefined {
  return [...(begun ?? [])].find(([name, commits]) => name !== branch && commits > commit)?.[0]
}

/** The number of commits between HEAD and a target: 2 for `HEAD~2` and `HEAD^^`. Undefined for another target. */
function stepsBack(target: string): number | undefined {
  const [, steps] = /^(?:HEAD|@)((?:~\d*|\^)*)$/.exec(target) ?? []
  if (steps === undefined) return undefined
  return [...steps.matchAll(/~(\d*)|\^/g)].reduce((sum, [, number]) => sum + Number(number || 1), 0)
}

function isSame(id: string, target: string): boolean {
  return IS_ID.test(target) && (id.startsWith(target) || target.startsWith(id))
}

const IS_ID = /^[0-9a-f]{7,40}$/
