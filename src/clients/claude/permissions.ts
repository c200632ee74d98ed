type Settings = Record<string, unknown>

/** What an agent may run without the person being asked: nothing that deletes, imports, edits or uninstalls. */
export const ALLOWED = [
  'start',
  'save',
  'stop',
  'list',
  'show',
  'search',
  'context',
  'resume --here',
  'resume --print',
  'resume --list',
].map((words) => `Bash(cortext ${words}:*)`)

/**
 * The settings with our rules allowed. A command's own `allowed-tools` hold only for the turn that it was typed
 * in; the person answers a list in the next one (observed on 2.1.330).
 */
export function addPermissions(settings: Settings): Settings {
  const bare = removePermissions(settings)
  const permissions = isObject(bare.permissions) ? bare.permissions : {}
  const allow = Array.isArray(permissions.allow) ? permissions.allow : []
  return { ...bare, permissions: { ...permissions, allow: [...allow, ...ALLOWED] } }
}

/** The settings without our rules, and without the containers that they leave empty. */
export function removePermissions(settings: Settings): Settings {
  const { permissions, ...rest } = settings
  if (!isObject(permissions) || !Array.isArray(permissions.allow)) return settings
  const { allow, ...others } = permissions
  const left = (allow as unknown[]).filter((rule) => !ALLOWED.includes(String(rule)))
  if (left.length === (allow as unknown[]).length) return settings
  if (left.length > 0) return { ...settings, permissions: { ...permissions, allow: left } }
  return Object.keys(others).length > 0 ? { ...settings, permissions: others } : rest
}

function isObject(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
