import { de, en, es, fr, it, type ParsedResult, pt } from 'chrono-node'
import { plain } from '../text/without-accents.ts'
import { languagesOfDays, yearsIn } from './may-name-day.ts'

/** How well an ISO time fits the days that a query names: 1 for such a day, less for a day close to it, else 0. */
export type DayFit = (time: string) => number

/**
 * Returns a function that says how well a time fits the days that a query names. The query can be in English, German,
 * French, Spanish, Italian or Portuguese. It can name a date, a month, a part of a month, a year, or days relative to
 * `now`. A date without a year fits every year. Undefined when the query names no day.
 */
export function askedDays(query: string, now: Date): DayFit | undefined {
  const dates = parseDates(query, now)
  const isDate = (at: number) => dates.some(({ index, text }) => at >= index && at < index + text.length)
  const years = yearsIn(query).flatMap(({ at, year }) => (isDate(at) ? [] : [year]))
  const fits = [
    ...dates.map((date) => (isMonth(date) ? monthFit(date, query) : dayFit(date))),
    ...years.map(
      (year): DayFit =>
        (time) =>
          time.startsWith(year) ? 1 : 0,
    ),
  ]
  return fits.length === 0 ? undefined : (time) => Math.max(...fits.map((closenessTo) => closenessTo(time)))
}

/** The words of a query that name its days, in lower case and without accents. */
export function dayWordsIn(query: string, now: Date): Set<string> {
  const named = [...parseDates(query, now).map(({ text }) => text), ...yearsIn(query).map(({ year }) => year)]
  return new Set(
    named.flatMap((text) =>
      plain(text)
        .toLowerCase()
        .split(/[^\p{L}\p{N}]+/u),
    ),
  )
}

const PARSERS = { en: en.casual, de: de.casual, fr: fr.casual, es: es.casual, it: it.casual, pt: pt.casual }

/** Parses the query in the language whose parser understands most of it. */
function parseDates(query: string, now: Date): ParsedResult[] {
  const found = languagesOfDays(query).map((id) => PARSERS[id].parse(query, now).filter(namesDay))
  const length = (dates: readonly ParsedResult[]) => dates.reduce((sum, { text }) => sum + text.length, 0)
  return found.reduce((best, one) => (length(one) > length(best) ? one : best), [])
}

/**
 * Whether a parsed date names a day or a month. Clock times and words such as "now" do not count. Short words do not
 * count either, because they have a meaning in other languages: "do" (Donnerstag), "out" (outubro).
 */
function namesDay({ start, text }: ParsedResult): boolean {
  if (start.isCertain('hour')) return false
  if (start.isCertain('day')) return true
  return (
    (start.isCertain('month') || start.isCertain('weekday')) &&
    /\p{L}{4}/u.test(text) &&
    !/^march\b/.test(text)
  )
}

/** Whether a date stands for a month. The parser takes "end of January" for the last day of January. */
function isMonth({ start, text }: ParsedResult): boolean {
  return start.isCertain('month') && (!start.isCertain('day') || /\bend of\b/i.test(text))
}

const DAY = 86_400_000
/** The parser returns one day for a week. The week counts as this many days before and after that day. */
const HALF_WEEK = 3

function dayFit({ start, end, text }: ParsedResult): DayFit {
  const [from, to] = [start.date(), end?.date() ?? start.date()]
  const inEveryYear = !start.isCertain('year') && !start.isCertain('weekday')
  const around = /week|woche|semaine|semana|settiman/i.test(text) ? HALF_WEEK : 0
  return (time) => {
    const at = new Date(time)
    if (inEveryYear) at.setFullYear(from.getFullYear())
    const distance = Math.max(from.getTime() - at.getTime(), at.getTime() - to.getTime(), 0) / DAY
    // The parser returns the noon of a day, so the day reaches half a day before and after it.
    return closeness(distance - 0.5 - around)
  }
}

/** A query often names the day of an event, but people talk about the event a day or two later. */
function closeness(days: number): number {
  return days <= 0 ? 1 : days <= 1 ? 0.6 : days <= 3 ? 0.3 : 0
}

function monthFit({ start, index, text }: ParsedResult, query: string): DayFit {
  const words = query.slice(Math.max(0, index - 30), index + text.length)
  const [from, to] = PARTS.find(([pattern]) => pattern.test(words))?.[1] ?? [1, 31]
  return (time) => {
    const at = new Date(time)
    if (at.getMonth() + 1 !== start.get('month')) return 0
    if (start.isCertain('year') && at.getFullYear() !== start.get('year')) return 0
    return at.getDate() >= from && at.getDate() <= to ? 1 : 0.3
  }
}

/** Words before the name of a month, with the first and the last day that they mean. */
const PARTS: readonly (readonly [RegExp, readonly [number, number]])[] = [
  [/\b(?:early|beginning|start|first|anfang|d[eé]but|principios|inizio|in[ií]cio)\b[^,.;]*$/i, [1, 11]],
  [/\b(?:mid|middle|mitte|mi|milieu|mediados|met[aà]|meados)\b[^,.;]*$/i, [10, 21]],
  [/\b(?:late|end|last|ende|fin|finales|fine|final)\b[^,.;]*$/i, [20, 31]],
]
