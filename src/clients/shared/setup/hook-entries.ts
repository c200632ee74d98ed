import { CortextError } from '../../../errors.ts'
import { paste } from '../../../text/paste.ts'
import { fieldsOf, isObject, listOf } from '../transcript/fields.ts'
import { readSettings } from './settings-files.ts'

type Settings = Record<string, unknown>

/** Our hooks in a client's settings: `hooks: { Event: [{ hooks: [{ type: 'command', command }] }] }`. */
export interface OurHooks {
  /** The client's id, and its name as people write it. */
  client: string
  name: string
  /** The settings file, as people write it. */
  file: string
  /** Event → our hook: its command and further keys. */
  hooks: Record<string, Settings>
  /** Event → `matcher`: the kinds of the event that our hook runs for. */
  matchers?: Record<string, string>
  /**
   * The client whose hooks are replaced and removed as ours. '' for all clients, as for Codex CLI, whose `/import` copies
   * the hooks of other clients. Default: `client`.
   */
  replaces?: string
}

/** Our hooks in the settings of a project. `again`: the command to run after a person has mended the file. */
export function projectHooks(ours: OurHooks, again?: string): Entries {
  return {
    add: (settings, notes) => addHookEntries(settings, ours, notes, again),
    remove: (settings) => removeHookEntries(settings, ours.replaces ?? ours.client),
  }
}

interface Entries {
  /**
   * Adds our hook entries to the settings. Our entries are recognised by their command. Those that are there are
   * replaced. Everything else stays. `notes` are further notes about the settings before. Throws `refused` when `hooks`
   * does not have the documented shape.
   */
  add(settings: Settings, notes?: readonly string[]): Settings
  /** Removes our hooks: `remove(add(s))` is `s` without any hooks of ours. */
  remove(settings: Settings): Settings
}

/**
 * The argument of our hooks in the person's own settings, where they run in every folder. Such a hook does nothing in a
 * workspace that has hooks of its own (src/hook.ts).
 */
const PERSONAL = '--personal'

/** The same hooks in the person's own settings, which are in `file`. */
export function personalHooks(ours: OurHooks, file: string): Entries {
  const line = `cortext hook ${ours.client}`
  const hooks = Object.entries(ours.hooks).map(([event, hook]) => [
    event,
    Array.isArray(hook.args)
      ? { ...hook, args: [...hook.args, PERSONAL] }
      : { ...hook, command: String(hook.command).replace(line, `${line} ${PERSONAL}`) },
  ])
  return projectHooks({ ...ours, file, hooks: Object.fromEntries(hooks) }, 'cortext init --personal')
}

/**
 * This key of our hooks lists what the settings were before, so that `uninstall` can restore it. The clients ignore a
 * key that they do not know (docs/clients/).
 */
const BEFORE = 'cortext'
const WAS_EMPTY_LIST = 'was []'
const WAS_EMPTY_HOOKS = 'was {}'

function addHookEntries(
  settings: Settings,
  ours: OurHooks,
  notes: readonly string[] = [],
  again = paste`cortext init --in ${ours.client}`,
): Settings {
  const bare = removeHookEntries(settings, ours.replaces ?? ours.client)
  refuseUnknownShape(bare, ours, again)
  const theirs = isObject(bare.hooks) ? bare.hooks : {}
  const hooksWereEmpty = bare.hooks !== undefined && Object.keys(theirs).length === 0
  const hooks: Settings = { ...theirs }
  for (const [index, [event, hook]] of Object.entries(ours.hooks).entries()) {
    const entries = Array.isArray(theirs[event]) ? theirs[event] : []
    // What is said of the whole file is noted once, at our first hook.
    const before = [
      ...(theirs[event] !== undefined && entries.length === 0 ? [WAS_EMPTY_LIST] : []),
      ...(index === 0 && hooksWereEmpty ? [WAS_EMPTY_HOOKS] : []),
      ...(index === 0 ? notes : []),
    ]
    const entry = { type: 'command', ...hook, ...(before.length > 0 && { [BEFORE]: before }) }
    const matcher = ours.matchers?.[event]
    hooks[event] = [...entries, { ...(matcher === undefined ? {} : { matcher }), hooks: [entry] }]
  }
  return { ...bare, hooks }
}

/** A hook without our notes: what the client takes it for. */
export function withoutNotes(hook: Settings): Settings {
  const { [BEFORE]: _, ...known } = hook
  return known
}

/** The notes that our hooks for a client have about the settings before them. */
export function notesIn(settings: Settings, client: string): unknown[] {
  if (!isObject(settings.hooks)) return []
  return Object.values(settings.hooks)
    .flat()
    .flatMap((entry) => notesOf(entry, client))
}

/**
 * Removes our entries, and the lists and the object that `addHookEntries` made for them. So remove(add(s)) is s without
 * any entries of ours.
 */
function removeHookEntries(settings: Settings, client: string): Settings {
  if (!isObject(settings.hooks)) return settings
  const kept: [string, unknown][] = []
  let found = false
  for (const [event, entries] of Object.entries(settings.hooks)) {
    const isAffected =
      Array.isArray(entries) && entries.some((entry) => innerHooks(entry).some(oursFor(client)))
    found ||= isAffected
    if (!isAffected) {
      kept.push([event, entries])
      continue
    }
    const left = entries.flatMap((entry: unknown) => withoutOurs(entry, client))
    const notes = entries.flatMap((entry: unknown) => notesOf(entry, client))
    if (left.length > 0 || notes.includes(WAS_EMPTY_LIST)) kept.push([event, left])
  }
  if (!found) return settings
  if (kept.length > 0 || notesIn(settings, client).includes(WAS_EMPTY_HOOKS))
    return { ...settings, hooks: Object.fromEntries(kept) }
  const { hooks: _, ...rest } = settings
  return rest
}

function notesOf(entry: unknown, client: string): unknown[] {
  return innerHooks(entry)
    .filter(oursFor(client))
    .flatMap((hook) => listOf(hook[BEFORE]))
}

/** Returns the entry without our hooks, in a list. The list is empty when the entry has no other hooks. */
function withoutOurs(entry: unknown, client: string): unknown[] {
  const inner = innerHooks(entry)
  const left = inner.filter((hook) => !oursFor(client)(hook))
  if (left.length === inner.length) return [entry]
  return left.length === 0 ? [] : [{ ...(entry as Settings), hooks: left }]
}

function innerHooks(entry: unknown): unknown[] {
  return isObject(entry) && Array.isArray(entry.hooks) ? entry.hooks : []
}

/** Recognises our hooks for a client, of any version. With '' it recognises those for all clients. */
export function oursFor(client: string): (hook: unknown) => hook is Settings {
  return (hook): hook is Settings => {
    if (!isObject(hook) || typeof hook.command !== 'string') return false
    const words = Array.isArray(hook.args) ? [hook.command, ...hook.args] : [hook.command]
    return words.join(' ').includes(`cortext hook ${client}`)
  }
}

/** Whether a settings file has hooks of ours for a client. */
export function haveOurHooks(path: string, client: string): boolean {
  return Object.values(fieldsOf(readSettings(path).hooks))
    .flat()
    .flatMap(innerHooks)
    .some(oursFor(client))
}

function refuseUnknownShape(settings: Settings, ours: OurHooks, again: string): void {
  const { hooks } = settings
  const refuse = (key: string, expected: string) => {
    const problem = `"${key}" in the ${ours.name} settings is not ${expected}; left as it is`
    return new CortextError('refused', problem, {
      fix: `${paste`mend "${key}" in ${ours.file}`}, then run: ${again}`,
    })
  }
  if (hooks !== undefined && !isObject(hooks)) throw refuse('hooks', 'an object')
  for (const event of Object.keys(ours.hooks))
    if (isObject(hooks) && hooks[event] !== undefined && !Array.isArray(hooks[event]))
      throw refuse(`hooks.${event}`, 'a list')
}
