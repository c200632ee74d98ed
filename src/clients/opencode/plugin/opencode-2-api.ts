/**
 * What we use of OpenCode 2's context for plugins, taken from its public sources (packages/plugin/src/promise,
 * packages/schema). Everything may be missing, because a version leaves out what it does not have.
 */
export interface PluginContext {
  app?: { version?: string }
  /** The project that the plugin was loaded for. One process serves all projects of a person. */
  location?: { directory?: string }
  session?: {
    get(request: BySession): Promise<SessionInfo>
    /** What the model is given of a session: nothing from before a compaction. */
    context(request: BySession): Promise<SaidMessage[]>
    hook: RegisterHook<'prompt', PromptEvent>
  }
  tool?: { hook?: RegisterHook<'execute.before', ToolEvent> }
  shell?: { hook?: RegisterHook<'create.before', ShellEvent> }
  event?: { subscribe(): AsyncIterable<SessionEvent> }
}

/** Registers a hook, which may change the event that it is given. */
type RegisterHook<Name, Event> = (
  name: Name,
  hook: (event: Event) => void | Promise<void>,
) => Promise<unknown>

interface BySession {
  sessionID: string
}

interface SessionInfo {
  title?: unknown
  location?: { directory?: string }
  /** On a subagent's session: the session that started it. */
  parentID?: string
}

export interface SaidMessage {
  id: string
  /** On an answer: its parts. */
  content?: unknown
}

export interface PromptEvent {
  sessionID: string
  /** The id of the message that the prompt becomes. */
  messageID: string
  prompt: { text: string }
  metadata?: Record<string, unknown> | undefined
}

export interface ToolEvent {
  sessionID: string
  input?: { command?: unknown }
}

export interface ShellEvent {
  command: string
  env: Record<string, string>
}

export interface SessionEvent {
  type: string
  data: BySession
}
