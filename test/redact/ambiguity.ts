import { ALL, bit, type Letters, parts, type Tree } from './pattern-tree.ts'

/**
 * Tells whether a regular expression may take more than linear time: whether there is a text that it can read in a
 * number of ways that grows with the length of the text. The pattern becomes an automaton of its letters (Glushkov's).
 * Time grows exponentially where a letter can follow another one in two ways within a loop, and as a power where a loop
 * can hand over to another loop that reads the same text. A search that starts anywhere begins with a loop over all.
 *
 * What it takes to be constant: a repetition of at most `FEW` times without a loop in it. What it does not see: how
 * often a pattern is tried on the same letters, and look-around (each is judged by itself, as `parts` says).
 */
export function growthOf(regex: RegExp): string | undefined {
  for (const { tree, anchored, key } of parts(regex)) {
    if (!known.has(key)) known.set(key, growthOfTree(tree, anchored))
    const growth = known.get(key)
    if (growth !== undefined) return growth
  }
  return undefined
}

/** Most patterns share their look-arounds. */
const known = new Map<string, string | undefined>()

/** A repetition that may run longer counts as one without an end. */
const FEW = 300

/** An automaton whose states are the letters of a pattern. `ends` are the states behind which nothing has to follow. */
interface Automaton {
  letters: Letters[]
  next: Set<number>[]
  ends: Set<number>
  /** Two ways from one state to another one. */
  twice: [number, number][]
}

/** `free`: without the start of the text before it, or without a condition behind it. */
interface Piece {
  empty: boolean
  freeBefore: boolean
  freeBehind: boolean
  first: number[]
  freeFirst: number[]
  last: number[]
  freeLast: number[]
}

function growthOfTree(tree: Tree, anchored: boolean): string | undefined {
  const automaton = automatonOf(tree, anchored)
  const loops = loopsOf(automaton)
  const twice = automaton.twice.find(([from, to]) => loops[from]!.has(to) && loops[to]!.has(from))
  if (twice !== undefined) return `two ways on within a loop, at ${show(automaton.letters[twice[1]]!)}`
  for (const from of loops.keys()) {
    for (const to of loops.keys()) {
      if (from === to || automaton.ends.has(to) || !loops[from]!.has(from) || !loops[to]!.has(to)) continue
      if (handsOver(automaton, loops, from, to))
        return `a loop at ${show(automaton.letters[from]!)}, then one at ${show(automaton.letters[to]!)}`
    }
  }
  return undefined
}

function automatonOf(tree: Tree, anchored: boolean): Automaton {
  const automaton: Automaton = { letters: [], next: [], ends: new Set(), twice: [] }
  const whole = pieceOf(tree, automaton)
  automaton.ends = new Set(whole.freeLast)
  if (!anchored && whole.freeFirst.length > 0) {
    const anywhere = state(automaton, ALL)
    for (const to of [anywhere, ...new Set(whole.freeFirst)]) automaton.next[anywhere]!.add(to)
  }
  return automaton
}

function state({ letters, next }: Automaton, of: Letters): number {
  next.push(new Set())
  return letters.push(of) - 1
}

function link({ next, twice }: Automaton, from: readonly number[], to: readonly number[]): void {
  for (const one of from) {
    for (const other of to) {
      if (next[one]!.has(other)) twice.push([one, other])
      next[one]!.add(other)
    }
  }
}

function pieceOf(tree: Tree, automaton: Automaton): Piece {
  switch (tree.type) {
    case 'letter': {
      const at = [state(automaton, tree.letters)]
      return {
        empty: false,
        freeBefore: false,
        freeBehind: false,
        first: at,
        freeFirst: at,
        last: at,
        freeLast: at,
      }
    }
    case 'start':
      return { ...EMPTY, freeBefore: false }
    case 'assertion':
      return { ...EMPTY, freeBehind: false }
    case 'sequence':
      return tree.items.reduce<Piece>(
        (before, item) => inTurn(before, pieceOf(item, automaton), automaton),
        EMPTY,
      )
    case 'choice':
      return tree.items.map((item) => pieceOf(item, automaton)).reduce(either)
    case 'repeat': {
      const states = automaton.letters.length
      const body = pieceOf(tree.body, automaton)
      const loops = hasLoop(automaton, states)
      if (tree.max > FEW || (tree.max > 1 && loops)) link(automaton, body.last, body.first)
      return tree.min === 0 ? either(EMPTY, body) : body
    }
  }
}

const EMPTY: Piece = {
  empty: true,
  freeBefore: true,
  freeBehind: true,
  first: [],
  freeFirst: [],
  last: [],
  freeLast: [],
}

function inTurn(a: Piece, b: Piece, automaton: Automaton): Piece {
  link(automaton, a.last, b.first)
  return {
    empty: a.empty && b.empty,
    freeBefore: a.freeBefore && b.freeBefore,
    freeBehind: a.freeBehind && b.freeBehind,
    first: [...a.first, ...(a.empty ? b.first : [])],
    freeFirst: [...a.freeFirst, ...(a.freeBefore ? b.freeFirst : [])],
    last: [...b.last, ...(b.empty ? a.last : [])],
    freeLast: [...b.freeLast, ...(b.freeBehind ? a.freeLast : [])],
  }
}

function either(a: Piece, b: Piece): Piece {
  return {
    empty: a.empty || b.empty,
    freeBefore: a.freeBefore || b.freeBefore,
    freeBehind: a.freeBehind || b.freeBehind,
    first: [...a.first, ...b.first],
    freeFirst: [...a.freeFirst, ...b.freeFirst],
    last: [...a.last, ...b.last],
    freeLast: [...a.freeLast, ...b.freeLast],
  }
}

function hasLoop({ next }: Automaton, from: number): boolean {
  return next.slice(from).some((targets, i) => [...targets].some((to) => to >= from && to <= from + i))
}

/** For each state, the states that it reaches and that reach it. */
function loopsOf({ next }: Automaton): Set<number>[] {
  const reached = next.map((targets) => {
    const seen = new Set(targets)
    for (const one of seen) for (const to of next[one]!) seen.add(to)
    return seen
  })
  return reached.map((seen, from) => new Set([...seen].filter((to) => reached[to]!.has(from))))
}

/** Whether one text leads from `from` back to it, from `from` to `to`, and from `to` back to it. */
function handsOver(
  { letters, next, ends }: Automaton,
  loops: Set<number>[],
  from: number,
  to: number,
): boolean {
  const keyOf = (a: number, b: number, c: number) => (a * letters.length + b) * letters.length + c
  const seen = new Set([keyOf(from, from, to)])
  const todo: [number, number, number][] = [[from, from, to]]
  for (const [a, b, c] of todo) {
    for (const c2 of next[c]!) {
      if (!loops[to]!.has(c2) || ends.has(c2)) continue
      for (const a2 of next[a]!) {
        const both = letters[a2]! & letters[c2]!
        if (!loops[from]!.has(a2) || both === 0n) continue
        for (const b2 of next[b]!) {
          // Behind an end, the pattern has matched: nothing is tried again.
          if (ends.has(b2) || (letters[b2]! & both) === 0n) continue
          if (a2 === from && b2 === to && c2 === to) return true
          const key = keyOf(a2, b2, c2)
          if (seen.has(key)) continue
          seen.add(key)
          todo.push([a2, b2, c2])
        }
      }
    }
  }
  return false
}

function show(letters: Letters): string {
  const codes = Array.from({ length: 129 }, (_, code) => code).filter((code) => (letters & bit(code)) !== 0n)
  return JSON.stringify(String.fromCharCode(...codes.filter((code) => code > 31).slice(0, 8)))
}
