import type { Environment } from '../../io/environment.ts'

/**
 * How a client is started in the terminal. Command lines contain only constants, ids and paths, never words of a
 * conversation.
 */
export interface Launching {
  /** Names of the variables that the client gives to each program that its agent runs. Absent: it gives none. */
  readonly shellVariables?: readonly string[]
  /** Resumes a native session. */
  native(session: { nativeId: string; cwd: string }): LaunchSpec
  /**
   * Begins a new session with the history of a conversation. The client expands nothing in the history, and calls no
   * model before the person types.
   */
  handoff(intent: Handoff): LaunchSpec
  /**
   * True when the client shows a person what our hook says at the start of a session that it resumes, before they type.
   */
  readonly showsAtResume?: true
  /** Makes an id for a new native session. Absent: a UUID is used. */
  newSessionId?(now: Date): string
  /**
   * Prepares the start of the client, after the launch files are written. It may take a few seconds. Throws
   * `client-failed` if the client cannot start with the conversation. It returns a promise if it has to ask the
   * client's own server (Codex CLI).
   */
  prepare?(environment: Environment, launch: LaunchSpec): void | Promise<void>
  /**
   * For clients that choose the ids of their sessions: finds the session that our handoff became. The session still
   * contains parts of the seed. Undefined when nothing was said in that session.
   */
  findLaunched?(
    environment: Environment,
    folder: string,
    launch: string,
  ): { nativeId: string; transcript: string } | undefined
}

export interface Handoff {
  /** The id for the new native session. */
  nativeId: string
  cwd: string
  /** The name of the command that the client shows as typed, without the slash: `workspace.brainstorm`. */
  command: string
  /** The command's instructions, as the model gets them; '' for a conversation without instructions. */
  body: string
  /** The arguments shown after the command: the conversation's title. */
  args: string
  /** The resume block and the history. */
  context: string
  /**
   * The first text that the person sees: a few lines of markdown. The client shows them as the agent's last message.
   */
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

/** A file that is written before a launch, readable only by its user (0600). */
interface LaunchFile {
  /**
   * Absolute path in the handoff's folder. The file's name is `<client>-<nativeId>.<ending>`, so the conversation can
   * be found by the file's name.
   */
  path: string
  content: string
  /**
   * True when the client reads the file again later. Cortext then removes the file with its conversation, or when the
   * launch fails. It removes other files as soon as the client has ended.
   */
  keep?: true
}
