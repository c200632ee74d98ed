import { randomInt } from 'node:crypto'

/**
 * `npm run test:long` sets it: every pinned version of every client, and many more runs of the costly laws. CI goes
 * without: the newest version of each client, and fewer runs. The one switch between the two.
 */
export const LONG = process.env.CORTEXT_TEST_LONG === '1'

/**
 * How often a costly law is tried: `usual` times, `long` times by `npm run test:long`, `CORTEXT_RUNS` times where that
 * is set. The seed is another one each time and is printed, also when the law holds: `CORTEXT_SEED` repeats a run.
 */
export function runs(usual: number, long: number): { numRuns: number; seed: number } {
  const numRuns = Number(process.env.CORTEXT_RUNS ?? (LONG ? long : usual))
  const seed = Number(process.env.CORTEXT_SEED ?? randomInt(2 ** 31))
  process.stdout.write(`${numRuns} runs, CORTEXT_SEED=${seed}\n`)
  return { numRuns, seed }
}

/** Of such a law, in ms. */
export const TIME_FOR_RUNS = LONG ? 1_800_000 : 180_000
