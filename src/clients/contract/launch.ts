import type { Environment } from '../../io/environment.ts'
import type { PackCommand } from './pack.ts'

/**
 * How a client is started in the terminal. Command lines hold only constants and ids, never words of a conversation.
 */
export interface Launching {
  /** Variables that the client gives to each program that its agent runs. Absent: it gives none. */
  readonly inShell?: readonly string[]
  /** Resumes a session of the client's own. */
  native(session: { nativeId: string; cwd: string }): LaunchSpec
  /**
   * Begins a new session with the history of a conversation. The client expands nothing in the history and calls no
   * model.
   */
  handoff(intent: Handoff): LaunchSpec
  /** Makes an id for a new native session. Absent: a UUID is used. */
  newSessionId?(now: Date): string
  /**
   * Prepares the start of the client, when the launch files are in place. It may take seconds, but not more. Throws
   * `client-failed` where the client could not start with the conversation. A client that is asked by a talk with a
   * server of its own (Codex CLI) answers later.
   */
  prepare?(environment: Environment, launch: LaunchSpec): void | Promise<void>
  /**
   * Clients that choose the ids of their sessions implement this: it finds the session that our handoff became, by
   * traces of the seed in it. Undefined when nothing was said there.
   */
  launchedAs?(
    environment: Environment,
    folder: string,
    launch: string,
  ): { nativeId: string; transcript: string } | undefined
}

export interface Handoff {
  /** The id for the new native session. */
  nativeId: string
  cwd: string
  command: PackCommand
  /** The arguments shown after the command: the conversation's title. */
  args: string
  /** The resume block and the history. */
  context: string
  /** The first text that the person sees: markdown, a few lines. The client shows it as the agent's last word. */
  recap: string
  /** Absolute path of the folder for launch files. */
  folder: string
}

export interface LaunchSpec {
  command: string
  args: string[]
  env: Record<string, string>
  cwd: string
  files: LaunchFile[]
}

/** A file that is written before a launch, readable by its user alone (0600). */
interface LaunchFile {
  /**
   * Absolute path in the handoff's folder. The name is `<client>-<nativeId>.<ending>`, so that its conversation is
   * known.
   */
  path: string
  content: string
  /**
   * True when the client reads the file again later: it stays when the client has ended, and goes with its conversation
   * or when the launch fails. Other files are removed as soon as the client has ended.
   */
  keep?: true
}
