import type { Message } from './schema.ts'

/**
 * Returns the lines of messages.jsonl in reading order. Of several lines with one id, the longest takes the place of
 * the first. Every native session keeps its own order (`seq`), and sessions are merged by time. Times in real
 * transcripts sometimes run backwards. So a message counts with the latest time that its session has had so far, and a
 * wrong timestamp never pulls a message out of the order of its session. A line without `seq` stays after the line that
 * it follows in the file. When every line has a `seq`, the order of the lines in the file does not matter, so clones
 * that merge read the lines in the same order.
 */
export function orderMessages(lines: readonly Message[]): Message[] {
  if (isInOrder(lines)) return [...lines]
  const sessions = new Map<string, Message[]>()
  for (const message of distinct(lines)) {
    const name = message.native_session ?? ''
    const session = sessions.get(name)
    if (session === undefined) sessions.set(name, [message])
    else session.push(message)
  }
  return mergeByClock([...sessions.values()].map(inSequence))
}

/** Whether all lines are of one session and in reading order, each id once. Most records are like that. */
function isInOrder(lines: readonly Message[]): boolean {
  const ids = new Set<string>()
  const session = lines[0]?.native_session
  let last = -1
  return lines.every(({ id, native_session, seq = last }) => {
    const continues = native_session === session && seq >= last
    last = seq
    return continues && ids.size < ids.add(id).size
  })
}

/**
 * Returns the longer of two lines; of two equally long lines, the one that sorts first as text. The order of the
 * arguments does not matter.
 */
export function richer(a: Message, b: Message): Message {
  const [textA, textB] = [JSON.stringify(a), JSON.stringify(b)]
  if (textA.length !== textB.length) return textB.length > textA.length ? b : a
  return textB < textA ? b : a
}

function distinct(lines: readonly Message[]): Message[] {
  const indexes = new Map<string, number>()
  const result: Message[] = []
  for (const line of lines) {
    const index = indexes.get(line.id)
    if (index === undefined) {
      indexes.set(line.id, result.length)
      result.push(line)
    } else {
      result[index] = richer(result[index]!, line)
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
  const clocked = sessions.flatMap((session) => {
    let clock = Number.NEGATIVE_INFINITY
    return session.map((message, index) => {
      const time = Date.parse(message.timestamp)
      // A timestamp that is not a time leaves the clock as it is.
      if (time > clock) clock = time
      return { message, clock, name: message.native_session ?? '', place: index }
    })
  })
  clocked.sort((a, b) => {
    if (a.clock !== b.clock) return a.clock < b.clock ? -1 : 1
    if (a.name !== b.name) return a.name < b.name ? -1 : 1
    return a.place - b.place
  })
  return clocked.map(({ message }) => message)
}
