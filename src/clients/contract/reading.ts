import type { Message } from '../../session/schema.ts'

/** The format of a client's transcripts. Pure. */
export interface TranscriptFormat {
  /** Reads a raw transcript into canonical messages, facts, and a report on every byte. It never throws on content. */
  read(raw: RawTranscript): Reading
  /**
   * The session id that the records of a transcript name. Undefined where they name none. Absent: the file's name is
   * the id.
   */
  sessionId?(bytes: Uint8Array): string | undefined
  /**
   * For the transcript of a subagent: the id of the session that started the subagent, or '' if the transcript does not
   * name that session. Undefined for the transcript of a person's session. Absent: no subagent of the client has a
   * transcript of its own.
   */
  subagentOf?(bytes: Uint8Array): string | undefined
  /**
   * Whether bytes from the middle of a transcript can be read only together with all bytes before them. Absent: never.
   */
  refersBack?(bytes: Uint8Array): boolean
  /**
   * A long transcript is read in pieces. Returns the offset where the first piece of these bytes can end: the last
   * record before which nothing waits for what follows, such as a call for its result. Undefined when there is none, so
   * that more bytes are needed. The bytes begin where a record begins. Absent: a transcript of this client is always read
   * as a whole.
   */
  pieceEnd?(bytes: Uint8Array): number | undefined
  /**
   * True when the client removes from its transcript what a rewind takes back, and writes the rest anew. The journal
   * then begins a new generation, and keeps the earlier one. Absent: what was taken back stays in the transcript.
   */
  readonly removesTakenBack?: true
  /**
   * Makes the transcript from the output of the client's own export command, or from the client's file if that is one
   * document and not lines. Undefined for any other text. Absent: there is no such form.
   */
  fromExport?(text: string): string | undefined
}

/** The format of transcripts that cortext also records while the client writes them. */
export interface LiveFormat extends TranscriptFormat {
  /**
   * Returns the byte offset of the record that begins the running turn, such as the person's prompt. Returns the end of
   * the bytes when the last turn has its final answer, because then the running turn is not written yet. Some clients'
   * transcripts do not show whether an answer is final. For them, `noted` is the offset where a hook saw a turn begin.
   * The running turn begins there, or at a later prompt if the hook failed at that prompt.
   */
  turnStart(bytes: Uint8Array, noted?: number): number
}

export interface RawTranscript {
  nativeId: string
  /** The transcript from byte 0. If `firstLine` is set: only the end of the transcript. */
  bytes: Uint8Array
  /**
   * The number of the first line in `bytes`, counted from 0, when `bytes` is only the end of the transcript. A record
   * that refers to an earlier line is read as if that line were unreadable.
   */
  firstLine?: number
  /** Lines that begin before this offset are read but not counted in the report. Default: `from`. */
  countFrom?: number
  /**
   * True when more of the segment follows these bytes, and only a piece of it is read. Then a subagent without a known
   * call is left for a later piece.
   */
  more?: boolean
  /** The segment to read, as byte offsets: `from` included, `to` excluded. Default: all of it. */
  from?: number
  to?: number
  /** True when the client ended after these bytes: no later record will contain the prompts that wait in its queue. */
  ended?: boolean
  /** Returns a side file, by its path below the side folder. Undefined when there is no such file. */
  readSideFile(path: string): Uint8Array | undefined
  /** The paths of all side files, below the side folder. */
  sideFiles: readonly string[]
}

export interface Reading {
  /** Messages and events, in the order of the talk (`seq`). Nothing is redacted or cut. */
  messages: Message[]
  /** Messages of subagents, by the id of the tool call that started them. */
  subagents: Record<string, Message[]>
  /** The bytes of attachments by their sha256. */
  blobs: Map<string, Uint8Array>
  facts: ReadingFacts
  report: ReadReport
  /** The side files of subagents whose calls are not in the bytes that were read. Absent: there are none. */
  sideFilesLeft?: string[]
}

export interface ReadingFacts {
  /** The last model that answered. */
  model?: string
  /** The MCP tools that the transcript names: those that the model was offered, or those that it called. */
  mcpTools: string[]
  /** True when the transcript names only tools that were called, so the model may have had more. */
  calledToolsOnly?: true
  /** The client's own title. Absent where the client has none. */
  title?: string
  /** Present when a person gave this title to the session. */
  titleGiven?: true
  cwd?: string
  clientVersion?: string
  /** The native ids of the first and the last message, or of the first and the last record with an id. */
  from?: string
  to?: string
  /**
   * Whether the last turn has its final answer: false while the agent works or the client has not written the answer
   * yet.
   */
  settled: boolean
}

/**
 * The account of the bytes: every byte of the segment is in exactly one bucket, and `bytes` is their sum. A line counts
 * as a whole. Only a text that a rule left out of the line counts for that rule.
 */
export interface ReadReport {
  bytes: number
  /** Lines that became a message or a part of a message. Ids, usage and copies in these lines are counted too. */
  kept: { records: number; bytes: number }
  /** Records that only repeat what other records or the facts contain: a second copy of a message, a title. */
  derived: { records: number; bytes: number }
  /** For each rule: the number and the bytes of the records and texts that it left out. */
  dropped: Record<string, { records: number; bytes: number }>
  /** For each kind: the number and the bytes of the records that were kept raw, as `unknown` events. See also `UNSENT`. */
  unknown: Record<string, { records: number; bytes: number }>
  /**
   * Lines that are not JSON, such as a last line that is only half written. The journal keeps them, and the person is
   * notified.
   */
  unreadable: { line: number; bytes: number }[]
  /** The ids of the session's earlier files that are missing. Absent: no file is missing. */
  missing?: string[]
}

/**
 * A kind in `ReadReport.unknown`: prompts that a person typed while the agent worked, and that the client had not sent
 * when the transcript ended. They are only counted, without an `unknown` event: if the session goes on, the client sends
 * them and writes them once more.
 */
export const UNSENT = 'unsent-prompt'
