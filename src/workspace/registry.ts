import { join } from 'node:path'
import { CortextError } from '../errors.ts'
import { readInside, writeInside } from '../io/inside.ts'
import { countOf } from '../text/count-of.ts'
import { isDeviceName } from '../text/device-name.ts'
import { shortLine } from '../text/line.ts'
import { asWord } from '../text/paste.ts'
import { PLAIN_TYPE } from '../text/plain-type.ts'
import * as z from '../zod.ts'
import { corrupt, formatLike, isObject, type JsonObject, parseJsonObject } from './merge/json-file.ts'
import { shippedPack } from './pack/shipped.ts'

/**
 * A type of conversations, from an entry of `.workspace/registry.json`. Keys that the entry leaves out have defaults.
 */
export interface ConversationType {
  name: string
  /** The slash command that starts a conversation of this type: `/workspace.brainstorm`. Absent: no instructions. */
  command?: string
  /** The folder of its conversations, relative to the root. */
  folder: string
  /** The name of the template in `.workspace/templates/`, without `.md`. Absent: it begins without a document. */
  template?: string
  /** Whether a conversation has a record, and not only a document. */
  session_support: boolean
  /** No sync sends its conversations. */
  keep_here?: true
  description: string
}

const TYPE_NAME = /^[a-z][a-z0-9-]{0,29}$/
/** Names of commands that are not types, and words with another meaning on a command line. */
const RESERVED = ['resume', 'stop-conversation', 'add', 'save', 'stop', 'list', 'constitution']

const Entry = z.looseObject({
  command: z.optional(z.string().check(z.regex(/^\/[a-z][a-z0-9.-]*$/))),
  folder: z.optional(
    z
      .string()
      .check(
        z.refine(
          isPlainFolder,
          'must be a folder below the workspace, with letters, digits, spaces and _ . @ + - in its name',
        ),
      ),
  ),
  template: z.optional(z.string().check(z.regex(/^[A-Za-z0-9][\w.-]*$/))),
  session_support: z.optional(z.boolean()),
  keep_here: z.optional(z.boolean()),
  description: z.optional(z.string()),
})

export interface Registry {
  types: Map<string, ConversationType>
  /** What is wrong with entries that are left out: at most three lines, and one for the rest. */
  wrong: string[]
}

/**
 * The types of a workspace by name: those in its registry, the shipped types that the registry does not mention, and
 * the plain type. A wrong entry is left out. Otherwise one wrong entry in a clone would stop every command. Throws
 * `corrupt` with the path when the file as a whole is not valid.
 */
export function readRegistry(root: string, pack = shippedPack()): Registry {
  const types = new Map<string, ConversationType>()
  const wrong: string[] = []
  for (const [folder, path] of [[root, REGISTRY] as const, [pack, 'templates/registry.json'] as const])
    for (const [name, value] of Object.entries(readFile(folder, path).types)) {
      if (types.has(name)) continue
      const entry = Entry.safeParse(value)
      if (isTypeName(name) && entry.success) types.set(name, withDefaults(name, entry.data))
      else wrong.push(wrongEntry(path, name, entry.error?.issues[0]))
    }
  if (!types.has(PLAIN.name)) types.set(PLAIN.name, PLAIN)
  const more = wrong.length - MAX_WRONG
  return {
    types,
    wrong: more > 0 ? [...wrong.slice(0, MAX_WRONG), `and ${countOf(more, 'more type')}`] : wrong,
  }
}

const MAX_WRONG = 3

const PLAIN: ConversationType = {
  name: PLAIN_TYPE,
  folder: 'conversations',
  session_support: true,
  description: 'Just talk: without instructions and without a document',
}

export function loadRegistry(root: string, pack = shippedPack()): Map<string, ConversationType> {
  return readRegistry(root, pack).types
}

function wrongEntry(path: string, name: string, issue?: { path: PropertyKey[]; message: string }): string {
  const called = JSON.stringify(shortLine(name, MAX_NAME))
  return issue === undefined
    ? `${path}: the type ${called} is left out, because types have at most 30 lower-case letters, digits and hyphens`
    : `${path}: the type ${called} is left out: ${issue.path.join('.')}: ${issue.message}`
}

const MAX_NAME = 60

/** A type by its name. Throws `not-found`; the fix lists the names that exist. */
export function findType(root: string, name: string, pack = shippedPack()): ConversationType {
  const types = loadRegistry(root, pack)
  const type = types.get(name)
  if (type !== undefined) return type
  throw new CortextError('not-found', `there is no conversation type ${name}`, {
    fix: `use one of: ${[...types.keys()].map(asWord).join(', ')}; or make it: cortext init --add-type <name>`,
  })
}

/**
 * Adds a type to the workspace's registry. Throws `usage` for a name that is not allowed, and `refused` for one that
 * exists.
 */
export function registerType(
  root: string,
  name: string,
  about: { description: string },
  pack = shippedPack(),
): ConversationType {
  checkNewType(root, name, pack)
  const old = readInside(root, REGISTRY)
  const file = readFile(root, REGISTRY)
  const { name: _name, ...entry } = withDefaults(name, about)
  writeInside(root, REGISTRY, formatLike({ ...file, types: { ...file.types, [name]: entry } }, old))
  return { name, ...entry }
}

/** Throws what registerType throws if a new type cannot have this name. */
export function checkNewType(root: string, name: string, pack = shippedPack()): void {
  checkTypeName(name)
  if (isDeviceName(name))
    throw new CortextError('refused', `Windows has no files of the name ${name}`, {
      fix: 'choose another name',
    })
  if (loadRegistry(root, pack).has(name) || RESERVED.includes(name))
    throw new CortextError('refused', `the name ${name} is taken`, { fix: 'choose another name' })
}

export function isTypeName(name: string): boolean {
  return TYPE_NAME.test(name)
}

export function checkTypeName(name: string): void {
  if (isTypeName(name)) return
  throw new CortextError('usage', `${JSON.stringify(name)} cannot be the name of a conversation type`, {
    fix: 'use at most 30 lower-case letters, digits and hyphens, beginning with a letter',
  })
}

/** The types that the person has added or changed. */
export const REGISTRY = '.workspace/registry.json'

/** The folders of the types in the text of a registry. Throws `corrupt` if it is none. */
export function foldersIn(text: string): string[] {
  return Object.entries(contentOf(text, REGISTRY).types).flatMap(([name, value]) => {
    const { data } = Entry.safeParse(value)
    return isTypeName(name) && data !== undefined ? [withDefaults(name, data).folder] : []
  })
}

function readFile(root: string, name: string): JsonObject & { types: JsonObject } {
  return contentOf(readInside(root, name) ?? '', join(root, name))
}

/** The content of a registry. Its entries are not checked. */
function contentOf(text: string, path: string): JsonObject & { types: JsonObject } {
  const file = parseJsonObject(text, path)
  const { types = {} } = file
  if (!isObject(types)) throw corrupt(path, 'has a wrong value for types: it must be an object')
  return { ...file, types }
}

function withDefaults(name: string, entry: z.infer<typeof Entry>): ConversationType {
  return {
    name,
    command: entry.command ?? `/workspace.${name}`,
    folder: entry.folder ?? 'conversations',
    template: entry.template?.replace(/\.md$/, '') ?? name,
    session_support: entry.session_support ?? true,
    ...(entry.keep_here === true && { keep_here: true }),
    description: entry.description ?? '',
  }
}

/**
 * Whether a folder is relative and in the workspace, and is not one of git or cortext (these begin with a dot). Its
 * names have only letters, digits, spaces and a few signs, so they mean nothing else on Windows (`git~1` is `.git`), in
 * git's `info/exclude` and in a shell.
 */
function isPlainFolder(folder: string): boolean {
  return folder
    .split('/')
    .every((part) => /^[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N} _.@+-]*[\p{L}\p{M}\p{N}_-])?$/u.test(part))
}
