// Runs the steps of .ci/run, each with a time limit. The output of a step is printed when the step has ended. All steps
// run, even after one has failed. The unit tests use both cores, so only downloads run at the same time. The end-to-end
// tests wait half of the time and play a person at a terminal, so only short steps run with them, at a low priority.
// `node scripts/ci.mjs lint types` runs only the build and the steps whose names contain one of these words.
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { failuresOf, readResults } from './test-results.mjs'

const words = process.argv.slice(2)
const minutes = (count) => count * 60_000

/**
 * Makes a step run at a low priority, for which it needs a longer limit. Each step is a session. If the kernel groups
 * processes by session, only the priority of the group counts.
 */
const atLowPriority = (step) => ({
  ...step,
  // For steps that were named somebody waits.
  run: `${words.length > 0 ? '' : LOW}${step.run}`,
})

const LOW = '{ echo 12 >/proc/self/autogroup; } 2>/dev/null; renice -n 12 $$ >/dev/null; '

/** With more certificates node takes three times as long to start. Tests have no network. */
const OFFLINE = 'env --unset=NODE_EXTRA_CA_CERTS'

/** Phases run one after the other, the lanes of a phase side by side, and the steps of a lane one after the other. */
const phases = [
  [[{ name: 'build', run: 'CORTEXT_BUILT= npm run --silent build', limit: minutes(2) }]],
  [
    // The command that CONTRIBUTING.md names.
    [
      {
        name: 'unit tests',
        run: `${OFFLINE} npm test`,
        results: 'test-results/unit.json',
        limit: minutes(35),
      },
    ],
    // On a slow machine the unit tests leave little for these, so their limits are as long.
    [
      { name: 'clients', run: 'node test/e2e/clients/install.mjs', limit: minutes(25) },
      { name: 'browser', run: 'node test/e2e/browser/install.mjs', limit: minutes(25) },
    ].map(atLowPriority),
  ],
  [
    [
      {
        name: 'end-to-end tests',
        run: `${OFFLINE} npm run --silent test:e2e`,
        results: 'test-results/e2e.json',
        mustNotSkip: true,
        limit: minutes(45),
      },
    ],
    [
      { name: 'format and lint', run: 'npx biome ci --error-on-warnings .', limit: minutes(12) },
      { name: 'types', run: 'npm run --silent types', limit: minutes(12) },
      { name: 'unused code', run: 'npm run --silent unused', limit: minutes(12) },
      { name: 'package lint', run: 'npm run --silent package-lint', limit: minutes(5) },
      { name: 'workflows', run: 'node scripts/lint-workflows.mjs', limit: minutes(2) },
      { name: 'bundles', run: 'node scripts/check-bundles.mjs', limit: minutes(4) },
      { name: 'demo', run: 'node scripts/check-demo.mjs', limit: minutes(5) },
      // 26 is the newest line with long-term support; the registry's package `node` ships the program.
      { name: 'package, Node 26 too', run: 'node scripts/check-package.mjs 26', limit: minutes(25) },
    ].map(atLowPriority),
  ],
  // Not together with the end-to-end tests, because these time out when both cores are busy.
  [
    [
      {
        name: 'laws',
        run: `${OFFLINE} npm run --silent test:laws`,
        results: 'test-results/laws.json',
        limit: minutes(25),
      },
      {
        name: 'faults',
        run: `${OFFLINE} npm run --silent test:faults`,
        results: 'test-results/faults.json',
        limit: minutes(10),
      },
    ],
  ],
  [[{ name: 'acceptance', run: 'npm run --silent acceptance -- --missing', limit: minutes(1) }]],
]

/** Tests that passed only at the second try are reported by name. More of them than this are a failure. */
const MAX_SECOND_TRIES = 2

const chosen = ({ name }) =>
  name === 'build' || words.length === 0 || words.some((word) => name.includes(word))
const done = []
for (const lanes of phases)
  await Promise.all(
    lanes.map(async (lane) => {
      for (const step of lane.filter(chosen)) done.push(await carryOut(step))
    }),
  )
report()

/** Runs a step and returns its result, with the test results if it writes them. */
async function carryOut({ name, run, limit, results, mustNotSkip }) {
  say(`▶ ${name}`)
  // Results of an earlier run must not count for this one.
  if (results !== undefined) rmSync(results, { force: true })
  const began = performance.now()
  const { why, output } = await shell(run, limit)
  const tests = results === undefined ? undefined : whatTestsDid(results)
  const step = {
    name,
    why: why || (tests === undefined ? '' : whyNot(tests, mustNotSkip)),
    tests,
    output,
    seconds: (performance.now() - began) / 1000,
  }
  say('', `── ${name} ${'─'.repeat(Math.max(0, 76 - name.length))}`, output.trimEnd(), line(step), '')
  return step
}

/** Runs a command line and collects its output. Kills its process group at the limit. `why` is '' after a success. */
function shell(command, limit) {
  return new Promise((resolve) => {
    const child = spawn('bash', ['-c', command], {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      // No step may build dist/ again, because other steps use it at the same time.
      env: { ...process.env, CORTEXT_BUILT: '1' },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        output += text
      })
    let late = false
    const timer = setTimeout(() => {
      late = true
      process.kill(-child.pid, 'SIGKILL')
    }, limit)
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve({
        why: late ? `took longer than ${limit / 60_000} min` : code === 0 ? '' : `exit code ${code}`,
        output,
      })
    })
  })
}

/** Counts the tests in a result file; without the file the counts are 0. */
function whatTestsDid(results) {
  const { files, tests } = readOrNothing(results)
  const failures = failuresOf({ files, tests: tests.filter(({ status }) => status === 'failed') })
  const count = (status) => tests.filter((test) => test.status === status).length
  return {
    passed: count('passed'),
    failed: failures.length,
    skipped: count('skipped') + count('todo'),
    failures,
    secondTries: tests.filter(({ secondTry }) => secondTry),
    files,
  }
}

function readOrNothing(results) {
  try {
    return readResults(results)
  } catch {
    return { files: [], tests: [] }
  }
}

function whyNot({ passed, failed, skipped, secondTries }, mustNotSkip) {
  if (passed === 0) return 'no test was run'
  if (failed > 0) return `${failed} tests failed`
  if (mustNotSkip && skipped > 0) return `${skipped} tests were skipped`
  if (secondTries.length > MAX_SECOND_TRIES) return `${secondTries.length} tests needed a second try`
  return ''
}

function report() {
  const ran = done.flatMap(({ tests }) => tests ?? [])
  const slowest = ran.flatMap(({ files }) => files).sort((a, b) => b.seconds - a.seconds)
  const again = ran.flatMap(({ secondTries }) => secondTries)
  say('── the ten slowest files '.padEnd(80, '─'))
  say(...slowest.slice(0, 10).map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`), '')
  say(`── second tries: ${again.length} (at most ${MAX_SECOND_TRIES}) `.padEnd(80, '─'))
  say(...failuresOf({ files: [], tests: again }), '')
  const failed = done.filter(({ why }) => why !== '')
  if (failed.length > 0) say('── what failed '.padEnd(80, '─'), ...failed.flatMap(whatFailed), '')
  say('── result '.padEnd(80, '─'), ...done.map(line), '')
  const good = done.length - failed.length
  const sum = (count) => ran.reduce((total, tests) => total + tests[count], 0)
  say(`${good + sum('passed')} passed, ${done.length - good + sum('failed')} failed`)
  if (good < done.length) process.exitCode = 1
}

/** Errors of tests stand far up in the output, so they are printed again. Of another step, the end of its output is. */
function whatFailed({ name, why, tests, output }) {
  if (tests?.failures.length > 0) return tests.failures
  return [`${name}: ${why}`, ...output.trimEnd().split('\n').slice(-30)]
}

function line({ name, why, tests, seconds }) {
  const counts =
    tests === undefined ? '' : `  ${tests.passed} passed, ${tests.failed} failed, ${tests.skipped} skipped`
  return `${why === '' ? '✓' : '✗'} ${name.padEnd(22)} ${seconds.toFixed(1).padStart(6)} s${counts}${why === '' ? '' : `  (${why})`}`
}

function say(...lines) {
  for (const one of lines) process.stdout.write(`${one}\n`)
}
