import { type Argument, Command, type Option } from 'commander'
import { clientList, readerList } from '../clients/index.ts'
import { STRATEGY_NAMES } from '../context/strategies/index.ts'
import type { OptionRow, VerbRow, VerbTable, Words } from '../extras/completion/index.ts'
import type { Environment } from '../io/environment.ts'
import { STATUSES } from '../session/schema.ts'
import { ROLES } from './filters.ts'
import { EXAMPLES } from './verbs/help/examples.ts'
import { addVerbs } from './verbs.ts'

/** Returns the table of verbs as data. Runs no verb. */
export function verbTable(): VerbTable {
  const program = new Command('cortext')
  addVerbs(program, NOWHERE)
  return {
    description: program.description(),
    options: shownOptions(program),
    verbs: program.commands.map((command) => verbRow(command)),
  }
}

const NOWHERE: Environment = { cwd: '/', home: '/', env: {}, now: () => new Date(), interactive: false }

function verbRow(command: Command, above = ''): VerbRow {
  const name = command.name()
  return {
    name,
    usage: command.registeredArguments.map(shownArgument).join(' '),
    description: command.description(),
    hidden: Reflect.get(command, '_hidden') === true,
    options: shownOptions(command),
    words: command.registeredArguments.map(wordsOfArgument),
    examples: EXAMPLES[`${above}${name}`] ?? [],
    verbs: command.commands.map((one) => verbRow(one, `${name} `)),
  }
}

function shownOptions(command: Command): OptionRow[] {
  return command.options.filter(({ hidden }) => !hidden).map(optionRow)
}

function shownArgument(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`
  return argument.required ? `<${name}>` : `[${name}]`
}

function optionRow(option: Option): OptionRow {
  const { short, long, flags, description, argChoices } = option
  const [value = ''] = /<.*>|\[.*\]/.exec(flags) ?? []
  return {
    flags: [short, long].filter((flag) => flag !== undefined),
    value,
    description,
    words: value === '' ? 'anything' : (argChoices ?? wordsOfName(long ?? '', value)),
  }
}

function wordsOfArgument(argument: Argument): Words {
  // The client after `import`. The client of an option is one that can be started.
  if (argument.name() === 'client') return readerList().map(({ id }) => id)
  return argument.argChoices ?? wordsOfName('', `<${argument.name()}>`)
}

/**
 * Returns the words that complete a value. The placeholder of the value decides, because a placeholder means the same
 * in all verbs. Only `<name>` has several meanings, so it has no words.
 */
function wordsOfName(long: string, value: string): Words {
  if (long === '--strategy') return STRATEGY_NAMES
  const name = value.replace(/[<>[\].]/g, '')
  switch (name) {
    case 'id':
    case 'query':
      return 'conversations'
    case 'type':
      return 'types'
    case 'file':
    case 'path':
    case 'dir':
      return 'files'
    case 'client':
      return clientList().map(({ id }) => id)
    case 'status':
      return STATUSES
    case 'role':
      return ROLES
    default:
      return 'anything'
  }
}
