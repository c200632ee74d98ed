import type { Option } from 'commander'
import { clientList, readerList } from '../clients/index.ts'
import { STRATEGY_NAMES } from '../context/strategies/index.ts'
import type { OptionRow, SCRIPTS, VerbRow, VerbTable, Words } from '../extras/completion/index.ts'
import { STATUSES } from '../session/schema.ts'
import { ROLES } from './option-values.ts'
import { optionsOf, type Verb, type Verbs } from './options.ts'
import { PROGRAM } from './verbs.ts'

/** Returns the table of verbs for completion and the man page. */
export function verbTable(): VerbTable {
  return { description: PROGRAM.about, options: shownOptions(PROGRAM), verbs: rowsOf(PROGRAM.verbs) }
}

function rowsOf(verbs: Verbs = {}): VerbRow[] {
  return Object.entries(verbs).map(([call, verb]) => {
    const [name = '', ...values] = call.split(' ')
    return {
      name,
      usage: values.join(' '),
      description: verb.about,
      hidden: verb.hidden ?? false,
      options: shownOptions(verb),
      // The client after `import`. The client of an option is one that can be started.
      words: values.map((value) =>
        value === '[client]' ? readerList().map(({ id }) => id) : wordsOf('', value),
      ),
      examples: verb.examples ?? [],
      verbs: rowsOf(verb.verbs),
    }
  })
}

function shownOptions(verb: Verb): OptionRow[] {
  return optionsOf(verb)
    .filter(({ hidden }) => !hidden)
    .map(optionRow)
}

function optionRow({ short, long = '', flags, description, argChoices }: Option): OptionRow {
  const [value = ''] = /<.*>|\[.*\]/.exec(flags) ?? []
  return {
    flags: [...(short === undefined ? [] : [short]), long],
    value,
    description,
    words: value === '' ? 'anything' : (argChoices ?? wordsOf(long, value)),
  }
}

/**
 * Returns the words that complete a value. The placeholder of the value decides, because a placeholder means the same
 * in all verbs. Only `<name>` has several meanings, so it has no words.
 */
function wordsOf(long: string, value: string): Words {
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
    case 'shell':
      return SHELLS
    default:
      return 'anything'
  }
}

const SHELLS: readonly (keyof typeof SCRIPTS)[] = ['bash', 'zsh', 'fish']
