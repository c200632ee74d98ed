import type { Command, Option } from 'commander'
import { CortextError } from '../errors.ts'

/** Adds the options that `search` and `agent search` share. */
export function addSearchOptions(command: Command): Command {
  return command
    .option('--type <type>', 'only conversations of this type')
    .option('--in <client>', 'only conversations of this client')
    .option('--since <date>', 'only what was said since then')
    .option('--until <date>', 'only what was said until then, that day included')
    .option('--author <name>', 'only what this person typed')
    .option('--role <role>', 'only what user, assistant, tool or system said')
    .option('--file <path>', 'only conversations whose tools touched this file')
    .option('--all', 'archived conversations and subagents too')
    .option('--limit <n>', 'at most this many conversations (default: 10)')
    .option('--json', 'print one JSON document')
}

/*
 * Rules about options that make no sense together. A verb refuses such a call with exit code 2 instead of ignoring an
 * option. A rule names an option by commander's name for its value: `dryRun` for `--dry-run`. Add the rules of a
 * command after all its options.
 */

/** Refuses any two of these options together. */
export function exclusive(command: Command, ...names: string[]): void {
  for (const name of names) optionOf(command, name).conflicts(names.filter((other) => other !== name))
}

/** Refuses this option together with other options of the command. Only `others` are allowed with it. */
export function onlyWith(command: Command, name: string, ...others: string[]): void {
  const all = command.options.map((option) => option.attributeName())
  optionOf(command, name).conflicts(all.filter((other) => other !== name && !others.includes(other)))
}

/** Refuses these options if the last argument of the command has a value. */
export function withoutArgument(command: Command, ...names: string[]): void {
  command.hook('preAction', (_, called) => {
    const [value] = [called.processedArgs.at(-1)].flat()
    const name = givenIn(called, names)
    if (name === undefined || value === undefined) return
    throw usageError(called, `option ${flagOf(called, name)} cannot be used with "${value}"`)
  })
}

/** Refuses these options if none of `others` is given. */
export function needs(command: Command, names: readonly string[], ...others: string[]): void {
  command.hook('preAction', (_, called) => {
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
export function decides(command: Command, names: readonly string[], other: string, value: unknown): void {
  for (const name of names) optionOf(command, name).implies({ [other]: value })
  command.hook('preAction', (_, called) => {
    const [name, found] = [givenIn(called, names), called.getOptionValue(other)]
    if (name === undefined || found === value) return
    throw usageError(
      called,
      `option ${flagOf(called, name)} cannot be used with ${flagOf(called, other)} ${found}`,
    )
  })
}

function givenIn(command: Command, names: readonly string[]): string | undefined {
  return names.find((name) => !['default', undefined].includes(command.getOptionValueSource(name)))
}

function optionOf(command: Command, name: string): Option {
  return command.options.find((option) => option.attributeName() === name)!
}

function flagOf(command: Command, name: string): string {
  return optionOf(command, name).long!
}

function usageError(command: Command, message: string): CortextError {
  const names: string[] = []
  for (let one: Command | null = command; one !== null; one = one.parent) names.unshift(one.name())
  return new CortextError('usage', message, { fix: [...names, '--help'].join(' ') })
}
