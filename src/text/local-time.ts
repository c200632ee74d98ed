/**
 * A time as clocks on this machine show it: `2026-11-23 14:32`. `at an unknown time` for a value that is not a time.
 */
export function localTime(time: Date | number | string): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return 'at an unknown time'
  const two = (number: number) => String(number).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}
