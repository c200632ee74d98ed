import type { Command, Option } from 'commander'
import { CortextError } from '../errors.ts'

/** The options of `search`, which a person and an agent have alike. */
export function addSearchOptions(command: Command): Command {
  return command
    .option('--type <type>', 'only conversations of this type')
    .option('--in <client>', 'only those of this client')
    .option('--since <date>', 'only what was said since then')
    .option('--author <name>', 'only what this person typed')
    .option('--role <role>', 'only what user, assistant, tool or system said')
    .option('--file <path>', 'only conversations whose tools touched this file')
    .option('--all', 'archived conversations and subagents too')
    .option('--limit <n>', 'at most so many conversations (default: 10)')
    .option('--json', 'print one JSON document')
}

/*
 * Rules about options that make no sense together. A verb refuses such a call with exit code 2, and ignores no option.
 * Options are named as commander names their values: `dryRun` for `--dry-run`. Each rule is added after all options.
 */

/** Refuses each of these options together with each of the others. */
export function exclusive(command: Command, ...names: string[]): void {
  for (const name of names) optionOf(command, name).conflicts(names.filter((other) => other !== name))
}

/** Refuses this option together with all options of the command but `others`. */
export function onlyWith(command: Command, name: string, ...others: string[]): void {
  const all = command.options.map((option) => option.attributeName())
  optionOf(command, name).conflicts(all.filter((other) => other !== name && !others.includes(other)))
}

/** Refuses each of these options together with a value for the last argument of the command. */
export function withoutArgument(command: Command, ...names: string[]): void {
  command.hook('preAction', (_, called) => {
    const [value] = [called.processedArgs.at(-1)].flat()
    const name = givenIn(called, names)
    if (name === undefined || value === undefined) return
    throw wrong(called, `option ${shown(called, name)} cannot be used with "${value}"`)
  })
}

/** Refuses each of these options without one of `others`. */
export function needs(command: Command, names: readonly string[], ...others: string[]): void {
  command.hook('preAction', (_, called) => {
    const name = givenIn(called, names)
    if (name === undefined || givenIn(called, others) !== undefined) return
    const wanted = others.map((other) => shown(called, other)).join(' or ')
    throw wrong(called, `option ${shown(called, name)} needs ${wanted}`)
  })
}

/** Refuses options of the program before the name of a verb, which has options of its own. */
export function notBeforeVerb(program: Command): void {
  program.hook('preSubcommand', (_, verb) => {
    const [name] = Object.keys(program.opts())
    if (name !== undefined)
      throw wrong(verb, `option ${shown(program, name)} comes before the verb "${verb.name()}"`)
  })
}

/** Each of these options decides the value of another one as well, and is refused together with any other value. */
export function decides(command: Command, names: readonly string[], other: string, value: unknown): void {
  for (const name of names) optionOf(command, name).implies({ [other]: value })
  command.hook('preAction', (_, called) => {
    const [name, found] = [givenIn(called, names), called.getOptionValue(other)]
    if (name === undefined || found === value) return
    throw wrong(called, `option ${shown(called, name)} cannot be used with ${shown(called, other)} ${found}`)
  })
}

function givenIn(command: Command, names: readonly string[]): string | undefined {
  return names.find((name) => !['default', undefined].includes(command.getOptionValueSource(name)))
}

function optionOf(command: Command, name: string): Option {
  return command.options.find((option) => option.attributeName() === name)!
}

function shown(command: Command, name: string): string {
  return optionOf(command, name).long!
}

function wrong(command: Command, message: string): CortextError {
  const names: string[] = []
  for (let one: Command | null = command; one !== null; one = one.parent) names.unshift(one.name())
  return new CortextError('usage', message, { fix: [...names, '--help'].join(' ') })
}
