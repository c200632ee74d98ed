import type { ToolCall } from './schema.ts'
import { commandIn, patchInCommand } from './shell/shell-call.ts'

/** The ways in which a tool uses the thing that one of its arguments names. */
const DEEDS = ['reads', 'writes', 'edits', 'removes', 'searches', 'patches', 'shell'] as const
export type Deed = (typeof DEEDS)[number]

/**
 * For each thing that a tool does, the name of the argument that it uses; several names if versions of the tool differ.
 * * `reads`: the file that the tool returns
 * * `writes`: the file that gets a new content as a whole
 * * `edits`: the file that the tool changes
 * * `removes`: the file that the tool deletes
 * * `searches`: the path below which the tool searches
 * * `patches`: a patch (`*** Update File: …`)
 * * `shell`: a command
 */
export type ToolUse = { readonly [deed in Deed]?: string | readonly string[] } & {
  /**
   * The tool trims the white space at the ends of the lines that it puts into a file, except in Markdown. When the tool
   * removes a text, it also removes the line break after that text.
   */
  readonly trims?: true
}

/** The tools of a client by their names. Tools that touch neither files nor the shell may be missing. */
export type ClientTools = Readonly<Record<string, ToolUse>>

/** The tools of every client, by its id. The id '' stands for MCP servers and for agents without a client. */
export type ToolVocabulary = Readonly<Record<string, ClientTools>>

/** The client whose assistant called the tool; undefined when the message does not say which. */
export type CalledBy = string | undefined

/**
 * How a tool uses its arguments, according to the vocabulary of its client, else to the vocabularies of all clients.
 * For an MCP tool, `mcp__server__tool`, the tool's own name counts. A tool that is in no vocabulary is judged by the
 * words of its name. `{}` when nothing is known.
 */
export function useOf(tools: ToolVocabulary, name: string, client: CalledBy): ToolUse {
  return factsOf(tools, name, client).use
}

/**
 * The kind of a tool's result, if a vocabulary names it. Nothing is guessed, and tools of MCP servers are not known.
 */
export function resultOf(
  tools: ToolVocabulary,
  name: string,
  client: CalledBy,
): 'reads' | 'searches' | 'shell' | undefined {
  const use = exactUse(tools, name, client) ?? {}
  return (['reads', 'searches', 'shell'] as const).find((deed) => use[deed] !== undefined)
}

/**
 * The file or folder that a call names: by the tool's own argument for it, else by any argument that clients use for a
 * path.
 */
export function pathOf(tools: ToolVocabulary, call: ToolCall, client: CalledBy): string | undefined {
  return textIn(call, factsOf(tools, call.name, client).paths)
}

/** The command that a call passes to a shell; undefined when there is none. */
export function commandOf(tools: ToolVocabulary, call: ToolCall, client: CalledBy): string | undefined {
  return firstIn(call, factsOf(tools, call.name, client).commands, commandIn)
}

/**
 * The patch that a call applies; undefined when there is none. It may be in an argument, be the argument itself (Copilot
 * CLI 1.0.72), or be in a shell command (Codex CLI 0.34.0: `apply_patch <<'EOF'`).
 */
export function patchOf(tools: ToolVocabulary, call: ToolCall, client: CalledBy): string | undefined {
  const { patches } = factsOf(tools, call.name, client)
  if (patches.length === 0) return patchInCommand(commandOf(tools, call, client), call.arguments)
  if (typeof call.arguments !== 'string') return textIn(call, patches)
  return call.arguments.includes('*** Begin Patch') ? call.arguments : undefined
}

const PATHS = ['reads', 'writes', 'edits', 'removes', 'searches'] as const

function exactUse(tools: ToolVocabulary, name: string, client: CalledBy): ToolUse | undefined {
  const own = client !== undefined && Object.hasOwn(tools, client) ? tools[client]! : {}
  return Object.hasOwn(own, name) ? own[name] : unionOf(tools).byName.get(plainName(name))
}

/** Makes `ReadFile`, `read_file` and `readfile` the same. */
function plainName(name: string): string {
  return name.toLowerCase().replaceAll('_', '')
}

/** The uses of one tool, and the arguments that may contain the path, the command or the patch of its calls. */
interface ToolFacts {
  use: ToolUse
  paths: readonly string[]
  commands: readonly string[]
  patches: readonly string[]
}

function factsOf(tools: ToolVocabulary, name: string, client: CalledBy): ToolFacts {
  const union = unionOf(tools)
  const ofClient = union.cache.get(client) ?? new Map<string, ToolFacts>()
  const cached = ofClient.get(name)
  if (cached !== undefined) return cached
  const tool = lookUp(tools, union, name, client)
  union.cache.set(client, ofClient.set(name, tool))
  return tool
}

function lookUp(tools: ToolVocabulary, union: Union, name: string, client: CalledBy): ToolFacts {
  const own = name.split('__').at(-1)!
  const use = exactUse(tools, own, client) ?? guess(tools, own)
  const doesOther = use.patches !== undefined || PATHS.some((deed) => use[deed] !== undefined)
  return {
    use,
    paths: [...PATHS.flatMap((deed) => use[deed] ?? []), ...union.paths],
    commands: use.shell === undefined && doesOther ? [] : [...(use.shell ?? []), ...union.shell],
    patches: use.patches === undefined ? [] : [...use.patches, ...union.patches],
  }
}

interface Union {
  /** The tools of all clients under their plain names. If two tools share a name, the arguments of both count. */
  byName: ReadonlyMap<string, ToolUse>
  /** The arguments that any tool uses for a path, a command or a patch. */
  paths: readonly string[]
  shell: readonly string[]
  patches: readonly string[]
  /** Earlier results, by client and name. */
  cache: Map<CalledBy, Map<string, ToolFacts>>
}

const unions = new WeakMap<ToolVocabulary, Union>()

/** Cached for each vocabulary, because a conversation can have thousands of calls. */
function unionOf(tools: ToolVocabulary): Union {
  const cached = unions.get(tools)
  if (cached !== undefined) return cached
  const byName = new Map<string, ToolUse>()
  for (const [name, use] of Object.values(tools).flatMap(Object.entries<ToolUse>)) {
    const sameName = byName.get(plainName(name)) ?? {}
    const both = DEEDS.map((deed) => [deed, [sameName[deed] ?? [], use[deed] ?? []].flat()] as const)
    byName.set(plainName(name), Object.fromEntries(both.filter(([, names]) => names.length > 0)))
  }
  const argumentsOf = (...deeds: Deed[]) => [
    ...new Set([...byName.values()].flatMap((use) => deeds.flatMap((deed) => use[deed] ?? []))),
  ]
  const union = {
    byName,
    paths: argumentsOf(...PATHS),
    shell: argumentsOf('shell'),
    patches: argumentsOf('patches'),
    cache: new Map(),
  }
  unions.set(tools, union)
  return union
}

const WORDS: readonly (readonly [RegExp, Deed])[] = [
  [/patch/i, 'patches'],
  [/delete|remove/i, 'removes'],
  [/edit|replace|write|insert/i, 'edits'],
]

function guess(tools: ToolVocabulary, name: string): ToolUse {
  const deed = WORDS.find(([words]) => words.test(name))?.[1]
  return deed === undefined
    ? {}
    : { [deed]: deed === 'patches' ? unionOf(tools).patches : unionOf(tools).paths }
}

function textIn(call: ToolCall, names: readonly string[]): string | undefined {
  return firstIn(call, names, (value) => (typeof value === 'string' && value !== '' ? value : undefined))
}

/** What `read` makes of the first of these arguments from which it makes something. */
function firstIn(
  { arguments: given }: ToolCall,
  names: readonly string[],
  read: (value: unknown) => string | undefined,
): string | undefined {
  if (typeof given !== 'object' || given === null) return undefined
  const fields = given as Record<string, unknown>
  return names.map((name) => read(fields[name])).find((text) => text !== undefined)
}
