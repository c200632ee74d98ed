import { type Argument, Command, type Option } from 'commander'
import { clientList } from '../../../clients/index.ts'
import { STRATEGY_NAMES } from '../../../context/strategies/index.ts'
import type { Environment } from '../../../io/environment.ts'
import { STATUSES } from '../../../session/schema.ts'
import { ROLES } from '../../filters.ts'
import { addVerbs } from '../../verbs.ts'
import { EXAMPLES, type Example } from '../help/examples.ts'

/** The verbs as data: the build puts them into what completes words, and makes the man page of them. */
export interface VerbTable {
  description: string
  options: OptionRow[]
  verbs: VerbRow[]
}

export interface VerbRow {
  name: string
  /** As help shows it: `[id]`. */
  usage: string
  description: string
  hidden: boolean
  options: OptionRow[]
  /** What each argument may be. The last one may come again. */
  words: Words[]
  examples: readonly Example[]
  /** The verbs below this one: those of `agent`. */
  verbs: VerbRow[]
}

export interface OptionRow {
  flags: string[]
  /** As help shows its value: `<file>`; '' when it has none. */
  value: string
  description: string
  words: Words
}

/** What a word may be: one of these, a conversation or type of the workspace, a file, or anything. */
export type Words = readonly string[] | 'conversations' | 'types' | 'files' | 'anything'

/** Pure: reads the table of verbs and runs none of them. */
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
  return argument.argChoices ?? wordsOfName('', `<${argument.name()}>`)
}

/** Options and arguments that take the same things have the same names throughout the table of verbs. */
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
