/** End-to-end tests that only `npm run test:long` runs, as globs. No promise may rest on them alone (test/promises.test.ts). */
export const LONG_FILES = [
  // What is noted of the pinned clients in docs/clients/. It changes only when a pin does.
  'test/e2e/claude-facts*.test.ts',
  'test/e2e/codex-{facts,lab}.test.ts',
  'test/e2e/opencode-facts.test.ts',
  'test/e2e/plugin-names.test.ts',
  // What happens seldom, or once more in another client. Unit tests play it with recorded transcripts and hooks.
  'test/e2e/codex-threads.test.ts',
  'test/e2e/gemini-older-sessions.test.ts',
  'test/e2e/interrupted-{gemini,opencode}.test.ts',
  'test/e2e/nested-clients.test.ts',
  'test/e2e/opencode-adopt.test.ts',
  'test/e2e/persons-words.test.ts',
  'test/e2e/typed-ahead.test.ts',
  // What unit tests prove as well, on larger data or a longer history.
  'test/e2e/{resume-large,why-history}.test.ts',
]
