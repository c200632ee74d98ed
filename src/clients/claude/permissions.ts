import { ALLOWED_CALLS } from '../setup/allowed-calls.ts'
import { isObject } from '../transcript/fields.ts'

type Settings = Record<string, unknown>

export const ALLOWED = ALLOWED_CALLS.map((call) => `Bash(${call}:*)`)

/**
 * Adds our rules to the allowed ones, behind the person's own. Settings of an unknown shape stay as they are. A
 * command's own `allowed-tools` would not do: they hold only for the turn in which the command was typed, and the
 * person answers a list in the next turn (observed on 2.1.330).
 */
export function addPermissions(settings: Settings): Settings {
  const { permissions = {} } = settings
  if (!isObject(permissions)) return settings
  const { allow = [] } = permissions
  if (!Array.isArray(allow)) return settings
  const missing = ALLOWED.filter((rule) => !allow.includes(rule))
  return missing.length === 0
    ? settings
    : { ...settings, permissions: { ...permissions, allow: [...allow, ...missing] } }
}

/** Removes our rules, whoever added them, and the containers that they leave empty. */
export function removePermissions(settings: Settings): Settings {
  const { permissions, ...rest } = settings
  if (!isObject(permissions) || !Array.isArray(permissions.allow)) return settings
  const { allow: _, ...others } = permissions
  const left = permissions.allow.filter((rule) => !ALLOWED.includes(rule))
  if (left.length === permissions.allow.length) return settings
  if (left.length > 0) return { ...settings, permissions: { ...permissions, allow: left } }
  return Object.keys(others).length > 0 ? { ...settings, permissions: others } : rest
}
