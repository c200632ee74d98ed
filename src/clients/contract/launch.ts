import type { Environment } from '../../io/environment.ts'

/**
 * How a client is started in the terminal. `journeys/resuming/start-client.ts` asks for all of this, in the order in
 * which it stands here. Command lines contain only constants, ids and paths, never words of a conversation.
 */
export interface Launching {
  /** Names of the variables that the client gives to each program that its agent runs. Absent: it gives none. */
  readonly shellVariables?: readonly string[]
  /**
   * True when the client shows a person what our hook says at the start of a session that it resumes, before they type.
   */
  readonly showsAtResume?: true
  /** Makes an id for a new native session. Absent: a UUID is used. */
  newSessionId?(now: Date): string
  /**
   * Makes the seed of a handoff: a session in the client's own format, with the history of a conversation. The client
   * expands nothing in it, and calls no model before the person types.
   */
  seed(handoff: Handoff): string
  /** The ending of the seed's file. Absent: `jsonl`. */
  readonly seedEnding?: string
  /** Prepares any start of the client. Never throws. Absent: nothing has to be prepared. */
  prepare?(environment: Environment): void
  /**
   * Puts the seed, whose file is written, among the client's sessions. It may take a few seconds. Throws `client-failed`
   * or `refused` if the client cannot start with the conversation. Returns a promise if it has to ask the client's own
   * server (Codex CLI). Absent: the client reads the file at its start.
   */
  place?(environment: Environment, seed: Seed): void | Promise<void>
  /** Begins a new session with the seed in a file. Absent: the seed is resumed like any native session. */
  withSeed?(nativeId: string, path: string): Start
  /** Resumes a native session. */
  native(nativeId: string): Start
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
}

export interface Seed {
  nativeId: string
  cwd: string
  /**
   * Absolute path of the file in our folder of seeds, readable only by its user (0600). Its name is
   * `<client>-<nativeId>.<ending>`, so the conversation can be found by it. It is removed when the client has ended.
   */
  path: string
  content: string
}

/** What follows the client's name on its command line, and variables for it. */
export interface Start {
  args: string[]
  env?: Record<string, string>
}
