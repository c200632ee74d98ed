export interface Questions {
  /**
   * Makes the call that asks the client's model one question without a terminal. The client runs in an empty folder. As
   * far as it allows, it uses no tools, hooks, plugins or commands. Command lines contain only constants, `system` and
   * names of `mcpServers`, never text from a record. Pure.
   */
  ask(question: Question): AskSpec
}

export interface Question {
  /** Our instructions, a constant text. */
  system: string
  /** The question: it begins with a text of ours, and the rest is text from a record. */
  user: string
  /** The names of the MCP servers in the client's settings, for a client that can only turn them off one by one. */
  mcpServers?: readonly string[]
}

export interface AskSpec {
  command: string
  args: string[]
  env: Record<string, string>
  /** Files that are written into the folder before the start; their paths are relative to it. */
  files: { path: string; content: string }[]
  /** The text for the program's stdin. */
  input: string
  /** Finds the answer in the program's stdout. Undefined when there is no answer in it. */
  answer(stdout: string): AskAnswer | undefined
}

export interface AskAnswer {
  text: string
  /** The model that wrote the answer. Absent where the client does not name it. */
  model?: string
  /** The tokens that the client counted. Absent where it gives no counts. */
  tokens?: { read: number; wrote: number }
}
