import type { Health } from './health.ts'
import type { HookLanguage } from './hooks.ts'
import type { Launching } from './launch.ts'
import type { PromptPack } from './pack.ts'
import type { Questions } from './questions.ts'
import type { TranscriptFormat } from './reading.ts'
import type { Sessions } from './sessions.ts'
import type { OwnSettings } from './settings.ts'
import type { Tools } from './tools.ts'

/**
 * One AI command-line client, grouped by what it offers. Everything that is special about a client lives behind this
 * contract: nothing outside `clients/` tests for a client id. A facet or function that a client does not have is
 * absent, and never a stub. Functions that are given an `Environment` may read what lies outside; all others are pure.
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

  /** Where it keeps its sessions. */
  readonly sessions: Sessions
  /** What its transcripts say. */
  readonly reading: TranscriptFormat
  /** What its tools do, and how much of a shell's output its agent gets. */
  readonly tools: Tools
  /** The prompt pack in its format. */
  readonly pack: PromptPack
  /** How its hooks, or its plugin, speak with cortext. */
  readonly hooks: HookLanguage
  /** How it is started in a terminal. */
  readonly launch: Launching
  /** Our entries in its settings file. Absent: no settings file of it is touched. */
  readonly settings?: OwnSettings
  /** How its model is asked without a terminal. Absent: it cannot be asked. */
  readonly questions?: Questions
  /** What in the person's own settings is in our way. Absent: nothing is known that could be. */
  readonly health?: Health
}
