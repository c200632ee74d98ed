import type { TranscriptFormat } from './reading.ts'
import type { SessionFiles } from './sessions.ts'
import type { ToolFacts } from './tools.ts'

/**
 * A client whose sessions can be imported. That is all that cortext does with an import-only client: it is never
 * started, set up or recorded. What it said is listed, searched, shown and resumed in another client.
 */
export interface Reader {
  /** The id is also the name of the binary. */
  readonly id: string
  /** The name as people write it: `Claude Code`. */
  readonly name: string
  /** The places of the client's sessions. */
  readonly sessions: SessionFiles
  /** The format of the client's transcripts. */
  readonly reading: TranscriptFormat
  /** What the client's tools do. */
  readonly tools: ToolFacts
}
