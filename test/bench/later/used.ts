import { toolVocabulary } from '../../../src/clients/all-tools.ts'
import { isTalk, textOf } from '../../../src/session/live-path.ts'
import type { Message } from '../../../src/session/schema.ts'
import { commandOf } from '../../../src/session/tool-use.ts'

export const KINDS = ['files', 'identifiers', 'commands', 'rare words'] as const
export type Kind = (typeof KINDS)[number]
export type Items = Record<Kind, Set<string>>

/** A word counts as rare when at most this many messages before the cut have it. */
const RARE = 2
const TOOLS = toolVocabulary()

/** What `rest` uses of what was said, called or read in `before`. Results of the rest are not used by anybody. */
export function usedAgain(before: readonly Message[], rest: readonly Message[]): Items {
  const known = wordsOf(before.map((message) => [textOf(message), ...argumentsOf(message)].join('\n')))
  const [earlier, later] = [namesIn(before), namesIn(rest.filter(isTalk))]
  const told = new Map<string, number>()
  for (const message of before)
    for (const word of plainWords(textOf(message))) told.set(word, (told.get(word) ?? 0) + 1)
  const rare = (word: string) => (told.get(word) ?? 0) > 0 && told.get(word)! <= RARE
  return {
    files: both(earlier.files, later.files),
    identifiers: both(known, later.identifiers),
    commands: both(earlier.commands, later.commands),
    'rare words': new Set([...later.words].filter(rare)),
  }
}

function both(before: ReadonlySet<string>, after: ReadonlySet<string>): Set<string> {
  return new Set([...after].filter((one) => before.has(one)))
}

/** How many of the items of each kind a text has. */
export function keptIn(text: string, items: Items): Record<Kind, number> {
  const known = wordsOf([text])
  const plain = plainWords(text)
  const files = new Set(filesIn(text))
  const commands = ` ${text.replace(/[^\w./-]+/g, ' ')} `
  const count = (some: ReadonlySet<string>, has: (one: string) => boolean) => [...some].filter(has).length
  return {
    files: count(items.files, (one) => files.has(one)),
    identifiers: count(items.identifiers, (one) => known.has(one)),
    commands: count(items.commands, (one) => commands.includes(` ${one} `)),
    'rare words': count(items['rare words'], (one) => plain.has(one)),
  }
}

function namesIn(messages: readonly Message[]) {
  const names = {
    files: new Set<string>(),
    identifiers: new Set<string>(),
    commands: new Set<string>(),
    words: new Set<string>(),
  }
  for (const message of messages) {
    const given = argumentsOf(message)
    for (const one of [textOf(message), ...given])
      for (const [word] of one.matchAll(WORD)) if (isIdentifier(word)) names.identifiers.add(word)
    for (const one of given) for (const file of filesIn(one)) names.files.add(file)
    for (const call of message.tool_calls ?? [])
      for (const one of commandsIn(commandOf(TOOLS, call, message.client) ?? '')) names.commands.add(one)
    for (const word of plainWords(textOf(message))) names.words.add(word)
  }
  return names
}

function argumentsOf(message: Message): string[] {
  const textsIn = (value: unknown): string[] =>
    typeof value === 'string'
      ? [value]
      : typeof value === 'object' && value !== null
        ? Object.values(value).flatMap(textsIn)
        : []
  return (message.tool_calls ?? []).flatMap((call) => textsIn(call.arguments))
}

const WORD = /[\p{L}\p{N}_]+(?:[.-][\p{L}\p{N}_]+)*/gu

/** The words of texts, and the parts of dotted and hyphenated ones. */
function wordsOf(texts: readonly string[]): Set<string> {
  const words = new Set<string>()
  for (const text of texts)
    for (const [word] of text.matchAll(WORD)) {
      words.add(word)
      for (const part of word.split(/[.-]/)) words.add(part)
    }
  return words
}

/** camelCase, snake_case, dotted.names and names with digits; no numbers, versions and file names. */
function isIdentifier(word: string): boolean {
  return (
    word.length > 3 &&
    word.length < 60 &&
    /^[A-Za-z_]/.test(word) &&
    !word.includes('-') &&
    !FILE.test(word) &&
    (/[a-z][A-Z]/.test(word) || /\w_\w/.test(word) || /\w\.\w/.test(word) || /\d/.test(word))
  )
}

const FILE = /^[\w.-]*\.(?:go|md|sh|json|jsonl|toml|ya?ml|txt|ts|js|mjs|py|mod|sum|log|lock)$/

/** The names, without their folders, of files in a text: contexts may name a file by its last part. */
function filesIn(text: string): string[] {
  return [...text.matchAll(/[\w./~-]+/g)].flatMap(([path]) => {
    const name = path.split('/').at(-1)!
    return FILE.test(name) ? [name] : []
  })
}

/** The first words of the commands in a line: `git commit`, `go test`, `ls`. */
function commandsIn(line: string): string[] {
  const [first = ''] = line.split('\n')
  return first.split(/&&|\|\||[;|]/).flatMap((part) => {
    const [, name, sub] = /^\s*(?:\w+=\S+ )*([a-z][\w.-]*)(?: ([a-z][a-z:-]+)(?=\s|$))?/.exec(part) ?? []
    return name === undefined || name === 'cd' ? [] : [sub === undefined ? name : `${name} ${sub}`]
  })
}

function plainWords(text: string): Set<string> {
  return new Set(
    [...text.toLowerCase().matchAll(/(?<![\p{L}\p{N}_])\p{L}{5,}(?![\p{L}\p{N}_])/gu)].map(([word]) => word),
  )
}
