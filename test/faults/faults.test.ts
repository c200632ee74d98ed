import { expect, test } from 'vitest'
import { KINDS, live, STEPS_OF_A_LIFE } from './life.ts'

/**
 * Number of steps in all. Without it the steps are few and always the same, so that bad luck does not hold up an
 * unrelated change. CONTRIBUTING.md says how to try more.
 */
const ROUNDS = Number(process.env.CORTEXT_FAULTS ?? 25)
const SEED = Number(
  process.env.CORTEXT_SEED ?? (process.env.CORTEXT_FAULTS === undefined ? 8 : Date.now() % 2 ** 31),
)
/** Runs only the kinds whose names contain this. */
const ONLY = process.env.CORTEXT_FAULTS_ONLY ?? ''

const kinds = Object.entries(KINDS).filter(([name]) => name.includes(ONLY))
const lives = Math.ceil(ROUNDS / STEPS_OF_A_LIFE / kinds.length)
/** A short run takes the first steps of each story. A repeated story is taken whole. */
const steps = process.env.CORTEXT_FAULTS === undefined ? Math.ceil(ROUNDS / kinds.length) : STEPS_OF_A_LIFE

for (const [name, kind] of kinds)
  test.concurrent(`nothing that was said is lost, doubled, changed or misplaced by ${name}`, async () => {
    const met: string[] = []
    let broken = 0
    for (let life = 0; life < lives; life++) {
      const lived = await live(kind, SEED + life, steps)
      met.push(...lived.met)
      if (lived.broken === undefined) continue
      broken += 1
      say(`✗ ${name}: CORTEXT_FAULTS_ONLY='${name}' CORTEXT_FAULTS=1 ${lived.broken}`)
    }
    say(`${name}: ${lives * steps} steps, ${tally(met)}; CORTEXT_SEED=${SEED}`)
    expect(broken, 'stories in which the law was broken').toBe(0)
  })

function tally(met: readonly string[]): string {
  const kinds = [...new Set(met)].sort()
  return (
    kinds.map((kind) => `${met.filter((one) => one === kind).length} × ${kind}`).join(', ') || 'no faults'
  )
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
