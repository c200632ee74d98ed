import { readConversation } from '../../conversation/read.ts'
import { CortextError } from '../../errors.ts'
import { redactValue } from '../../redact/index.ts'
import { redactMessages } from '../../redact/messages.ts'
import { asMarkdown } from '../../session/as-markdown.ts'
import { livePath } from '../../session/live-path.ts'
import { type Range, rangeOf } from '../../session/range.ts'
import type { Message, SessionFile } from '../../session/schema.ts'
import { asJson } from '../../text/json.ts'
import { removeControls } from '../../text/line.ts'
import type { Workspace } from '../../workspace/open.ts'
import type { ExportFormat, Part } from '../export-formats.ts'
import { withoutPlaces } from '../without-places.ts'
import { asAtif } from './atif.ts'
import type { Omission } from './cannot-hold.ts'
import { asPullRequest } from './pull-request.ts'
import { asSessionTrace } from './session-trace.ts'

type DocumentFormat = Exclude<ExportFormat, 'html'>

export interface ExportOptions {
  format: DocumentFormat
  /** The first and the last message, by number or id. */
  from?: string | undefined
  to?: string | undefined
  /** Keeps paths as they were recorded. Default: they name no folder of this machine. */
  paths?: boolean | undefined
}

export interface Exported {
  text: string
  /** The number of messages added to the range, so that it contains no call without its result. */
  widened: number
  /** Secrets that were replaced for this export, by kind. */
  redacted: Record<string, number>
  /** What the format cannot contain. */
  omissions: Omission[]
}

type FormatResult = Pick<Exported, 'text'> & Partial<Pick<Exported, 'omissions'>>

interface Format {
  /** Whether the document is meant for other people. If so, it is searched for secrets again. */
  forOthers: boolean
  make(part: Part, ws: Workspace, redacted: Readonly<Record<string, number>>): FormatResult
}

const FORMATS: Record<DocumentFormat, Format> = {
  markdown: {
    forOthers: false,
    // People also print this file in a terminal, where control characters would take effect.
    make: ({ session, ranged, live }) => ({ text: removeControls(asMarkdown(session, ranged, live)) }),
  },
  json: {
    forOthers: false,
    make: ({ session, ranged }) => ({ text: `${asJson({ session, messages: ranged }, 2)}\n` }),
  },
  atif: {
    forOthers: true,
    make({ session, ranged, live }) {
      const { document, omissions } = asAtif(session, ranged, live)
      return { text: `${asJson(document, 2)}\n`, omissions }
    },
  },
  hf: { forOthers: true, make: ({ session, ranged, live }) => asSessionTrace(session, ranged, live) },
  pr: { forOthers: true, make: asPullRequest },
}

/**
 * Makes one document of a conversation, or of a range of its messages. Writes nothing. Each format contains:
 * - JSON: all messages, with events and with messages that were taken back
 * - ATIF and the session trace: the live path
 * - Markdown: the live path, and the summaries of pruned messages
 * - the text for a pull request: what was done and what was dropped
 *
 * Throws what readConversation throws, and `not-found` for a message that is missing. Throws `usage` when the live path
 * has nothing to export. Only Markdown and JSON of the whole conversation are made even then.
 */
export function exportConversation(
  ws: Workspace,
  path: string,
  { format, paths = false, ...wanted }: ExportOptions,
): Exported {
  const { session, messages } = readConversation(ws, path)
  const { forOthers, make } = FORMATS[format]
  const redacted: Record<string, number> = {}
  const range = rangeOf(messages, wanted)
  const shorten = paths ? <T>(value: T) => value : withoutPlaces(ws)
  const part = partOf(messages, range, (some) =>
    (forOthers ? redactMessages(some, redacted) : some).map((message) => shorten(message)),
  )
  if (part.live.length === 0 && (forOthers || part.ranged.length < messages.length))
    throw new CortextError(
      'usage',
      'nothing to export: the range has no messages, or all of them were taken back',
      { fix: 'cortext show <id> --messages --json' },
    )
  const shown = shorten(forOthers ? redactedSession(session, redacted) : session)
  const made = make({ session: shown, ...part }, ws, redacted)
  return { omissions: [], ...made, widened: range.widened, redacted }
}

function partOf(
  messages: readonly Message[],
  range: Range,
  forExport: (some: readonly Message[]) => readonly Message[],
): Omit<Part, 'session'> {
  const start = range.messages[0] === undefined ? 0 : messages.indexOf(range.messages[0])
  const ranged = forExport(range.messages)
  const all = [...messages.slice(0, start), ...ranged, ...messages.slice(start + ranged.length)]
  const within = new Set(ranged)
  return { all, ranged, live: livePath(all).filter((message) => within.has(message)) }
}

function redactedSession(session: SessionFile, redacted: Record<string, number>) {
  const { value, found } = redactValue(session)
  for (const { kind } of found) redacted[kind] = (redacted[kind] ?? 0) + 1
  return value
}
