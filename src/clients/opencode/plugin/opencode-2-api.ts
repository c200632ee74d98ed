/**
 * What we use of OpenCode 2's context for plugins, as its public sources have it (packages/plugin/src/promise,
 * packages/schema). What a version does not have is left out, so that everything may be missing.
 */
export interface PluginContext {
  app?: { version?: string }
  /** The project that the plugin was loaded for; one process serves all projects of a person. */
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

/** A hook may change the event that it is given. */
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
  /** Of a subagent's session: the one that started it. */
  parentID?: string
}

export interface SaidMessage {
  id: string
  /** Of an answer: its parts. */
  content?: unknown
}

export interface PromptEvent {
  sessionID: string
  /** Of the message that the prompt becomes. */
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
