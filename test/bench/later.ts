// Measures what a context keeps of what is used later (later.mjs). Each session is cut before a prompt; the context is
// built of what is before, and what the rest uses again is looked for in it. Beside it, in as many tokens: the newest
// talk, the newest talk with calls and results, and a random choice of messages with their calls and results. Asserts
// nothing.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readTranscript } from '../../src/clients/claude/read/index.ts'
import { o200k } from '../../src/context/tokens/index.ts'
import { isPrompt, isTalk, livePath, textOf } from '../../src/session/live-path.ts'
import type { Message } from '../../src/session/schema.ts'
import { cortext, filler, newestFirst, shuffled } from './facts/methods.ts'
import { KINDS, type Kind, keptIn, usedAgain } from './later/used.ts'

const BUDGETS = [4000, 8000, 20_000, 50_000]
/** Short sessions are reported by themselves: those with fewer tokens, calls and results included. */
const SHORT = [8000, 16_000]
const METHODS = ['cortext', 'tail of the talk', 'tail with calls and results', 'random messages'] as const
/** A session is cut at these parts of its prompts. */
const CUTS = [1 / 3, 2 / 3]
/** The least messages of the talk before and after a cut, and the least items that are used again. */
const MIN_BEFORE = 6
const MIN_AFTER = 4
const MIN_ITEMS = 5

interface Measured {
  /** The tokens of all that is before the cut, calls and results included. */
  size: number
  used: Record<Kind, number>
  kept: { method: string; budget: number; kinds: Record<Kind, number> }[]
}

const [folder = '', ...flags] = process.argv.slice(2)
const tokenizer = await o200k()
const measured = readdirSync(folder)
  .sort()
  .flatMap((name) => cutsOf(sessionIn(join(folder, name))).flatMap(measure))

if (flags.includes('--json')) process.stdout.write(`${JSON.stringify(measured)}\n`)
else {
  report('All', measured)
  for (const most of SHORT)
    report(
      `With less than ${most} tokens before the cut`,
      measured.filter(({ size }) => size < most),
    )
}

function sessionIn(file: string): Message[] {
  const raw = { nativeId: 'session', bytes: readFileSync(file), readSideFile: () => undefined, sideFiles: [] }
  return livePath(readTranscript(raw).messages)
}

/** What is before and after each cut. */
function cutsOf(live: readonly Message[]): [Message[], Message[]][] {
  const prompts = live.flatMap((message, index) => (isPrompt(message) ? [index] : []))
  const cuts = new Set(CUTS.map((part) => prompts[Math.floor(prompts.length * part)] ?? 0))
  return [...cuts].flatMap((cut): [Message[], Message[]][] => {
    const [before, after] = [live.slice(0, cut), live.slice(cut)]
    const enough = before.filter(isTalk).length >= MIN_BEFORE && after.filter(isTalk).length >= MIN_AFTER
    return enough ? [[before, after]] : []
  })
}

function measure([before, after]: [Message[], Message[]]): Measured[] {
  const items = usedAgain(before, after)
  const used = counted((kind) => items[kind].size)
  if (KINDS.reduce((sum, kind) => sum + used[kind], 0) < MIN_ITEMS) return []
  const said = before.filter((message) => isTalk(message) && textOf(message).trim() !== '').map(textOf)
  const filled = fillerOf(said)
  const all = before.map((message) =>
    [textOf(message), ...(message.tool_calls ?? []).map((call) => JSON.stringify(call.arguments))].join('\n'),
  )
  const filledWithCalls = fillerOf(all)
  const kept = BUDGETS.flatMap((budget) => {
    const texts = [
      cortext(before, budget, tokenizer),
      filled(newestFirst(said.length), budget, 'tail').text,
      filledWithCalls(newestFirst(all.length), budget, 'tail').text,
      filledWithCalls(shuffled(all.length), budget, 'head').text,
    ]
    return METHODS.map((method, n) => ({ method, budget, kinds: keptIn(texts[n]!, items) }))
  })
  return [{ size: all.reduce((sum, text) => sum + tokenizer.count(text), 0), used, kept }]
}

function fillerOf(texts: readonly string[]) {
  const costs = texts.map((text) => tokenizer.count(`${text}\n\n`))
  return filler(texts, costs, tokenizer)
}

function counted(count: (kind: Kind) => number): Record<Kind, number> {
  return Object.fromEntries(KINDS.map((kind) => [kind, count(kind)])) as Record<Kind, number>
}

/** Prints the shares of what was kept: the mean of the cuts, so that each session counts the same. */
function report(title: string, some: readonly Measured[]): void {
  const sizes = KINDS.map((kind) => `${kind} ${some.reduce((sum, { used }) => sum + used[kind], 0)}`)
  process.stdout.write(`${title}: ${some.length} cuts (${sizes.join(', ')})\n\n`)
  for (const budget of BUDGETS) {
    process.stdout.write(
      `| ${budget} tokens | ${[...KINDS, 'all'].join(' | ')} |\n| --- | ${'---: | '.repeat(5).trim()}\n`,
    )
    for (const method of METHODS) {
      const shares = [...KINDS.map((kind) => [kind]), KINDS].map((kinds) =>
        share(some, method, budget, kinds),
      )
      process.stdout.write(`| ${method} | ${shares.join(' | ')} |\n`)
    }
    process.stdout.write('\n')
  }
}

function share(some: readonly Measured[], method: string, budget: number, kinds: readonly Kind[]): string {
  const shares = some.flatMap(({ used, kept }) => {
    const own = kept.find((one) => one.method === method && one.budget === budget)!
    const sum = (counts: Record<Kind, number>) => kinds.reduce((all, kind) => all + counts[kind], 0)
    return sum(used) === 0 ? [] : [sum(own.kinds) / sum(used)]
  })
  return `${((100 * shares.reduce((all, one) => all + one, 0)) / Math.max(shares.length, 1)).toFixed(1)} %`
}
