import { AGENT_CALL } from '../shared/setup/allowed-calls.ts'
import { isObject } from '../shared/transcript/fields.ts'

type Settings = Record<string, unknown>
type Permissions = Record<string, unknown>

/**
 * The rules for our calls. The client still asks about a call with redirections, substitutions, chains or variables
 * (2.1.330). On Windows without Git Bash the agent has the tool PowerShell instead of Bash.
 */
const CALLS = [`Bash(${AGENT_CALL}:*)`, `PowerShell(${AGENT_CALL}:*)`]

/**
 * Our rules. `allow` and `ask` are lists in the person's settings. A path that begins with a slash is relative to the
 * project. The client resolves links and `..` before it matches a path (2.1.197, 2.1.330).
 */
export const RULES = {
  allow: [
    ...CALLS,
    // Our prompts often ask the agent to update a conversation's document. No document is in a deeper folder.
    'Edit(/conversations/[0-9]*-[0-9]*-[0-9]*/[0-9]*/*.md)',
  ],
  ask: [
    // In every mode the client asks before it edits the record, or a file of instructions for agents.
    'Edit(/conversations/**/.*/**)',
    ...['CLAUDE', 'AGENTS', 'GEMINI'].map((name) => `Edit(/conversations/**/${name}*.md)`),
  ],
}

type List = keyof typeof RULES

/** The tools that the front matter of a command allows. */
export const ALLOWED_TOOLS = CALLS.join(', ')

const LISTS = Object.keys(RULES) as List[]

/**
 * Adds our rules after the person's own. Settings of an unknown shape stay as they are. A command's own `allowed-tools`
 * applies only to the turn in which the person typed the command (observed on 2.1.330). That is not enough: if the
 * command shows a list, the person chooses in the next turn.
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

/**
 * Removes our rules, and the lists and objects that become empty. A rule that the person wrote goes too if it is the
 * same as ours.
 */
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
