import { AGENT_CALL } from '../shared/setup/allowed-calls.ts'
import { isObject } from '../shared/transcript/fields.ts'

type Settings = Record<string, unknown>
type Permissions = Record<string, unknown>

/** The client still asks the person about a call with redirections, substitutions, chains or variables (2.1.330). */
const CALLS = `Bash(${AGENT_CALL}:*)`

/**
 * Our rules, by the list in the settings that contains them. A path that begins with a slash is relative to the
 * project. The client resolves links and `..` before it matches a path (2.1.197, 2.1.330).
 */
export const RULES = {
  allow: [
    CALLS,
    // Our prompts often ask the agent to update a conversation's document. No document is in a deeper folder.
    'Edit(/conversations/[0-9]*-[0-9]*-[0-9]*/[0-9]*/*.md)',
  ],
  ask: [
    // With these rules the client asks, in every mode, before it edits the record or a file that clients take
    // instructions from.
    'Edit(/conversations/**/.*/**)',
    ...['CLAUDE', 'AGENTS', 'GEMINI'].map((name) => `Edit(/conversations/**/${name}*.md)`),
  ],
}

type List = keyof typeof RULES

/** The tools that the front matter of a command allows. */
export const ALLOWED_TOOLS = CALLS

const LISTS = Object.keys(RULES) as List[]

/**
 * Adds our rules after the person's own. Settings of an unknown shape stay as they are. A command's own `allowed-tools`
 * would not be enough, because they apply only to the turn in which the command was typed. If the command shows a list,
 * the person answers in the next turn (observed on 2.1.330).
 */
export function addPermissions(settings: Settings): Settings {
  const { permissions = {} } = settings
  if (!isObject(permissions) || LISTS.some((list) => !isList(permissions[list] ?? []))) return settings
  const added: Permissions = { ...permissions }
  for (const list of LISTS) {
    const present = (permissions[list] ?? []) as unknown[]
    added[list] = [...present, ...RULES[list].filter((rule) => !present.includes(rule))]
  }
  return { ...settings, permissions: added }
}

/** Removes our rules, even if the person added them, and then the lists and the object that are left empty. */
export function removePermissions(settings: Settings): Settings {
  const { permissions, ...rest } = settings
  if (!isObject(permissions)) return settings
  const left = LISTS.reduce(withoutOurs, permissions)
  if (left === permissions) return settings
  return Object.keys(left).length > 0 ? { ...settings, permissions: left } : rest
}

function withoutOurs(permissions: Permissions, list: List): Permissions {
  const { [list]: rules, ...others } = permissions
  if (!isList(rules)) return permissions
  const ours: readonly unknown[] = RULES[list]
  const left = rules.filter((rule) => !ours.includes(rule))
  if (left.length === rules.length) return permissions
  return left.length > 0 ? { ...permissions, [list]: left } : others
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value)
}
