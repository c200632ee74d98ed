import type { Message } from './schema.ts'

/**
 * The lines of messages.jsonl in the order they are read: one message an id (the richest line, at the first one's
 * place), every native session in its own order (`seq`), sessions merged by time. Real transcripts are not
 * monotonic in time, so a session's clock is its running maximum: a late timestamp never pulls a message out of
 * its session's order. Lines without `seq` keep the order of the file.
 */
export function orderMessages(lines: readonly Message[]): Message[] {
  const sessions = new Map<string, Message[]>()
  for (const message of distinct(lines)) {
    const name = message.native_session ?? ''
    const session = sessions.get(name)
    if (session === undefined) sessions.set(name, [message])
    else session.push(message)
  }
  if (sessions.size === 1) return [...sessions.values()].flatMap(inSequence)
  return mergeByClock([...sessions.values()].map(inSequence))
}

/** The line that tells more; of two alike the first. */
export function richer(a: Message, b: Message): Message {
  return JSON.stringify(b).length > JSON.stringify(a).length ? b : a
}

function distinct(lines: readonly Message[]): Message[] {
  const places = new Map<string, number>()
  const result: Message[] = []
  for (const line of lines) {
    const place = places.get(line.id)
    if (place === undefined) {
      places.set(line.id, result.length)
      result.push(line)
    } else {
      result[place] = richer(result[place]!, line)
    }
  }
  return result
}

function inSequence(session: Message[]): Message[] {
  let last = -1
  const keyed = session.map((message) => {
    last = message.seq ?? last
    return { message, seq: last }
  })
  return keyed.sort((a, b) => a.seq - b.seq).map(({ message }) => message)
}

function mergeByClock(sessions: Message[][]): Message[] {
  const clocked = sessions.flatMap((session, index) => {
    let clock = ''
    return session.map((message, place) => {
      const time = normalTime(message.timestamp)
      if (time > clock) clock = time
      return { message, clock, index, place }
    })
  })
  clocked.sort((a, b) =>
    a.clock < b.clock ? -1 : a.clock > b.clock ? 1 : a.index - b.index || a.place - b.place,
  )
  return clocked.map(({ message }) => message)
}

/** `…:00Z` and `…:00.000Z` are the same instant, yet sort apart as text; '' for what is no time. */
function normalTime(timestamp: string): string {
  const time = Date.parse(timestamp)
  return Number.isNaN(time) ? '' : new Date(time).toISOString()
}
