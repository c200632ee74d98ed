import { Command, CommanderError } from 'commander'
import { CortextError } from '../errors.ts'
import { currentEnvironment, type Environment } from '../io/environment.ts'
import { byTypos, countTypos } from '../text/count-typos.ts'
import { paste } from '../text/paste.ts'
import { findRoot, rootAround } from '../workspace/root.ts'
import { note } from './print.ts'
import { reportAtEnd } from './report-error.ts'
import { helpOf } from './verbs/help/overview.ts'
import { addVerbs } from './verbs.ts'

declare const __VERSION__: string

void main()

/**
 * Runs one verb, and turns an error into an exit code (1, 2, 70 or 130: docs/verbs.md). Some verbs set the exit code
 * themselves, for example to the exit code of the client.
 */
async function main(): Promise<void> {
  process.stdout.on('error', onBrokenPipe)
  process.on('uncaughtException', onUncaught)
  try {
    if ((await runVerb()) === 'no workspace yet') await runVerb()
  } catch (error) {
    process.exitCode = reportAtEnd(error)
  }
}

/**
 * Runs the verb of the command line. If it finds no workspace in a work tree that should have one, makes the workspace
 * and returns `no workspace yet`: nothing was done, and the verb can run again.
 */
async function runVerb(): Promise<'no workspace yet' | undefined> {
  const environment = environmentOf(process.argv[2] === 'agent')
  const program = new Command('cortext')
    .version(__VERSION__, '-v, --version')
    .exitOverride()
    .enablePositionalOptions()
    .configureHelp({ sortSubcommands: false, minWidthToWrap: 20, subcommandTerm: termOf, formatHelp: helpOf })
    .helpCommand(true)
    // Commander must not print errors: reportError prints all of them in one form.
    .configureOutput({ outputError: () => undefined })
  addVerbs(program, environment, process.argv)
  try {
    await program.parseAsync()
  } catch (error) {
    // Commander reports help and version as errors with code 0.
    if (error instanceof CommanderError && error.exitCode === 0) return undefined
    // A command without its verb: commander has printed the help.
    if (error instanceof CommanderError && error.code === 'commander.help') {
      process.exitCode = 2
      return undefined
    }
    if (error instanceof CortextError && error.code === 'no-workspace' && (await isMade(environment)))
      return 'no workspace yet'
    throw error instanceof CommanderError ? wrongUsage(program, error) : error
  }
  return undefined
}

/** An agent whose client has gone into a worktree without a workspace works in the workspace around it. */
function environmentOf(isAgent: boolean): Environment {
  const environment = currentEnvironment()
  const root = isAgent && findRoot(environment.cwd) === undefined ? rootAround(environment.cwd) : undefined
  return root === undefined ? environment : { ...environment, cwd: root }
}

async function isMade(environment: Environment): Promise<boolean> {
  // An agent's calls that nobody approves set up nothing.
  if (process.argv[2] === 'agent') return false
  // Another process has made it meanwhile.
  if (findRoot(environment.cwd) !== undefined) return true
  const { comeBack } = await import('../journeys/setup/again-in-worktree.ts')
  const root = await comeBack(environment, environment.cwd)
  if (root !== undefined)
    note(
      `${root} had no workspace, and this machine has one of its repository. It was set up here too, as by cortext init.`,
    )
  return root !== undefined
}

/** Leaves out `[options]`, so that the description has more room. */
function termOf(command: Command): string {
  return `${command.name()} ${command.usage()}`.replace(' [options]', '')
}

function wrongUsage(program: Command, error: CommanderError): CortextError {
  const [word = ''] = process.argv.slice(2)
  const isVerb = program.commands.some((command) => command.name() === word)
  const unknown = !isVerb && error.code === 'commander.excessArguments'
  const message = unknown ? `there is no verb "${word}"` : error.message.replace(/^error: /, '')
  const meant = unknown ? meantVerb(program, word) : undefined
  const help = isVerb || meant !== undefined ? paste`cortext ${meant ?? word} --help` : 'cortext --help'
  // A word of a question may begin so.
  const isWord = word === 'search' && error.code === 'commander.unknownOption'
  const words = isWord
    ? paste`; or, to search for it: cortext search -- ${process.argv.slice(3).join(' ')}`
    : ''
  return new CortextError('usage', meant === undefined ? message : `${message}; did you mean ${meant}?`, {
    fix: help + words,
  })
}

/** Returns the verb that was probably meant; undefined if no verb is near enough. */
function meantVerb(program: Command, word: string): string | undefined {
  // By default, `countTypos` allows no typo in a short word. But a word such as `lst` can only be a mistyped verb.
  const maxTypos = word.length === 3 ? 1 : undefined
  const verbs = program.commands.map((command) => command.name())
  return byTypos(verbs, (name) => countTypos(word, name, maxTypos))[0]
}

/**
 * Reports an error if no exit code is set yet. A child process that cannot be started may emit its error a second time,
 * after the caller has handled the first one.
 */
function onUncaught(error: unknown): void {
  process.exitCode ||= reportAtEnd(error)
}

/** `cortext list | head` is not a failure. */
function onBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
  process.exitCode = 0
}
