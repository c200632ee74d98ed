/** The parts that we use of Pi's interface for extensions, as seen in 1.5.2. */

export interface ExtensionApi {
  on(event: 'input', handler: Handler<{ text: string; source: string }>): void
  on(event: 'before_agent_start', handler: Handler<object, { message: CustomMessage } | undefined>): void
  /** Before each request to the model. What the handler returns is sent, and not kept. */
  on(
    event: 'context',
    handler: Handler<{ messages: ModelMessage[] }, { messages: ModelMessage[] } | undefined>,
  ): void
  on(event: 'message_end', handler: Handler<{ message: { role: string; content?: unknown } }>): void
  on(event: 'agent_settled', handler: Handler<object>): void
  on(event: 'session_start' | 'session_shutdown', handler: Handler<{ reason: string }>): void
  /** Adds an entry to the session that is not for the model. */
  appendEntry(customType: string, data: object): void
}

interface ModelMessage {
  role: string
  content?: unknown
  timestamp?: number
}

type Handler<Event, Result = void> = (event: Event, context: Context) => Promise<Result>

/** A message for the model that is kept in the session. */
interface CustomMessage {
  customType: string
  content: string
  display: boolean
}

export interface Context {
  cwd: string
  /** Whether a person sees the messages of `ui`. */
  hasUI: boolean
  ui: { notify(message: string, type: 'info' | 'warning'): void }
  sessionManager: {
    getSessionId(): string
    /** Undefined for a session that Pi does not keep. */
    getSessionFile(): string | undefined
  }
}
