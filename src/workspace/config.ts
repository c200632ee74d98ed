import { join } from 'node:path'
import { readInside, writeInside } from '../io/inside.ts'
import * as z from '../zod.ts'
import { corrupt, formatLike, isObject, type JsonObject, parseJsonObject } from './merge/json-file.ts'

export const Visibility = z.enum(['private', 'shared'])
export type Visibility = z.infer<typeof Visibility>

const Count = z.int().check(z.nonnegative())

/** `.workspace/config.json`. Every key, and the file itself, may be absent. Unknown keys are kept. */
export const Config = z.looseObject({
  /** Whether git tracks the workspace. `init` writes this key; without the key, nothing is committed unasked. */
  visibility: z._default(Visibility, 'private'),
  /** The client that a resume starts when nothing else decides. */
  client: z.optional(z.string()),
  /** Whether a stop commits. `ask` means `never` when no person can be asked. */
  commit: z._default(z.enum(['auto', 'ask', 'never']), 'auto'),
  /**
   * The author of what a person types, in a shared workspace: `true` for the name that git has on this machine, `false`
   * for none, or one name for everybody.
   */
  author: z._default(z.union([z.boolean(), z.string()]), true),
  /**
   * Whether the workspace's conversations are offered in other folders of this machine too:
   * src/workspace/everywhere.ts.
   */
  everywhere: z._default(z.boolean(), true),
  /** Whether secrets are replaced in everything that is published. */
  redact: z._default(z.boolean(), true),
  /** Minutes of quiet after which a conversation is auto-paused; 0 turns this off. */
  autoPause: z.prefault(z.looseObject({ minutes: z._default(z.number().check(z.nonnegative()), 5) }), {}),
  capture: z.prefault(
    z.looseObject({
      /** When `.session/` is written: at pause, stop and session end, or also after every turn. */
      publish: z._default(z.enum(['stop', 'turn']), 'stop'),
      /** How much of a tool result is kept: all, this many bytes, or only a note that there was a result. */
      toolOutput: z._default(z.union([z.enum(['full', 'metadata']), Count]), 'full'),
      /** A tool result of up to this many bytes stays in its line. */
      maxInline: z._default(z.int().check(z.positive()), 65_536),
    }),
    {},
  ),
  /**
   * How many days a journal is kept after its session's end. It is removed only if all of it is published and
   * committed. 0: it is kept for ever.
   */
  journal: z.prefault(z.looseObject({ keepDays: z._default(Count, 30) }), {}),
  /** Context windows in tokens, by the beginning of a model's name. They take precedence over the built-in table. */
  windows: z._default(z.record(z.string(), z.int().check(z.positive())), {}),
  /** The most tokens that resume block and history may use. Default: what the model's window leaves, up to a limit. */
  resume: z.prefault(z.looseObject({ budget: z.optional(Count) }), {}),
  /** Groups of words that mean the same here, such as "ticket issue": a search for one finds the others too. */
  search: z.prefault(z.looseObject({ related: z._default(z.array(z.string()), []) }), {}),
  /**
   * Lists hide conversations that were not active for `archiveAfterDays` days, and all beyond `maxOpen`. 0 hides none.
   */
  list: z.prefault(
    z.looseObject({ archiveAfterDays: z._default(Count, 30), maxOpen: z._default(Count, 50) }),
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
