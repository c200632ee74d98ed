import type { Problem } from '../store/record/problem.ts'

/** Returns the number of problems in the files of a record, listed or not. */
export function countProblems(problems: readonly Problem[]): number {
  return problems.reduce((sum, { more = 0 }) => sum + 1 + more, 0)
}
