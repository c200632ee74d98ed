// Reads the files of vitest's JSON reporter.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

/**
 * Reads a file of vitest's JSON reporter. Each of `tests` has its file, its titles (of its groups, then its own), its
 * status (`passed`, `failed`, `skipped`, `todo`), its errors, and `secondTry`: whether it passed only at its second try,
 * because then it has the errors of the first one. Each of `files` has its seconds, and whether it failed without any
 * of its tests failing, with the error. Throws if the file is missing or has another format.
 */
export function readResults(path, root = process.cwd()) {
  const { startTime, testResults } = JSON.parse(readFileSync(path, 'utf8'))
  const files = testResults.map(
    ({ name, startTime: from, endTime: to, status, message, assertionResults: tests }) => ({
      file: relative(root, name),
      seconds: (to - from) / 1000,
      // A file that cannot be loaded, or whose beforeAll or afterAll throws.
      broken: status === 'failed' && tests.every((test) => test.status !== 'failed'),
      errors: [message],
      tests: tests.map(({ ancestorTitles, title, status, failureMessages }) => ({
        file: relative(root, name),
        titles: [...ancestorTitles.filter((one) => one !== ''), title],
        status: ['pending', 'disabled'].includes(status) ? 'skipped' : status,
        errors: failureMessages,
        secondTry: status === 'passed' && failureMessages.length > 0,
      })),
    }),
  )
  return { began: startTime, files, tests: files.flatMap(({ tests }) => tests) }
}

/**
 * The tests that failed at a try, and the files that failed without one, as lines: the titles, then the first lines of
 * the errors of each try.
 */
export function failuresOf({ files, tests }) {
  const failures = [
    ...files.filter(({ broken }) => broken),
    ...tests.filter(({ errors }) => errors.length > 0),
  ]
  return failures.map(({ file, titles = [], errors }) =>
    [
      [file, ...titles].join(' › '),
      ...errors.flatMap((error) => error.split('\n').slice(0, 30)).map((one) => `  ${one}`),
    ].join('\n'),
  )
}
