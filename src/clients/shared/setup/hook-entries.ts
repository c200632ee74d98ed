import { CortextError } from '../../../errors.ts'
import { paste } from '../../../text/paste.ts'
import { isObject } from '../transcript/fields.ts'

type Settings = Record<string, unknown>

/** Which hooks in a client's settings are ours: `hooks: { Event: [{ hooks: [{ type: 'command', command }] }] }`. */
export interface OurHooks {
  /** The client's id, and its name as people write it. */
  client: string
  name: string
  /** Possible places of the client's settings, for a person who has to correct them. */
  files: string
  /** Event → shell command. */
  commands: Record<string, string>
  /** Adds further keys to our entry for an event. */
  extra?: (event: string) => Settings
  /** Event → `matcher`: the kinds of the event that our hook runs for. */
  matchers?: Record<string, string>
}

/**
 * These shell comments in our commands record that the settings had an empty list or object before we added our
 * entries.
 */
const WAS_EMPTY_LIST = ' # was []'
const WAS_EMPTY_HOOKS = ' # was {}'

/**
 * Adds our hook entries to the settings. Our entries are recognised by their command. Those of an older version are
 * replaced. Everything else stays. Throws `refused` when `hooks` does not have the documented shape.
 */
export function addHookEntries(settings: Settings, ours: OurHooks): Settings {
  refuseUnknownShape(settings, ours)
  const bare = removeHookEntries(settings, ours.client)
  const before = isObject(bare.hooks) ? bare.hooks : {}
  const hooksWereEmpty = bare.hooks !== undefined && Object.keys(before).length === 0
  const hooks: Settings = { ...before }
  for (const [event, command] of Object.entries(ours.commands)) {
    const entries = Array.isArray(before[event]) ? before[event] : []
    const listWasEmpty = before[event] !== undefined && entries.length === 0
    const marks = `${listWasEmpty ? WAS_EMPTY_LIST : ''}${hooksWereEmpty ? WAS_EMPTY_HOOKS : ''}`
    const entry = { ...ours.extra?.(event), type: 'command', command: `${command}${marks}` }
    const matcher = ours.matchers?.[event]
    hooks[event] = [...entries, { ...(matcher === undefined ? {} : { matcher }), hooks: [entry] }]
  }
  return { ...bare, hooks }
}

/**
 * Removes our entries, and the lists and the object that `addHookEntries` made for them. So remove(add(s)) is s without
 * any entries of ours.
 */
export function removeHookEntries(settings: Settings, client: string): Settings {
  if (!isObject(settings.hooks)) return settings
  const kept: [string, unknown][] = []
  let found = ''
  for (const [event, entries] of Object.entries(settings.hooks)) {
    const ours = Array.isArray(entries) ? entries.map((entry) => ourCommands(entry, client)).join('') : ''
    found += ours
    const left =
      Array.isArray(entries) && ours !== ''
        ? entries.flatMap((entry: unknown) => withoutOurs(entry, client))
        : entries
    const emptied = ours !== '' && Array.isArray(left) && left.length === 0
    if (!emptied || ours.includes(WAS_EMPTY_LIST)) kept.push([event, left])
  }
  if (found === '') return settings
  if (kept.length > 0 || found.includes(WAS_EMPTY_HOOKS))
    return { ...settings, hooks: Object.fromEntries(kept) }
  const { hooks: _, ...rest } = settings
  return rest
}

function ourCommands(entry: unknown, client: string): string {
  return innerHooks(entry)
    .flatMap((hook) => (isOurs(hook, client) ? [hook.command] : []))
    .join('\n')
}

/** Returns the entry without our hooks, in a list. The list is empty when the entry has no other hooks. */
function withoutOurs(entry: unknown, client: string): unknown[] {
  const inner = innerHooks(entry)
  const left = inner.filter((hook) => !isOurs(hook, client))
  if (left.length === inner.length) return [entry]
  return left.length === 0 ? [] : [{ ...(entry as Settings), hooks: left }]
}

function innerHooks(entry: unknown): unknown[] {
  return isObject(entry) && Array.isArray(entry.hooks) ? entry.hooks : []
}

function isOurs(hook: unknown, client: string): hook is { command: string } {
  return isObject(hook) && typeof hook.command === 'string' && hook.command.includes(`cortext hook ${client}`)
}

function refuseUnknownShape(settings: Settings, ours: OurHooks): void {
  const { hooks } = settings
  if (hooks !== undefined && !isObject(hooks)) throw unknownShape(ours, 'hooks', 'an object')
  for (const event of Object.keys(ours.commands)) {
    const entries = isObject(hooks) ? hooks[event] : undefined
    if (entries !== undefined && !Array.isArray(entries)) throw unknownShape(ours, `hooks.${event}`, 'a list')
  }
}

function unknownShape({ name, files, client }: OurHooks, key: string, expected: string): CortextError {
  return new CortextError('refused', `"${key}" in the ${name} settings is not ${expected}; left as it is`, {
    fix: `mend "${key}" in ${files}, then run: ${paste`cortext init --in ${client}`}`,
  })
}
