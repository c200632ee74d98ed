import { join } from 'node:path'
import { readInside, writeInside } from '../io/inside.ts'
import * as z from '../zod.ts'
import { corrupt, formatLike, isObject, type JsonObject, parseJsonObject } from './merge/json-file.ts'

export const Visibility = z.enum(['private', 'shared'])
export type Visibility = z.infer<typeof Visibility>

const Count = z.int().check(z.nonnegative())

/** The settings in `.workspace/config.json`. The file and each key may be absent. Unknown keys are kept. */
export const Config = z.looseObject({
  /**
   * Whether git tracks the workspace. `init` writes this key. Without it, cortext commits only when the person says so.
   */
  visibility: z._default(Visibility, 'private'),
  /** The client that a resume starts if neither the person nor the conversation says which. */
  client: z.optional(z.string()),
  /** Whether a stop commits. If no person can be asked, `ask` means `never`. */
  commit: z._default(z.enum(['auto', 'ask', 'never']), 'auto'),
  /**
   * Who counts as the author of what a person types where others may read it: in a shared workspace, or one that has a
   * place. `true`: the name that git has on this machine. `false`: nobody. A text: this name, on every machine.
   */
  author: z._default(z.union([z.boolean(), z.string()]), true),
  /**
   * Whether this person finds the workspace's conversations from other folders of this machine too; see everywhere.ts.
   */
  everywhere: z._default(z.boolean(), true),
  /** Whether secrets are replaced in everything that is published. */
  redact: z._default(z.boolean(), true),
  /** A conversation whose client has been quiet for so many minutes is auto-paused. 0 turns this off. */
  autoPause: z.prefault(z.looseObject({ minutes: z._default(z.number().check(z.nonnegative()), 5) }), {}),
  capture: z.prefault(
    z.looseObject({
      /**
       * When a conversation is published: at a pause, a stop and the end of a session (`stop`), or also after every
       * turn.
       */
      publish: z._default(z.enum(['stop', 'turn']), 'stop'),
      /**
       * How much of a tool result is kept: all of it, at most so many bytes, or only a note that there was a result.
       */
      toolOutput: z._default(z.union([z.enum(['full', 'metadata']), Count]), 'full'),
      /** A tool result with more bytes becomes an attachment. */
      maxInline: z._default(z.int().check(z.positive()), 65_536),
    }),
    {},
  ),
  /**
   * How many days a journal is kept after the end of its session. After that it is removed, if all of it is published
   * and committed. With 0, and in a private workspace, it is kept for ever.
   */
  journal: z.prefault(z.looseObject({ keepDays: z._default(Count, 30) }), {}),
  /**
   * The context windows of models in tokens, by the beginning of the model's name. They replace those of the built-in
   * table.
   */
  windows: z._default(z.record(z.string(), z.int().check(z.positive())), {}),
  /** The budget of a context in tokens. Default: what the model's window leaves free, up to a limit. */
  resume: z.prefault(z.looseObject({ budget: z.optional(Count) }), {}),
  sync: z.prefault(
    z.looseObject({
      /** Whether a private workspace syncs by itself. Without this key, the person's place for all workspaces decides. */
      auto: z.optional(z.boolean()),
      /** The place of a team, where a project's git tracks this file. It is only a proposal; see suggested-place.ts. */
      place: z.optional(z.string()),
    }),
    {},
  ),
  /** Each text has words that mean the same here, such as "ticket issue". A search for one finds the others too. */
  search: z.prefault(z.looseObject({ related: z._default(z.array(z.string()), []) }), {}),
  /**
   * Lists show at most `maxOpen` conversations, and none that was not active for `archiveAfterDays` days. 0 switches a
   * limit off.
   */
  list: z.prefault(
    z.looseObject({ archiveAfterDays: z._default(Count, 30), maxOpen: z._default(Count, 50) }),
    {},
  ),
})
export type Config = z.infer<typeof Config>

/** The settings of a workspace, relative to its root. */
export const CONFIG = '.workspace/config.json'

/** The settings as the file has them, without defaults; empty when there is no file. Throws `corrupt` with the path. */
export function rawConfig(root: string): JsonObject {
  return parseJsonObject(readInside(root, CONFIG) ?? '', join(root, CONFIG))
}

/** Loads the settings of a workspace, with defaults filled in. Throws `corrupt` with the path and the key. */
export function loadConfig(root: string): Config {
  return check(rawConfig(root), join(root, CONFIG))
}

/**
 * Sets these keys in the file; all other keys stay. Objects are merged key by key. Returns the new settings. If they
 * are not valid, throws `corrupt` and writes nothing.
 */
export function writeConfig(root: string, changes: JsonObject): Config {
  const path = join(root, CONFIG)
  const old = readInside(root, CONFIG)
  const before = parseJsonObject(old ?? '', path)
  const merged = merge(before, changes)
  const config = check(merged, path)
  // The file may be tracked, and have been written by hand in another form.
  if (JSON.stringify(merged) !== JSON.stringify(before) || old === undefined)
    writeInside(root, CONFIG, formatLike(merged, old))
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
