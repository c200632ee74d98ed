import { AGENT_CALL } from '../shared/setup/allowed-calls.ts'
import { isObject } from '../shared/transcript/fields.ts'

type Settings = Record<string, unknown>
type Permissions = Record<string, unknown>

/**
 * The rules for our calls, for the settings and for the front matter of a command. The client still asks about a call
 * with redirections, substitutions, chains or variables (2.1.330). On Windows without Git Bash the agent has the tool
 * PowerShell instead of Bash.
 */
export const CALLS = [`Bash(${AGENT_CALL}:*)`, `PowerShell(${AGENT_CALL}:*)`]

/** `allow` and `ask` are lists in the settings. */
interface Rules {
  allow: readonly string[]
  ask: readonly string[]
}

/**
 * Our rules about the files below `conversations`, which is a path with what comes before it. The client resolves links
 * and `..` before it matches a path (2.1.197, 2.1.330).
 */
function rulesFor(conversations: string): Rules {
  return {
    allow: [
      ...CALLS,
      // Our prompts often ask the agent to update a conversation's document. No document is in a deeper folder.
      `Edit(${conversations}/[0-9]*-[0-9]*-[0-9]*/[0-9]*/*.md)`,
    ],
    ask: [
      // In every mode the client asks before it edits the record, or a file of instructions for agents.
      `Edit(${conversations}/**/.*/**)`,
      ...['CLAUDE', 'AGENTS', 'GEMINI'].map((name) => `Edit(${conversations}/**/${name}*.md)`),
    ],
  }
}

/** In the settings of a project, a path that begins with a slash is relative to the project. */
export const RULES = rulesFor('/conversations')

/**
 * In the person's settings such a path would be relative to the client's own folder. A path without a slash is relative
 * to the folder in which the client was started (2.1.330).
 */
export const PERSONAL_RULES = rulesFor('conversations')

type List = keyof Rules

const LISTS: readonly List[] = ['allow', 'ask']

/**
 * Adds our rules after the person's own. Settings of an unknown shape stay as they are. A command's own `allowed-tools`
 * applies only to the turn in which the person typed the command (observed on 2.1.330). That is not enough: if the
 * command shows a list, the person chooses in the next turn.
 */
export function addPermissions(settings: Settings, rules = RULES): Settings {
  const { permissions = {} } = settings
  if (!isObject(permissions) || LISTS.some((list) => !isList(permissions[list] ?? []))) return settings
  const added: Permissions = { ...permissions }
  for (const list of LISTS) {
    const present = (permissions[list] ?? []) as unknown[]
    added[list] = [...present, ...rules[list].filter((rule) => !present.includes(rule))]
  }
  return { ...settings, permissions: added }
}

/**
 * Removes our rules, and the lists and objects that become empty. A rule that the person wrote goes too if it is the
 * same as ours.
 */
export function removePermissions(settings: Settings, rules = RULES): Settings {
  const { permissions, ...rest } = settings
  if (!isObject(permissions)) return settings
  const left = LISTS.reduce((some, list) => withoutOurs(some, list, rules), permissions)
  if (left === permissions) return settings
  return Object.keys(left).length > 0 ? { ...settings, permissions: left } : rest
}

function withoutOurs(permissions: Permissions, list: List, rules: Rules): Permissions {
  const { [list]: present, ...others } = permissions
  if (!isList(present)) return permissions
  const ours: readonly unknown[] = rules[list]
  const left = present.filter((rule) => !ours.includes(rule))
  if (left.length === present.length) return permissions
  return left.length > 0 ? { ...permissions, [list]: left } : others
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value)
}
