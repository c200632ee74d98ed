/**
 * How a client's hooks, or its plugin, speak with cortext. The file that implements it is loaded at every turn: it
 * imports nothing but types, and stands in `hook-languages.ts` too.
 */
export interface HookLanguage {
  /** Reads what a hook was given. It never throws: a payload that is not understood is an event of kind `other`. */
  parse(payload: unknown, env: Record<string, string | undefined>): HookEvent
  /** What the hook prints so that the agent is told something; '' where the event cannot carry it. */
  tellAgent(event: HookEvent, text: string): string
  /** What the hook prints so that the person, and not the agent, is told something. */
  tellPerson(event: HookEvent, text: string): string
  /**
   * Whether the shell commands of an agent have a variable that names its session. Where they have none, the hooks
   * note under the number of the client's process which session it has open.
   */
  readonly shellsNameSession: boolean
}

/** What a hook tells, whichever client it comes from. */
export interface HookEvent {
  kind: 'session-start' | 'command' | 'turn-start' | 'turn-end' | 'session-end' | 'other'
  nativeId: string
  /** '' where the client does not tell it, or not the right one. */
  transcript: string
  /** The project folder of the client. */
  cwd: string
  /** On `command`: the slash command without the slash, and its raw arguments. */
  command?: string
  args?: string
  /** On `command`: no `turn-start` follows for this turn. */
  opensTurn?: boolean
  /** The id of our own launch that this session came from, where the client chose another id for it. */
  launch?: string
  /** On `session-start` and `session-end`: the client continues elsewhere under another id (`/clear`). */
  cleared?: boolean
}
