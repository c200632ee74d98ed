/** The verbs as data. The build puts them into the completion program, and makes the man page from them. */
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
  /** What each argument may be. The last entry is also for all further arguments. */
  words: Words[]
  /** A command line, and its effect. */
  examples: readonly (readonly [line: string, what: string])[]
  /** The verbs below this verb, for example those of `agent`. */
  verbs: VerbRow[]
}

export interface OptionRow {
  flags: string[]
  /** As help shows its value: `<file>`; '' when it has none. */
  value: string
  description: string
  words: Words
}

/** What a word may be: one of a list, a conversation or a type of the workspace, a file, or anything. */
export type Words = readonly string[] | 'conversations' | 'types' | 'files' | 'anything'

/** A word that the shell can offer, and its description. */
export interface Candidate {
  word: string
  about: string
}

/** Candidates, or `files` if the shell must complete a file name. */
export type Completed = Candidate[] | 'files'

/** The names in the workspace. They are read only when they are needed. */
export interface WorkspaceNames {
  conversations(): Candidate[]
  types(): Candidate[]
}

/**
 * Returns the words that the shell can offer for the last word. `words` are the words after `cortext`. The person is
 * still typing the last one, which may be empty. Some shells split words at `=`, and then give `=` as a word.
 */
export function completionsFor(table: VerbTable, words: readonly string[], names: WorkspaceNames): Completed {
  const typed = words.filter((word, index) => word !== '=' || index === words.length - 1)
  const last = typed.at(-1) ?? ''
  const current = last === '=' ? '' : last
  const before = typed.slice(0, -1)
  const { level, argumentCount, openOption } = parseWords(table, before)
  if (openOption !== undefined) return candidatesAmong(openOption.words, current, names)
  const [, flag, value] = /^(--[^=]+)=(.*)$/s.exec(current) ?? []
  if (flag !== undefined) {
    const found = candidatesAmong(optionOf(level, flag)?.words ?? 'anything', value!, names)
    return found === 'files' ? found : found.map((one) => ({ ...one, word: `${flag}=${one.word}` }))
  }
  if (current.startsWith('-')) return starting(flagsOf(level, before), current)
  if (argumentCount === 0 && level.verbs.length > 0) return starting(verbsOf(level), current)
  const { words: expected = [] } = level as Partial<VerbRow>
  return candidatesAmong(expected[argumentCount] ?? expected.at(-1) ?? 'anything', current, names)
}

type Level = Pick<VerbRow, 'options' | 'verbs'> & Partial<Pick<VerbRow, 'words'>>

/**
 * Returns the verb that the words name (`level`), how many arguments it has so far, and the option that needs a value
 * next.
 */
function parseWords(table: VerbTable, before: readonly string[]) {
  let level: Level = table
  let argumentCount = 0
  let openOption: OptionRow | undefined
  for (const word of before) {
    const verb: VerbRow | undefined =
      argumentCount === 0 ? level.verbs.find(({ name }) => name === word) : undefined
    if (openOption !== undefined) openOption = undefined
    else if (word.startsWith('-')) {
      const option = optionOf(level, word)
      if (option !== undefined && option.value !== '') openOption = option
    } else if (verb !== undefined) level = verb
    else argumentCount += 1
  }
  return { level, argumentCount, openOption }
}

function optionOf({ options }: Level, flag: string): OptionRow | undefined {
  return options.find(({ flags }) => flags.includes(flag))
}

/** The flags of the options that can still be given, and `--help`. An option with several values can be given again. */
function flagsOf({ options }: Level, before: readonly string[]): Candidate[] {
  const left = options.filter(
    ({ flags, value }) => value.includes('...') || !flags.some((one) => before.includes(one)),
  )
  const all = left.flatMap(({ flags, description }) => flags.map((word) => ({ word, about: description })))
  return [...all, { word: '--help', about: 'show help' }]
}

function verbsOf({ verbs }: Level): Candidate[] {
  return verbs
    .filter(({ hidden }) => !hidden)
    .map(({ name, description }) => ({ word: name, about: description }))
}

function candidatesAmong(words: Words, current: string, names: WorkspaceNames): Completed {
  if (words === 'files') return 'files'
  if (words === 'anything') return []
  if (words === 'conversations') return starting(names.conversations(), current)
  if (words === 'types') return starting(names.types(), current)
  return starting(
    words.map((word) => ({ word, about: '' })),
    current,
  )
}

function starting(candidates: readonly Candidate[], current: string): Candidate[] {
  return candidates.filter(({ word }) => word.startsWith(current))
}
