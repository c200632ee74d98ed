import { CortextError } from '../errors.ts'

/**
 * Parses a date or time that was typed; `fix` shows how to write it. A day, a month or a year begins at midnight of this
 * person's time zone, as the folders of conversations are named and lists show times. Throws `usage`.
 */
export function dateOf(text: string, fix = '--since 2026-11-21'): Date {
  const [year, month, day] = calendarParts(text) ?? []
  const date = year === undefined ? timeOf(text) : new Date(year, (month ?? 1) - 1, day ?? 1)
  // The calendar of `Date` goes on after the end of a month: 30 February is 2 March.
  const isThere = day === undefined || date.getDate() === day
  if (Number.isNaN(date.getTime()) || !isThere || (month !== undefined && (month < 1 || month > 12)))
    throw new CortextError('usage', `"${text}" is not a date`, { fix })
  return date
}

/** Like `dateOf`, but returns the last millisecond if the text is only a day, a month or a year. */
export function endOf(text: string, fix = '--until 2026-11-21'): Date {
  const date = dateOf(text, fix)
  const [year, month, day] = calendarParts(text) ?? []
  if (year === undefined) return date
  const next =
    month === undefined
      ? new Date(year + 1, 0)
      : day === undefined
        ? new Date(year, month)
        : new Date(year, month - 1, day + 1)
  return new Date(next.getTime() - 1)
}

/** The time that a text names. `Date` takes nearly every number for one: `7` would be July 2001. */
function timeOf(text: string): Date {
  return new Date(/\d{4}/.test(text) ? text : Number.NaN)
}

/** The numbers of a day, a month or a year; undefined for any other text, such as a time. */
function calendarParts(text: string): number[] | undefined {
  const parts = /^(\d{4})(?:-(\d\d))?(?:-(\d\d))?$/.exec(text.trim())
  return parts?.slice(1).flatMap((part) => (part === undefined ? [] : Number(part)))
}

export const ROLES = ['user', 'assistant', 'tool', 'system']

export function roleOf(text: string, fix = '--role user'): string {
  if (ROLES.includes(text)) return text
  throw new CortextError('usage', `"${text}" is not a role: ${ROLES.join(', ')}`, { fix })
}

/** Parses a whole number above 0; `fix` shows how to write the option. Throws `usage`. */
export function numberOf(text: string, fix: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && number > 0) return number
  throw new CortextError('usage', `"${text}" is not a whole number above 0`, { fix })
}
