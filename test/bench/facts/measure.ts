import { readTranscript } from '../../../src/clients/claude/read/index.ts'
import type { Tokenizer } from '../../../src/context/tokens/index.ts'
import { type Fact, haystack, holds, KINDS, type Kind } from './fact.ts'
import { findFacts } from './find.ts'
import { BUDGETS, cortext, type Method, others } from './methods.ts'
import { readTalk } from './talk.ts'

/** What one transcript yields: its facts, and of each method and budget which of them it keeps. */
export interface Measured {
  facts: Fact[]
  compacted: boolean
  kept: { method: Method; budget: number; tokens: number; facts: boolean[] }[]
}

/** Undefined where the file is no transcript of Claude Code. */
export function measure(bytes: Uint8Array, tokenizer: Tokenizer): Measured | undefined {
  const talk = readTalk(Buffer.from(bytes).toString())
  if (talk === undefined) return undefined
  const facts = findFacts(talk)
  const { messages } = readTranscript({
    nativeId: 'session',
    bytes,
    readSideFile: () => undefined,
    sideFiles: [],
  })
  const fill = others(talk, tokenizer)
  const kept = BUDGETS.flatMap((budget) =>
    [['cortext', cortext(messages, budget, tokenizer)] as [Method, string], ...fill(budget)].map(
      ([method, text]) => {
        const hay = haystack(text)
        const tokens = tokenizer.count(text)
        return { method, budget, tokens, facts: facts.map((fact) => holds(hay, fact)) }
      },
    ),
  )
  return { facts, compacted: talk.compactions.length > 0, kept }
}

export interface Recall {
  method: Method
  budget: number
  /** The mean tokens that the method used. */
  tokens: number
  /** Kept facts of all facts of the kind, over all transcripts; kinds without a fact are missing. */
  kinds: Partial<Record<Kind, number>>
  /** The mean over the kinds: each counts the same, however many facts it has. */
  mean: number
  /** Kept facts of all facts: kinds with many facts count more. */
  all: number
}

export function recall(measured: readonly Measured[], method: Method, budget: number): Recall {
  const rows = measured.flatMap(({ facts, kept }) => {
    const own = kept.find((one) => one.method === method && one.budget === budget)
    return own === undefined ? [] : [{ facts, own }]
  })
  const kinds: Recall['kinds'] = {}
  for (const kind of KINDS) {
    const found = rows.flatMap(({ facts, own }) => own.facts.filter((_, n) => facts[n]!.kind === kind))
    if (found.length > 0) kinds[kind] = share(found.filter(Boolean).length, found.length)
  }
  const shares = Object.values(kinds)
  const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)
  const tokens = Math.round(share(sum(rows.map(({ own }) => own.tokens)), rows.length))
  const flags = rows.flatMap(({ own }) => own.facts)
  const all = share(flags.filter(Boolean).length, flags.length)
  return { method, budget, tokens, kinds, mean: share(sum(shares), shares.length), all }
}

function share(part: number, all: number): number {
  return all === 0 ? 0 : part / all
}
