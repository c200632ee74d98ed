/** Reads shell commands in the forms in which clients record them. */

/**
 * The command that an argument contains: a text, or a program with its words, such as `["bash", "-lc", "npm test"]`.
 * Undefined when it contains none.
 */
export function commandIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value
  if (!Array.isArray(value) || !value.every((word) => typeof word === 'string')) return undefined
  const words: string[] = value
  const [program = '', ...rest] = words
  // A patch is one word. It is read as it is, so it gets no quotes.
  if (program === 'apply_patch') return words.join(' ')
  const script = SHELL.test(program) ? rest.findIndex((word) => RUNS_SCRIPT.test(word)) : -1
  const command = script === -1 ? words.map(quoted).join(' ') : (rest[script + 1] ?? '')
  return command === '' ? undefined : command
}

const SHELL = /(?:^|[\\/])(?:bash|sh|zsh|dash|fish|pwsh|powershell|cmd)(?:\.exe)?$/i
/** The option after which a shell expects the command: `-lc`, `-Command`, `/c`. */
const RUNS_SCRIPT = /^(?:-[a-z]*c|-Command|\/c)$/i

function quoted(word: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

/**
 * The patch that a shell command gives to `apply_patch`, with the paths as seen from where the agent began; undefined when
 * there is none. `given`: the arguments of the call.
 */
export function patchInCommand(command: string | undefined, given: unknown): string | undefined {
  const begin = command === undefined ? null : PATCH.exec(command)
  if (command === undefined || begin === null) return undefined
  const end = command.indexOf(PATCH_END, begin.index)
  const from = begin.index + begin[0].length - PATCH_BEGIN.length
  const patch = command.slice(from, end === -1 ? undefined : end + PATCH_END.length)
  const folder = folderOf(command.slice(0, begin.index), given)
  return folder === undefined
    ? undefined
    : patch.replace(FILE_LINE, (_, head, path) => head + below(folder, path))
}

const PATCH_BEGIN = '*** Begin Patch'
const PATCH_END = '*** End Patch'
const PATCH = /\b(?:apply_patch|applypatch)\b[^\n]{0,200}?\s['"]?\*\*\* Begin Patch/
const FILE_LINE = /^(\*\*\* (?:(?:Add|Update|Delete) File|Move to): )(.+)$/gm

/**
 * The folder in which a part of a command runs, from the parts before it and from the arguments of its call; '' for the
 * folder in which the agent works. Undefined when it is not known.
 */
export function folderOf(before: string, given: unknown): string | undefined {
  const { workdir } = Object(given) as Record<string, unknown>
  let folder = typeof workdir === 'string' ? workdir : ''
  for (const [, rest = ''] of before.matchAll(/(?:^|[;&|(\n])\s*(?:cd|pushd|Set-Location)\b([^;&|\n]*)/g)) {
    const [, quotedName, name] = /^\s+(?:"([^"$`]+)"|'[^']*'|([^\s"'$`~*?]+))\s*$/.exec(rest) ?? []
    const named = quotedName ?? name
    if (named === undefined) return undefined
    folder = below(folder, named)
  }
  return folder
}

/** The path of a file that is named from a folder. */
export function below(folder: string, path: string): string {
  const name = path.trim()
  return folder === '' || /^(?:[/\\~]|[A-Za-z]:)/.test(name)
    ? name
    : `${folder.replace(/[/\\]$/, '')}/${name}`
}
