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
  'e2e/personal.test.ts',
  'e2e/stop-in-words.test.ts',
  'e2e/record.test.ts',
  'e2e/every-pair.test.ts',
  'e2e/gemini-resume.test.ts',
  'e2e/recap.test.ts',
  'e2e/picker-screens.test.ts',
  'e2e/after-stop.test.ts',
  'e2e/resume-headless.test.ts',
  'e2e/harmless.test.ts',
  'e2e/opencode-permissions.test.ts',
  'e2e/main-job-resume.test.ts',
  'e2e/opencode-resume.test.ts',
  'e2e/several-writers.test.ts',
  'e2e/codex-resume.test.ts',
  'e2e/codex-job.test.ts',
  'e2e/qwen-record.test.ts',
  'e2e/pi-record.test.ts',
  'e2e/copilot-record.test.ts',
  'e2e/mcp.test.ts',
  'e2e/qwen-permissions.test.ts',
  'e2e/main-job-resume-inside.test.ts',
  'e2e/picker-clients.test.ts',
  'e2e/everywhere.test.ts',
  'e2e/interrupted-claude.test.ts',
  'e2e/doctor.test.ts',
  'e2e/codex-daemon.test.ts',
  'e2e/main-job-sessions.test.ts',
  'e2e/interrupted-codex.test.ts',
  'e2e/opencode-facts.test.ts',
  'e2e/resume-large.test.ts',
  'e2e/interrupted-opencode.test.ts',
  'e2e/opencode-adopt.test.ts',
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
