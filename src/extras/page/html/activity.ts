import { largeCountOf } from '../../../text/count-of.ts'
import { type Html, html } from './html.ts'

const DAY = 24 * 60 * 60_000
const WEEKS = 53
const CELL = 12

/**
 * Draws how much was said on each day of the year that ends with the newest day. Each column is a week that begins on
 * Monday. `days` maps a day such as `2026-11-23` to its number of messages. Undefined without a valid day.
 */
export function activityDrawing(days: ReadonlyMap<string, number>): Html | undefined {
  const newest = [...days.keys()]
    .filter((day) => /^\d{4}-\d\d-\d\d$/.test(day))
    .sort()
    .at(-1)
  if (newest === undefined) return undefined
  const end = Date.parse(newest)
  const lastMonday = end - ((new Date(end).getUTCDay() + 6) % 7) * DAY
  const begin = lastMonday - (WEEKS - 1) * 7 * DAY
  const cells: Html[] = []
  const months: Html[] = []
  let [said, active] = [0, 0]
  for (let time = begin; time <= end; time += DAY) {
    const day = new Date(time).toISOString().slice(0, 10)
    const count = days.get(day) ?? 0
    const number = Math.round((time - begin) / DAY)
    const [week, weekday] = [Math.floor(number / 7), number % 7]
    said += count
    active += count > 0 ? 1 : 0
    if (day.endsWith('-01') && week < WEEKS - 1)
      months.push(html`<text x="${week * CELL}" y="9">${MONTHS[new Date(time).getUTCMonth()]!}</text>`)
    cells.push(
      html`<rect class="l${levelOf(count)}" x="${week * CELL}" y="${16 + weekday * CELL}" width="9" height="9" rx="2"><title>${day}: ${largeCountOf(count, 'message')}</title></rect>`,
    )
  }
  const words = `${largeCountOf(said, 'message')} on ${largeCountOf(active, 'day')} of the year up to ${newest}`
  return html`<figure class="activity"><svg viewBox="0 0 ${WEEKS * CELL} ${16 + 7 * CELL}" role="img" aria-label="${words}">${months}${cells}</svg><figcaption>${words}</figcaption></figure>`
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

function levelOf(count: number): number {
  return [0, 5, 20, 60].findLastIndex((least) => count > least) + 1
}
