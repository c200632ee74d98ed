import { randomInt } from 'node:crypto'

/**
 * Set by `npm run test:long`: the tests take every pinned version of each client, many more runs of the costly laws, and
 * a new process for each start of the program. Otherwise they take the newest version of each client and fewer runs.
 */
export const LONG = process.env.CORTEXT_TEST_LONG === '1'

/**
 * Number of runs of a costly law: `long` for `npm run test:long`, otherwise `usual`; `CORTEXT_RUNS` overrides both.
 * Each call takes a new seed and prints it. `CORTEXT_SEED` repeats a run.
 */
export function runs(usual: number, long: number): { numRuns: number; seed: number } {
  const numRuns = Number(process.env.CORTEXT_RUNS ?? (LONG ? long : usual))
  const seed = Number(process.env.CORTEXT_SEED ?? randomInt(2 ** 31))
  process.stdout.write(`${numRuns} runs, CORTEXT_SEED=${seed}\n`)
  return { numRuns, seed }
}

/**
 * Laws kill a program at a step of what it does on the disk, and again at a later one, until it lives: at every step in
 * `npm run test:long`, otherwise at every third, from one of the first three.
 */
export const KILL_STRIDE = LONG ? 1 : 3
export const firstKill = (): number => 1 + randomInt(KILL_STRIDE)

/** Time limit of a costly law, in ms. */
export const TIME_FOR_RUNS = LONG ? 1_800_000 : 180_000
