/** Job of a shell command. `npm run test -- -u` and `npx vitest run` have the same job: to run all tests. */
export interface Job {
  /** Program and subcommand. */
  name: string
  /** Words that narrow the job, such as files; in a check, also options that choose tests. */
  scope: readonly string[]
}

/** Returns the jobs of a command line, in order. Commands that only prepare a job or show its output are left out. */
export function jobsIn(command: string): Job[] {
  return withoutQuotesAndRedirections(command)
    .split(/&&|\|\||[;|&\n]/)
    .flatMap((stage) => jobOf(stage) ?? [])
}

/**
 * Returns the jobs that a command without an error has done. If the command is more than a chain of `&&`, its exit code
 * does not show whether each part worked. Then the jobs count only if the output reports success.
 */
export function jobsDone(command: string, output: string): Job[] {
  const end = output.slice(-20_000)
  const chain = !/\|\||[;|\n]|(?<!&)&(?!&)/.test(withoutQuotesAndRedirections(command))
  if (SAYS_FAULT.test(end) || !(chain || SAYS_FINE.test(end)) || DOES_NOTHING.test(command)) return []
  return jobsIn(command)
}

/** Whether the output of a check says that it failed, even if the exit code does not: `npm test | tail`. */
export function runFailed(command: string, output: string): boolean {
  return CHECK_NAMES.test(command) && saysFault(output) && jobsIn(command).some(isCheck)
}

/** Returns the jobs of a command that test, build or check something, by their names. */
export function checksIn(command: string): Job[] {
  return CHECK_NAMES.test(command) ? jobsIn(command).filter(({ name }) => CHECK_NAMES.test(name)) : []
}

/** Whether the end of an output reports a failure. */
function saysFault(output: string): boolean {
  return SAYS_FAULT.test(output.slice(-20_000))
}

/** Whether the job tests, builds or checks something, by its name or that of its script. */
function isCheck(job: Job): boolean {
  return CHECK_NAMES.test(programOf(job))
}

/** Whether a failure of the job blocks work: a test, a build, a check, a commit, a push, a deployment. */
export function blocksWork(job: Job): boolean {
  return isCheck(job) || CHECK_PROGRAMS.test(job.name) || DELIVERS.test(programOf(job))
}

/**
 * Returns the program of a job, or the script that it runs: `build.js` for `node scripts/build.js`, `test` for `mise
 * run test`.
 */
function programOf({ name, scope }: Job): string {
  return SCRIPT_RUNNER.test(name) ? (scope[0]?.split('/').at(-1) ?? name) : name
}

/** Whether a job that was done makes up for one that failed: it is the same job, with the same scope or a wider one. */
export function makesUpFor(done: Job, failed: Job): boolean {
  if (done.name !== failed.name) return false
  const all = failed.scope.every((word) => done.scope.includes(word))
  // A test of one file says nothing about other files. A push to a named remote is still a push.
  if (NARROWABLE_CHECKS.test(done.name)) return done.scope.length === 0 || (failed.scope.length > 0 && all)
  return all && (/[ .]/.test(done.name) || failed.scope.length > 0)
}

/** Number of characters of a command that are read; a longer command usually contains a file. */
const READ_LENGTH = 2000

/**
 * Returns the command without redirections. Quoted text becomes one word that begins with a quote. ASCII signs in it
 * are moved to a private area of Unicode, so that nothing splits the word there; other signs become `_`.
 */
function withoutQuotesAndRedirections(command: string): string {
  return command
    .slice(0, READ_LENGTH)
    .trim()
    .replace(
      /'([^']*)'|"((?:\\.|[^"\\])*)"/g,
      (quoted) => `"${quoted.slice(1, -1).replace(/[^\w./-]/g, hide)}`,
    )
    .replace(/(?<!\d)\d*>>?\s*(?:&\d|[^\s;|&]+)/g, ' ')
}

function hide(sign: string): string {
  const code = sign.charCodeAt(0)
  return code < HIDDEN_SIZE ? String.fromCharCode(HIDDEN + code) : '_'
}

const HIDDEN = 0xe000
const HIDDEN_SIZE = 0x80

/** Returns a word of a job's scope as a person typed it. */
export function asTyped(word: string): string {
  const text = word.replace(/[\ue000-\ue07f]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - HIDDEN))
  return text.startsWith('"') ? `${text}"` : text
}

const PREFIX =
  /^(?:\w+=\S*|sudo|time|env|command|exec|timeout \S+|npx(?: -\S+)*|bunx|pnpx|(?:npm|pnpm|yarn) (?:exec|dlx)(?: --)?|bun x|(?:uv|poetry|pipenv) run|bundle exec|python3? -m) +/
const NO_JOB =
  /^(?:|cd|echo|printf|export|set|source|\.|true|false|sleep|cat|tail|head|grep|rg|tee|sort|uniq|cut|tr|wc|less|pwd|ls|mkdir|which|type|test|\[+|xargs|sed|awk|jq|find|fd|diff|stat|file|du|df|rm|rmdir|cp|mv|ln|touch|chmod|chown|ps|kill|pkill)$/
const SCRIPT_RUNNER = /^(?:node|tsx|bun|deno|python3?|ruby|bash|sh|zsh|mise run)$/
const CHECK_NAMES = /test|build|check(?!out)|lint|tsc|type|vet|compile|spec|make\b/i
const CHECK_PROGRAMS = /\b(?:clippy|mypy|pyright|ruff|biome|prettier|mvnw?|gradlew?|ninja)\b/
const DELIVERS =
  /\b(?:commit|push|merge|rebase|cherry-pick|deploy|publish|(?<!gh )release)\b(?!-)|^(?:kubectl|helm|terraform) (?:apply|upgrade|install)$/i
const PACKAGE_MANAGER = /^(?:npm|pnpm|yarn|bun)$/
const NO_SUBCOMMAND = /^(?:vitest|jest|mocha|ava|pytest|eslint|prettier|tsc|mypy|rspec|phpunit)$/
/** Names that all mean `npm test`. */
const TEST_NAMES = /^(?:npm (?:test|t|tst)|vitest|jest|mocha|ava|node --test)$/
const ALL_TESTS = 'npm test'
const NARROWABLE_CHECKS =
  /\b(?:tests?|pytest|rspec|phpunit|lint|eslint|prettier|check|tsc|types?|typecheck|mypy|vet|clippy)\b/
const NARROWING_OPTIONS =
  /^(?:--?(?:t|k|g|p|grep|filter|only|select|match|project|changed|since|lib|\w*pattern)|-run)(?:=|$)/i
const DOES_NOTHING = /(?:^|\s)(?:--help|-h|--version|--dry-run|--list|--collect-only|--abort)(?:\s|$)/
const SAYS_FAULT =
  /\b[1-9]\d* (?:tests? )?(?:fail\w*|errors?|problems?)\b|^[^\w\n\r\u2028\u2029]*(?:fail(?:ed)?|errors?|fatal|panic|npm err!?)\b|\bexit(?:ed with)? (?:code|status):? [1-9]/im
const SAYS_FINE =
  /\b(?:pass(?:ed|ing)?|succe\w+|green|built|compiled|finished|(?:no|0) errors?)\b|[✓✔]|^ok\b/im

function jobOf(stage: string): Job | undefined {
  let words = stage.trim()
  for (let before = ''; before !== words; ) {
    before = words
    words = words.replace(PREFIX, '')
  }
  const [first = '', ...rest] = words.split(/\s+/)
  const program = first.split('/').at(-1)!
  if (NO_JOB.test(program)) return undefined
  const manager = PACKAGE_MANAGER.test(program)
  const given = manager ? rest.filter((word, index) => index > 0 || !/^run(?:-script)?$/.test(word)) : rest
  const subcommand = given[0] ?? ''
  const named = !NO_SUBCOMMAND.test(program) && /^[a-z][\w:-]*$/i.test(subcommand)
  const name = named ? `${manager ? 'npm' : program} ${subcommand}` : program
  if (program === 'node' && rest.includes('--test')) return { name: ALL_TESTS, scope: scopeOf(rest, true) }
  const scope = scopeOf(named ? given.slice(1) : given, NARROWABLE_CHECKS.test(name) || TEST_NAMES.test(name))
  return { name: TEST_NAMES.test(name) ? ALL_TESTS : name, scope }
}

function scopeOf(words: readonly string[], check: boolean): string[] {
  return words.filter((word, index) => {
    if (/^(?:\.|\.\/?\.\.\.|\*|)$/.test(word) || (index === 0 && /^(?:run|watch)$/.test(word))) return false
    return check ? !word.startsWith('-') || NARROWING_OPTIONS.test(word) : !/^["-]/.test(word)
  })
}
