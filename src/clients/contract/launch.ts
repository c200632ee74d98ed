import type { Environment } from '../../io/environment.ts'
import type { PackCommand } from './pack.ts'

/** How a client is started in the terminal. Command lines hold constants and ids, and no word of a conversation. */
export interface Launching {
  /** Goes on with a session of the client's own. */
  native(session: { nativeId: string; cwd: string }): LaunchSpec
  /** Begins a new session with the history of a conversation. Nothing in it is expanded, and no model is called. */
  handoff(intent: Handoff): LaunchSpec
  /** An id for a new native session. Absent: a UUID will do. */
  newSessionId?(now: Date): string
  /**
   * Does what has to be done before the client is started, when its files are in place. It may take seconds, but not
   * more. Throws `client-failed` where the start would come to nothing.
   */
  prepare?(environment: Environment, launch: LaunchSpec): void
  /**
   * Clients that choose the ids of their sessions implement this: it tells which session our handoff became, by what
   * the seed has left in it. Undefined when nothing was said there.
   */
  launchedAs?(
    environment: Environment,
    folder: string,
    launch: string,
  ): { nativeId: string; transcript: string } | undefined
}

export interface Handoff {
  /** The id that the new native session shall have. */
  nativeId: string
  cwd: string
  command: PackCommand
  /** The arguments that are shown behind the command: the conversation's title. */
  args: string
  /** The resume block and the history. */
  context: string
  /** `[Resuming "…"]` */
  recap: string
  /** Absolute path of the folder that launch files lie in. */
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
  /** Absolute path in the handoff's folder, named `<client>-<nativeId>.<ending>`: so it is known whose words it holds. */
  path: string
  content: string
  /**
   * The client reads the file again later, so it stays when the client has ended. It goes with its conversation, and
   * when the launch fails. Other files are removed as soon as the client has ended.
   */
  keep?: true
}
