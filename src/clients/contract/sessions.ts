import type { Environment } from '../../io/environment.ts'

/**
 * Where the files of a client's sessions are. Paths are absolute; `folder` is the folder in which the sessions were held.
 */
export interface SessionFiles {
  /**
   * Lists the native sessions of a folder, newest first. It reads file names and the ends of files, or asks the client.
   * The list is empty when the client has stored no sessions. Throws `client-failed` when it asks the client and gets
   * no answer.
   */
  locate(environment: Environment, folder: string): NativeSession[]
  /**
   * The path of a session's transcript, whether or not it exists yet. Throws `unsafe-path` on an id that is not a plain
   * name.
   */
  transcriptPath(environment: Environment, folder: string, nativeId: string): string
  /**
   * The folders that contain all transcripts of the client, at any depth. A transcript outside these folders is not
   * read, even if a binding names it; nor is one that is not named after its session (`isNamedAfter`). Absent: the
   * transcripts may be anywhere.
   */
  folders?(environment: Environment): string[]
  /** Whether the path of a transcript names this session. Absent: the name of the file, without its ending, is the id. */
  isNamedAfter?(transcript: string, nativeId: string): boolean
  /**
   * The folder in which a session was held: '' if it is not known, and undefined if it is `folder`. For clients that
   * find a session only from that folder and from other folders of the same repository.
   */
  heldElsewhere?(environment: Environment, folder: string, transcript: string): string | undefined
  /**
   * The folder of files that belong to a session, such as moved outputs and subagents. Absent: the transcript contains
   * everything.
   */
  sideFolder?(transcript: string, nativeId: string): string
  /**
   * The folder of the outputs that the client moved out of the transcript, if it is not in the side folder. `read` gets
   * these outputs below `outputs/`.
   */
  outputsFolder?(transcript: string, nativeId: string): string
  /**
   * Side files of a session, such as the transcripts of its subagents, if they share a folder with files of other
   * sessions. `read` gets each side file under its `name`. Absent: there are no such files.
   */
  sideFiles?(transcript: string, nativeId: string): { path: string; name: string }[]
  /**
   * For clients that continue a session in further files: returns the newest file of a session, given any of its files.
   * `before` in hooks.ts returns the earlier files.
   */
  newest?(transcript: string): string
  /**
   * The name that a person gave to a session, if the client keeps it outside of the transcript; undefined without one.
   * Absent: the client keeps names in the transcript.
   */
  givenName?(environment: Environment, session: { nativeId: string; transcript: string }): string | undefined
  /**
   * For clients without transcript files: cortext writes a transcript next to the client's data, and this function
   * brings that transcript up to date. It may take seconds. Throws `not-found` when the client does not export the
   * session.
   */
  refresh?(environment: Environment, session: { nativeId: string; transcript: string; cwd: string }): void
}

/** The sessions of a client that cortext starts and records. */
export interface Sessions extends SessionFiles {
  /**
   * Whether the client still has a session, so that the client's own resume can work. People and clients delete
   * sessions. The check may take seconds if it has to ask the client. True if the client does not answer.
   */
  hasSession(environment: Environment, folder: string, nativeId: string): boolean
  /**
   * Whether another process has a session open, so that the client would refuse to resume it. Absent: the client never
   * refuses, and a session counts as open while the process that ran the session's last hook lives. Codex CLI needs
   * this function, because its hooks are run by a background server that outlives the terminals.
   */
  inUse?(environment: Environment, nativeId: string): boolean
  /** The id of the native session that this process runs in. Absent: no variable of the client names it. */
  currentSession?(env: Environment['env']): string | undefined
  /**
   * The folder in which a session was begun, as the client has noted it; undefined when it is not known. For clients
   * whose agents work there wherever the session is resumed. Absent: they work in the folder of the client's process.
   */
  folderOf?(environment: Environment, nativeId: string): string | undefined
  /**
   * The age at which the client deletes its own sessions of a folder. Absent or undefined: the client never deletes
   * them.
   */
  retention?(environment: Environment, folder: string): Retention | undefined
}

export interface NativeSession {
  client: string
  nativeId: string
  /** Absolute path of the transcript. */
  transcript: string
  /** The client's own title, else the first text that the person typed, cut to one line. It may be empty. */
  title: string
  /** The folder in which the session was held. */
  cwd: string
  /** When the transcript was changed last. */
  lastActive: Date
  bytes: number
  /** The transcript says that a program held the session and no person, as in a headless run. */
  automated?: true
}

export interface Retention {
  /** Days since a session's last change; may be a fraction. */
  days: number
  /** The setting's name, for the person: `cleanupPeriodDays`. */
  setting: string
}
