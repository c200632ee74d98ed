import { CortextError } from '../errors.ts'

const DAY = 24 * 60 * 60_000

/** Parses a date or time that was typed; `fix` shows how to write it. Throws `usage`. */
export function dateOf(text: string, fix = '--since 2026-11-21'): Date {
  const date = new Date(text)
  if (Number.isNaN(date.getTime())) throw new CortextError('usage', `"${text}" is not a date`, { fix })
  return date
}

/** Like `dateOf`, but returns the last millisecond if the text is only a day, a month or a year. */
export function endOf(text: string, fix = '--until 2026-11-21'): Date {
  const date = dateOf(text, fix)
  const parts = /^(\d{4})(?:-(\d\d))?(?:-(\d\d))?$/.exec(text.trim())
  if (parts === null) return date
  const [year, month, day] = parts.slice(1).map((part) => (part === undefined ? undefined : Number(part)))
  const next =
    month === undefined
      ? Date.UTC(year! + 1, 0)
      : day === undefined
        ? Date.UTC(year!, month)
        : date.getTime() + DAY
  return new Date(next - 1)
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
