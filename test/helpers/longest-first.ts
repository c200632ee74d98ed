import { basename } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files that take longest, by what CI prints at its end, the longest first; names without their folders. Whether a
 * file is named here changes nothing but the time at which all of them are done.
 */
export const LONGEST = [
  'append-killed.test.ts',
  'interleaving.test.ts',
  'bad-files.test.ts',
  'launch.test.ts',
  'damage.test.ts',
  'summarise.test.ts',
  'finding.test.ts',
  'fork.test.ts',
  'recording.test.ts',
  'agent-loop.test.ts',
  'laws.test.ts',
  // With the real clients.
  'nine-pairs.test.ts',
  'opencode-resume.test.ts',
  'gemini-resume.test.ts',
  'harmless.test.ts',
  'gemini-job.test.ts',
  'main-job-sessions.test.ts',
  'claude-facts-hooks.test.ts',
]

/**
 * Starts the longest files first, so that the workers finish together; the others in vitest's order. Vitest's own order
 * alone goes by the last run, which a new machine has not had, and then by size, which says little.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.indexOf(basename(moduleId))
      return at < 0 ? LONGEST.length : at
    }
    return (await super.sort(files)).sort((a, b) => place(a) - place(b))
  }
}
