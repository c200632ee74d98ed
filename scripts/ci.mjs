// The steps of .ci/run, one after the other, each with a time limit. All are run, also after one has failed.
// `node scripts/ci.mjs lint types` runs only the steps whose names hold one of these words.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const temporary = mkdtempSync(join(tmpdir(), 'cortext-ci-'))
const minutes = (count) => count * 60_000

const steps = [
  { name: 'format and lint', run: 'npx biome ci --error-on-warnings .', limit: minutes(2) },
  { name: 'types', run: 'npm run --silent types', limit: minutes(3) },
  { name: 'build', run: 'npm run --silent build', limit: minutes(2) },
  { name: 'unused code', run: 'npm run --silent unused', limit: minutes(2) },
  { name: 'package lint', run: 'npm run --silent package-lint', limit: minutes(2) },
  { name: 'bundles', run: 'node scripts/check-bundles.mjs', limit: minutes(1) },
  { name: 'unit tests', run: 'npm test --', tests: 'may skip', limit: minutes(15) },
  { name: 'demo', run: 'node scripts/check-demo.mjs', limit: minutes(2) },
  { name: 'package', run: 'node scripts/check-package.mjs', limit: minutes(3) },
  // 26 is the newest line with long-term support; the registry's package `node` ships the program.
  { name: 'package under Node 26', run: 'node scripts/check-package.mjs 26', limit: minutes(5) },
  { name: 'acceptance', run: 'npm run --silent acceptance -- --missing', limit: minutes(1) },
  {
    name: 'end-to-end tests',
    run: 'npx vitest run --config vitest.e2e.config.ts',
    tests: 'must not skip',
    limit: minutes(20),
  },
]

const words = process.argv.slice(2)
const results = []
for (const step of steps.filter(
  ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
))
  results.push(await carryOut(step))
rmSync(temporary, { recursive: true, force: true })
report()

/** Runs a step and says how it went; of test runners also how many tests passed and failed. */
async function carryOut(step) {
  say('', `── ${step.name} ${'─'.repeat(Math.max(0, 76 - step.name.length))}`)
  const began = performance.now()
  const json = join(temporary, `${step.name.replaceAll(' ', '-')}.json`)
  const reporters =
    step.tests === undefined ? '' : ` --reporter=default --reporter=json --outputFile.json=${json}`
  let { passed, why } = await shell(step.run + reporters, step.limit)
  const counts = step.tests === undefined ? undefined : countsIn(json)
  if (passed && counts !== undefined) {
    if (counts.passed === 0) why = 'no test was run'
    else if (counts.failed > 0) why = `${counts.failed} tests failed`
    else if (counts.skipped > 0 && step.tests === 'must not skip')
      why = `${counts.skipped} tests were skipped`
    passed = why === ''
  }
  const result = { name: step.name, passed, why, counts, seconds: (performance.now() - began) / 1000 }
  say(line(result))
  return result
}

/** Runs a command line with our output; at the limit its whole process group is ended. */
function shell(command, limit) {
  return new Promise((resolve) => {
    const child = spawn('bash', ['-c', command], { stdio: ['ignore', 'inherit', 'inherit'], detached: true })
    let late = false
    const timer = setTimeout(() => {
      late = true
      process.kill(-child.pid, 'SIGKILL')
    }, limit)
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve({
        passed: code === 0,
        why: late ? `took longer than ${limit / 60_000} min` : code === 0 ? '' : `exit code ${code}`,
      })
    })
  })
}

/** What vitest's JSON reporter counted; nothing when it did not come to write its file. */
function countsIn(json) {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(
      readFileSync(json, 'utf8'),
    )
    return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests }
  } catch {
    return { passed: 0, failed: 0, skipped: 0 }
  }
}

function report() {
  const sum = (count) => results.reduce((total, { counts }) => total + (counts?.[count] ?? 0), 0)
  const good = results.filter(({ passed }) => passed).length
  say('', '── result '.padEnd(80, '─'), ...results.map(line), '')
  say(`${good + sum('passed')} passed, ${results.length - good + sum('failed')} failed`)
  if (good < results.length) process.exitCode = 1
}

function line({ name, passed, why, counts, seconds }) {
  const tests =
    counts === undefined
      ? ''
      : `  ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`
  return `${passed ? '✓' : '✗'} ${name.padEnd(22)} ${seconds.toFixed(1).padStart(6)} s${tests}${why === '' ? '' : `  (${why})`}`
}

function say(...lines) {
  for (const one of lines) process.stdout.write(`${one}\n`)
}
