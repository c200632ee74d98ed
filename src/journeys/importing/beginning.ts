import type { Reading } from '../../clients/contract/reading.ts'
import type { NativeSession } from '../../clients/contract/sessions.ts'
import { readerOf } from '../../clients/index.ts'
import { longer } from '../../conversation/segments/next-piece.ts'
import { openTranscript } from '../../conversation/transcript-bytes.ts'
import type { Environment } from '../../io/environment.ts'
import { typeOpenedIn } from '../../session/control-turns.ts'
import { isPrompt, isTalk, textOf } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { isShortRequest } from '../../session/short-request.ts'
import { firstRequest, requestIn, tells, titleFrom } from '../../session/title.ts'
import { textInQuotes } from '../../text/json.ts'
import type { ConversationType } from '../../workspace/registry.ts'
import { bytesOfSession, exportedIn, rawOf } from './named-file.ts'
import { nothingSaid } from './refused-files.ts'

/**
 * Returns the time of a session's first message, the type whose command the person typed, and the session's title: the
 * name that a person gave, the client's title, or else one made of the first words. The new folder is named after all
 * three. A long transcript is read piece by piece. Throws `refused` when nothing was said.
 */
export function beginningOf(
  environment: Environment,
  session: NativeSession,
  types: ReadonlyMap<string, ConversationType>,
): { at: Date; title: string; opened: string | undefined } {
  let first: Message | undefined
  let own: Pick<Reading['facts'], 'title' | 'titleGiven'> = {}
  let opened: string | undefined
  const prompts: Message[] = []
  const notes: Message[] = []
  for (const { messages, facts } of readingsOf(session)) {
    first ??= messages.find(isTalk)
    opened ??= typeOpenedIn(messages, types)
    if (!tells(firstRequest(prompts) ?? '')) for (const one of messages) if (isPrompt(one)) prompts.push(one)
    if (prompts.length === 0) notes.push(...messages.filter((one) => one.tool_name === 'task-notification'))
    if (facts.title !== undefined && (facts.titleGiven === true || own.titleGiven !== true)) own = facts
  }
  if (first === undefined) throw nothingSaid(session)
  const at = new Date(first.timestamp)
  const name = readerOf(session.client).sessions.givenName?.(environment, session)
  const title = name ?? titleOf(own, prompts.length === 0 ? notes.map(asPrompt) : prompts)
  return { at: Number.isNaN(at.getTime()) ? environment.now() : at, title, opened }
}

/**
 * Of a session in which only another agent asked for something, that agent's words make the title. A task that Claude
 * Code's agent teams assign is a JSON object with a `subject`.
 */
function asPrompt(note: Message): Message {
  const [, quoted = ''] =
    /^\s*(?:<[^>\n]*>\s*)?\{[^\n]*?"subject":\s*("(?:[^"\\]|\\.){1,2000}")/.exec(textOf(note)) ?? []
  return { ...note, role: 'user', content: textInQuotes(quoted) || note.content }
}

/**
 * Returns a name that a person gave, else the client's title, else a title of the first words. A client's title may be
 * the whole first prompt, with text around the person's request, or an error of the client.
 */
function titleOf(own: Pick<Reading['facts'], 'title' | 'titleGiven'>, prompts: readonly Message[]): string {
  const { title = '', titleGiven } = own
  if (titleGiven === true) return title
  const isOnlyPrompt = requestIn(title) !== title.trim()
  const typed = prompts.map((one) => textOf(one).trim())
  const first = titleFrom(prompts) ?? typed.find(isShortRequest)
  if (CLIENT_ERROR.test(title)) return first ?? ''
  return isOnlyPrompt || title === '' ? (first ?? title) : title
}

/** Errors that Claude Code took for an answer when it made the title. */
const CLIENT_ERROR =
  /^(?:API Error|Invalid API key|Credit balance is too low|Prompt is too long|Please run \/login)\b/

const PIECE_BYTES = 4 * 1024 * 1024

/** Reads a transcript: in pieces if its client offers `pieceEnd`, otherwise as a whole. */
function* readingsOf(session: NativeSession): Generator<Pick<Reading, 'messages' | 'facts'>> {
  const { pieceEnd, read } = readerOf(session.client).reading
  const isExport = pieceEnd === undefined || exportedIn(session.client, session.transcript) !== undefined
  const source = isExport ? undefined : openTranscript(session)
  if (source === undefined) return yield read(rawOf(session, bytesOfSession(session)))
  try {
    for (let [from, length] = [0, PIECE_BYTES]; from < source.size; ) {
      const bytes = source.read(from, length)
      const isLast = from + bytes.length >= source.size
      const end = isLast ? bytes.length : pieceEnd!(bytes)
      if (end === undefined) {
        length = longer((at, to) => source.read(at, to - at), from, length, PIECE_BYTES)
        continue
      }
      length = PIECE_BYTES
      yield read(rawOf(session, bytes.subarray(0, end)))
      from += end
    }
  } finally {
    source.close()
  }
}
