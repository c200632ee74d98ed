import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The slowest files, slowest first, by the ends of their paths; CI prints the ten slowest. The list only changes the
 * order in which files start.
 */
export const LONGEST = [
  'append-killed.test.ts',
  'interleaving.test.ts',
  'bad-files.test.ts',
  'launch.test.ts',
  'damage.test.ts',
  'summarising/summarise.test.ts',
  'finding.test.ts',
  'fork.test.ts',
  'recording.test.ts',
  'agent-loop.test.ts',
  'laws.test.ts',
  // Tests with the real clients.
  'e2e/every-pair.test.ts',
  'e2e/gemini-resume.test.ts',
  'e2e/opencode-resume.test.ts',
  'e2e/harmless.test.ts',
  'e2e/opencode-facts.test.ts',
  'e2e/resume-large.test.ts',
  'e2e/picker-clients.test.ts',
  'e2e/interrupted-opencode.test.ts',
  'e2e/several-writers.test.ts',
  'e2e/taken-back.test.ts',
  'e2e/hostile-titles.test.ts',
  'e2e/resume-in-parts.test.ts',
  'e2e/gemini-job.test.ts',
  'e2e/gemini-untold.test.ts',
  'e2e/opencode-adopt.test.ts',
  'e2e/doctor.test.ts',
  'e2e/summarise.test.ts',
]

/**
 * Starts the slowest files first, so that the workers finish together, and the others in vitest's order. Vitest orders
 * by the last run, which a new machine does not have, and otherwise by size.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}`))
      return at < 0 ? LONGEST.length : at
    }
    return (await super.sort(files)).sort((a, b) => place(a) - place(b))
  }
}
