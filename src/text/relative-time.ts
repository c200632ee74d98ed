const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const MONTH = 30.44 * DAY
const YEAR = 365.25 * DAY

/**
 * How long ago a time was, in words: `just now`, `5 minutes ago`, `2 hours ago`, `yesterday`, `3 days ago`, `2 months
 * ago`.
 */
export function relativeTime(then: Date, now: Date): string {
  const ago = now.getTime() - then.getTime()
  if (Number.isNaN(ago)) return 'at an unknown time'
  if (ago < MINUTE) return 'just now'
  if (ago < HOUR) return count(ago / MINUTE, 'minute')
  if (ago < DAY) return count(ago / HOUR, 'hour')
  if (ago < 2 * DAY) return 'yesterday'
  if (ago < 2 * MONTH) return count(ago / DAY, 'day')
  if (ago < 2 * YEAR) return count(ago / MONTH, 'month')
  return count(ago / YEAR, 'year')
}

function count(amount: number, unit: string): string {
  const whole = Math.floor(amount)
  return `${whole} ${unit}${whole === 1 ? '' : 's'} ago`
}
