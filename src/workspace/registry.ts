import { join } from 'node:path'
import { CortextError } from '../errors.ts'
import { readInside, writeInside } from '../io/inside.ts'
import { asWord } from '../text/paste.ts'
import * as z from '../zod.ts'
import { corrupt, formatLike, parseJsonObject } from './merge/json-file.ts'
import { shippedPack } from './pack/shipped.ts'

/**
 * A kind of conversation, as an entry of `.workspace/registry.json`. Keys that an entry leaves out have
 * defaults.
 */
export interface ConversationType {
  name: string
  /** The slash command that starts a conversation of this type: `/workspace.brainstorm`. */
  command: string
  /** The folder of its conversations, relative to the root. */
  folder: string
  /** The name of the template in `.workspace/templates/`, without `.md`. */
  template: string
  /** Whether messages are recorded in addition to the document. */
  session_support: boolean
  description: string
}

const TYPE_NAME = /^[a-z][a-z0-9-]{0,29}$/
/** Commands of the pack that are not types, and words that would be misread. */
const RESERVED = ['resume', 'stop-conversation', 'add', 'save', 'stop', 'list', 'constitution']

const Entry = z.looseObject({
  command: z.optional(z.string().check(z.regex(/^\/[a-z][a-z0-9.-]*$/))),
  folder: z.optional(z.string().check(z.refine(isPlainFolder, 'must be a folder below the workspace'))),
  template: z.optional(z.string().check(z.regex(/^[A-Za-z0-9][\w.-]*$/))),
  session_support: z.optional(z.boolean()),
  description: z.optional(z.string()),
})

const RegistryFile = z.looseObject({
  types: z.prefault(z.record(z.string().check(z.regex(TYPE_NAME)), Entry), {}),
})

/**
 * The types of a workspace by name: those in its registry, and the shipped ones that the registry does not mention.
 * Throws `corrupt` with the path and the key.
 */
export function loadRegistry(root: string, pack = shippedPack()): Map<string, ConversationType> {
  const types = new Map<string, ConversationType>()
  for (const [folder, path] of [[root, REGISTRY] as const, [pack, 'templates/registry.json'] as const]) {
    for (const [name, entry] of Object.entries(readRegistry(folder, path).types))
      if (!types.has(name)) types.set(name, withDefaults(name, entry))
  }
  return types
}

/** A type by its name. Throws `not-found`, with the names that exist. */
export function findType(root: string, name: string, pack = shippedPack()): ConversationType {
  const types = loadRegistry(root, pack)
  const type = types.get(name)
  if (type !== undefined) return type
  throw new CortextError('not-found', `there is no conversation type ${name}`, {
    fix: `use one of: ${[...types.keys()].map(asWord).join(', ')}; or make it: cortext init --add-type <name>`,
  })
}

/**
 * Puts a new type into the workspace's registry. Throws `usage` for an impossible name and `refused` for a taken one.
 */
export function registerType(
  root: string,
  name: string,
  about: { description: string },
  pack = shippedPack(),
): ConversationType {
  checkNewType(root, name, pack)
  const old = readInside(root, REGISTRY)
  const file = readRegistry(root, REGISTRY)
  const { name: _name, ...entry } = withDefaults(name, about)
  writeInside(root, REGISTRY, formatLike({ ...file, types: { ...file.types, [name]: entry } }, old))
  return { name, ...entry }
}

/** Throws the same errors as `registerType` when a new type cannot have this name. */
export function checkNewType(root: string, name: string, pack = shippedPack()): void {
  checkTypeName(name)
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

const REGISTRY = '.workspace/registry.json'

function readRegistry(root: string, name: string): z.infer<typeof RegistryFile> {
  const path = join(root, name)
  const parsed = RegistryFile.safeParse(parseJsonObject(readInside(root, name) ?? '', path))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw corrupt(path, `has a wrong value for ${issue?.path.join('.') ?? 'a key'}: ${issue?.message ?? ''}`)
}

function withDefaults(name: string, entry: z.infer<typeof Entry>): ConversationType {
  return {
    name,
    command: entry.command ?? `/workspace.${name}`,
    folder: entry.folder ?? 'conversations',
    template: entry.template?.replace(/\.md$/, '') ?? name,
    session_support: entry.session_support ?? true,
    description: entry.description ?? '',
  }
}

/**
 * Whether the folder is relative, does not leave the workspace, does not belong to git or to us, and is a valid line in
 * git's files.
 */
function isPlainFolder(folder: string): boolean {
  const parts = folder.split('/')
  return !/[\\\p{Cc}]/u.test(folder) && parts.every((part) => /^[^.\s:]/.test(part))
}
