import { type Html, html } from './html.ts'

/** Writes the times of a page in one time zone, which the page names. */
export interface Times {
  zone: string
  /** `14:32`, as a `<time>`; the text itself if it is not a time. */
  clock: (timestamp: string) => Html
  /** `Monday 23 November 2026`; the text itself if it is not a time. */
  day: (timestamp: string) => string
  /** `23 Nov 2026` */
  date: (timestamp: string) => string
}

export function timesIn(zone: string): Times {
  const formatter = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...options })
  const clock = formatter({ hour: '2-digit', minute: '2-digit' })
  const day = formatter({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
  const date = formatter({ day: 'numeric', month: 'short', year: 'numeric' })
  const whole = formatter({ dateStyle: 'medium', timeStyle: 'long' })
  return {
    zone,
    clock: (timestamp) => {
      const time = timeOf(timestamp)
      return time === undefined
        ? html`<span>${timestamp.slice(0, 40)}</span>`
        : html`<time datetime="${new Date(time).toISOString()}" title="${whole.format(time)}">${clock.format(time)}</time>`
    },
    day: (timestamp) => {
      const time = timeOf(timestamp)
      return time === undefined ? timestamp.slice(0, 40) : day.format(time).replace(',', '')
    },
    date: (timestamp) => {
      const time = timeOf(timestamp)
      return time === undefined ? timestamp.slice(0, 40) : date.format(time)
    },
  }
}

function timeOf(timestamp: string): number | undefined {
  const time = Date.parse(timestamp)
  return Number.isNaN(time) ? undefined : time
}
