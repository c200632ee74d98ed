/**
 * How a client's hooks, or its plugin, speak with cortext. Each client implements this interface in its
 * `hook-events.ts`. That file is loaded at every turn, so it imports only types and small files. `hook-languages.ts`
 * lists every implementation.
 */
export interface HookLanguage {
  /**
   * Reads the payload of a hook. It never throws: a payload that it does not understand is an event of kind `other`.
   */
  parse(payload: unknown, env: Record<string, string | undefined>): HookEvent
  /**
   * Returns the hook output that gives `text` to the agent. The output also shows `shown` to the person, if the client
   * can show a separate line. Returns '' if the event cannot carry text to the agent. What else the agent has to know,
   * such as where the instructions of a command are, is a field that `parse` adds to the event.
   */
  contextFor(event: HookEvent, text: string, shown?: string): string
  /**
   * Returns the hook output that shows `text` to the person, but not to the agent. Returns '' if the client shows a
   * person nothing of this event.
   */
  messageFor(event: HookEvent, text: string): string
  /**
   * For clients that show a person only what a hook writes to stderr: says where the parts of a hook output go, and with
   * which code the hook exits. Absent: all of it goes to stdout, and the hook exits with 0.
   */
  printed?(output: string): { stdout: string; stderr?: string; exitCode?: number }
  /**
   * Returns when the transcript contains everything before the event, at the latest after two seconds. Absent: the client
   * writes what has happened before it runs a hook.
   */
  awaitWritten?(event: HookEvent): void
  /**
   * Whether the shell commands of an agent have a variable that names the session. If not, our hooks note which session
   * the client has open, under the client's process id.
   */
  readonly shellsNameSession: boolean
  /**
   * The settings files in which a project may have our hooks, relative to the folder in which the client was started. If
   * one has them, a personal hook leaves the session to them. Absent: our hooks are in no settings.
   */
  readonly projectSettings?: readonly string[]
  /** The file of our plugin in a project, for clients whose hooks are a plugin. */
  readonly projectPlugin?: string
  /**
   * For clients that keep a session in several files: returns the files before `transcript`, oldest first. Each of them
   * counts up to the byte offset `to`. The journal and `read` get these bytes and those of `transcript` as one file.
   * That file may grow only at its end. A missing file is left out. Absent: a session is one file.
   */
  before?(transcript: string): { path: string; to: number }[]
}

/** An event of a client, in one form for all clients. */
export interface HookEvent {
  /**
   * `turn-start` and `command` mark the place in the transcript where a turn begins, so they are only events of a hook
   * that the client waits for before it writes the prompt. An event that comes later is of kind `other`; the turn then
   * begins where `turnStart` (reading.ts) finds it. A turn has at most one `turn-start`. If the client runs that hook
   * again within a turn, for example at each request to the model, the later events are of kind `other`.
   */
  kind: 'session-start' | 'command' | 'turn-start' | 'turn-end' | 'session-end' | 'other'
  nativeId: string
  /** '' if the client names no transcript, or if the transcript that it names may be wrong. */
  transcript: string
  /** The project folder of the client. */
  cwd: string
  /** On `other`: what the hook prints. */
  answer?: string
  /** On `command`: the slash command without the slash, and its raw arguments. */
  command?: string
  args?: string
  /** On `command`: true when no `turn-start` follows for this turn. */
  opensTurn?: boolean
  /** The id that our launch gave this session. Present if the client chose another id for the session. */
  launch?: string
  /** On `turn-end`: true when the turn failed because the person has reached the client's limit of use. */
  limit?: boolean
  /** On `session-start` and `session-end`: true when the client continues in another session (`/clear`). */
  cleared?: boolean
}
