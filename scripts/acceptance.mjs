// Shows which tests prove which requirement: each line of test/acceptance.txt with the tests that name its id in their
// titles and passed in the last run of their suite. `--missing` prints only the `in` rows that no test proves. Exits 1
// when there is such a row, or a title names an unknown id or too many ids.
import { existsSync, readFileSync } from 'node:fs'
import { MAX_IDS, prove } from './acceptance/proofs.mjs'
import { readTable } from './acceptance/table.mjs'
import { readResults } from './test-results.mjs'

/** Result file → the command that writes it. */
const RESULTS = {
  'test-results/unit.json': 'npm test',
  'test-results/laws.json': 'npm run test:laws',
  'test-results/faults.json': 'npm run test:faults',
  'test-results/e2e.json': 'npm run test:e2e',
}

process.stdout.on('error', onBrokenPipe)
const onlyMissing = process.argv.includes('--missing')
const rows = readTable(readFileSync('test/acceptance.txt', 'utf8'))
const tests = Object.entries(RESULTS).flatMap(([path, command]) => testsIn(path, command))
const { proofs, crowded, strangers } = prove(rows, tests)
const wanted = rows.filter(({ status }) => status === 'in')
const missing = wanted.filter(({ id }) => proofs.get(id).length === 0)
printRows(onlyMissing ? missing : rows)
complain()
if (missing.length + crowded.length + strangers.length > 0) process.exitCode = 1

/** Reads a result file and prints its age. */
function testsIn(path, command) {
  if (!existsSync(path)) {
    say(red(`${path} is not there: ${command} makes it`))
    return []
  }
  const { began, files, tests: found } = readResults(path)
  const minutes = Math.round((Date.now() - began) / 60_000)
  const passed = found.filter(({ status }) => status === 'passed').length
  say(
    `${path}: ${passed} tests passed in ${files.length} files, ${minutes} min ago (${command} makes it again)`,
  )
  return found
}

function complain() {
  say('')
  say(
    `${rows.length} rows: ${wanted.length} in, ${count('declined')} declined, ${count('later')} later. ` +
      `${wanted.length - missing.length} of the ${wanted.length} in are proved by tests that passed, ${missing.length} are not` +
      `${missing.length > 0 && !onlyMissing ? ' (--missing lists them)' : ''}.`,
  )
  for (const { file, title, id } of strangers)
    say(red(`${id} is not in test/acceptance.txt: ${file}: ${title}`))
  for (const { file, title, count: ids } of crowded)
    say(red(`${ids} ids in one title, at most ${MAX_IDS}: ${file}: ${title}`))
  if (strangers.length > 0) say('→ add it to test/acceptance.txt, or correct the title')
  if (crowded.length > 0) say('→ make several tests of it')
  if (missing.length > 0)
    say('→ put the id into the title of a test that proves it, or write `| later: …` behind it')
}

function count(status) {
  return rows.filter((row) => row.status === status).length
}

function printRows(shown) {
  let section = ''
  for (const { section: its, id, status, requirement, became } of shown) {
    if (its !== section) {
      section = its
      say('', bold(section))
    }
    const proved = proofs.get(id)
    const mark = status !== 'in' ? dim('·') : proved.length > 0 ? green('✓') : red('✗')
    say(`${mark} ${id.padEnd(9)} ${status === 'in' ? requirement : dim(requirement)}`)
    if (became !== 'in') say(dim(`            ${became}`))
    if (!onlyMissing)
      for (const { file, title } of proved) say(dim(`            ${file.replace(/^test\//, '')}: ${title}`))
  }
}

function say(...lines) {
  for (const line of lines) process.stdout.write(`${line}\n`)
}

function paint(code) {
  const colour = process.stdout.isTTY && !process.env.NO_COLOR
  return (text) => (colour ? `\x1b[${code}m${text}\x1b[0m` : text)
}
function bold(text) {
  return paint(1)(text)
}
function dim(text) {
  return paint(2)(text)
}
function red(text) {
  return paint(31)(text)
}
function green(text) {
  return paint(32)(text)
}

/** `npm run acceptance | head` is not a failure. */
function onBrokenPipe(error) {
  if (error.code !== 'EPIPE') throw error
}
