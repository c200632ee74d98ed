import { type Html, html } from './html.ts'

/** Writes the times of a page in one time zone, which the page names. */
export interface Times {
  /** `14:32`, as a `<time>`; of what is no time, its first 40 characters. */
  clock: (timestamp: string) => Html
  /** `Monday 23 November 2026`; of what is no time, its first 40 characters. */
  day: (timestamp: string) => string
  /** `23 Nov 2026` */
  date: (timestamp: string) => string
}

export function timesIn(zone: string): Times {
  const written = (options: Intl.DateTimeFormatOptions) => {
    const formatter = new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...options })
    return (timestamp: string) => {
      const time = Date.parse(timestamp)
      return Number.isNaN(time) ? timestamp.slice(0, 40) : formatter.format(time)
    }
  }
  const clock = written({ hour: '2-digit', minute: '2-digit' })
  const day = written({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
  const whole = written({ dateStyle: 'medium', timeStyle: 'long' })
  return {
    clock: (timestamp) => {
      const time = Date.parse(timestamp)
      return Number.isNaN(time)
        ? html`<span>${clock(timestamp)}</span>`
        : html`<time datetime="${new Date(time).toISOString()}" title="${whole(timestamp)}">${clock(timestamp)}</time>`
    },
    day: (timestamp) =>
      Number.isNaN(Date.parse(timestamp)) ? day(timestamp) : day(timestamp).replace(',', ''),
    date: written({ day: 'numeric', month: 'short', year: 'numeric' }),
  }
}
