import {
  type CommandArgument,
  type CompoundList,
  forEachChild,
  type PipelineNode,
  parse,
  type Statement,
  type SyntaxNode,
} from 'unbash'

/** A program with its arguments. A quoted argument has its quotes, always `"`. */
export type Stage = readonly string[]

/** What runs whether or not the part before it worked, as after `;`. `&&` and `||` join the pipes of a part. */
export interface Part {
  pipes: Stage[][]
  /** Whether the part has `||`, so that a failure in it may be hidden. */
  hasOr: boolean
}

/** The number of characters of a command line that are read, without its here-documents. */
export const READ_LENGTH = 2000
const MAX_DOCUMENTS = 8000
/** A here-document: its mark, and the rest of the line behind the mark. */
const HERE_DOCUMENT = /<<-?\s*(['"]?)(\w+)\1([^\n]*)\n(?:[^\n]*\n){0,500}?[ \t]*\2(?=[\s)"]|$)/g

/**
 * Returns what a command line runs, in order, without redirections, comments, assignments and here-documents. Commands in
 * loops, conditions and groups count, and so does what a shell is given to run, as in `bash -c "npm test"`. Commands in
 * `$(…)` do only in assignments. Of lines that are no Bash, it returns what can be read as such.
 */
export function partsOf(line: string): Part[] {
  const parts: Part[] = []
  const read = line.slice(0, MAX_DOCUMENTS).replace(HERE_DOCUMENT, '$3').slice(0, READ_LENGTH)
  for (const statement of parse(read).commands) addStatement(parts, statement)
  return parts.filter(({ pipes }) => pipes.length > 0)
}

/** Returns the programs that a command line runs, with their arguments, in order. */
export function stagesOf(line: string): Stage[] {
  return partsOf(line).flatMap(({ pipes }) => pipes.flat())
}

/** Returns an argument without the quotes around it. */
export function unquoted(word: string): string {
  return word.startsWith('"') ? word.replace(/^"|"$/g, '') : word
}

function addStatement(parts: Part[], { command }: Statement): void {
  const part: Part = { pipes: [], hasOr: false }
  parts.push(part)
  const nodes = command.type === 'AndOr' ? command.commands : [command]
  part.hasOr = command.type === 'AndOr' && command.operators.includes('||')
  for (const node of nodes) addPipe(parts, part, node)
}

function addPipe(parts: Part[], part: Part, node: PipelineNode): void {
  const stages: Stage[] = []
  for (const command of node.type === 'Pipeline' ? node.commands : [node]) {
    // An assignment ends as the command in it: `found=$(npm test)`.
    if (command.type !== 'Command' || command.name === undefined) {
      for (const { commands } of listsIn(command)) addList(parts, part, stages, commands)
      continue
    }
    const words = withoutPrefix([command.name, ...command.args].map(asTyped))
    const given = givenToShell(words)
    if (given !== undefined) addList(parts, part, stages, parse(given).commands)
    else if (words.length > 0) stages.push(words)
  }
  if (stages.length > 0) part.pipes.push(stages)
}

/** A single command in a group is one of the pipe around it: `(cd a && npm test) | tail`. */
function addList(parts: Part[], part: Part, stages: Stage[], list: readonly Statement[]): void {
  const [only, ...more] = list
  if (only === undefined) return
  if (more.length > 0) {
    for (const statement of list) addStatement(parts, statement)
    return
  }
  const inner: Part[] = []
  addStatement(inner, only)
  const [own, ...others] = inner
  part.pipes.push(...own!.pipes.slice(0, -1))
  part.hasOr ||= own!.hasOr
  stages.push(...(own!.pipes.at(-1) ?? []))
  parts.push(...others)
}

type List = Pick<CompoundList, 'commands'>

/**
 * The lists of commands in a group, loop, condition or assignment. What a function would do is not done here.
 */
function listsIn(node: SyntaxNode): List[] {
  const lists: List[] = []
  if (node.type === 'Function') return lists
  forEachChild(node, (child) => {
    if (child.type === 'CompoundList' || child.type === 'Script') lists.push(child)
    else lists.push(...listsIn(child))
  })
  return lists
}

function asTyped(word: CommandArgument): string {
  return word.type === 'Word' && /^['"]/.test(word.text) ? `"${word.value}"` : word.text
}

function withoutPrefix(words: Stage): Stage {
  const cut = cutFront(words, PREFIX)
  return cut === undefined ? words : withoutPrefix(cut.rest)
}

/** Cuts off the words at the front that have a form; undefined if there are none. The form ends behind a space. */
export function cutFront(words: Stage, form: RegExp): { found: RegExpExecArray; rest: Stage } | undefined {
  const line = words.map((word) => word.replace(/\s/g, '_')).join(' ')
  const found = form.exec(line)
  if (found === null || found[0] === '') return undefined
  return { found, rest: words.slice(found[0].trimEnd().split(' ').length) }
}

/** An option of `uv run` and its like, with its value: ` --with pytest`. */
const OPTION_OF_RUN = String.raw` +(?:--?(?:with(?:-\w+)?|from|extra|group|only-group|python|project|directory|env-file|index|index-url|spec|name|prefix|[pnC]) +\S+|-(?!m |-package)\S+)`

/** What may precede a program without changing what it does: `CI=1 timeout 60 uv run --with pytest pytest`. */
const PREFIX = new RegExp(
  `^(?:${[
    String.raw`\w+=\S*|sudo|time|env|command(?! -)|exec|nohup|timeout(?: -[ks] \S+| -\S+)* \S+`,
    String.raw`npx(?: (?:-p|--package)[ =]\S+| -\S+)*|bunx(?: --bun)?|pnpx|(?:npm|pnpm|yarn) (?:exec|dlx)(?: --)?|bun x`,
    String.raw`(?:pnpm|yarn|bun)(?= +(?:vitest|jest|mocha|ava|eslint|oxlint|prettier|biome|(?:vue-)?tsc|playwright|cypress)\b)`,
    `(?:(?:uv|poetry|pipenv|rye|hatch|pdm|(?:conda|mamba|micromamba)) run|uvx|uv tool run|pipx run)(?:${OPTION_OF_RUN})*(?: +-m)?`,
    String.raw`mise (?:x|exec)(?: [\w@.-]+)* --|bundle exec|rbenv exec|direnv exec \S+`,
    String.raw`(?:\S*[\\/])?(?:python[\d.]*(?:\.exe)?|py)(?: -(?:[XW] \S+|[\dBuIEsSdO.]+))* -m|coverage run(?: -\S+)* -m`,
    String.raw`php(?= +(?:artisan|\S*bin\/))|wsl(?:\.exe)?(?: (?:-d \S+|-e|--))*`,
  ].join('|')}) +`,
)

/** Returns the command line that a stage gives to a shell to run: `npm test` for `nix-shell --run "npm test"`. */
function givenToShell(words: Stage): string | undefined {
  const shell = SHELLS.find(({ program }) => program.test(words[0] ?? ''))
  const at = shell === undefined ? -1 : words.findIndex((word, index) => index > 0 && shell.option.test(word))
  const [first, ...rest] = words.slice(at + 1)
  if (at === -1 || first === undefined) return undefined
  return first.startsWith('"') ? unquoted(first) : shell!.isRest ? [first, ...rest].join(' ') : undefined
}

/** Programs that get a command line after an option. `isRest`: also as the rest of their own line. */
const SHELLS = [
  { program: /(?:^|[\\/])(?:ba|z|da|fi)?sh(?:\.exe)?$/, option: /^-[a-z]*c$/ },
  { program: /^nix-shell$/, option: /^--run$/, isRest: true },
  { program: /^nix$/, option: /^(?:-c|--command)$/, isRest: true },
  { program: /(?:^|[\\/])(?:pwsh|powershell)(?:\.exe)?$/i, option: /^-(?:c|command)$/i, isRest: true },
  { program: /^cmd(?:\.exe)?$/i, option: /^\/c$/i, isRest: true },
]
