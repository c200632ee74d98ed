import { createHash } from 'node:crypto'
export function hookHash(
  eventName: string,
  group: { matcher?: string },
  handler: Record<string, unknown>,
): string {
  const identity = {
    event_name: eventName,
    ...(group.matcher === undefined ? {} : { matcher: group.matcher }),
    hooks: [handler],
  }
  return `sha256:${createHash('sha256')
    .update(JSON.stringify(sorted(identity)))
    .digest('hex')}`
}
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([k, v]) => [k, sorted(v)]),
  )
}
