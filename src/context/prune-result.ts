import { wholeCharacters } from '../text/whole-characters.ts'

/**
 * An older tool result, shorter: of a file the first and the last ten lines, of a command its begin and its end, of
 * a search and of anything else the begin. Never inside a character, never longer than it was.
 */
export function pruneResult(content: string, tool = ''): string {
  const pruned = kindOf(tool)(content)
  return pruned.length < content.length ? pruned : content
}

type Prune = (content: string) => string

/** What the three clients, and others, call the tools that answer with a file, a command's output, a search. */
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
  // A line's end behind the last result is no result.
  const results = content.split('\n').filter((line) => line !== '').length
  return content.length > 800 ? `[Search: ${results} results]\n${begin(content)}...` : content
}

function pruneOther(content: string): string {
  return content.length > 800 ? `[Tool output: ${content.length} chars]\n${begin(content)}...` : content
}

function begin(content: string): string {
  return wholeCharacters(content.slice(0, 600))
}
