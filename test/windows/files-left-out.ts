/** Files in which every test is left out on Windows, because their first lines need what is missing there. */
export const FILES_LEFT_OUT: Record<string, string> = {
  'test/io/inside.test.ts': 'makes symbolic links and named pipes',
  'test/io/regular-file.test.ts': 'makes named pipes',
  'test/redact/redact-growth.test.ts': 'one of the laws, which take long',
  'test/redact/redact-laws.test.ts': 'one of the laws, which take long',
  'test/context/covering.test.ts': 'one of the laws, which take long',
  'test/context/laws.test.ts': 'one of the laws, which take long',
  'test/context/messages.test.ts': 'one of the laws, which take long',
  'test/context/pruned-part.test.ts': 'one of the laws, which take long',
  'test/store/machine/locks/lock.test.ts': 'one of the laws, which take long',
  'test/store/machine/locks/lock-killed.test.ts': 'one of the laws, which take long',
}

/** Files that start so many programs, or try so many random cases, that they take minutes under Wine. Windows runs them. */
export const LEFT_OUT_UNDER_WINE = [
  'test/workspace/git/commit.test.ts',
  'test/store/record/pruned-lines.test.ts',
  'test/store/machine/journal/journal.test.ts',
  'test/store/record/messages.test.ts',
]
