import { mergeForGit, type Versions } from '../../journeys/merging/merge-session.ts'

/** Git runs it, and says itself what became of a merge. So nothing is printed, and the exit code is the answer. */
export function mergeSession(versions: Versions): void {
  if (!mergeForGit(versions)) process.exitCode = 1
}
