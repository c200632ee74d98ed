/**
 * How a client's hooks, or its plugin, speak with cortext. The file that implements it (`hook-events.ts`) is loaded at
 * every turn, so it imports only types and small files; `hook-languages.ts` lists it too.
 */
export interface HookLanguage {
  /** Reads what a hook was given. It never throws: a payload that is not understood is an event of kind `other`. */
  parse(payload: unknown, env: Record<string, string | undefined>): HookEvent
  /**
   * The output with which the hook tells the agent something, and the person `shown`, where the client can show them a
   * line of their own; '' where the event cannot carry it.
   */
  tellAgent(event: HookEvent, text: string, shown?: string): string
  /** The output with which the hook tells the person something, and not the agent. */
  tellPerson(event: HookEvent, text: string): string
  /**
   * Whether an agent's shell commands have a variable that names its session. If not, the hooks note, under the number
   * of the client's process, which session the client has open.
   */
  readonly shellsNameSession: boolean
  /**
   * Clients that hold a session in several files implement this: what of other files comes before a transcript, as ranges
   * of bytes at their begin, the oldest first. The journal and `read` are given all of it as one, so it may only ever
   * grow at its end. A file that is missing is left out. Absent: a session is one file.
   */
  before?(transcript: string): { path: string; to: number }[]
}

/** An event of a client, in one form for all clients. */
export interface HookEvent {
  /**
   * A turn starts once: where the client runs a hook again within a turn, as for each request to the model, the further
   * events are of kind `other`.
   */
  kind: 'session-start' | 'command' | 'turn-start' | 'turn-end' | 'session-end' | 'other'
  nativeId: string
  /** '' where the client does not tell it, or tells a wrong one. */
  transcript: string
  /** The project folder of the client. */
  cwd: string
  /** On `command`: the slash command without the slash, and its raw arguments. */
  command?: string
  args?: string
  /** On `command`: true when no `turn-start` follows for this turn. */
  opensTurn?: boolean
  /** The id of our own launch that led to this session, where the client chose another id for it. */
  launch?: string
  /** On `session-start` and `session-end`: true when the client continues under another id (`/clear`). */
  cleared?: boolean
}
