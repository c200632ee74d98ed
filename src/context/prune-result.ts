import { wholeCharacters } from '../text/whole-characters.ts'

/**
 * Shortens an older tool result. A file keeps its first and last ten lines, a command's output its begin and end, a
 * search and anything else its begin. The cut never falls inside a character, and the result is never longer than
 * before.
 */
export function pruneResult(content: string, tool = ''): string {
  const pruned = kindOf(tool)(content)
  return pruned.length < content.length ? pruned : content
}

type Prune = (content: string) => string

/**
 * Names that the three clients, and others, give their tools that answer with a file, a command's output or a search.
 */
const KINDS: readonly (readonly [RegExp, Prune])[] = [
  [/^(?:read|read_?file|read_?many_?files|notebook_?read)$/i, pruneFile],
  [/^(?:bash|bash-mode|execute_bash|shell|run_shell_command|exec|execute_command)$/i, pruneCommand],
  [/^(?:grep|search|search_file_content|grep_search|rg|find_in_files)$/i, pruneSearch],
]

function kindOf(tool: string): Prune {
  return KINDS.find(([names]) => names.test(tool))?.[1] ?? pruneOther
}

const LINES = 10

function pruneFile(content: string): string {
  const lines = content.split('\n')
  const omitted = lines.length - 2 * LINES
  if (omitted <= 0) return content
  const [head, tail] = [lines.slice(0, LINES), lines.slice(-LINES)]
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
