import type { Environment } from '../../io/environment.ts'
import type { ClientTools } from '../../session/tool-use.ts'
import type { TranscriptFormat } from './reading.ts'
import type { SessionFiles } from './sessions.ts'

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

/** What calls of a client's tools in a transcript mean. */
interface ToolFacts {
  /** The effects of the client's tools on files and in the shell, and the arguments that name the file or command. */
  readonly vocabulary: ClientTools
  /** The names of the MCP servers that the client is configured to use in a folder. Absent: it uses none. */
  mcpServers?(environment: Environment, folder: string): string[]
}

/** The tools of a client that cortext starts. */
export interface Tools extends ToolFacts {
  /**
   * The longest output of a shell command that the client's agent gets in full. Cortext prints a longer context in
   * parts.
   */
  readonly shellOutput: { bytes: number; lines?: number }
  /** True when the client's agent cannot start subagents. Absent: it can. */
  readonly noSubagents?: true
}
