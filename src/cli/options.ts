import { type Command, Option } from 'commander'
import { CortextError } from '../errors.ts'
import type { Environment } from '../io/environment.ts'

/** A verb of the command line. */
export interface Verb {
  about: string
  /** An option, by its flags as commander reads them. */
  [flags: Flags]: string | OptionFacts
  /** False for a verb without `--json`. Any other verb that does not name this option has it last. */
  json?: false
  rules?: readonly Rule[]
  /** Command lines, and what they do. */
  examples?: readonly (readonly [line: string, what: string])[]
  /** Whether help, completion and the man page leave the verb out. */
  hidden?: true
  /** Runs before each verb of `verbs`. */
  before?(environment: Environment): Promise<void>
  /** Imports the code of the verb. It gets the arguments as commander does: a list for one that ends in `...`. */
  load?(): Promise<Action>
  verbs?: Verbs
}

/** By the name of a verb and its arguments, such as `fork <id>`. */
export type Verbs = Readonly<Record<string, Verb>>

/** Commander gives arguments and options without their types. */
// biome-ignore lint/suspicious/noExplicitAny: each verb says what it takes
type Action = (environment: Environment, ...given: any[]) => void | Promise<void>

type Flags = `-${string}`

interface OptionFacts {
  about: string
  choices?: readonly string[]
  default?: string
  parse?(value: string, before?: string[]): string[]
  hidden?: true
}

/** The options that `search` and `agent search` share. */
export const SEARCH_OPTIONS = {
  '--type <type>': 'only conversations of this type',
  '--in <client>': 'only conversations of this client',
  '--since <date>': 'only what was said since then',
  '--until <date>': 'only what was said until then, that day included',
  '--author <name>': 'only what this person typed',
  '--role <role>': 'only what user, assistant, tool or system said',
  '--file <path>': 'only conversations whose tools touched this file',
  '--all': 'archived conversations and subagents too',
  '--sort <order>': {
    about: 'of the best conversations, show the best or the oldest first',
    choices: ['relevance', 'time'],
  },
  '--limit <n>': 'at most this many conversations (default: 5)',
  '--json': 'print one JSON document',
}

/** The options of a verb, in the order of its help. */
export function optionsOf(verb: Verb): Option[] {
  const named = Object.keys(verb).filter((key): key is Flags => key.startsWith('-'))
  const all: Flags[] = verb.json === false || '--json' in verb ? named : [...named, '--json']
  return all.map((flags) => {
    const facts = verb[flags] ?? 'print one JSON document'
    if (typeof facts === 'string') return new Option(flags, facts)
    const option = new Option(flags, facts.about).hideHelp(facts.hidden ?? false)
    if (facts.choices !== undefined) option.choices(facts.choices)
    if (facts.parse !== undefined) option.argParser(facts.parse)
    return facts.default === undefined ? option : option.default(facts.default)
  })
}

/**
 * Makes a command what the table says of it, with the verbs below it. If `words` are given, the words of a command line,
 * the verbs that are not among them get no options, which takes most of the time.
 */
export function addVerb(
  command: Command,
  verb: Verb,
  environment: Environment,
  words?: readonly string[],
): void {
  const { rules = [], examples = [], load, before, verbs = {} } = verb
  for (const option of optionsOf(verb)) command.addOption(option)
  for (const rule of rules) rule(command)
  if (examples.length > 0) {
    const lines = examples.map(([line, what]) => `  ${line}\n      ${what}`)
    command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`)
  }
  if (load !== undefined)
    // The last thing that commander gives is the command itself.
    command.action(async (...given) => (await load())(environment, ...given.slice(0, -1)))
  if (before !== undefined) command.enablePositionalOptions().hook('preAction', () => before(environment))
  for (const [usage, below] of Object.entries(verbs)) {
    const added = command.command(usage, { hidden: below.hidden ?? false }).description(below.about)
    if (words === undefined || words.includes(added.name())) addVerb(added, below, environment, words)
  }
}

/** Collects the values of an option that may be given several times. */
export function appendValue(value: string, before: string[] = []): string[] {
  return [...before, value]
}

/*
 * Rules about options that make no sense together. A verb refuses such a call with exit code 2 instead of ignoring an
 * option. A rule names an option by commander's name for its value: `dryRun` for `--dry-run`. It needs all options of
 * its command.
 */
type Rule = (command: Command) => void

/** Refuses any two of these options together. */
export function exclusive(...names: string[]): Rule {
  return (command) => {
    for (const name of names) optionOf(command, name).conflicts(names.filter((other) => other !== name))
  }
}

/** Refuses this option together with other options of the command. Only `others` are allowed with it. */
export function onlyWith(name: string, ...others: string[]): Rule {
  return (command) => {
    const all = command.options.map((option) => option.attributeName())
    optionOf(command, name).conflicts(all.filter((other) => other !== name && !others.includes(other)))
  }
}

/** Refuses these options if the last argument of the command has a value. */
export function withoutArgument(...names: string[]): Rule {
  return beforeAction((called) => {
    const [value] = [called.processedArgs.at(-1)].flat()
    const name = givenIn(called, names)
    if (name !== undefined && value !== undefined)
      throw usageError(called, `option ${flagOf(called, name)} cannot be used with "${value}"`)
  })
}

/** Refuses these options if none of `others` is given. */
export function needs(names: readonly string[], ...others: string[]): Rule {
  return beforeAction((called) => {
    const name = givenIn(called, names)
    if (name === undefined || givenIn(called, others) !== undefined) return
    const wanted = others.map((other) => flagOf(called, other)).join(' or ')
    throw usageError(called, `option ${flagOf(called, name)} needs ${wanted}`)
  })
}

/** Refuses an option of the program before the name of a verb, because a verb has options of its own. */
export function notBeforeVerb(program: Command): void {
  program.hook('preSubcommand', (_, verb) => {
    const [name] = Object.keys(program.opts())
    if (name !== undefined)
      throw usageError(verb, `option ${flagOf(program, name)} comes before the verb "${verb.name()}"`)
  })
}

/** Each of these options sets `other` to `value`. Refuses them if `other` is given with another value. */
export function decides(names: readonly string[], other: string, value: string): Rule {
  return (command) => {
    for (const name of names) optionOf(command, name).implies({ [other]: value })
    beforeAction((called) => {
      const [name, found] = [givenIn(called, names), called.getOptionValue(other)]
      if (name === undefined || found === value) return
      const message = `option ${flagOf(called, name)} cannot be used with ${flagOf(called, other)} ${found}`
      throw usageError(called, message)
    })(command)
  }
}

function beforeAction(check: (called: Command) => void): Rule {
  return (command) => command.hook('preAction', (_, called) => check(called))
}

function givenIn(command: Command, names: readonly string[]): string | undefined {
  return names.find((name) => !['default', undefined].includes(command.getOptionValueSource(name)))
}

function optionOf(command: Command, name: string): Option {
  return command.options.find((option) => option.attributeName() === name)!
}

function flagOf(command: Command, name: string): string {
  const isOff = command.getOptionValue(name) === false
  const all = command.options.filter((option) => option.attributeName() === name)
  return (all.find(({ negate }) => negate === isOff) ?? all[0]!).long!
}

function usageError(command: Command, message: string): CortextError {
  const names: string[] = []
  for (let one: Command | null = command; one !== null; one = one.parent) names.unshift(one.name())
  return new CortextError('usage', message, { fix: [...names, '--help'].join(' ') })
}
