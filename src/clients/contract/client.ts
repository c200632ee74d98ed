import type { Environment } from '../../io/environment.ts'
import type { Health } from './health.ts'
import type { HookLanguage } from './hooks.ts'
import type { Launching } from './launch.ts'
import type { PromptPack } from './pack.ts'
import type { Personal } from './personal.ts'
import type { Questions } from './questions.ts'
import type { Reader } from './reader.ts'
import type { LiveFormat } from './reading.ts'
import type { Sessions } from './sessions.ts'
import type { OwnServer, OwnSettings } from './settings.ts'
import type { Tools } from './tools.ts'

/**
 * One AI command-line client that cortext starts, sets up and records. This contract hides everything that is special
 * about a client: nothing outside `clients/` compares client ids. A facet or function that a client does not have is
 * absent, not a stub. Functions that take an `Environment` may use files and run programs. Functions that take the path
 * of a transcript may read files. All others are pure.
 */
export interface Client extends Reader {
  /** The versions that the end-to-end tests ran, oldest first. */
  readonly tested: readonly string[]
  /** One command to paste that installs the client. */
  readonly install: string
  /**
   * Variables for the client's `--version`, which `cortext doctor` runs in an empty home. Absent: it needs none.
   */
  versionVariables?(environment: Environment): Record<string, string>

  /** The places of the client's sessions, and which of them is running. */
  readonly sessions: Sessions
  /** The format of the client's transcripts. */
  readonly reading: LiveFormat
  /** What the client's tools do, which MCP servers it has, and how much shell output its agent gets in full. */
  readonly tools: Tools
  /** The prompt pack in the client's format. */
  readonly pack: PromptPack
  /** How the client's hooks, or its plugin, speak with cortext. */
  readonly hooks: HookLanguage
  /**
   * The first words of a call that the client's agent may make without asking the person. The client's rules that `init`
   * writes allow such calls, or our hook does. Absent: neither is so for this client.
   */
  readonly unasked?: string
  /** How the client is started in a terminal. */
  readonly launch: Launching
  /** Our entries in the client's settings file. Absent: cortext changes no settings file of the client. */
  readonly settings?: OwnSettings
  /** Where `init --personal` puts all this for every folder. Absent: the client has no personal set-up. */
  readonly personal?: Personal
  /**
   * Our entry for `cortext mcp` in the project file that lists MCP servers. Absent: we add no entry for this client.
   */
  readonly mcpEntry?: OwnServer
  /** How the client's model is asked a question without a terminal. Absent: it cannot be asked. */
  readonly questions?: Questions
  /** Finds the person's settings that hinder cortext. Absent: no such setting is known. */
  readonly health?: Health
}
