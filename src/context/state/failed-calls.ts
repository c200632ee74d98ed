import { callKey, isTalk, textOf } from '../../session/live-path.ts'
import { commandOf } from '../../session/tool-use.ts'
import { oneLine } from '../../text/line.ts'
import type { History } from '../strategy.ts'
import { errorLine } from './runs/error-line.ts'
import { hooksPassed } from './runs/hooks-passed.ts'
import { programEnds } from './runs/program-ends.ts'
import { outcomeOf, outcomeOfChecks } from './runs/run-outcome.ts'
import { blocksWork, checksIn, doesNothing, type Job, jobsIn, makeUpFor } from './runs/shell-job.ts'
import { sentencesIn } from './sentences.ts'

/**
 * Lists jobs, such as builds and tests, whose last run failed: `Bash npm test: 3 tests failed`. Only failures that
 * block the work count: failed look-ups and refused calls do not. A failure counts until a later command does the same
 * job, or until a later message says explicitly that the job works.
 */
export function failedCalls({ live, answers }: Pick<History, 'live' | 'answers'>): string[] {
  const failed = new Map<string, Failed>()
  const endOf = programEnds({ live, answers })
  for (const message of live) {
    if (failed.size > 0 && isTalk(message))
      for (const { text } of sentencesIn(message)) dropWorking(failed, saidToWork(text))
    for (const call of message.tool_calls ?? []) {
      const begun = answers.results.get(callKey(message, call.id))
      if (begun === undefined || begun.refused === true) continue
      const result = endOf(begun)
      const command = commandOf(answers.tools, call, message.client)
      if (command === undefined) continue
      const name = oneLine(`${call.name} ${command.slice(0, 1000)}`).slice(0, 120)
      if (doesNothing(command)) continue
      const jobs = jobsIn(command).filter(blocksWork)
      const onlyChecks = checksIn(command).length === jobs.length
      const outcome = onlyChecks ? outcomeOfChecks(command, result) : outcomeOf(command, result)
      if (outcome === 'failed' && !NOTHING_TO_DO.test(textOf(result))) {
        if (jobs.length === 0) continue
        // A later failure of a job replaces the earlier one.
        dropWorking(failed, (job) => makeUpFor(jobs, job))
        failed.delete(name)
        failed.set(name, { line: `${name}: ${errorLine(textOf(result)) || 'failed'}`, jobs })
        if (failed.size > MAX_FAILED) failed.delete(failed.keys().next().value!)
      } else if (failed.size > 0) {
        // A run with an unknown result counts too: then nobody knows whether the job still fails.
        failed.delete(name)
        dropWorking(failed, hooksPassed(command, result))
        const done = jobsIn(command)
        dropWorking(failed, (job) => makeUpFor(done, job))
      }
    }
  }
  return [...failed.values()].map(({ line }) => line)
}

/** Outputs that git gives with an error code, although nothing failed. */
const NOTHING_TO_DO = /\bnothing (?:added )?to commit\b|\bno changes added to commit\b|\bup[- ]to[- ]date\b/i

/** Every later message is compared with every failure, so only the newest failures are kept. */
const MAX_FAILED = 200

interface Failed {
  line: string
  /** The jobs of the failed command that no later command has done. */
  jobs: readonly Job[]
}

function dropWorking(failed: Map<string, Failed>, works: ((job: Job) => boolean) | undefined): void {
  if (works === undefined) return
  for (const [name, { line, jobs }] of failed) {
    const left = jobs.filter((job) => !works(job))
    if (left.length === jobs.length) continue
    if (left.length === 0) failed.delete(name)
    else failed.set(name, { line, jobs: left })
  }
}

const WORKS = '(?:pass(?:es|ed|ing)?|green|works?|working|succeed(?:s|ed)|fixed|resolved)\\b'
const SAYS_SO = new RegExp(`\\b${WORKS}`, 'i')
const NO_FAULT = /\b(?:no|zero|0) (?:more |other |longer )?(?:errors?|fail\w+|warnings?)\b/gi
/** Words that make a sentence a wish or a condition, or say that only a part works. */
const DOUBT =
  /\?$|n['’]t\b|\b(?:not|still|but|except|if|once|until|unless|when|before|after|should|will|would|could|might|must|needs?|want|hope|sure|gets?|getting|make|so that|only|some|most|locally|earlier|used to|fail\w*|errors?|broken|red|crash\w*)\b/i
/**
 * Words that may precede the subject: `Great, all 14 of the …`. After other words, the sentence is only about a part.
 */
const BEGIN =
  '^(?:\\W*(?:now|so|ok(?:ay)?|great|good|nice|done|yes|perfect|finally|then|all|the|every|our|whole|full|of|\\d+)\\b)*\\W*'
const VERB = '\\W?(?: (?:is|are|do|does|all|now|again|finally|run))* '
const EVERYTHING = new RegExp(`${BEGIN}(?:everything|it all|all)${VERB}${WORKS}`, 'i')

/**
 * Returns a function that says whether a job works according to a sentence; undefined when the sentence does not say
 * that anything works.
 */
function saidToWork(sentence: string): ((job: Job) => boolean) | undefined {
  if (!SAYS_SO.test(sentence) || DOUBT.test(sentence.replace(NO_FAULT, ''))) return undefined
  const clauses = sentence.split(/[,;:—–]| and /)
  if (clauses.some((clause) => EVERYTHING.test(clause))) return () => true
  return (job) => clauses.some((clause) => sayingFor(job).test(clause))
}

const sayingCache = new WeakMap<Job, RegExp>()

/** Matches how people say that a job works: "the build works" for `npm run build`. */
function sayingFor(job: Job): RegExp {
  const cached = sayingCache.get(job)
  if (cached !== undefined) return cached
  const { name } = job
  const words = [name, name.split(' ').at(-1)!].map((word) => word.replace(/[^\w ]/g, '\\$&'))
  const topics = /test|spec|phpunit/.test(name) ? ['tests?(?: suite| run)?', ...words] : words
  const says = new RegExp(`${BEGIN}(?:${topics.join('|')})s?${VERB}${WORKS}`, 'i')
  sayingCache.set(job, says)
  return says
}
