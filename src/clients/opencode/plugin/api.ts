/** The parts that we use of OpenCode's plugin interface and of OpenCode's client, as seen in 1.18.33. */

export interface PluginInput {
  client: OpenCodeClient
  /** The folder that OpenCode was started in. */
  directory: string
}

export interface OpenCodeClient {
  session: {
    get(request: ById): Promise<{ data?: SessionInfo }>
    messages(request: ById): Promise<{ data?: SaidMessage[] }>
  }
  tui: {
    showToast(request: {
      body: { message: string; variant: 'info' | 'warning'; duration: number }
    }): Promise<unknown>
  }
}

interface ById {
  path: { id: string }
}

interface SessionInfo {
  /** On a subagent's session: the session that started it. */
  parentID?: string
  title?: unknown
  directory?: unknown
  version?: unknown
  metadata?: { cortext?: unknown }
}

export interface SaidMessage {
  info: { id: string; sessionID: string; [field: string]: unknown }
  parts: Part[]
}

interface Part {
  type: string
  /** On a call of `task`: the session of the subagent. */
  state?: { metadata?: { sessionId?: string } }
}

export interface TextPart {
  type: string
  text?: string | undefined
  /** The part is sent to the model and hidden from the person. */
  synthetic?: boolean
  /** The part is shown to the person and not sent. */
  ignored?: boolean
  /** The metadata is stored with the part. */
  metadata?: Record<string, unknown>
}

/** The person's settings, as far as the plugin reads or changes them. */
export interface Config {
  mcp?: Record<string, unknown>
  permission?: Permission
}

type Permission = string | { [tool: string]: string | Record<string, string> }

/** Each hook gets the event and, as its second argument, what it may change. */
export interface Hooks {
  config(config: Config): Promise<void>
  'command.execute.before'(
    input: { command: string; sessionID: string; arguments: string },
    output: { parts: TextPart[] },
  ): Promise<void>
  'chat.message'(input: { sessionID: string }, output: { message: { id: string } }): Promise<void>
  'tool.execute.before'(
    input: { tool: string; sessionID: string },
    output: { args?: { command?: unknown } },
  ): Promise<void>
  'shell.env'(input: { sessionID?: string }, output: { env: Record<string, string> }): Promise<void>
  event(input: { event: OpenCodeEvent }): Promise<void>
  dispose(): Promise<void>
}

interface OpenCodeEvent {
  type: string
  properties: { sessionID: string }
}
