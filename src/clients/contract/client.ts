import type { Health } from './health.ts'
import type { HookLanguage } from './hooks.ts'
import type { Launching } from './launch.ts'
import type { PromptPack } from './pack.ts'
import type { Questions } from './questions.ts'
import type { TranscriptFormat } from './reading.ts'
import type { Sessions } from './sessions.ts'
import type { OwnServer, OwnSettings } from './settings.ts'
import type { Tools } from './tools.ts'

/**
 * One AI command-line client, grouped by what it offers. This contract hides everything that is special about a
 * client: nothing outside `clients/` tests for a client id. A facet or function that a client does not have is
 * absent, and never a stub. Functions that are given an `Environment` may read files and processes; all others are
 * pure.
 */
export interface Client {
  /** The id is also the name of the binary. */
  readonly id: string
  /** The name as people write it: `Claude Code`. */
  readonly name: string
  /** The versions that the end-to-end tests ran, oldest first. */
  readonly tested: readonly string[]
  /** One command to paste that installs the client. */
  readonly install: string

  /** The places of the client's sessions. */
  readonly sessions: Sessions
  /** The format of the client's transcripts. */
  readonly reading: TranscriptFormat
  /** Effects of the client's tools, and the length of a shell's output that its agent gets. */
  readonly tools: Tools
  /** The prompt pack in the client's format. */
  readonly pack: PromptPack
  /** How the client's hooks, or its plugin, speak with cortext. */
  readonly hooks: HookLanguage
  /**
   * The calls of ours that the client's agent makes without asking the person, by the rules that `init` brings: the
   * words with which they begin. Absent: we bring no rule.
   */
  readonly unasked?: string
  /** How the client is started in a terminal. */
  readonly launch: Launching
  /** Our entries in the client's settings file. Absent: cortext changes no settings file of the client. */
  readonly settings?: OwnSettings
  /** `cortext mcp` in the file where the client's project names MCP servers. Absent: the client knows none. */
  readonly mcpEntry?: OwnServer
  /** How the client's model is asked without a terminal. Absent: it cannot be asked. */
  readonly questions?: Questions
  /** Finds what in the person's own settings gets in our way. Absent: no such setting is known. */
  readonly health?: Health
}
