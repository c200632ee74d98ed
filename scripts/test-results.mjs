// Reads the files of vitest's JSON reporter.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

/**
 * Reads a file of vitest's JSON reporter. Each of `tests` has its file, its titles (of its groups, then its own), its
 * status (`passed`, `failed`, `skipped`, `todo`), and `secondTry`: whether it passed only at its second try, because
 * then it has the errors of the first one. Each of `files` has its seconds. Throws if the file is missing or has
 * another format.
 */
export function readResults(path, root = process.cwd()) {
  const { startTime, testResults } = JSON.parse(readFileSync(path, 'utf8'))
  const files = testResults.map(
    ({ name, startTime: from, endTime: to, status, assertionResults: tests }) => ({
      file: relative(root, name),
      seconds: (to - from) / 1000,
      // A file that cannot be loaded has no tests to fail.
      broken: status === 'failed' && tests.length === 0,
      tests: tests.map(({ ancestorTitles, title, status, failureMessages }) => ({
        file: relative(root, name),
        titles: [...ancestorTitles.filter((one) => one !== ''), title],
        status: ['pending', 'disabled'].includes(status) ? 'skipped' : status,
        secondTry: status === 'passed' && failureMessages.length > 0,
      })),
    }),
  )
  return { began: startTime, files, tests: files.flatMap(({ tests }) => tests) }
}
