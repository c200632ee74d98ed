import type { Environment } from '../../io/environment.ts'
import type { HookLanguage } from './hooks.ts'
import type { Launching } from './launch.ts'
import type { PromptPack } from './pack.ts'
import type { Questions } from './questions.ts'
import type { Reader, Tools } from './reader.ts'
import type { LiveFormat } from './reading.ts'
import type { Sessions } from './sessions.ts'
import type { OwnServer, OwnSettings, Personal } from './settings.ts'

/** What cortext has to know of a client without reading its files: each client has it in `facts.ts`. */
export interface ClientFacts extends Pick<Reader, 'id' | 'name'> {
  /** The versions that the end-to-end tests ran, oldest first. */
  readonly tested: readonly string[]
  /** One command to paste that installs the client. */
  readonly install: string
  /**
   * Variables for the client's `--version`, which `cortext doctor` runs in an empty home. Absent: it needs none.
   */
  versionVariables?(environment: Environment): Record<string, string>
  /** What the client's tools do, which MCP servers it has, and how much shell output its agent gets in full. */
  readonly tools: Tools
  /** The prompt pack in the client's format. */
  readonly pack: PromptPack
  /**
   * The first words of a call that the client's agent may make without asking the person. The client's rules that `init`
   * writes allow such calls, or our hook does. Absent: neither is so for this client.
   */
  readonly unasked?: string
  /** Our entries in the client's settings file. Absent: cortext changes no settings file of the client. */
  readonly settings?: OwnSettings
  /** Where `init --personal` puts all this for every folder. Absent: the client has no personal set-up. */
  readonly personal?: Personal
  /**
   * Our entry for `cortext mcp` in the project file that lists MCP servers. Absent: we add no entry for this client.
   */
  readonly mcpEntry?: OwnServer
}

/**
 * One AI command-line client that cortext starts, sets up and records. This contract hides everything that is special
 * about a client: nothing outside `clients/` compares client ids. A facet or function that a client does not have is
 * absent, not a stub. Functions that take an `Environment` may use files and run programs. Functions that take the path
 * of a transcript may read files. All others are pure.
 */
export interface Client extends Reader, ClientFacts {
  readonly tools: Tools
  /** The places of the client's sessions, and which of them is running. */
  readonly sessions: Sessions
  /** The format of the client's transcripts. */
  readonly reading: LiveFormat
  /** How the client's hooks, or its plugin, speak with cortext. */
  readonly hooks: HookLanguage
  /** How the client is started in a terminal. */
  readonly launch: Launching
  /** How the client's model is asked a question without a terminal. Absent: it cannot be asked. */
  readonly questions?: Questions
  /** Finds the person's settings that hinder cortext. Absent: no such setting is known. */
  readonly health?: Health
}

interface Health {
  /**
   * Reports what keeps our commands or hooks from working in a folder, such as a folder that the client does not trust.
   * It also reports settings that put native sessions at risk. It reads files and runs nothing. When nothing is wrong,
   * the list is empty or contains only findings of severity `ok`.
   */
  findings(environment: Environment, folder: string): ClientFinding[]
}

/** A finding of `cortext doctor` about a client's settings; see Finding in journeys/doctor/finding.ts. */
export interface ClientFinding {
  severity: 'ok' | 'note' | 'problem'
  /** A name that scripts can rely on: `hooks-disabled`. */
  code: string
  message: string
  /** A command to paste, or what to do. Absent when nothing is wrong. */
  fix?: string
}
