import { readerOf } from '../../../clients/index.ts'
import type { Environment } from '../../../io/environment.ts'
import {
  countByClient,
  type SessionNotSaved,
  savedIn,
  sessionsNotSaved,
} from '../../../journeys/not-saved/sessions.ts'
import { countOf } from '../../../text/count-of.ts'
import { cutAtWord, oneLine } from '../../../text/line.ts'
import { relativeTime } from '../../../text/relative-time.ts'
import { plain } from '../../../text/without-accents.ts'
import type { Workspace } from '../../../workspace/open.ts'

/** The clients' own sessions of this folder that no conversation has, for an answer that found nothing. */
export interface SessionNotes {
  /** Say how many there are, and name those whose title has words of the query. Empty if there are none. */
  lines: string[]
  /** The command that saves the best session, or else all of a client. */
  command?: string
  json: { client: string; native_id: string; title: string; command: string }[]
}

/** Looks for the words of `query` in the titles of sessions that are not saved. Reads only the ends of files. */
export function sessionNotes(environment: Environment, ws: Workspace, query: string): SessionNotes {
  const { sessions } = sessionsNotSaved(environment, ws.root, savedIn(ws))
  if (sessions.length === 0) return { lines: [], json: [] }
  const fitting = withWords(sessions, query)
  const counts = countByClient(sessions)
  const isOne = sessions.length === 1
  const [first] = counts
  return {
    lines: [
      `${countOf(sessions.length, 'session')} of this folder ${isOne ? 'is' : 'are'} not saved${query === '' ? '' : ', so only the titles were searched'}.`,
      ...(fitting.length === 0
        ? []
        : [`${countOf(fitting.length, 'title')} ${fitting.length === 1 ? 'fits' : 'fit'}:`]),
      ...fitting
        .slice(0, MAX_NAMED)
        .flatMap((one) => [titleLine(one, environment.now()), `    → ${one.command}`]),
      ...(fitting.length > MAX_NAMED ? [`  … and ${fitting.length - MAX_NAMED} more`] : []),
      ...(query === '' && counts.length === 1 ? [] : counts).map(
        ({ client, command }) => `To save all of ${readerOf(client).name}: ${command}`,
      ),
    ],
    command: (fitting[0] ?? first!).command,
    json: fitting.map((one) => ({
      ...{ client: one.client, native_id: one.nativeId, title: one.title, command: one.command },
    })),
  }
}

const MAX_NAMED = 3

function titleLine({ client, title, lastActive }: SessionNotSaved, now: Date): string {
  return `  ${cutAtWord(oneLine(title), 60)}  (${readerOf(client).name}, ${relativeTime(lastActive, now)})`
}

/** The sessions with the most words of the query in their title, newest first. Short words count only if all are short. */
function withWords(sessions: readonly SessionNotSaved[], query: string): SessionNotSaved[] {
  const words = wordsOf(query)
  const long = words.filter((word) => word.length >= MIN_WORD)
  const sought = [...new Set(long.length > 0 ? long : words)]
  const counted = sessions.map((session) => {
    const title = wordsOf(session.title)
    return { session, count: sought.filter((word) => title.some((one) => one.startsWith(word))).length }
  })
  return counted
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
    .map(({ session }) => session)
}

const MIN_WORD = 4

function wordsOf(text: string): string[] {
  return plain(text)
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean)
}
