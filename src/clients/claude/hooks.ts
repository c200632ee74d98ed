import { CortextError } from '../../errors.ts'

type Settings = Record<string, unknown>

const OURS = 'cortext hook claude'
const FOUND = 'command -v cortext >/dev/null 2>&1'
const NOT_RECORDING = JSON.stringify({
  systemMessage:
    'cortext was not found, so this conversation is not being recorded. Install it with: npm install -g cortext',
})

/** Silent and harmless where cortext is missing, except that the start of a session says so, once. */
const COMMANDS: Record<string, string> = {
  SessionStart: `${FOUND} || { printf '%s\\n' '${NOT_RECORDING}'; exit 0; }; exec ${OURS}`,
  UserPromptExpansion: `${FOUND} || exit 0; exec ${OURS}`,
  UserPromptSubmit: `${FOUND} || exit 0; exec ${OURS}`,
  // Not async: at the end of `claude -p` an async hook is cut off (observed).
  Stop: `${FOUND} || exit 0; exec ${OURS}`,
  SessionEnd: `${FOUND} || exit 0; exec ${OURS}`,
}

/** Shell comments that remember an empty container which was there before us. */
const WAS_EMPTY_LIST = ' # was []'
const WAS_EMPTY_HOOKS = ' # was {}'

export function settingsFile(shared: boolean): string {
  return shared ? '.claude/settings.json' : '.claude/settings.local.json'
}

/**
 * The settings with our hook entries, which are known by their command; ours of an older version are replaced and
 * everything else stays. Throws `refused` when `hooks` does not have the documented shape.
 */
export function addHooks(settings: Settings): Settings {
  refuseUnknownShape(settings)
  const bare = removeHooks(settings)
  const before = isObject(bare.hooks) ? bare.hooks : {}
  const hooksWereEmpty = bare.hooks !== undefined && Object.keys(before).length === 0
  const hooks: Settings = { ...before }
  for (const [event, command] of Object.entries(COMMANDS)) {
    const entries = Array.isArray(before[event]) ? before[event] : []
    const listWasEmpty = before[event] !== undefined && entries.length === 0
    const marks = `${listWasEmpty ? WAS_EMPTY_LIST : ''}${hooksWereEmpty ? WAS_EMPTY_HOOKS : ''}`
    hooks[event] = [...entries, { hooks: [{ type: 'command', command: `${command}${marks}` }] }]
  }
  return { ...bare, hooks }
}

/** The settings without our entries, and without the containers that only held them: `removeHooks(addHooks(s))` is `s`. */
export function removeHooks(settings: Settings): Settings {
  if (!isObject(settings.hooks)) return settings
  const kept: [string, unknown][] = []
  let found = ''
  for (const [event, entries] of Object.entries(settings.hooks)) {
    const ours = Array.isArray(entries) ? entries.map(ourCommands).join('') : ''
    found += ours
    const left = Array.isArray(entries) && ours !== '' ? entries.flatMap(withoutOurs) : entries
    const emptied = ours !== '' && Array.isArray(left) && left.length === 0
    if (!emptied || ours.includes(WAS_EMPTY_LIST)) kept.push([event, left])
  }
  if (found === '') return settings
  if (kept.length > 0 || found.includes(WAS_EMPTY_HOOKS))
    return { ...settings, hooks: Object.fromEntries(kept) }
  const { hooks: _, ...rest } = settings
  return rest
}

function ourCommands(entry: unknown): string {
  return innerHooks(entry)
    .filter(isOurs)
    .map((hook) => hook.command)
    .join('\n')
}

/** The entry with our hooks out of it; none when nothing else was in it. */
function withoutOurs(entry: unknown): unknown[] {
  const inner = innerHooks(entry)
  if (!inner.some(isOurs)) return [entry]
  const left = inner.filter((hook) => !isOurs(hook))
  return left.length === 0 ? [] : [{ ...(entry as Settings), hooks: left }]
}

function innerHooks(entry: unknown): unknown[] {
  return isObject(entry) && Array.isArray(entry.hooks) ? entry.hooks : []
}

function isOurs(hook: unknown): hook is { command: string } {
  return isObject(hook) && typeof hook.command === 'string' && hook.command.includes(OURS)
}

function refuseUnknownShape(settings: Settings): void {
  const { hooks } = settings
  if (hooks !== undefined && !isObject(hooks)) throw unknownShape('hooks', 'an object')
  for (const event of Object.keys(COMMANDS)) {
    const entries = isObject(hooks) ? hooks[event] : undefined
    if (entries !== undefined && !Array.isArray(entries)) throw unknownShape(`hooks.${event}`, 'a list')
  }
}

function unknownShape(key: string, expected: string): CortextError {
  return new CortextError(
    'refused',
    `"${key}" in the Claude Code settings is not ${expected}; left as it is`,
    {
      fix: `mend "${key}" in .claude/settings.json or .claude/settings.local.json, then run: cortext init --in claude`,
    },
  )
}

function isObject(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
