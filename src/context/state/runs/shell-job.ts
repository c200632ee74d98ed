import { cutFront, partsOf, READ_LENGTH, type Stage, stagesOf, unquoted } from './shell-line.ts'

/** Job of a shell command. `npm run test -- -u` and `npx vitest run` have the same job: to run all tests. */
export interface Job {
  /** Program and subcommand. Jobs that a reader would call the same check have the same name. */
  name: string
  /** Program and subcommand as they were typed: `bun run test`. */
  shown: string
  /** Words that narrow the job, such as files. In a check, also options that choose tests or add tests. */
  scope: readonly string[]
}

/** Returns the jobs of a command line, in order. Commands that only prepare a job or show its output are left out. */
export function jobsIn(command: string): Job[] {
  return stagesOf(command).flatMap((stage) => jobOf(stage) ?? [])
}

/** Returns the texts that a command prints itself: `done` for `npm test && echo "done"`. */
export function printedBy(command: string): string[] {
  return stagesOf(command)
    .filter(([program]) => program === 'echo')
    .map(([, ...words]) => words.map(unquoted).join(' ').trim())
}

/** Whether checks are in several parts of the command, so that a fault may be that of any: `npm run lint; npm test`. */
export function checksApart(command: string): boolean {
  return !isIdle(command) && partsOf(command).filter(({ pipes }) => pipes.flat().some(hasCheck)).length > 1
}

/** Whether a check of the command writes into a pipe, so that `$?` is the exit code of another program. */
export function isPiped(command: string): boolean {
  if (/PIPESTATUS|LASTEXITCODE|pipefail/.test(command) || isIdle(command)) return false
  return partsOf(command).some(({ pipes }) =>
    pipes.some((stages) => stages.length > 1 && hasCheck(stages[0]!)),
  )
}

function hasCheck(stage: Stage): boolean {
  const job = jobOf(stage)
  return job !== undefined && isCheck(job)
}

/** Returns those jobs of a command whose names say that they test, build or check something. */
export function checksIn(command: string): Job[] {
  return isIdle(command) ? [] : jobsIn(command).filter(isCheck)
}

function isIdle(command: string): boolean {
  return DOES_NOTHING.test(command) || SETS_ASIDE.test(command)
}

/** A command that sets uncommitted changes aside. The checks after it run without these changes. */
const SETS_ASIDE = /\bgit stash(?! (?:pop|apply|list|show|drop))\b/

/** Whether the command only shows or undoes something: `npm test -- --help`, `git merge --abort`. */
export function doesNothing(command: string): boolean {
  return DOES_NOTHING.test(command)
}

/**
 * Returns what the exit code of a command line says about its jobs:
 * * `all`: 0 says that all jobs worked. An example is `cd a && npm test`.
 * * `some`: a number above 0 says that a job failed, but 0 says nothing. An example is `npm test | tail`.
 * * `none`: no number says anything. Examples are `npm test | grep FAIL` and `npm test; ls`.
 */
export function exitSpeaksOf(command: string): 'all' | 'some' | 'none' {
  if (command.length > READ_LENGTH) return 'none'
  const parts = partsOf(command)
  const last = parts.pop()
  if (parts.some(({ pipes }) => pipes.flat().some((stage) => jobOf(stage) !== undefined))) return 'none'
  const end = last?.pipes.findLast((stages) => stages.length > 1)?.at(-1)
  if (end === undefined) return last?.hasOr === true ? 'some' : 'all'
  return NEVER_FAILS.test(end[0]!) ? 'some' : 'none'
}

/** Whether the command has another stage than its checks that may fail too: `npm test && git push`. */
export function doesMoreThanCheck(command: string): boolean {
  return stagesOf(command).some((stage) => {
    const job = jobOf(stage)
    return job === undefined ? !HARMLESS.test(stage.join(' ')) : !isCheck(job)
  })
}

/** Stages that only prepare other stages, or show the output of other stages. */
const HARMLESS = /^(?:cd|echo|printf|export|set|source|\.|true|sleep|cat|tail|head|tee|sort|pwd|mkdir -p)\b/

/** Programs that, as the last stage of a pipe, exit with 0 even if an earlier stage failed. */
const NEVER_FAILS = /^(?:tail|head|cat|tee|sort|uniq|wc|sed|tr|cut)$/

/**
 * Whether the name of the job, or of the script that it runs, says that it tests, builds or checks something. Commands
 * of git and of forges do not count.
 */
function isCheck(job: Job): boolean {
  const program = programOf(job)
  if (NO_CHECK.test(job.name)) return false
  if (CHECKS_FORMAT.test(job.shown)) return true
  return CHECK_PROGRAMS.test(program) || CHECK_WORDS.test(program.replace(/([a-z])([A-Z])/g, '$1-$2'))
}

/** Returns those jobs of a command that format files, without checks of the format. */
export function formatsIn(command: string): Job[] {
  return DOES_NOTHING.test(command)
    ? []
    : jobsIn(command).filter((job) => FORMATTERS.test(job.name) && !isCheck(job))
}

/** Whether a failure of the job blocks work. Checks do, and so do jobs that deliver work, such as a commit or a push. */
export function blocksWork(job: Job): boolean {
  return isCheck(job) || FORMATTERS.test(job.name) || DELIVERS.test(programOf(job))
}

/** Returns the program of a job, or the script that it runs: `build.js` for `node scripts/build.js`. */
function programOf({ name, scope }: Job): string {
  return SCRIPT_RUNNER.test(name) ? (scope[0]?.split('/').at(-1) ?? name) : name
}

/**
 * Whether the jobs in `done` make up for a failed job. The same job does, with the same or a wider scope. A task of the
 * project for all jobs of this kind, such as `make test`, does too. If the failed job was for several files, different
 * jobs may make up for different files.
 */
export function makeUpFor(done: readonly Job[], failed: Job): boolean {
  const { places } = narrowings(failed.scope)
  const isOnePlace = places.length < 2 || !NARROWABLE_CHECKS.test(failed.name)
  const rest = failed.scope.filter((word) => !places.includes(unquoted(word)))
  const parts = isOnePlace ? [failed] : places.map((place) => ({ ...failed, scope: [...rest, place] }))
  return parts.every((part) => done.some((one) => makesUpFor(one, part)))
}

function makesUpFor(done: Job, failed: Job): boolean {
  // A commit or `--continue` ends a merge that had conflicts.
  if (MERGES.test(failed.name) && (done.name === 'git commit' || done.name === failed.name))
    return done.name === 'git commit'
      ? failed.name !== 'git rebase'
      : done.scope.length === 0 || hasAll(done, failed)
  if (done.name !== failed.name) {
    const [, compiler] = COMPILES.exec(done.name) ?? []
    if (compiler !== undefined && failed.name.startsWith(`${compiler} `) && IS_COMPILED.test(failed.name))
      return isAsWide(narrowings(done.scope).places, narrowings(failed.scope).places)
    const [, task, all] = TASK.exec(done.name) ?? []
    if (task === undefined || done.scope.length > 0 || !KINDS[kindOf(task)].test(failed.name)) return false
    return all !== undefined || narrowings(failed.scope).more.length === 0
  }
  // A test of one file says nothing about other files. But `git push origin` does everything that `git push` should
  // have done.
  if (NARROWABLE_CHECKS.test(done.name)) return isAsWide(done.scope, failed.scope)
  return hasAll(done, failed) && (/[ .]/.test(done.name) || failed.scope.length > 0)
}

/**
 * A test that compiles what it tests, and what may have failed because it did not compile. What else a `go vet` had found
 * is not known after a test that passed.
 */
const COMPILES = /^(go|cargo|dotnet|swift|mix|mvn|gradle) (?:test|nextest|verify|package|install)$/
const IS_COMPILED = / (?:build|check|vet|compile|compileJava|test-compile|testClasses|assemble)$/

const MERGES = /^git (?:merge|rebase|cherry-pick)$/

function hasAll(done: Job, failed: Job): boolean {
  return failed.scope.every((word) => done.scope.includes(word))
}

/** A task of the project that does all jobs of a kind: `mise run test`, `make lint`. */
const TASK = /^(?:mise(?: run)?|make|just|task|rake) (tests?|lint|build)([:-](?:ci|all))?$/
const KINDS = {
  test: /^(?:pytest|unittest|rspec|phpunit|pest|ctest)$| (?:tests?(?::\S+)?|nextest)$/,
  lint: /^(?:[\w-]*lint(?:-cli2?)?|biome|prettier|ruff|rubocop)\b| (?:lint(?::\S+)?|vet|clippy)$/,
  build: /^tsc$| (?:typecheck|build(?::\S+)?|compile)$/,
}

function kindOf(task: string): keyof typeof KINDS {
  return task === 'lint' || task === 'build' ? task : 'test'
}

function isAsWide(done: readonly string[], failed: readonly string[]): boolean {
  const [one, other] = [narrowings(done), narrowings(failed)]
  return (
    other.more.every((word) => one.more.includes(word)) &&
    one.filters.every((word) => other.filters.includes(word)) &&
    (one.places.length === 0 ||
      (other.places.length > 0 &&
        other.places.every((place) => one.places.some((whole) => isWithin(place, whole)))))
  )
}

/**
 * Sorts the words of a scope: files and folders (`places`), options that choose tests (`filters`), and options that add
 * tests (`more`).
 */
function narrowings(scope: readonly string[]) {
  const [places, filters, more]: [string[], string[], string[]] = [[], [], []]
  for (let index = 0; index < scope.length; index++) {
    const word = unquoted(scope[index]!)
    if (WIDENING_OPTIONS.test(word)) more.push(word)
    else if (!word.startsWith('-')) places.push(word)
    else if (word.includes('=')) filters.push(word)
    else filters.push(`${word}=${unquoted(scope[++index] ?? '')}`)
  }
  return { places, filters, more }
}

/**
 * Whether a file or folder is in another one: `./a/b/c` in `./a/...`, `a/b.ts` in `a`. A file may be named from one of
 * the folders that contain it: `b.ts` for `a/b.ts`.
 */
function isWithin(place: string, whole: string): boolean {
  const inner = place.replace(/^\.\//, '').replace(/\/(?:\.\.\.)?$/, '')
  const outer = whole.replace(/^\.\//, '').replace(/\/$/, '')
  const folder = outer.replace(/(?:^|\/)\.\.\.$/, '')
  if (inner === folder) return true
  if (folder.endsWith(`/${inner}`) || inner.endsWith(`/${folder}`)) return /\.\w+$/.test(folder)
  // In Go, `./a/...` includes the folders below `./a`, and `./a` does not.
  const below = folder === '' ? inner : inner.startsWith(`${folder}/`) ? inner.slice(folder.length + 1) : '/'
  return below !== '/' && (folder !== outer || /\.\w+$/.test(below))
}

const NO_JOB =
  /^(?:|cd|echo|printf|export|set|source|\.|true|false|sleep|cat|tail|head|grep|rg|tee|sort|uniq|cut|tr|wc|less|pwd|ls|mkdir|which|where|command|type|test|\[+|xargs|sed|awk|jq|find|fd|diff|stat|file|du|df|rm|rmdir|cp|mv|ln|touch|chmod|chown|ps|kill|pkill|findstr|mktemp|date|basename|dirname|realpath|seq|for|case|function|done|fi|esac|in|return|exit|local|declare|break|continue)$/
/** The name of a program, or of a script. A word of a text (`notes.txt)`) or of PowerShell (`Test-Path`) is no program. */
const PROGRAM = /^(?!-)[\w@+-]+(?:\.(?:sh|py|[cm]?[jt]s|rb|exe|bat|cmd|ps1|pl|php|\d[\d.]*))?(?:@[\w.-]+)?$/
const CMDLET = /^(?!Invoke-Pester)[A-Z][a-z]+-[A-Z]\w+$/
const SCRIPT_RUNNER = /^(?:node|tsx|bun|deno|python3?|ruby|php|bash|sh|zsh|pwsh|powershell)$/
const CHECK_WORDS =
  /(?:^|[\s:_./-])(?:tests?|unittest|e2e|(?:re)?build|checks?|lint(?:er)?|tsc|types|type-?check|vet|compile|specs?|verify|validate|analy[sz]e|make)(?=$|[\s:_.-])/i
const CHECK_PROGRAMS =
  /^(?:vitest|jest|mocha|ava|pytest|phpunit|pest|rspec|ctest|tox|nox|[\w-]*lint(?:-cli2?)?|svelte-check|clippy|mypy|pyright|ruff check|biome (?:check|lint|ci)|flake8|rubocop|phpstan|psalm|pint|shellcheck|py_compile|mvnw?|gradlew?|ninja|cmake|xcodebuild|playwright|cypress)\b|^(?:cargo (?:clippy|nextest)|mix (?:credo|dialyzer))$/
const NO_CHECK = /^(?:git|gh|glab|pr|kubectl|entire|apt(?:-get)?|brew|pip3?)\b/
const FORMATTERS =
  /^(?:ruff|biome|prettier|black|isort|dprint|rustfmt|(?:npm|cargo|mix|deno|dart|terraform) (?:format|fmt))\b/
/** A formatter with the option `--check`, or the task of the project for it: `npm run format:check`. */
const CHECKS_FORMAT = / --check$|\b(?:format|fmt)[:-]check$/
const CHECK_OPTION = /^(?:--check(?:-only|-formatted)?|-check|--list-different|--set-exit-if-changed)$/
const DELIVERS =
  /\b(?:commit|push|merge|rebase|cherry-pick|deploy|publish|(?<!gh )release)\b(?!-)|^(?:kubectl|helm|terraform) (?:apply|upgrade|install)$/i
const PACKAGE_MANAGER = /^(?:npm|pnpm|yarn|bun)$/
const NO_SUBCOMMAND =
  /^(?:black|isort|rustfmt|vitest|jest|mocha|ava|pytest|eslint|oxlint|prettier|(?:vue-)?tsc|mypy|rspec|phpunit|pest|unittest|py_compile|[\w-]+lint(?:-cli2?)?)$/
/** Names of other programs that do what a script of the project usually does. */
const SAME_JOBS: readonly (readonly [string, RegExp])[] = [
  ['npm test', /^(?:npm (?:test|t|tst)|vitest|jest|mocha|ava|node --test)$/],
  ['npm lint', /^(?:eslint|oxlint|biome (?:check|lint|ci))$/],
  ['npm typecheck', /^(?:(?:vue-)?tsc)$/],
]
const NARROWABLE_CHECKS =
  /\b(?:tests?|pytest|unittest|rspec|phpunit|pest|[\w-]*lint(?:-cli2?)?|prettier|black|isort|rustfmt|format|fmt|check|tsc|types?|typecheck|mypy|vet|clippy|analy[sz]e)\b|^(?:go|cargo|dotnet|swift) build$/
const NARROWING_OPTIONS =
  /^(?:--?(?:t|k|g|p|m|grep|filter|only|select|match|project|changed|since|lib|tests|D\w+|\w*pattern)|-run)(?:=|$)/i
/** Options with which a check does more. A run without such an option says nothing about a run with it. */
const WIDENING_OPTIONS = /^(?:--?(?:tags|build-tags|race|all|all-features|all-targets|workspace)(?:=|$))/
/** Options that take the next word as their value. This word narrows nothing. */
const VALUE_OPTIONS =
  /^(?:--?(?:tags|build-tags|o|f|timeout|testTimeout|count|cpu|parallel|c|config|reporter|n|w|maxWorkers|workers|coverprofile|ldflags|gcflags|max-warnings|format|tb|seed|retries|bench|benchtime|target|module|moduleResolution|outdir|outfile|verbosity|destination|scheme|sdk))$/
const DOES_NOTHING =
  /(?:^|\s)(?:--help|-h|--version|--dry-run|--list|--collect-only|--no-run|--listTests|--abort)(?:\s|$)/
/** Options between a program and its subcommand. What chooses a package of the workspace narrows the job. */
const OPTION_BEFORE =
  /^(?:(--filter|-F|-w|--workspace)[ =](\S+)|(?:-C|--prefix|--cwd|--dir|--directory|--manifest-path)[ =]\S+|--?(?:r|s|q|B|silent|quiet|recursive|if-present|no-daemon|workspace-root|yes|y)(?=\s)|workspace (\S+))\s+/

function jobOf([first = '', ...words]: Stage): Job | undefined {
  const program = first
    .split(/[/\\]/)
    .at(-1)!
    .replace(/\.(?:exe|cmd|bat)$/, '')
  // A program in /tmp was usually built during the talk. It counts as no job, even if its name is `my-test`.
  if (
    NO_JOB.test(program) ||
    !PROGRAM.test(program) ||
    CMDLET.test(program) ||
    /^(?:\w+=|\/tmp\/)/.test(first)
  )
    return undefined
  const { rest, filters } = withoutOptionsBefore(program, words)
  if (program === 'node' && rest.includes('--test'))
    return { name: 'npm test', shown: 'node --test', scope: scopeOf(rest, true) }
  const { name, shown, left } = nameOf(program, rest)
  const same = SAME_JOBS.find(([, others]) => others.test(name))?.[0] ?? name
  const scope = [...filters, ...scopeOf(left, NARROWABLE_CHECKS.test(same))]
  const checksFormat = FORMATTERS.test(name) && rest.some((word) => CHECK_OPTION.test(word))
  return { name: same, shown: checksFormat ? `${shown} --check` : shown, scope }
}

/** Removes the options before a subcommand, and returns those that narrow the job: `pnpm --filter web test`. */
function withoutOptionsBefore(program: string, words: Stage): { rest: Stage; filters: string[] } {
  const filters: string[] = []
  let rest = words
  if (/^(?:npm|pnpm|yarn|bun|make|git|go|cargo|mvnw?|gradlew?)$/.test(program))
    for (let cut = cutFront(rest, OPTION_BEFORE); cut !== undefined; cut = cutFront(rest, OPTION_BEFORE)) {
      const package_ = cut.found[2] ?? cut.found[3]
      if (package_ !== undefined) filters.push(`--filter=${package_}`)
      rest = cut.rest
    }
  return { rest, filters }
}

/** The name of a job, the name as it was typed, and the words after it. */
function nameOf(
  program: string,
  rest: readonly string[],
): Pick<Job, 'name' | 'shown'> & { left: readonly string[] } {
  const runs = RUNS_TASKS.test(`${program} ${rest[0] ?? ''}`)
  const given = runs ? rest.slice(1) : rest
  const isBuildTool = /^(?:mvnw?|gradlew?|xcodebuild)$/.test(program)
  const at = isBuildTool ? given.findIndex((word) => !word.startsWith('-') && word !== 'clean') : 0
  const subcommand = given[at] ?? ''
  const typed = [program, ...(runs ? [rest[0]!] : []), subcommand].join(' ')
  const left = given.filter((word, index) => index !== at && !(isBuildTool && word === 'clean'))
  if (PACKAGE_MANAGER.test(program) && /^[a-z][\w:-]*$/i.test(subcommand))
    return {
      name: `npm ${taskOf(subcommand).replace(/(?<=^(?:tests?|lint|build))[:-](?:ci|all)$/, '')}`,
      shown: typed,
      left,
    }
  if (isBuildTool && subcommand !== '')
    return { name: `${program.replace(/w$/, '')} ${subcommand.split(':').at(-1)}`, shown: typed, left }
  const named = !NO_SUBCOMMAND.test(program) && /^[a-z][\w:-]*$/i.test(subcommand)
  if (!named) return { name: program, shown: program, left: given }
  const compiles = program === 'go' && rest.includes('-c') ? ' -c' : ''
  const task = runs || TASK_RUNNER.test(program) ? taskOf(subcommand) : subcommand
  const before = program === 'mise' && runs ? 'mise run' : program
  return { name: `${before} ${task}${compiles}`, shown: `${typed}${compiles}`, left }
}

/** Programs whose next word only says that a task of the project follows. */
const RUNS_TASKS =
  /^(?:npm run(?:-script)?|(?:pnpm|yarn|bun|mise|turbo|composer) run|composer run-script|deno task)$/
const TASK_RUNNER = /^(?:make|just|task|rake|turbo|composer|deno)$/

/** The task that a reader would call the same: `lint` for `lint:fix`, `typecheck` for `check-types`. */
function taskOf(task: string): string {
  if (/^(?:(?:check[:-])?types?(?:[:-]?check)?|tsc|typecheck)$/i.test(task)) return 'typecheck'
  const [, plain] =
    /^(tests?|lint|format|fmt|build|typecheck)[:-](?:fix|run|once|check|cov(?:erage)?)$/.exec(task) ?? []
  return plain ?? task
}

function scopeOf(words: readonly string[], check: boolean): string[] {
  return words.flatMap((word, index) => {
    if (/^(?:\.|\.\/?\.\.\.|\*|)$/.test(word) || (index === 0 && /^(?:run|watch)$/.test(word))) return []
    if (!check) return /^["-]/.test(word) ? [] : [word]
    if (VALUE_OPTIONS.test(words[index - 1] ?? '')) return []
    if (WIDENING_OPTIONS.test(word) && VALUE_OPTIONS.test(word)) return [`${word}=${words[index + 1] ?? ''}`]
    return !word.startsWith('-') || NARROWING_OPTIONS.test(word) || WIDENING_OPTIONS.test(word) ? [word] : []
  })
}
