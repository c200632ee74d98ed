import { join } from 'node:path'
import { readInside, writeInside } from '../io/inside.ts'
import * as z from '../zod.ts'
import { corrupt, formatLike, isObject, type JsonObject, parseJsonObject } from './merge/json-file.ts'

export const Visibility = z.enum(['private', 'shared'])
export type Visibility = z.infer<typeof Visibility>

const COUNT = z.int().check(z.nonnegative())

/** `.workspace/config.json`. Every key has a default, the file may be absent, and unknown keys are kept. */
export const Config = z.looseObject({
  /** Whether git tracks the workspace. `init` writes it; without it nothing is committed unasked. */
  visibility: z._default(Visibility, 'private'),
  /** The client that a resume starts when nothing else decides. */
  client: z.optional(z.string()),
  /** Whether stop and complete commit. `ask` means `never` when nobody can be asked. */
  commit: z._default(z.enum(['auto', 'ask', 'never']), 'auto'),
  /**
   * Who is named as the author of what a person types, in a shared workspace: whom git names on this machine, nobody, or
   * this name for all.
   */
  author: z._default(z.union([z.boolean(), z.string()]), true),
  /** Whether its conversations are offered in other folders of this machine too: src/workspace/everywhere.ts. */
  everywhere: z._default(z.boolean(), true),
  /** Whether secrets are replaced in everything that is published. */
  redact: z._default(z.boolean(), true),
  /** Minutes of quiet after which a conversation is auto-paused; 0 turns this off. */
  autoPause: z.prefault(z.looseObject({ minutes: z._default(z.number().check(z.nonnegative()), 5) }), {}),
  capture: z.prefault(
    z.looseObject({
      /** When `.session/` is written: at pause, stop and session end, or also after every turn. */
      publish: z._default(z.enum(['stop', 'turn']), 'stop'),
      /** How much of a tool result is kept: all, this many bytes, or only the note that there was one. */
      toolOutput: z._default(z.union([z.enum(['full', 'metadata']), COUNT]), 'full'),
      /** A tool result of up to this many bytes stays in its line. */
      maxInline: z._default(z.int().check(z.positive()), 65_536),
    }),
    {},
  ),
  /** For how many days after its end the raw copy of a session is kept that is published and committed; 0: for ever. */
  journal: z.prefault(z.looseObject({ keepDays: z._default(COUNT, 30) }), {}),
  /** The windows of models in tokens, by the beginning of their names. They count before the built-in table. */
  windows: z._default(z.record(z.string(), z.int().check(z.positive())), {}),
  /** The tokens that block and history of a resume may use. Absent: what the model's window leaves, up to a bound. */
  resume: z.prefault(z.looseObject({ budget: z.optional(COUNT) }), {}),
  /** A list hides conversations not touched for this many days, and all beyond this many. 0 hides none. */
  list: z.prefault(
    z.looseObject({ archiveAfterDays: z._default(COUNT, 30), maxOpen: z._default(COUNT, 50) }),
    {},
  ),
})
export type Config = z.infer<typeof Config>

/** The settings of a workspace, relative to its root. */
export const CONFIG = '.workspace/config.json'

/** The settings as they are written; empty when there is no file. Throws `corrupt` with the path. */
export function rawConfig(root: string): JsonObject {
  return parseJsonObject(readInside(root, CONFIG) ?? '', join(root, CONFIG))
}

/** Loads the settings of a workspace, with defaults filled in. Throws `corrupt` with the path and the key. */
export function loadConfig(root: string): Config {
  return check(rawConfig(root), join(root, CONFIG))
}

/**
 * Sets keys in the file and leaves all others, known or not, as they are. Objects are merged key by key. Throws
 * `corrupt` and writes nothing when the result would not load. Returns the settings as they are now.
 */
export function writeConfig(root: string, changes: JsonObject): Config {
  const path = join(root, CONFIG)
  const old = readInside(root, CONFIG)
  const merged = merge(parseJsonObject(old ?? '', path), changes)
  const config = check(merged, path)
  const text = formatLike(merged, old)
  if (text !== old) writeInside(root, CONFIG, text)
  return config
}

function check(raw: JsonObject, path: string): Config {
  const parsed = Config.safeParse(raw)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw corrupt(path, `has a wrong value for ${issue?.path.join('.') ?? 'a key'}: ${issue?.message ?? ''}`)
}

function merge(old: JsonObject, changes: JsonObject): JsonObject {
  const merged = { ...old }
  for (const [key, value] of Object.entries(changes)) {
    const before = merged[key]
    merged[key] = isObject(before) && isObject(value) ? merge(before, value) : value
  }
  return merged
}
