import type { Query } from './query.ts'

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
]
const MONTH_NAMES = new Set(MONTHS.map((month) => month.toLowerCase()))

/** Whether a query names a month (in English) or a year, so that days are worth searching. */
export function asksForDay({ terms }: Query): boolean {
  return terms.some(({ text }) => MONTH_NAMES.has(text) || /^(19|20)\d\d$/.test(text))
}

/** Returns the days of ISO times, in the forms in which people ask for them: `2026-11-21 21 November 2026`. */
export function namesOfDays(times: readonly string[]): string {
  const days = new Set(times.map((time) => time.slice(0, 10)))
  return [...days].map(nameOfDay).join(' | ')
}

function nameOfDay(day: string): string {
  const [year, month, date] = day.split('-')
  return `${day} ${Number(date)} ${MONTHS[Number(month) - 1] ?? ''} ${year}`
}
