import { wholeCharacters } from '../text/whole-characters.ts'

/**
 * Kind of a tool result: the text of a file, the matches of a search, or the output of a command. Undefined for others.
 */
export type ResultKind = 'reads' | 'searches' | 'shell' | undefined

/**
 * Shortens an older tool result. A file keeps its first and last ten lines. The output of a command keeps its beginning
 * and its end, and any other result keeps its beginning. The cut never falls inside a character, and the text never
 * gets longer.
 */
export function pruneResult(content: string, kind: ResultKind): string {
  const pruned = PRUNE[kind ?? 'other'](content)
  return pruned.length < content.length ? pruned : content
}

/** Shortens a long argument of a call, such as the text of an edit, to its beginning and its length. */
export function pruneArgument(text: string): string {
  return text.length > 400 ? `${wholeCharacters(text.slice(0, 240))} … [${text.length} chars]` : text
}

const PRUNE = { reads: pruneFile, shell: pruneCommand, searches: pruneSearch, other: pruneOther }

const KEPT_LINES = 10

function pruneFile(content: string): string {
  const lines = content.split('\n')
  const omitted = lines.length - 2 * KEPT_LINES
  if (omitted <= 0) return content
  const [head, tail] = [lines.slice(0, KEPT_LINES), lines.slice(-KEPT_LINES)]
  return `[File: ${lines.length} lines]\n${[...head, `\n... [${omitted} lines omitted] ...\n`, ...tail].join('\n')}`
}

function pruneCommand(content: string): string {
  if (content.length <= 1000) return content
  const [head, tail] = [wholeCharacters(content.slice(0, 400)), wholeCharacters(content.slice(-400))]
  return `[Command output: ${content.length} chars]\n${head}\n...\n${tail}`
}

function pruneSearch(content: string): string {
  // The line break after the last result does not count as a result.
  const results = content.split('\n').filter((line) => line !== '').length
  return content.length > 800 ? `[Search: ${results} results]\n${begin(content)}...` : content
}

function pruneOther(content: string): string {
  return content.length > 800 ? `[Tool output: ${content.length} chars]\n${begin(content)}...` : content
}

function begin(content: string): string {
  return wholeCharacters(content.slice(0, 600))
}
