import { isTalk, textOf } from '../../session/live-path.ts'
import type { ToolCall } from '../../session/schema.ts'
import { commandOf } from '../../session/tool-use.ts'
import { oneLine } from '../../text/line.ts'
import type { History } from '../strategy.ts'
import { errorLine } from './error-line.ts'
import { sentencesIn } from './sentences.ts'
import { type Job, jobsDone, jobsIn, standsFor } from './shell-job.ts'

/**
 * Calls that failed and still are in the way: `Bash npm test: 3 tests failed`. A failure no longer counts once the same
 * call worked, a command did the same job, or somebody said in so many words that it works.
 */
export function failedCalls({ live, answers }: Pick<History, 'live' | 'answers'>): string[] {
  const failed = new Map<string, Failed>()
  for (const message of live) {
    if (failed.size > 0 && isTalk(message))
      for (const { text } of sentencesIn(message)) dropWorking(failed, saidToWork(text))
    for (const call of message.tool_calls ?? []) {
      const result = answers.results.get(call.id)
      // What the person did not want is in nobody's way.
      if (result === undefined || result.refused === true) continue
      const command = commandOf(answers.tools, call, message.client)
      const name = callName(call, command)
      failed.delete(name)
      if (result.is_error === true) {
        const line = `${name}: ${errorLine(textOf(result)) || 'failed'}`
        failed.set(name, { line, jobs: command === undefined ? [] : jobsIn(command) })
        if (failed.size > MOST) failed.delete(failed.keys().next().value!)
      } else if (command !== undefined && failed.size > 0) {
        const done = jobsDone(command, textOf(result))
        dropWorking(failed, (job) => done.some((one) => standsFor(one, job)))
      }
    }
  }
  return [...failed.values()].map(({ line }) => line)
}

/** Each later message may make up for any of them, so only the newest are kept in mind. */
const MOST = 200

interface Failed {
  line: string
  /** The jobs of the failed command that were not done since. */
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
/** These words make a wish or a condition of a sentence, or say that only a part works. */
const DOUBT =
  /\?$|n['’]t\b|\b(?:not|still|but|except|if|once|until|unless|when|before|after|should|will|would|could|might|must|needs?|want|hope|sure|gets?|getting|make|so that|only|some|most|locally|earlier|used to|fail\w*|errors?|broken|red|crash\w*)\b/i
/** `Great, all 14 of the …`. With other words before it, a phrase speaks of a part of something. */
const BEGIN =
  '^(?:\\W*(?:now|so|ok(?:ay)?|great|good|nice|done|yes|perfect|finally|then|all|the|every|our|whole|full|of|\\d+)\\b)*\\W*'
const VERB = '\\W?(?: (?:is|are|do|does|all|now|again|finally|run))* '
const EVERYTHING = new RegExp(`${BEGIN}(?:everything|it all|all)${VERB}${WORKS}`, 'i')

/** The jobs that a sentence says to work; undefined when it says so of no job. */
function saidToWork(sentence: string): ((job: Job) => boolean) | undefined {
  if (!SAYS_SO.test(sentence) || DOUBT.test(sentence.replace(NO_FAULT, ''))) return undefined
  const clauses = sentence.split(/[,;:—–]| and /)
  if (clauses.some((clause) => EVERYTHING.test(clause))) return () => true
  return (job) => clauses.some((clause) => saysOf(job).test(clause))
}

const known = new WeakMap<Job, RegExp>()

/** How people say that a job works: for `npm run build`, that the build works. */
function saysOf(job: Job): RegExp {
  const before = known.get(job)
  if (before !== undefined) return before
  const { name } = job
  const words = [name, name.split(' ').at(-1)!].map((word) => word.replace(/[^\w ]/g, '\\$&'))
  const topics = /test|spec|phpunit/.test(name) ? ['tests?(?: suite| run)?', ...words] : words
  const says = new RegExp(`${BEGIN}(?:${topics.join('|')})s?${VERB}${WORKS}`, 'i')
  known.set(job, says)
  return says
}

/** The call's command, else the first text among its arguments, which mostly is a path. */
function callName(call: ToolCall, command: string | undefined): string {
  const texts = Object.values(Object(call.arguments)).filter((value) => typeof value === 'string')
  const telling = command ?? texts.find((text) => text !== '') ?? ''
  return oneLine(`${call.name} ${telling.slice(0, 1000)}`).slice(0, 120)
}
