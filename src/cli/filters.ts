import { CortextError } from '../errors.ts'

/** Parses a date that a person typed. Throws `usage`. */
export function dateOf(text: string): Date {
  const date = new Date(text)
  if (Number.isNaN(date.getTime()))
    throw new CortextError('usage', `"${text}" is not a date`, { fix: '--since 2026-11-21' })
  return date
}

export const ROLES = ['user', 'assistant', 'tool', 'system']

export function roleOf(text: string): string {
  if (ROLES.includes(text)) return text
  throw new CortextError('usage', `"${text}" is not a role: ${ROLES.join(', ')}`, { fix: '--role user' })
}

/** Parses a whole number above 0; `fix` shows how to write the option. Throws `usage`. */
export function numberOf(text: string, fix: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && number > 0) return number
  throw new CortextError('usage', `"${text}" is not a number`, { fix })
}
