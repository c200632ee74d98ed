import type { ToolCall } from '../schema.ts'

/** What a call of cortext in an agent's shell does. Calls that only look are not named. */
export type OwnVerb = 'start' | 'save' | 'stop' | 'resume'

/**
 * What an agent's call does with conversations of cortext: the shell command may be behind `cd x &&`, variables or the
 * name of a shell, in an array, or in a script of Codex CLI. What is quoted, or in a here-document, is no command.
 */
export function ownVerbsOf({ arguments: given }: Pick<ToolCall, 'arguments'>): OwnVerb[] {
  if (typeof given !== 'object' || given === null) return []
  const { command, cmd, input } = given as Record<string, unknown>
  return [command, cmd, ...scriptedCommands(input)]
    .map((line) => (Array.isArray(line) ? line.join(' ') : line))
    .flatMap((line) => (typeof line === 'string' && line.includes('cortext') ? verbsIn(unwrapped(line)) : []))
}

/** The commands in a script of Codex CLI: `tools.exec_command({cmd: "cortext agent stop"})`. */
function scriptedCommands(script: unknown): string[] {
  if (typeof script !== 'string' || !script.includes('cortext')) return []
  return [...script.matchAll(/\bcmd["']?\s*:\s*(["'`])((?:\\.|(?!\1)[^\\])*)\1/gs)].map(([, , line]) =>
    unescaped(line!),
  )
}

/** Returns the command line that a shell is given: `bash -lc "…"`, `cmd /c …`, `pwsh -Command "…"`. */
function unwrapped(line: string): string {
  const [, quote, inner] = SHELL.exec(line) ?? []
  return inner === undefined ? line : quote === '"' ? unescaped(inner) : inner
}

const SHELL =
  /^\s*(?:\S*[\\/])?(?:(?:ba|z|da)?sh|cmd|powershell|pwsh)(?:\.exe)?(?:\s+[-/]\w+)+\s+(["']?)(.*)\1\s*$/is

function unescaped(text: string): string {
  return text.replace(/\\(["'`\\])/g, '$1')
}

function verbsIn(line: string): OwnVerb[] {
  const bare = line
    .replace(HERE_DOCUMENT, ' ')
    .replace(QUOTED, (text) => (CORTEXT.test(text) ? 'cortext' : "''"))
    .replace(REDIRECTION, ' ')
  return [...bare.matchAll(OURS)].flatMap(
    ([, words]) => VERBS.find(([shape]) => shape.test(words!))?.[1] ?? [],
  )
}

const HERE_DOCUMENT = /<<-?\s*(["']?)(\w+)\1.*?\n\s*\2\b/gs
const QUOTED = /"(?:\\.|[^"\\])*"?|'[^']*'?/gs
const CORTEXT = /cortext(?:\.\w+)?["']$/
const REDIRECTION = /[12&]?>{1,2}(?:&\d|\s*[^\s;&|]+)/g
const OURS =
  /(?:^|[;&|\n({])\s*(?:(?:\w+=\S*|env|exec|command|time|npx)\s+)*(?:\S*[\\/])?cortext(?:\.\w+)?\s+([^;&|\n)}]*)/g

/** A stop or a save with an id may be of another conversation. */
const VERBS: readonly (readonly [RegExp, OwnVerb])[] = [
  [/^(?:agent\s+stop\b|stop\s*(?:$|-))(?!.*\s(?:--help|-h)\b)/, 'stop'],
  [/^(?:agent\s+resume|resume\s+--here)\b/, 'resume'],
  [/^(?:agent\s+start|start)\b/, 'start'],
  [/^(?:agent\s+save\b|save\s*(?:$|-))/, 'save'],
]
